import type { Costing } from "../../plan/options";
import type { Members, Problem } from "./model";

function without(more: Members, ...names: readonly string[]): Members {
  return Object.fromEntries(Object.entries(more).filter(([name]) => !names.includes(name)));
}

/** A problem of another day, for which ways are worked out when its first shift begins. */
export function withDay(problem: Problem, day: string): Problem {
  return { ...problem, day, more: without(problem.more, "date_time") };
}

/** A problem whose vehicles travel otherwise. */
export function withCosting(problem: Problem, costing: Costing): Problem {
  return { ...problem, costing, more: without(problem.more, "costing") };
}

/** The vehicles of a problem on another day, without its stops and all that names them. */
export function vehiclesOn(problem: Problem, day: string): Problem {
  const { more, ...rest } = withDay(problem, day);
  return {
    ...rest,
    stops: [],
    vehicles: problem.vehicles.map((one) => ({
      ...one,
      more: without(one.more, "steps", "first_stop_ids"),
    })),
    more: without(more, "together", "apart"),
  };
}
