import type { LonLat } from "../../geo/coords";
import type { Left } from "./answer";
import type { Figures } from "./figures";
import type { Problem } from "../problem/model";
import type { Route } from "../day/route";

/** A plan as it is shown: the solver's, with the changes by hand since. */
export interface Plan {
  /** The problem that it solves. */
  readonly problem: Problem;
  readonly routes: readonly Route[];
  /** Lines along roads by vehicle; a vehicle without one has straight lines. */
  readonly lines: Readonly<Record<string, readonly LonLat[]>>;
  readonly left: readonly Left[];
  readonly cost: number | null;
  readonly notes: readonly string[];
  /** Vehicles whose stops were moved by hand. */
  readonly touched: readonly string[];
  /** Stops that were moved by hand. */
  readonly fixed: readonly string[];
  /** The figures of the plan of least cost, where rounds are to be something else. */
  readonly before: Figures | null;
}

/** Whether a plan differs from another one in more than its lines, which only the map shows. */
export function differs(plan: Plan | null, other: Plan | null): boolean {
  if (!plan || !other) return plan !== other;
  const { lines: _, ...rest } = plan;
  return (Object.keys(rest) as (keyof typeof rest)[]).some((key) => rest[key] !== other[key]);
}
