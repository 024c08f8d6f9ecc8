import type { Given } from "./route";
import { aboardOf, amountsOf, tripsOf, type Call } from "./trips";

/** A drive of a vehicle, and what happens at its end: a stop, loading, or nothing. */
export interface Leg {
  /** The name of its end. */
  readonly name: string;
  /** From 0. */
  readonly trip: number;
  /** Null where there is no way. */
  readonly seconds: number | null;
  readonly metres: number;
  readonly call: Call | null;
  /** Seconds that the vehicle stays at its end. */
  readonly lasts: number;
  /** The amount of each load on board during the drive. */
  readonly aboard: readonly number[];
}

/** The ways of a vehicle from its start over its calls to its end. */
export function legsOf({ vehicle, calls, ways, places, loads }: Given): Leg[] {
  const legs: Leg[] = [];
  let at = places.start(vehicle.id);
  const go = (to: number, leg: Omit<Leg, "seconds" | "metres">): void => {
    const stays = at < 0 || to < 0 || at === to;
    const seconds = stays ? 0 : (ways.durations[at]?.[to] ?? null);
    const metres = stays ? 0 : (ways.distances[at]?.[to] ?? 0);
    // The solver counts whole seconds and metres.
    legs.push({
      ...leg,
      seconds: seconds === null ? null : Math.round(seconds),
      metres: Math.round(metres),
    });
    if (to >= 0) at = to;
  };
  const amounts = amountsOf(calls.map(({ stop }) => stop));
  const trips = tripsOf(calls);
  trips.forEach((list, trip) => {
    const stops = list.map(({ stop }) => stop);
    const boards = loads.map((_, load) => aboardOf(stops, (stop) => amounts(stop, load)));
    const aboard = (after: number): number[] => boards.map((board) => board[after]!);
    list.forEach((call, i) => {
      const { id, name, service } = call.stop;
      go(places.stop(id), { name, trip, call, lasts: service, aboard: aboard(i) });
    });
    const last = trip === trips.length - 1;
    const to = last ? places.end(vehicle.id) : places.start(vehicle.id);
    go(to, {
      name: last ? "the end" : "the start",
      trip,
      call: null,
      lasts: last ? 0 : vehicle.reload,
      aboard: aboard(list.length),
    });
  });
  return legs;
}

export function sumOf<T>(list: readonly T[], of: (one: T) => number): number {
  return list.reduce((sum, one) => sum + of(one), 0);
}
