import { tr } from "../../ui/translate";
import type { Problem, Stop } from "./model";
import { oddShipments, shipmentsOf } from "./shipments";

/** What keeps a problem from being solved, in words; none is none. */
export function missing(problem: Problem): string[] {
  const { stops, vehicles } = problem;
  const list: string[] = [];
  if (stops.length === 0) list.push(tr("There are no stops yet."));
  else if (lostStops(problem).length === stops.length)
    list.push(tr("No stop has a place yet: find their places."));
  for (const name of oddShipments(stops).slice(0, 5)) {
    list.push(tr("Shipment {0} is not two stops, one that collects and one that does not.", name));
  }
  if (vehicles.length === 0) list.push(tr("There is no vehicle yet."));
  for (const { name, start, end, startAddress, endAddress, shifts, trips } of vehicles) {
    for (const address of [!start && startAddress, !end && endAddress])
      if (address)
        list.push(
          tr("“{0}” of {1} has no place yet: find it, or show it on the map.", address, name),
        );
    if (!start && !end && !startAddress && !endAddress)
      list.push(tr("{0} has neither a start nor an end.", name));
    if (trips > 1 && !start) list.push(tr("{0} drives several trips: it needs a start.", name));
    if (trips > 1 && shifts.length !== 1)
      list.push(tr("{0} drives several trips: it needs one shift.", name));
  }
  return list;
}

/** The stops that a plan is made without: those without a place, and the other ends of their shipments. */
export function lostStops({ stops }: Pick<Problem, "stops">): readonly Stop[] {
  const halves = new Set(
    shipmentsOf(stops).flatMap(({ pickup, delivery }) =>
      pickup.at && delivery.at ? [] : [pickup.id, delivery.id],
    ),
  );
  return stops.filter(({ id, at }) => at === null || halves.has(id));
}

/** What keeps a day from being planned anew; null is nothing. */
export function unreplannable({ vehicles }: Problem): string | null {
  const reloads = vehicles.filter(({ trips }) => trips > 1).map(({ name }) => name);
  return reloads.length
    ? tr("A day of vehicles with several trips cannot be planned anew: {0}.", reloads.join(", "))
    : null;
}
