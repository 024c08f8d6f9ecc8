import "../style/transit.css";
import type { Answered, Call } from "../call/call";
import type { Failure } from "../call/problem";
import { inputsOf, placedStops, type Plan } from "../plan/plan";
import { dayName } from "../site/dates";
import type { Coverage } from "../transit/answers";
import { lineBadge } from "../transit/badge";
import { importHelp } from "../transit/help";
import { clock, otherDay, withOffsetOf, withOwnOffset } from "../transit/words";
import { h } from "../ui/dom";
import { formatTime } from "../ui/format";
import { lengthOf } from "./ahead";
import { badges, inFull, named, shapesOf, type Journey, type Place } from "./journeylegs";
import type { Finding, TaskContext } from "./task";
import { tr } from "../ui/translate";

/** The answer of POST /v1/transit/journeys, as far as it is shown. */
export interface Answer {
  readonly at: string;
  readonly arrive_by: boolean;
  readonly label: string;
  readonly journeys: readonly Journey[];
  readonly none: {
    readonly reason: string;
    readonly message: string;
    readonly next: {
      readonly depart_at: string;
      readonly line: string | null;
      readonly mode: string;
      readonly destination: string | null;
      readonly stop: Place;
    } | null;
  } | null;
  readonly previous: string | null;
  readonly next: string | null;
  readonly coverage: Coverage;
  readonly attribution: readonly string[];
}

const PATH = "v1/transit/journeys";

/**
 * Offsets of the zone of the timetable by local day and hour: what a local time of the plan
 * means is known from the first answer about it.
 */
const offsets = new Map<string, string>();

/** A local time of a plan with its offset: of the timetable where that is known, else the reader's. */
function instant(local: string): string {
  const known = offsets.get(local.slice(0, 13));
  return known ? withOffsetOf(local, known) : withOwnOffset(local);
}

export function request(plan: Plan): Call | null {
  const stops = placedStops(plan);
  if (stops.length < 2) return null;
  const [from, to] = [stops[0]!, stops.at(-1)!].map(({ at: [lon, lat] }) => ({ lat, lon }));
  const { walk, changes } = inputsOf(plan, "transit");
  const { when } = plan;
  return {
    path: PATH,
    body: {
      ...{ from, to, language: plan.language },
      ...(when ? { at: instant(when.at) } : {}),
      ...(when?.kind === "arrive" ? { arrive_by: true } : {}),
      ...(walk === undefined ? {} : { max_walk_m: Number(walk) }),
      ...(changes === undefined ? {} : { max_changes: Number(changes) }),
    },
  };
}

/** The times of the same way by other means, and what they were asked about. */
let compared: { readonly about: string; readonly times: readonly (number | null)[] } | null = null;
const COMPARED = [
  ["auto", tr("By car")],
  ["bicycle", tr("By bicycle")],
] as const;

function aboutOf(plan: Plan): string {
  const stops = placedStops(plan);
  return JSON.stringify([stops[0]?.at, stops.at(-1)?.at]);
}

/** The same way by car and by bicycle, asked for once for both ends. */
export function beside(_: unknown, plan: Plan): Call[] {
  const about = aboutOf(plan);
  if (compared?.about === about && !compared.times.includes(null)) return [];
  const stops = placedStops(plan);
  const locations = [stops[0]!, stops.at(-1)!].map(({ at: [lon, lat] }) => ({ lat, lon }));
  return COMPARED.map(([costing]) => ({
    path: "route",
    body: { locations, costing, directions_type: "none" },
  }));
}

/** The seconds of a route; null where that is not known. */
function secondsOf(answered: Answered): number | null {
  if (answered.kind !== "ok") return null;
  const { trip } = answered.body as { trip?: { summary?: { time?: number } } };
  return trip?.summary?.time ?? null;
}

export function read(
  body: unknown,
  plan: Plan,
  context: TaskContext,
  { call, beside: routes }: { readonly call: Call; readonly beside: readonly Answered[] },
): Finding {
  const answer = body as Answer;
  if (routes.length > 0) compared = { about: aboutOf(plan), times: routes.map(secondsOf) };
  if (learn(plan, answer)) setTimeout(context.again);
  const { journeys } = answer;
  return {
    shapes: journeys[0] ? shapesOf(journeys[0]) : [],
    summary: journeys[0] ? inALine(journeys[0]) : tr("No journey"),
    content: h(
      "div",
      {},
      answer.coverage.expired &&
        h(
          "p",
          { class: "notice warning" },
          tr(
            "This timetable ended on {0}: it is out of date.",
            dayName(answer.coverage.last_day ?? ""),
          ),
        ),
      journeys.length > 0 ? choice(answer, plan, context) : none(answer, plan, context),
      paging(answer, call, context),
      byOtherMeans(),
      h("p", { class: "transit-label" }, answer.label),
      h("p", { class: "transit-label" }, answer.attribution.join(" · ")),
    ),
  };
}

/**
 * Learns the offset of the timetable's zone from an answer; reports whether the plan's local
 * time meant another moment than was asked about.
 */
