import type { Stop } from "./model";
import { shipmentsOf } from "./shipments";

/** A stop in the order of a vehicle. */
export interface Call {
  readonly stop: Stop;
  readonly trip: number;
}

/** What a vehicle serves, by its trips. */
export function tripsOf(calls: readonly Call[]): readonly (readonly Stop[])[] {
  const trips = new Map<number, Stop[]>();
  for (const { stop, trip } of calls) trips.set(trip, [...(trips.get(trip) ?? []), stop]);
  return [...trips.values()];
}

/** How much of a load a stop brings or collects; of a shipment it is the more that its two stops say. */
export function amountsOf(stops: readonly Stop[]): (stop: Stop, load: number) => number {
  const whole = new Map(
    shipmentsOf(stops).flatMap(({ pickup, delivery }) =>
      [pickup, delivery].map((stop) => [stop, [pickup, delivery]] as const),
    ),
  );
  return (stop, load) =>
    Math.max(...(whole.get(stop) ?? [stop]).map(({ amounts }) => amounts[load] ?? 0));
}

/** The most of a load that is on board of a trip: what is brought is there from its start, what is collected to its end. */
export function peakOf(trip: readonly Stop[], amount: (stop: Stop) => number): number {
  let aboard = trip
    .filter(({ collects, shipment }) => !collects && !shipment)
    .reduce((sum, stop) => sum + amount(stop), 0);
  let peak = aboard;
  for (const stop of trip) {
    aboard += stop.collects ? amount(stop) : -amount(stop);
    peak = Math.max(peak, aboard);
  }
  return peak;
}
