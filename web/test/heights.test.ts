import { expect, test } from "vitest";
import type { RouteView } from "../src/answer";
import { distance } from "../src/drive";
import { alongs, heightAt, placeAt, profileOf } from "../src/heights";
import { offRoad } from "../src/offroad";
import { emptyPlan, stop, withStops } from "../src/plan";
import { nearestOn } from "../src/task/trace";
import { inWords, WORDS } from "../src/words";
import table from "../src/costing.json";

const line = [0, 1, 2, 3].map((i) => [i / 100, 0] as const);
const kilometre = distance(line[0]!, line[1]!);

test("a profile climbs and falls as its edges do", () => {
  const rise = 10 * (kilometre / 100); // of ten per cent along an edge
  const edges = [
    {
      begin_shape_index: 0,
      end_shape_index: 1,
      mean_elevation: 100 + rise / 2,
      weighted_grade: 10,
    },
    { begin_shape_index: 1, end_shape_index: 2, mean_elevation: 100 + rise, weighted_grade: 0 },
    {
      begin_shape_index: 2,
      end_shape_index: 3,
      mean_elevation: 100 + rise / 2,
      weighted_grade: -10,
    },
  ];
  const profile = profileOf(line, edges)!;
  expect(profile.metres).toBeCloseTo(3 * kilometre);
  expect([profile.low, profile.high].map(Math.round)).toEqual([100, Math.round(100 + rise)]);
  expect([profile.up, profile.down]).toEqual([Math.round(rise), Math.round(rise)]);
  expect(heightAt(profile, kilometre / 2)).toBeCloseTo(100 + rise / 2);
  expect(heightAt(profile, -5)).toBeCloseTo(100);
  expect(heightAt(profile, 1e6)).toBeCloseTo(100);
});

test("what is hardly known is not drawn", () => {
  const one = { begin_shape_index: 0, end_shape_index: 1, mean_elevation: 5 };
  expect(profileOf(line, [one])).toBeNull();
  expect(profileOf(line, [])).toBeNull();
  expect(profileOf(line, [{ ...one, end_shape_index: 99 }])).toBeNull();
});

test("places along a line", () => {
  const along = alongs(line);
  expect(placeAt(line, along, kilometre * 1.5)[0]).toBeCloseTo(0.015);
  expect(placeAt(line, along, -1)).toEqual([0, 0]);
  expect(placeAt(line, along, 1e9)).toEqual([0.03, 0]);
  expect(nearestOn(line, [0.012, 0.01])[0]).toBeCloseTo(0.012);
  expect(nearestOn([[1, 1]], [0, 0])).toEqual([1, 1]);
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