function learn({ when }: Plan, { at }: Answer): boolean {
  if (!when) return false;
  const asked = instant(when.at);
  const known = withOffsetOf(when.at, at);
  offsets.set(when.at.slice(0, 13), at);
  return Date.parse(asked) !== Date.parse(known);
}

function inALine({ depart_at: from, arrive_at: to, duration_s: seconds }: Journey): string {
  return tr("{0} to {1} · {2}", clock(from), clock(to), formatTime(seconds));
}

/** The journeys to choose from, and the chosen one in full. */
function choice({ journeys, at }: Answer, plan: Plan, context: TaskContext): HTMLElement {
  const detail = h("div", { class: "journey-detail" });
  const choose = (journey: Journey): void => {
    detail.replaceChildren(...inFull(journey, plan, context));
  };
  choose(journeys[0]!);
  return h(
    "div",
    {},
    h(
      "div",
      { class: "routes", role: "radiogroup", "aria-label": tr("Journeys") },
      journeys.map((journey, index) => {
        const { legs, changes, walk_m: walk, depart_at: from } = journey;
        return h(
          "label",
          { class: "route journey" },
          h("input", {
            type: "radio",
            name: "journey",
            checked: index === 0,
            "data-focus": `journey-${index}`,
            onchange: () => {
              choose(journey);
              context.draw(shapesOf(journey));
            },
          }),
          h(
            "span",
            { class: "journey-times" },
            h("strong", { class: "route-time" }, `${clock(from)} – ${clock(journey.arrive_at)}`),
            h("span", { class: "route-length" }, otherDay(from, at)),
            h("span", { class: "journey-took" }, formatTime(journey.duration_s)),
          ),
          h("span", { class: "journey-legs" }, badges(legs)),
          h(
            "span",
            { class: "route-later" },
            [
              legs.every(({ mode }) => mode === "walk")
                ? tr("on foot")
                : changes === 0
                  ? tr("direct")
                  : tr("{0} {0|change|changes}", changes),
              tr("{0} of walking", lengthOf(plan, walk)),
              legs.some(({ cancelled }) => cancelled) && tr("cancelled"),
            ]
              .filter(Boolean)
              .join(" · "),
          ),
        );
      }),
    ),
    detail,
  );
}

/** Why there is no journey, and when the next vehicle goes. */
function none({ none: why, at }: Answer, plan: Plan, { change }: TaskContext): HTMLElement {
  const next = why?.next;
  return h(
    "div",
    { class: "notice warning", role: "status" },
    h("h2", {}, tr("No journey")),
    h("p", {}, why?.message ?? tr("Nothing goes there at this time.")),
    next &&
      h(
        "p",
        {},
        tr("The next from near the start: "),
        lineBadge({ line: next.line, mode: next.mode }),
        [
          next.destination && tr(" to {0}", next.destination),
          tr(" at {0}", clock(next.depart_at)),
          otherDay(next.depart_at, at),
          next.stop.name && tr(" from {0}", named(next.stop, "")),
        ]
          .filter(Boolean)
          .join(" "),
      ),
    next &&
      h(
        "p",
        { class: "actions" },
        h(
          "button",
          {
            type: "button",
            class: "tool",
            onclick: () =>
              change({ ...plan, when: { kind: "depart", at: next.depart_at.slice(0, 16) } }),
          },
          tr("Journeys at that time"),
        ),
      ),
  );
}

/** Buttons to earlier and later journeys. */
function paging(
  { previous, next }: Answer,
  { body }: Call,
  { run }: TaskContext,
): HTMLElement | false {
  if (!previous && !next) return false;
  const page = (label: string, cursor: string | null) =>
    h(
      "button",
      {
        type: "button",
        class: "tool",
        "data-focus": `journeys-${label}`,
        "aria-disabled": cursor ? null : "true",
        onclick: () =>
          cursor && void run({ path: PATH, body: { ...(body as object), page: cursor } }),
      },
      label,
    );
  return h(
    "div",
    { class: "journey-pages" },
    page(tr("Earlier"), previous),
    page(tr("Later"), next),
  );
}

function byOtherMeans(): HTMLElement | false {
  if (!compared) return false;
  const { times } = compared;
  return h(
    "dl",
    { class: "journey-others" },
    COMPARED.map(([, label], index) =>
      h(
        "div",
        {},
        h("dt", {}, label),
        h("dd", {}, times[index] == null ? tr("not known") : formatTime(times[index])),
      ),
    ),
  );
}

/** A server without journeys, or without any timetable, in words. */
export function explain(failure: Failure): HTMLElement | null {
  if (failure.kind !== "answer") return null;
  const { status, body } = failure;
  const { type = "" } = (body ?? {}) as { type?: string };
  if (status === 501 && String(type).endsWith("transit-not-enabled")) return importHelp();
  if (status !== 404 && status !== 405 && status !== 501) return null;
  return h(
    "div",
    { class: "notice warning", role: "status" },
    h("h2", {}, tr("Journeys are not planned here yet")),
    h(
      "p",
      {},
      tr(
        "This server has stops and departures, but no journeys. Choose a stop on the map or in the list for its departures.",
      ),
    ),
  );
}
