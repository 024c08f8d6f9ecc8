import type { Stop } from "../problem/model";
import { shipmentsOf } from "../problem/shipments";

/** A stop in the order of a vehicle. */
export interface Call {
  readonly stop: Stop;
  readonly trip: number;
}

/** What a vehicle serves, by its trips. */
export function tripsOf(calls: readonly Call[]): readonly (readonly Call[])[] {
  const trips = new Map<number, Call[]>();
  for (const call of calls) trips.set(call.trip, [...(trips.get(call.trip) ?? []), call]);
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

/** What is on board of a trip from its start, and after each stop: what is brought is there from the start, what is collected to the end. */
export function aboardOf(trip: readonly Stop[], amount: (stop: Stop) => number): readonly number[] {
  let aboard = trip
    .filter(({ collects, shipment }) => !collects && !shipment)
    .reduce((sum, stop) => sum + amount(stop), 0);
  const board = [aboard];
  for (const stop of trip) {
    aboard += stop.collects ? amount(stop) : -amount(stop);
    board.push(aboard);
  }
  return board;
}
