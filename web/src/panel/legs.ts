import type { LonLat } from "../geo/coords";
import { placedStops, stopLetter, stopName, type Plan } from "../plan/plan";
import type { LegView, RouteView, Step } from "../route/answer";
import { laneRow } from "../route/lanes";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { manoeuvreIcon, uiIcon } from "../ui/icons";
import type { Player } from "./play";
import { tr } from "../ui/translate";

export interface LegsSetup {
  /** Marks a stretch of the route on the map; null clears the mark. */
  readonly highlight: (line: readonly LonLat[] | null) => void;
  readonly look: (line: readonly LonLat[]) => void;
}

/** The lists of steps that are drawn already: a route is shown again with each change of the plan. */
const drawn = new WeakMap<LegView, HTMLElement>();

/** The legs of a route with their steps; where there are several, each folds. */
export function legs(
  setup: LegsSetup,
  player: Player,
  plan: Plan,
  route: RouteView,
): HTMLElement[] {
  const several = route.legs.length > 1;
  const stops = placedStops(plan).map((s) => plan.stops.indexOf(s));
  // While a newer request is under way the points may be others than the route's.
  const same = stops.length === route.legs.length + 1;
  const called = (at: number): string =>
    same ? stopName(plan, stops[at]!) : tr("Point {0}", stopLetter(at));
  const rows: Row[] = [];
  const elements = route.legs.map((leg, index) => {
    const steps =
      drawn.get(leg) ?? h("ol", { class: "steps", onpointerleave: () => setup.highlight(null) });
    if (!drawn.has(leg)) {
      leg.steps.forEach((step, at) =>
        rows.push([steps, () => stepRow(setup, player, step, route, `step-${index}-${at}`)]),
      );
    }
    drawn.set(leg, steps);
    if (!several) return h("div", { class: "leg" }, steps);
    return h(
      "details",
      { class: "leg", open: true },
      h(
        "summary",
        { "data-focus": `leg-${index}` },
        h(
          "h2",
          {},
          h("span", {}, tr("{0} to {1}", called(index), called(index + 1))),
          h(
            "span",
            { class: "leg-summary" },
            `${formatTime(leg.summary.time)}, ${formatLength(leg.summary.length, route.miles)}`,
          ),
        ),
      ),
      steps,
    );
  });
  void append(rows);
  return elements;
}

/** A list, and what makes its next row. */
type Row = readonly [list: HTMLElement, make: () => HTMLElement];

/** Rows that are made in one task. */
const AT_ONCE = 60;

/** Makes rows, the first of them at once, and leaves time for other things in between. */
async function append(rows: readonly Row[]): Promise<void> {
  for (const [index, [list, make]] of rows.entries()) {
    if (index > 0 && index % AT_ONCE === 0) await new Promise((resolve) => setTimeout(resolve));
    list.append(make());
  }
}

function stepRow(
  { highlight, look }: LegsSetup,
  player: Player,
  step: Step,
  { miles, clockwise }: RouteView,
  focus: string,
): HTMLElement {
  return h(
    "li",
    {},
    h(
      "button",
      {
        type: "button",
        class: "step",
        "data-focus": focus,
        onpointerenter: () => highlight(step.line),
        onfocus: () => highlight(step.line),
        onblur: () => highlight(null),
        onclick: () => {
          highlight(step.line);
          look(step.line);
        },
      },
      manoeuvreIcon(step.type, step.roundabout_exit_count, clockwise),
      h(
        "span",
        { class: "step-text" },
        step.landmark_instruction ?? step.instruction,
        step.toll && h("span", { class: "flag" }, tr("Toll")),
        step.rough && h("span", { class: "flag" }, tr("Unpaved")),
        step.gate && h("span", { class: "flag" }, tr("Gate")),
        laneRow(step.lanes),
      ),
      step.length > 0 && h("span", { class: "step-length" }, formatLength(step.length, miles)),
    ),
    player.canSpeak &&
      h(
        "button",
        {
          type: "button",
          class: "speak",
          title: tr("Say it"),
          "aria-label": tr("Say: {0}", step.instruction),
          onclick: () => player.say(step.verbal_pre_transition_instruction ?? step.instruction),
        },
        uiIcon("sound"),
      ),
  );
}
