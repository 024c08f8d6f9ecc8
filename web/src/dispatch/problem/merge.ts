import { unlike } from "./areas";
import { likeLoad, roomIn } from "./loads";
import type { Problem, Stop, Vehicle } from "./model";

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

/** A problem with more vehicles, whose capacities are of these loads. */
export function withVehicles(
  problem: Problem,
  vehicles: readonly Vehicle[],
  loads: readonly string[],
): Problem {
  // A problem of one load has it under whatever name.
  const same = loads.length === 1 && problem.loads.length === 1;
  const names = same ? problem.loads : loads.map((load) => likeLoad(load, problem.loads));
  const amounts = problem.stops.some((stop) => stop.amounts.some((one) => one > 0));
  const fresh = !amounts && problem.vehicles.length === 0 && loads.length > 0;
  const all = fresh ? [...loads] : [...new Set([...problem.loads, ...names])];
  const from = fresh ? loads : names;
  const ids = new Set(problem.vehicles.map(({ id }) => id));
  const added = vehicles.map((vehicle) => {
    const id = unlike(vehicle.id, ids);
    ids.add(id);
    const capacities = all.map((load) => {
      const at = from.indexOf(load);
      const room = at < 0 ? null : (vehicle.capacities[at] ?? null);
      return room === null ? null : roomIn(room, loads[at]!, load);
    });
    return { ...vehicle, id, capacities };
  });
  return { ...problem, loads: all, vehicles: [...problem.vehicles, ...added] };
}
