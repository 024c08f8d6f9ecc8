import type { Problem, Stop } from "./model";

/** A load that one vehicle collects at a stop and brings to another. */
export interface Shipment {
  readonly id: string;
  readonly pickup: Stop;
  readonly delivery: Stop;
}

/** The shipments among stops: two of one name, of which one collects. */
export function shipmentsOf(stops: readonly Stop[]): readonly Shipment[] {
  const ids = new Set(stops.map(({ id }) => id));
  return [...byName(stops)].flatMap(([name, pair]): Shipment[] => {
    const [pickup] = pair.filter(({ collects }) => collects);
    const [delivery] = pair.filter(({ collects }) => !collects);
    if (pair.length !== 2 || !pickup || !delivery) return [];
    // It has an id beside those of stops.
    return [{ id: ids.has(name) ? `${pickup.id} > ${delivery.id}` : name, pickup, delivery }];
  });
}

/** Names of shipments that are not two stops of which one collects. */
export function oddShipments(stops: readonly Stop[]): readonly string[] {
  const whole = new Set(shipmentsOf(stops).map(({ pickup }) => pickup.shipment));
  return [...byName(stops).keys()].filter((name) => !whole.has(name));
}

/** The other stop of a shipment; null for a stop of none. */
export function partnerOf({ stops }: Pick<Problem, "stops">, id: string): Stop | null {
  const of = shipmentsOf(stops).find(({ pickup, delivery }) =>
    [pickup.id, delivery.id].includes(id),
  );
  if (!of) return null;
  return of.pickup.id === id ? of.delivery : of.pickup;
}

function byName(stops: readonly Stop[]): ReadonlyMap<string, readonly Stop[]> {
  const all = new Map<string, Stop[]>();
  for (const stop of stops) {
    if (stop.shipment) all.set(stop.shipment, [...(all.get(stop.shipment) ?? []), stop]);
  }
  return all;
}

/** Most seconds that a shipment is on board; 0 has no bound. */
export function rideOf({ pickup, delivery }: Shipment): number {
  const bounds = [pickup.ride, delivery.ride].filter((ride) => ride > 0);
  return bounds.length ? Math.min(...bounds) : 0;
}
