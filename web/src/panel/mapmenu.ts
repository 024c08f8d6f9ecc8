import type { Planner } from "../explorer/planner";
import { formatCoordinates, type LonLat } from "../geo/coords";
import {
  addVia,
  avoidPlace,
  clearStops,
  setDestination,
  setStart,
  withSpot,
  type Plan,
} from "../plan/plan";
import { factList } from "./facts";
import { openMenu } from "./menu";
import { tr } from "../ui/translate";

export interface MapMenuSetup {
  readonly planner: Planner;
  readonly apiKey: string | null;
  /** Moves the map: for who can press, but not drag (WCAG 2.5.7). */
  readonly centre: (at: LonLat) => void;
}

/** Opens the menu of a place on the map; x and y are pixels of the page. */
export function mapMenu(
  { planner, apiKey, centre }: MapMenuSetup,
  at: LonLat,
  x: number,
  y: number,
): void {
  const act = (change: (plan: Plan, at: LonLat) => Plan) => () =>
    planner.change(change(planner.state.plan, at), "map");
  const running = new AbortController();
  openMenu(
    x,
    y,
    formatCoordinates(at),
    [
      { label: tr("Route from here"), act: act(setStart) },
      { label: tr("Route to here"), act: act(setDestination) },
      { label: tr("Go via here"), act: act(addVia) },
      { label: tr("Avoid the road here"), act: act(avoidPlace) },
      {
        label: tr("Keep what is here"),
        act: act((plan) => withSpot(plan, { at, id: null, name: "" })),
      },
      { label: tr("Centre the map here"), act: () => centre(at) },
      { label: tr("Clear all points"), act: act(clearStops) },
    ],
    factList(at, apiKey, running.signal),
    () => running.abort(),
  );
}
