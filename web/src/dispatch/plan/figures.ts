import type { Answer } from "./answer";

/** What plans are compared by. */
export interface Figures {
  readonly stops: number;
  readonly left: number;
  readonly rounds: number;
  /** Seconds. */
  readonly driving: number;
  readonly metres: number;
  readonly cost: number | null;
  /** Seconds by which stops are reached after their windows, together. */
  readonly late: number;
  /** Seconds of the shortest and the longest round, from departure to its end. */
  readonly shortest: number;
  readonly longest: number;
  /** Stops of the rounds with fewest and with most. */
  readonly fewest: number;
  readonly most: number;
}

export function figuresOf({
  routes,
  left,
  cost,
}: Pick<Answer, "routes" | "left" | "cost">): Figures {
  const driven = routes.filter(({ visits }) => visits.length > 0);
  const lasts = driven.map(({ departure, finish }) => finish - departure);
  const counts = driven.map(({ visits }) => visits.length);
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  return {
    stops: sum(counts),
    left: left.length,
    rounds: driven.length,
    driving: sum(driven.map((route) => route.driving)),
    metres: sum(driven.map((route) => route.distance)),
    cost,
    late: sum(driven.flatMap(({ visits }) => visits.map(({ late }) => late))),
    shortest: driven.length ? Math.min(...lasts) : 0,
    longest: driven.length ? Math.max(...lasts) : 0,
    fewest: driven.length ? Math.min(...counts) : 0,
    most: driven.length ? Math.max(...counts) : 0,
  };
}
