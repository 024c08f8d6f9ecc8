import { tr } from "../../ui/translate";
import { named, type Problem, type Stop, type Vehicle, type Window } from "../problem/model";
import { skillNumbers } from "./request";
import { number, numbers, text } from "../problem/values";

/** A change that would have a stop served. */
export interface Relaxation {
  readonly text: string;
  /** The problem with the change made. */
  readonly apply: (problem: Problem) => Problem;
}

/** Reads a relaxation for a stop, or for both of a shipment; null where it says nothing. */
export function relaxationOf(
  entry: Record<string, unknown>,
  stops: readonly string[],
  problem: Problem,
): Relaxation | null {
  const said = text(entry["text"]);
  if (!said) return null;
  const by = (member: string): number => number(entry[member]) ?? 0;
  const more = numbers(entry["capacity"]);
  const wanted = numbers(entry["skills"]);
  const lacks = [...skillNumbers(problem)].filter(([, n]) => wanted.includes(n));
  const widen = ([from, to]: Window): Window => {
    const wider = by("time_windows_by_s");
    return [Math.max(0, from - wider), to + wider];
  };
  const stopWith = (stop: Stop): Stop => ({
    ...stop,
    windows: joined(stop.windows.map(widen)),
    ride: stop.ride && stop.ride + by("max_ride_time_by_s"),
  });
  const vehicleWith = (vehicle: Vehicle): Vehicle => ({
    ...vehicle,
    shifts: vehicle.shifts.map(([from, to], i, all): Window => {
      return [from, i === all.length - 1 ? to + by("allow_overtime_s") : to];
    }),
    capacities: vehicle.capacities.map((one, i) => (one === null ? null : one + (more[i] ?? 0))),
    skills: [...new Set([...vehicle.skills, ...lacks.map(([name]) => name)])],
    areas: entry["leaves_territory"] === true ? [] : vehicle.areas,
    mostStops: vehicle.mostStops && vehicle.mostStops + by("max_tasks"),
    mostDriving: vehicle.mostDriving && vehicle.mostDriving + by("max_travel_time"),
    mostMetres: vehicle.mostMetres && vehicle.mostMetres + by("max_distance"),
  });
  const vehicle = named(problem.vehicles, String(entry["vehicle"]));
  return {
    // The solver knows skills by their numbers alone.
    text: lacks.length
      ? tr(
          "{0} could also do: {1}",
          vehicle?.name ?? tr("The vehicle"),
          lacks.map(([name]) => name).join(", "),
        )
      : said,
    apply: (before) => ({
      ...before,
      stops: before.stops.map((one) => (stops.includes(one.id) ? stopWith(one) : one)),
      vehicles: before.vehicles.map((one) =>
        one.id === entry["vehicle"] ? vehicleWith(one) : one,
      ),
    }),
  };
}

/** Windows in their order, those that meet as one. */
export function joined(windows: readonly Window[]): Window[] {
  const list: Window[] = [];
  for (const [from, to] of windows.toSorted(([a], [b]) => a - b)) {
    const last = list.at(-1);
    if (last && from <= last[1]) list[list.length - 1] = [last[0], Math.max(last[1], to)];
    else list.push([from, to]);
  }
  return list;
}
