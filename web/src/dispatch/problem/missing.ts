import type { Problem } from "./model";
import { oddShipments } from "./shipments";

/** What keeps a problem from being solved, in words; none is none. */
export function missing(problem: Problem): string[] {
  const { stops, vehicles } = problem;
  const list: string[] = [];
  const lost = stops.filter(({ at }) => at === null).length;
  if (stops.length === 0) list.push("There are no stops yet.");
  if (lost)
    list.push(`${lost} of ${stops.length} stops have no place yet: find them, or take them out.`);
  for (const name of oddShipments(stops).slice(0, 5)) {
    list.push(`Shipment ${name} is not two stops, one that collects and one that does not.`);
  }
  if (vehicles.length === 0) list.push("There is no vehicle yet.");
  for (const { name, start, end, shifts, trips } of vehicles) {
    if (!start && !end) list.push(`${name} has neither a start nor an end.`);
    if (trips > 1 && !start) list.push(`${name} drives several trips: it needs a start.`);
    if (trips > 1 && shifts.length !== 1)
      list.push(`${name} drives several trips: it needs one shift.`);
  }
  return list;
}

/** What keeps a day from being planned anew; null is nothing. */
export function unreplannable({ vehicles }: Problem): string | null {
  const reloads = vehicles.filter(({ trips }) => trips > 1).map(({ name }) => name);
  return reloads.length
    ? `A day of vehicles with several trips cannot be planned anew: ${reloads.join(", ")}.`
    : null;
}
