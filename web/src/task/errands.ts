import { h } from "../ui/dom";
import { clockTime, formatLength, formatTime } from "../ui/format";
import { inputsOf, placedStops, type Plan } from "../plan/plan";
import { decodePolyline } from "../geo/polyline";
import { costed } from "../plan/request";
import type { TaskContext, Finding, Task } from "./task";
import { dot, line } from "../map/shape";
import { tr } from "../ui/translate";

const WAY = "#2f5bea";
const STOP = "#b3467a";

/** The answer of POST /v1/errands/plan, as far as it is shown. */
interface Answer {
  readonly feasible: boolean;
  readonly plan: Planned | null;
  readonly reason: {
    readonly code: string;
    readonly detail?: string;
    /** Seconds. */
    readonly over_by_s: number | null;
    readonly would_arrive: string | null;
    readonly blocking: readonly string[];
  } | null;
  readonly achievable: Planned | null;
  readonly dropped: readonly { readonly errand_id: string; readonly code: string }[];
  readonly verification?: {
    readonly proven_shut?: readonly {
      readonly errand_id: string;
      readonly name?: string;
      readonly opening_hours: string;
    }[];
  };
  readonly caveat?: string;
}

interface Planned {
  readonly depart_at: string;
  readonly arrive_at: string;
  readonly slack_s: number;
  readonly drive_s: number;
  readonly dwell_s: number;
  readonly direct_s: number;
  readonly distance_m: number;
  readonly stops: readonly Visit[];
  readonly legs: readonly {
    readonly drive_s: number;
    readonly distance_m: number;
    readonly shape: string;
  }[];
}

interface Visit {
  readonly errand_id: string;
  readonly id?: string;
  readonly name?: string;
  readonly lat: number;
  readonly lon: number;
  readonly arrive_at: string;
  readonly leave_at: string;
  readonly opening: { readonly verdict: string; readonly opening_hours?: string };
}

const MOST_ERRANDS = 5;

/** What was asked for: a kind of place, and how long it takes in minutes. */
interface Errand {
  readonly category: string;
  readonly dwell: number | null;
}

/** Reads "pharmacy, post office 15, pub": a number at the end is the minutes there. */
export function readErrands(text: string): Errand[] {
  return text
    .split(/[,;\n]+/)
    .map((part) => part.trim())
    .filter(Boolean)
    .slice(0, MOST_ERRANDS)
    .map((part) => {
      const [, category = part, minutes] = /^(.*\D)\s+(\d{1,3})(?:\s*min\w*)?$/.exec(part) ?? [];
      return { category: category.trim(), dwell: minutes ? Math.min(240, Number(minutes)) : null };
    });
}

