import type { Planner, State } from "../explorer/planner";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { tr } from "../ui/translate";

/** The line that a phone shows while the sheet is low: what was found, or what to do. */
export class Summary {
  readonly element = h("p", { class: "sheet-summary" });
  private readonly planner: Planner;
  /** What the task found; null for nothing, and for routes. */
  private found: string | null = null;

  constructor(planner: Planner) {
    this.planner = planner;
  }

  /** Takes what the task found; null clears it. */
  take(found: string | null): void {
    this.found = found;
    this.show(this.planner.state);
  }

  show(state: State): void {
    const { found } = this;
    const route = state.plan.task === "route";
    this.element.textContent = route
      ? summaryOf(state)
      : (found ?? tr("Tap the map to add a point"));
    const is = route ? state.outcome.kind === "routes" : found !== null;
    this.element.classList.toggle("found", is);
  }
}

function summaryOf({ outcome, busy, chosen }: State): string {
  switch (outcome.kind) {
    case "routes": {
      const route = outcome.routes[chosen] ?? outcome.routes[0]!;
      const { time, length } = route.summary;
      return `${formatTime(time)} · ${formatLength(length, route.miles)}`;
    }
    case "failed":
      return outcome.narration.title;
    default:
      return busy ? tr("Finding a route…") : tr("Tap the map to plan a route");
  }
}

/** What screen readers read out of an outcome; a failure has an alert of its own. */
export function announcement(state: State): string {
  return state.outcome.kind === "routes" ? tr("Route found: {0}.", summaryOf(state)) : "";
}
