import type { LonLat } from "../geo/coords";
import { addStop, setStart, type Plan } from "../plan/plan";
import { cameras } from "./cameras";
import { centroid } from "./centroid";
import { charging } from "./charging";
import { clearance } from "./clearance";
import { cloud } from "./cloud";
import { errands } from "./errands";
import { incidents } from "./incidents";
import { ev } from "./ev";
import { fuel } from "./fuel";
import { isochrone } from "./isochrone";
import { matrix } from "./matrix";
import { onway } from "./onway";
import { places } from "./places";
import { route } from "./route";
import { search } from "./search";
import type { Described, Task } from "./task";
import { trace } from "./trace";
import { transit } from "./transit";
import { traffic } from "./traffic";
import { verify } from "./verify";
import { view } from "./view";
import { watch } from "./watch";
import { wayahead } from "./wayahead";
import { zones } from "./zones";
import { weather } from "./weather";

/** The things to do, in the order of the rail. */
export const TASKS: readonly (Described | Task)[] = [
  route,
  transit,
  search,
  isochrone,
  matrix,
  centroid,
  trace,
  errands,
  onway,
  wayahead,
  traffic,
  incidents,
  watch,
  ev,
  zones,
  fuel,
  charging,
  cameras,
  clearance,
  weather,
  view,
  places,
  cloud,
  verify,
];

/** The task of a name; the route where there is none of it. */
export function taskOf(name: string | null): Described | Task {
  return TASKS.find((task) => task.name === name) ?? route;
}

/** The task, where it makes calls of its own. */
export function asking(name: string): Task | null {
  const task = taskOf(name);
  return "request" in task ? task : null;
}

/**
 * The plan after a click on the map, where that fills a row: one that waits for a place, and in
 * a task that draws with points always. Null where the click shows what is there instead.
 */
export function pick(plan: Plan, at: LonLat, name: string): Plan | null {
  const { stops, first, drawn } = taskOf(plan.task);
  if (stops === null) return null;
  if (first) return plan.stops[0]!.at ? null : setStart(plan, at, name);
  return drawn || plan.stops.some((s) => !s.at) ? addStop(plan, at, name) : null;
}

/** The plan in directions, where its task is none in which the points are a way. */
export function inDirections(plan: Plan): Plan {
  return taskOf(plan.task).journey ? plan : { ...plan, task: route.name };
}
