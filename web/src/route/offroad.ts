import type { RouteView } from "./answer";
import type { LonLat } from "../geo/coords";
import { placedStops, stopLetter, type Plan } from "../plan/plan";
import { distance } from "../geo/sphere";

/** A straight line between a point and the place where the route meets the road. */
export interface OffRoad {
  readonly letter: string;
  readonly line: readonly [LonLat, LonLat];
  readonly metres: number;
}

/** Shorter ways are not worth a word: half a road lies between its line and a house. */
const WORTH_M = 40;

/** Where a route begins, turns or ends away from the points of its plan. */
export function offRoad(plan: Plan, route: RouteView): OffRoad[] {
  const stops = placedStops(plan);
  if (stops.length !== route.legs.length + 1) return [];
  const joints = [
    route.legs[0]?.steps[0]?.line[0],
    ...route.legs.map(({ steps }) => steps.at(-1)?.line.at(-1)),
  ];
  return stops.flatMap(({ id, at }, index) => {
    const road = joints[index];
    if (!road) return [];
    const metres = distance(at, road);
    if (metres < WORTH_M) return [];
    const letter = stopLetter(plan.stops.findIndex((s) => s.id === id));
    return [{ letter, line: [at, road] as const, metres }];
  });
}
