import type { Stop } from "./model";

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

/** The most of a load that is on board of a trip: what is brought is there from its start, what is collected to its end. */
export function peakOf(trip: readonly Stop[], load: number): number {
  const amount = (stop: Stop): number => stop.amounts[load] ?? 0;
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
