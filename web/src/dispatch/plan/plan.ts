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
