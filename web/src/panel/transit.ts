import { isShown, type Panel } from "../explorer/state";
import type { Planner } from "../explorer/planner";
import { addStop, placedStops, setDestination, setStart, withSpot, type Plan } from "../plan/plan";
import { stopOf } from "../transit/spot";
import type { TransitPanel, Wanted } from "../transit/panel";
import { h } from "../ui/dom";
import type { LazyMap } from "./lazymap";
import type { Sheet } from "./sheet";
import { tr } from "../ui/translate";

export interface TransitParts {
  readonly planner: Planner;
  readonly apiKey: string | null;
  readonly sheet: Sheet;
  readonly map: LazyMap;
}

/** What of public transport a plan and a panel show. */
function wantedOf(plan: Plan, panel: Panel): Wanted {
  const listed = plan.task === "transit";
  return {
    stops: listed || isShown(panel, "stops"),
    vehicles: listed || isShown(panel, "vehicles"),
    listed,
    journey: placedStops(plan).length > 1,
    spot: plan.spot,
  };
}

/**
 * The cards of stops and vehicles, and the list of stops in view. Their code is loaded once
 * something of it is to be seen.
 */
export function transitCards(parts: TransitParts): {
  readonly cards: readonly HTMLElement[];
  readonly nearby: HTMLElement;
} {
  const { planner, apiKey, sheet, map } = parts;
  const card = (label: string): HTMLElement =>
    h("section", { class: "card", "aria-label": label, hidden: true });
  const board = card(tr("Departures"));
  const vehicle = card(tr("Vehicle"));
  const nearby = h("section", { "aria-label": tr("Stops on the map"), hidden: true });
  let loading: Promise<TransitPanel> | null = null;
  const load = async (): Promise<TransitPanel> => {
    const code = await import("../transit/panel");
    const panel = new code.TransitPanel({
      apiKey,
      board,
      vehicle,
      nearby,
      around: () => map.around(),
      zoom: () => map.zoom(),
      open: (spot) => planner.change(withSpot(planner.state.plan, spot), "map"),
      start: (at, name) => planner.change(go(setStart)(at, name), "elsewhere"),
      end: (at, name) => planner.change(go(setDestination)(at, name), "elsewhere"),
      opened: () => sheet.phone && sheet.atLeast("half"),
    });
    map.lay(panel.overlay, () => panel.moved());
    return panel;
  };
  /** A plan of a journey by public transport with another end. */
  const go =
    (change: typeof addStop) =>
    (...end: readonly [at: Parameters<typeof addStop>[1], name: string]): Plan => ({
      ...change(planner.state.plan, ...end),
      task: "transit",
    });
  planner.subscribe((state, before) => {
    const { plan, panel } = state;
    const wanted = wantedOf(plan, panel);
    if (!loading && !wanted.stops && !wanted.vehicles && !stopOf(wanted.spot)) return;
    const same =
      plan.task === before.plan.task &&
      plan.stops === before.plan.stops &&
      plan.spot === before.plan.spot &&
      panel.layers === before.panel.layers;
    if (loading && same) return;
    loading ??= load();
    void loading.then((shown) => {
      const { plan: now, panel: view } = planner.state;
      shown.show(wantedOf(now, view));
    });
  });
  return { cards: [board, vehicle], nearby };
}
