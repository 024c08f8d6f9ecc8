import { decodePolyline } from "../geo/polyline";
import { dot, line, type Shape } from "../map/shape";
import type { Plan } from "../plan/plan";
import { modeName } from "../transit/answers";
import { lineBadge } from "../transit/badge";
import { badgeOf } from "../transit/colours";
import { clock } from "../transit/words";
import { h } from "../ui/dom";
import { formatTime } from "../ui/format";
import { lengthOf } from "./ahead";
import type { TaskContext } from "./task";
import { tr } from "../ui/translate";

/** A journey of an answer of POST /v1/transit/journeys, as far as it is shown. */
export interface Journey {
  readonly depart_at: string;
  readonly arrive_at: string;
  readonly duration_s: number;
  readonly changes: number;
  readonly walk_m: number;
  readonly legs: readonly Leg[];
}

export interface Leg {
  readonly mode: string;
  readonly from: Place;
  readonly to: Place;
  readonly depart_at: string;
  readonly arrive_at: string;
  readonly duration_s: number;
  readonly distance_m: number;
  readonly geometry: string;
  readonly exit?: Place;
  readonly entrance?: Place;
  readonly line?: string | null;
  readonly colour?: string | null;
  readonly text_colour?: string | null;
  readonly headsign?: string | null;
  readonly operator_name?: string | null;
  readonly every_s?: number;
  readonly stay_seated?: boolean;
  readonly booking?: "phone" | "driver";
  readonly cancelled?: boolean;
  readonly stops?: readonly StopCall[];
}

export interface Place {
  readonly lat: number;
  readonly lon: number;
  readonly name: string | null;
  readonly indicator: string | null;
}

type Basis = "timetable" | "live";

/** A call of a vehicle at a stop. */
interface StopCall {
  readonly name: string;
  readonly indicator: string | null;
  readonly arrive_at: string | null;
  readonly depart_at: string | null;
  readonly basis: Basis;
  readonly scheduled_arrive_at?: string | null;
  readonly scheduled_depart_at?: string | null;
}

const WALK = "#767e8c";

/** The legs as badges in their order; walks as minutes. */
export function badges(legs: readonly Leg[]): (HTMLElement | string)[] {
  return legs.flatMap((leg, index) => [
    ...(index > 0 ? [h("span", { class: "journey-next", "aria-hidden": "true" }, "›")] : []),
    leg.mode === "walk"
      ? h(
          "span",
          { class: "journey-walk" },
          h("span", { class: "offscreen" }, tr("walk ")),
          formatTime(Math.max(60, leg.duration_s)),
        )
      : badgeFor(leg),
  ]);
}

function badgeFor({ line: name, mode, colour, text_colour: text }: Leg): HTMLElement {
  return lineBadge({ line: name ?? null, mode, colour: colour ?? null, text_colour: text ?? null });
}

/** A journey on the map: rides in the colours of their lines, walks dotted. */
export function shapesOf({ legs }: Journey): Shape[] {
  const ways = legs.flatMap((leg): Shape[] => {
    const way = decodePolyline(leg.geometry);
    if (way.length < 2) return [];
    if (leg.mode === "walk") return [{ ...line(way, WALK), dotted: true }];
    const { ground } = badgeOf(leg.mode, leg.colour);
    return [{ ...line(way, ground), cased: true }];
  });
  const ends = legs.flatMap(({ mode, colour, from, to }): Shape[] => {
    if (mode === "walk") return [];
    const { ground } = badgeOf(mode, colour);
    return [from, to].map(({ lon, lat }) => dot([lon, lat], ground));
  });
  return [...ways, ...ends];
}

/** The legs of a journey, one row for each. */
export function inFull({ legs }: Journey, plan: Plan, context: TaskContext): HTMLElement[] {
  return [
    h(
      "ol",
      { class: "ride" },
      legs.flatMap((leg, index) => {
        const before = legs[index - 1];
        const wait = before ? (Date.parse(leg.depart_at) - Date.parse(before.arrive_at)) / 1000 : 0;
        return [
          ...(wait >= 60 && !leg.stay_seated
            ? [h("li", { class: "ride-wait" }, tr("Wait {0}", formatTime(wait)))]
            : []),
          leg.mode === "walk" ? walkRow(leg, plan, context) : rideRow(leg, context),
        ];
      }),
    ),
  ];
}

