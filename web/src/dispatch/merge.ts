import { unlike } from "./areas";
import type { Problem, Stop } from "./model";

/** A problem with more stops, whose amounts are of these loads. */
export function withStops(
  problem: Problem,
  stops: readonly Stop[],
  loads: readonly string[],
): Problem {
  const fresh = problem.stops.length === 0 && loads.length > 0;
  const all = fresh ? [...loads] : [...new Set([...problem.loads, ...loads])];
  const ids = new Set(problem.stops.map(({ id }) => id));
  const free = (id: string): string => {
    const own = unlike(id, ids);
    ids.add(own);
    return own;
  };
  const added = stops.map((stop) => ({
    ...stop,
    id: free(stop.id),
    amounts: all.map((load) => stop.amounts[loads.indexOf(load)] ?? 0),
  }));
  return { ...problem, loads: all, stops: [...problem.stops, ...added] };
}