/** A local time of the reader's clock with its offset, as RFC 3339. */
export function withOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (n: number): string => String(Math.floor(Math.abs(n))).padStart(2, "0");
  return `${local}:00${minutes < 0 ? "-" : "+"}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** In two hours, to the five minutes, as a local time. */
function soon(): string {
  const step = 5 * 60_000;
  const at = new Date(Math.ceil((Date.now() + 2 * 3_600_000) / step) * step);
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The time of day in an answer, in the offset it has. */
function clock(time: string): string {
  return clockTime(time.slice(11, 16));
}

const CODES: Readonly<Record<string, string>> = {
  deadline_missed: "it would make you late",
  destination_unreachable_in_time: "the destination itself cannot be reached in time",
  no_candidates_in_corridor: tr("no such place is near the way"),
  all_candidates_closed: tr("all such places are shut at the time"),
  unroutable: tr("no road leads to such a place"),
};

/** Errands on the way from the first stop to the last, in the best order. */
export const errands: Task = {
  name: "errands",
  label: tr("Errands"),
  icon: "M6 8h12l1 12H5zM9 10.5V7a3 3 0 0 1 6 0v3.5",
  stops: tr("From the first point to the last; the errands are found on the way."),
  journey: true,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "errands",
      label: tr("Errands"),
      help: tr(
        "Up to five, with commas between; a number is the minutes there: pharmacy, post office 15.",
      ),
      default: "",
      most: 300,
      placeholder: tr("pharmacy, cash, coffee 20"),
    },
    {
      kind: "time",
      key: "until",
      label: tr("Arrive by"),
      help: tr("By your clock; in two hours unless you say."),
      default: "",
    },
    {
      kind: "time",
      key: "from",
      main: false,
      label: tr("Leave at"),
      help: tr("Now unless you say."),
      default: "",
    },
    {
      kind: "number",
      key: "detour",
      main: false,
      label: tr("Detour at most"),
      help: "",
      default: 12,
      min: 0,
      max: 45,
      step: 1,
      unit: "min",
    },
  ],
  waiting: tr("Trying every order…"),
  hint: tr("Give a start and a destination, and say what you need on the way."),
  request(plan) {
    const stops = placedStops(plan);
    const { errands: text = "", until, from, detour } = inputsOf(plan, "errands");
    const list = readErrands(String(text));
    if (stops.length < 2 || list.length === 0) return null;
    const [origin, destination] = [stops[0]!, stops.at(-1)!];
    const { costing_options: options } = costed({ ...plan, costing: "auto" });
    return {
      path: "v1/errands/plan",
      body: {
        origin: { lat: origin.at[1], lon: origin.at[0] },
        destination: {
          lat: destination.at[1],
          lon: destination.at[0],
          ...(destination.name ? { name: destination.name } : {}),
        },
        arrive_by: withOffset(until ? String(until) : soon()),
        ...(from ? { depart_at: withOffset(String(from)) } : {}),
        errands: list.map(({ category, dwell }, index) => ({
          id: `errand-${index + 1}`,
          category,
          ...(dwell === null ? {} : { dwell_minutes: dwell }),
        })),
        ...(detour === undefined ? {} : { max_detour_minutes: Number(detour) }),
        ...(options ? { costing_options: options } : {}),
      },
    };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    const planned = answer.plan ?? answer.achievable;
    const wanted = readErrands(String(inputsOf(plan, "errands")["errands"] ?? ""));
    const named = (id: string): string =>
      wanted[Number(id.replace("errand-", "")) - 1]?.category ?? id;
    return {
      shapes: planned ? shapesOf(planned) : [],
      content: h(
        "div",
        {},
        !answer.feasible && refusal(answer, named),
        planned && timetable(planned, plan, context, named),
        shut(answer, named),
        answer.caveat && h("p", { class: "hint" }, answer.caveat),
      ),
    };
  },
};

function shapesOf({ legs, stops }: Planned): Finding["shapes"] {
  return [
    ...legs.map(({ shape }) => line(decodePolyline(shape), WAY)),
    ...stops.map(({ lon, lat }, index) => dot([lon, lat], STOP, String(index + 1))),
  ];
}

/** Why not everything can be done, and what can. */
function refusal(
  { reason, achievable, dropped }: Answer,
  named: (id: string) => string,
): HTMLElement {
  const late =
    reason?.over_by_s && reason.would_arrive
      ? tr(
          " You would arrive at {0}, {1} too late.",
          clock(reason.would_arrive),
          formatTime(reason.over_by_s),
        )
      : "";
  const why = reason?.blocking.length
    ? `${reason.blocking.map(named).join(", ")}: ${CODES[reason.code] ?? reason.detail ?? reason.code}.`
    : `${reason?.detail ?? tr("There is no plan of everything")}.`;
  return h(
    "div",
    { class: "notice warning", role: "status" },
    h("h2", {}, tr("Not everything fits")),
    h("p", {}, why[0]!.toUpperCase() + why.slice(1) + late),
    dropped.length > 0 &&
      achievable !== null &&
      h(
        "p",
        {},
        tr(
          "Below is what does fit, without: {0}.",
          dropped.map(({ errand_id }) => named(errand_id)).join(", "),
        ),
      ),
    achievable === null && h("p", {}, tr("Even the drive alone does not arrive in time.")),
  );
}

function timetable(
  planned: Planned,
  plan: Plan,
  { look, open }: TaskContext,
  named: (id: string) => string,
): HTMLElement {
  const miles = plan.units === "miles";
  const length = (metres: number): string =>
    formatLength(metres / (miles ? 1609.344 : 1000), miles);
  const { stops, legs } = planned;
  const drive = (index: number): HTMLElement | false => {
    const leg = legs[index];
    return (
      leg !== undefined &&
      h(
        "li",
        { class: "drive" },
        tr("Drive {0}, {1}", formatTime(leg.drive_s), length(leg.distance_m)),
      )
    );
  };
  const extra = planned.drive_s - planned.direct_s;
  return h(
    "div",
    {},
    h(
      "p",
      { class: "timetable-head" },
      h("strong", {}, tr("{0} to {1}", clock(planned.depart_at), clock(planned.arrive_at))),
      ` ${length(planned.distance_m)}`,
      extra >= 30 && tr(", {0} more driving than the direct way", formatTime(extra)),
      planned.slack_s >= 60 && tr("; {0} to spare", formatTime(planned.slack_s)),
    ),
    h(
      "ol",
      { class: "timetable" },
      h(
        "li",
        { class: "end" },
        h("time", {}, clock(planned.depart_at)),
        h("span", {}, tr("Leave")),
      ),
      stops.map((visit, index) => [
        drive(index),
        h(
          "li",
          {},
          h("time", {}, clock(visit.arrive_at)),
          h(
            "div",
            {},
            h(
              "button",
              {
                type: "button",
                class: "found-name",
                onclick: () => {
                  const at = [visit.lon, visit.lat] as const;
                  look([at]);
                  open({ at, id: visit.id ?? null, name: visit.name ?? "" });
                },
              },
              visit.name ?? named(visit.errand_id),
            ),
            h(
              "p",
              { class: "found-detail" },
              tr("{0} · {1}, until {2}", index + 1, named(visit.errand_id), clock(visit.leave_at)),
            ),
            h(
              "p",
              {
                class: `verdict ${visit.opening.verdict === "open_on_the_tag" ? "clear" : "unknown"}`,
              },
              visit.opening.verdict === "open_on_the_tag"
                ? tr("Open then, as mapped: {0}", visit.opening.opening_hours ?? "")
                : tr("Whether it is open is not known"),
            ),
          ),
        ),
      ]),
      drive(stops.length),
      h(
        "li",
        { class: "end" },
        h("time", {}, clock(planned.arrive_at)),
        h("span", {}, tr("Arrive")),
      ),
    ),
  );
}

function shut({ verification }: Answer, named: (id: string) => string): HTMLElement | false {
  const all = verification?.proven_shut ?? [];
  return (
    all.length > 0 &&
    h(
      "p",
      { class: "hint" },
      tr(
        "Passed over, since shut at the time: {0}.",
        all
          .map(({ errand_id, name, opening_hours: tag }) => `${name ?? named(errand_id)} (${tag})`)
          .join(", "),
      ),
    )
  );
}