/** What a place is called, with its platform; other where it has no name. */
export function named({ name, indicator }: Place | StopCall, other: string): string {
  return [name ?? other, indicator].filter(Boolean).join(", ");
}

/** By which entrances of stations a walk leads, in words. */
export function doors({ exit, entrance }: Leg): string[] {
  return [
    ...(exit?.name ? [tr("out by {0}", exit.name)] : []),
    ...(entrance?.name ? [tr("in by {0}", entrance.name)] : []),
  ];
}

function walkRow(leg: Leg, plan: Plan, { look, mark }: TaskContext): HTMLElement {
  const way = decodePolyline(leg.geometry);
  const by = doors(leg);
  return h(
    "li",
    { class: "ride-walk" },
    h(
      "button",
      {
        type: "button",
        class: "ride-show",
        onclick: () => look(way),
        onfocus: () => mark(way[0] ?? null),
        onblur: () => mark(null),
      },
      tr(
        "Walk {0}, {1}, to {2}",
        formatTime(Math.max(60, leg.duration_s)),
        lengthOf(plan, leg.distance_m),
        named(leg.to, tr("the destination")),
      ),
      by.length > 0 && h("span", { class: "board-note" }, by.join(" · ")),
    ),
  );
}

function rideRow(leg: Leg, { look }: TaskContext): HTMLElement {
  const stops = leg.stops ?? [];
  const [first, last] = [stops[0], stops.at(-1)];
  const between = stops.slice(1, -1);
  const notes = [
    leg.operator_name,
    leg.every_s && tr("about every {0} min, at no fixed time", Math.round(leg.every_s / 60)),
    leg.booking === "phone" && tr("only if booked by phone"),
    leg.booking === "driver" && tr("arrange with the driver"),
  ].filter(Boolean);
  const row = h(
    "li",
    { class: "ride-leg" },
    leg.stay_seated && h("p", { class: "ride-wait" }, tr("Stay on the vehicle: it goes on as")),
    h(
      "p",
      { class: "ride-line" },
      badgeFor(leg),
      h("span", {}, leg.headsign ? tr("to {0}", leg.headsign) : modeName(leg.mode)),
      leg.cancelled && h("strong", { class: "board-off" }, tr("Cancelled")),
    ),
    first && callRow(first, "depart"),
    h("p", { class: "board-note" }, [formatTime(leg.duration_s), ...notes].join(" · ")),
    between.length > 0 &&
      h(
        "details",
        { class: "more" },
        h("summary", {}, tr("{0} {0|stop|stops} between", between.length)),
        between.map((call) => callRow(call, "depart")),
      ),
    last && last !== first && callRow(last, "arrive"),
    h(
      "button",
      {
        type: "button",
        class: "link",
        onclick: () => look(decodePolyline(leg.geometry)),
      },
      tr("Show on the map"),
    ),
  );
  row.style.setProperty("--leg", badgeOf(leg.mode, leg.colour).ground);
  return row;
}

/** A call with its time, and whether that is the timetable's or comes from a live feed. */
function callRow(call: StopCall, side: "arrive" | "depart"): HTMLElement {
  const at = call[`${side}_at`] ?? call.depart_at ?? call.arrive_at;
  const planned = call[`scheduled_${side}_at`];
  const moved = planned && at && clock(planned) !== clock(at);
  return h(
    "p",
    { class: "ride-call" },
    h("span", { class: "ride-time" }, moved && h("s", {}, clock(planned)), at ? clock(at) : "–"),
    h("span", { class: "ride-stop" }, named(call, "")),
    h(
      "span",
      { class: `basis ${call.basis}` },
      call.basis === "live" ? tr("live") : tr("timetable"),
    ),
  );
}
