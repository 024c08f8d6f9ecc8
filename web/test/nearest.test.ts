import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import { nearestLeg, nearestOn } from "../src/geo/nearest";
import * as plan from "../src/plan/plan";

const east: LonLat[] = [[0, 0], [0.01, 0], [0.02, 0]]; // prettier-ignore

test("the nearest place lies between the points of a line, across the antimeridian too", () => {
  expect(nearestOn(east, [0.015, 0.001])!.at[0]).toBeCloseTo(0.015);
  expect(nearestOn(east, [0.5, 0])!.at[0]).toBeCloseTo(0.02);
  expect(nearestOn([], [0, 0])).toBeNull();
  const over = nearestOn([[179.99, 0], [-179.99, 0]], [-179.995, 0.001])!; // prettier-ignore
  expect(over.metres).toBeCloseTo(111.2, 0);
});

test("where legs run along one road the first of them is dragged", () => {
  const back = east.toReversed();
  expect(nearestLeg([east, back], [0.015, 0.0001])!.leg).toBe(0);
  const away: LonLat[] = [[0.02, 0], [0.02, 0.01]]; // prettier-ignore
  expect(nearestLeg([east, away], [0.0201, 0.005])!.leg).toBe(1);
  expect(nearestLeg([], [0, 0])).toBeNull();
});

test("a point on the way is put into the leg that it lengthens the least", () => {
  const places = (p: plan.Plan) => p.stops.map(({ at }) => at?.[0] ?? null);
  const line = [0, 0.1, 0.2].reduce((p, lon) => plan.addStop(p, [lon, 0]), plan.emptyPlan());
  expect(places(plan.addVia(line, [0.05, 0.01]))).toEqual([0, 0.05, 0.1, 0.2]);
  expect(places(plan.addVia(line, [0.15, 0.01]))).toEqual([0, 0.1, 0.15, 0.2]);
  const { id } = line.stops[0]!;
  expect(places(plan.insertAfter(line, id, [9, 9]))).toEqual([0, 9, 0.1, 0.2]);
});
