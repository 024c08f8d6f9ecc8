import type { PlanHistory } from "../explorer/history";
import type { Planner } from "../explorer/planner";
import { apiKey as storedKey } from "../call/secrets";
import { boundsOf } from "../geo/polyline";
import { planOf, type Explorer } from "../plan/explorer";
import { COSTINGS, isCosting } from "../plan/options";
import type { Spot } from "../plan/plan";
import { Suggester } from "../search/suggest";
import { h } from "../ui/dom";
import { progressBar, waitingLine, type Loading } from "../ui/loading";
import { placeCard } from "./card";
import { Drawer } from "./drawer";
import { examplesButton, footPanel } from "./foot";
import { layersButton } from "./layers";
import type { LazyMap } from "./lazymap";
import { rail } from "./rail";
import { resultPanel } from "./result";
import { searchBox } from "./searchbox";
import { settingsButton } from "./settings";
import type { Sheet } from "./sheet";
import { stopsPanel } from "./stops";
import type { Summary } from "./summary";
import { TaskPanel } from "./task";
import { transitCards } from "./transit";
import { travelPanel } from "./travel";

/** What the parts of the explorer's page share. */
export interface Parts {
  readonly explorer: Explorer;
  readonly apiKey: string | null;
  readonly loading: Loading;
  readonly planner: Planner;
  readonly planHistory: PlanHistory;
  readonly sheet: Sheet;
  readonly map: LazyMap;
  readonly summary: Summary;
  /** Opens the card of a place; null closes it. */
  readonly open: (spot: Spot | null) => void;
}

/** Finds places by text, those near the middle of the map first. */
function suggesterOf({ explorer, apiKey, planner, map }: Parts, kinds: boolean): Suggester {
  return new Suggester({
    apiKey,
    bounds: explorer.bounds ?? null,
    bias: () => map.centre(),
    lang: () => planner.state.plan.language,
    ...(kinds ? { kinds } : {}),
  });
}

/** The box over the map in which places are searched. */
export function searchOf(parts: Parts): HTMLElement {
  const { planner, explorer, map, open } = parts;
  return searchBox({
    planner,
    suggester: suggesterOf(parts, true),
    region: explorer.name,
    pick: ({ at, id, name, source, extent }) => {
      open({ at, id, name: source === "coordinates" ? "" : name });
      map.look(extent ? [at, [extent[0], extent[1]], [extent[2], extent[3]]] : [at]);
    },
  });
}

/** Fills the panel, and gives the part of it that the task has. */
export function fillPanel(panel: HTMLElement, parts: Parts): TaskPanel {
  const { explorer, apiKey, loading, planner, sheet, summary } = parts;
  const drawer = new Drawer(planner, apiKey !== null);
  const tasks = taskPanel(parts, drawer);
  const startExample = (index: number): void => {
    const example = explorer.examples[index];
    if (!example) return;
    planner.change(planOf(example, planner.state.plan), "elsewhere");
    const bounds = boundsOf(example.points);
    if (bounds) parts.map.fit(bounds);
  };
  panel.replaceChildren(
    sheet.handle,
    progressBar(loading),
    summary.element,
    h(
      "div",
      { class: "bench" },
      rail(
        planner,
        examplesButton(explorer, startExample),
        layersButton(planner, apiKey),
        settingsButton(planner),
      ),
      h(
        "div",
        { class: "panel-column" },
        h("div", { class: "panel-body" }, ...bodyOf(parts, tasks, startExample)),
        drawer.element,
      ),
    ),
  );
  return tasks;
}

/** The panel's cards from above to below. */
function bodyOf(
  parts: Parts,
  tasks: TaskPanel,
  startExample: (index: number) => void,
): readonly HTMLElement[] {
  const { explorer, apiKey, loading, planner, planHistory, sheet, map } = parts;
  const costings = explorer.costings.filter(isCosting);
  const { cards, nearby } = transitCards({ planner, apiKey, sheet, map });
  return [
    placeCard({ planner, apiKey, opened: () => sheet.phone && sheet.atLeast("half") }),
    ...cards,
    stopsPanel({
      planner,
      planHistory,
      bounds: explorer.bounds ?? null,
      mapCentre: () => map.centre(),
      suggester: suggesterOf(parts, false),
    }),
    travelPanel(planner, costings.length ? costings : COSTINGS),
    waitingLine(loading),
    tasks.element,
    nearby,
    resultPanel({
      planner,
      explorer,
      loading,
      apiKey,
      highlight: (line) => map.highlight(line),
      look: (line) => map.look(line),
      mark: (at) => map.mark(at),
      travel: (place) => map.travel(place?.at ?? null),
      draw: (shapes) => map.showFound(shapes),
      paint: (pieces) => map.paint(pieces),
      painted: () => map.pieces,
      fit: (bounds) => map.fit(bounds),
      startExample,
    }),
    footPanel(explorer, {
      held: apiKey !== null,
      change: (key) => {
        storedKey.set(key);
        location.reload();
      },
    }),
  ];
}

function taskPanel({ planner, loading, apiKey, map, open, summary }: Parts, drawer: Drawer) {
  return new TaskPanel({
    planner,
    loading,
    apiKey,
    drawer,
    around: () => map.around(),
    draw: (shapes) => map.showFound(shapes),
    handles: (list, moved) => map.showHandles(list, moved),
    fit: (bounds) => map.fitFound(bounds),
    mark: (at) => map.mark(at),
    open,
    summary: (text) => summary.take(text),
    lay: (overlay) => map.lay(overlay, overlay.moved),
    unlay: (overlay) => map.unlay(overlay),
  });
}
