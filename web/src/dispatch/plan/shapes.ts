import type { LonLat } from "../../geo/coords";
import { dot, line, type Shape } from "../../map/shape";
import type { Plan } from "./plan";
import { colourOf, type Vehicle } from "../problem/model";

const HOME = "#1b1e23";

/** The way of a vehicle's round; straight, and dotted, where it is not known along roads. */
export function wayOf(plan: Plan, vehicle: Vehicle): Shape[] {
  const route = plan.routes.find((one) => one.vehicle === vehicle.id);
  if (!route?.visits.length) return [];
  const known = plan.lines[vehicle.id];
  const colour = colourIn(plan, vehicle);
  return [known ? line(known, colour) : { ...line(turns(plan, vehicle), colour), dotted: true }];
}

/** The places of a vehicle's round in their order, its ends among them. */
export function turns({ problem, routes }: Plan, { id, start, end }: Vehicle) {
  const placed = new Map(problem.stops.map((stop) => [stop.id, stop.at]));
  const visits = routes.find((one) => one.vehicle === id)?.visits ?? [];
  return [start, ...visits.map(({ stop }) => placed.get(stop) ?? null), end].filter(
    (at) => at !== null,
  );
}

/** The stops of a vehicle's round with their numbers; those of one place are one mark with all of theirs. */
export function stopsOn(plan: Plan, vehicle: Vehicle): Shape[] {
  const placed = new Map(plan.problem.stops.map((stop) => [stop.id, stop.at]));
  const visits = plan.routes.find((one) => one.vehicle === vehicle.id)?.visits ?? [];
  const marks = visits.flatMap(({ stop }, i) => {
    const at = placed.get(stop);
    return at ? [{ at, number: i + 1 }] : [];
  });
  return together(marks).map((group) =>
    dot(group[0]!.at, colourIn(plan, vehicle), numbersText(group.map(({ number }) => number))),
  );
}

/** Stops that no vehicle serves, or that are not planned yet; those of one place are one mark with how many they are. */
export function stopsApart(places: readonly LonLat[], colour: string, text: string): Shape[] {
  return together(places.map((at) => ({ at }))).map((group) =>
    dot(group[0]!.at, colour, group.length > 1 ? `${text}${group.length}` : text),
  );
}

/** Things by their places. */
function together<T extends { readonly at: LonLat }>(things: readonly T[]): readonly T[][] {
  const groups = new Map<string, T[]>();
  for (const one of things) {
    const key = one.at.join();
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()];
}

/** "3", "3–5", "3, 7", or "3 +2" of a stop and two further ones, which a mark has room for. */
export function numbersText(numbers: readonly number[]): string {
  const [first, last] = [numbers[0]!, numbers.at(-1)!];
  if (numbers.length === 1) return String(first);
  if (last - first === numbers.length - 1) return `${first}–${last}`;
  return numbers.length > 2 ? `${first} +${numbers.length - 1}` : numbers.join(", ");
}

/** Where the days of vehicles begin and end, each place once. */
export function depotsOf(vehicles: readonly Vehicle[]): Shape[] {
  const places = vehicles.flatMap(({ start, end }) => [start, end].filter((at) => at !== null));
  return together(places.map((at) => ({ at }))).map(([one]) => dot(one!.at, HOME, "⌂"));
}

function colourIn({ problem }: Plan, { id }: Vehicle): string {
  return colourOf(problem.vehicles.findIndex((one) => one.id === id));
}
