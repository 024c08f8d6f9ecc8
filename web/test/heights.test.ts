import { expect, test } from "vitest";
import type { RouteView } from "../src/route/answer";
import { distance } from "../src/geo/sphere";
import { alongs, placeAt, pointAt, profileOf, ticks } from "../src/route/heights";
import { offRoad } from "../src/route/offroad";
import { emptyPlan, stop, withStops } from "../src/plan/plan";
import { nearestOn } from "../src/geo/nearest";
import { inWords, WORDS } from "../src/plan/words";
import table from "../src/plan/costing.json";

const line = [0, 1, 2, 3].map((i) => [i / 100, 0] as const);
const kilometre = distance(line[0]!, line[1]!);

const answer = {
  length_m: 3000,
  samples: [
    { distance_m: 0, elevation_m: 100, grade_percent: 5 },
    { distance_m: 1000, elevation_m: null, grade_percent: null },
    { distance_m: 2000, elevation_m: 200, grade_percent: -4 },
    { distance_m: 3000, elevation_m: 150, grade_percent: null },
  ],
  ascent_m: 100,
  descent_m: 50,
  min_elevation_m: 100,
  max_elevation_m: 200,
  coverage: 0.9,
};

test("a profile is known between its samples", () => {
  const profile = profileOf(answer)!;
  expect(profile).toMatchObject({ metres: 3000, low: 100, high: 200, up: 100, down: 50 });
  expect(pointAt(profile, 500)).toEqual({ along: 500, height: 125, grade: 5 });
  expect(pointAt(profile, 2900)).toMatchObject({ grade: 0 });
  expect(pointAt(profile, -5).height).toBe(100);
  expect(pointAt(profile, 1e6).height).toBe(150);
});

test("what is hardly known is not drawn", () => {
  expect(profileOf({ ...answer, coverage: 0.5 })).toBeNull();
  expect(profileOf({ ...answer, samples: [] })).toBeNull();
  expect(profileOf({ ...answer, ascent_m: null })).toBeNull();
});

test("places along a line", () => {
  const along = alongs(line);
  expect(placeAt(line, along, kilometre * 1.5)[0]).toBeCloseTo(0.015);
  expect(placeAt(line, along, -1)).toEqual([0, 0]);
  expect(placeAt(line, along, 1e9)).toEqual([0.03, 0]);
  expect(nearestOn(line, [0.012, 0.01])!.at[0]).toBeCloseTo(0.012);
  expect(nearestOn([[1, 1]], [0, 0])!.at).toEqual([1, 1]);
});

test("a route that ends away from its pin says how far", () => {
  const plan = withStops(emptyPlan(), [stop([0, 0.01]), stop(null), stop([0.03, 0])]);
  const route = { legs: [{ steps: [{ line: line.slice(0, 2) }, { line: line.slice(3) }] }] };
  const apart = offRoad(plan, route as unknown as RouteView);
  expect(apart).toHaveLength(1);
  expect(apart[0]!.letter).toBe("A");
  expect(apart[0]!.metres).toBeCloseTo(kilometre, -1);
  expect(offRoad(withStops(emptyPlan(), []), route as unknown as RouteView)).toEqual([]);
});

test("every option has words, and texts have them for its name", () => {
  expect(Object.keys(table).filter((key) => !WORDS[key]?.label || !WORDS[key]?.help)).toEqual([]);
  expect(inWords("avoided use_tolls and no_such_thing")).toBe(
    "avoided “Toll roads” and no_such_thing",
  );
});

test("the marks of an axis are round, few and within its ends", () => {
  expect(ticks(100, 200, 3)).toEqual([100, 150, 200]);
  expect(ticks(0, 12.3, 4)).toEqual([0, 5, 10]);
  expect(ticks(0, 0.9, 4).map((n) => n.toFixed(1))).toEqual(["0.0", "0.5"]);
  expect(ticks(-7, 33, 3)).toEqual([0, 20]);
  for (const [low, high] of [
    [5, 5],
    [5, 4],
    [0, Number.NaN],
  ] as const) {
    expect(ticks(low, high, 3)).toEqual([]);
  }
});
