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

/** The stops of a vehicle's round with their numbers. */
export function stopsOn(plan: Plan, vehicle: Vehicle): Shape[] {
  const placed = new Map(plan.problem.stops.map((stop) => [stop.id, stop.at]));
  const visits = plan.routes.find((one) => one.vehicle === vehicle.id)?.visits ?? [];
  return visits.flatMap(({ stop }, i) => {
    const at = placed.get(stop);
    return at ? [dot(at, colourIn(plan, vehicle), String(i + 1))] : [];
  });
}

/** Where a vehicle's day begins and ends. */
export function endsOf({ start, end }: Vehicle): Shape[] {
  return [start, end].flatMap((at) => (at ? [dot(at, HOME, "⌂")] : []));
}

function colourIn({ problem }: Plan, { id }: Vehicle): string {
  return colourOf(problem.vehicles.findIndex((one) => one.id === id));
}
