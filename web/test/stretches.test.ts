import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import { encodePolyline } from "../src/geo/polyline";
import { alongs, profileOf } from "../src/route/heights";
import { byEdges, bySteepness, classNames, COLOURINGS, lengthsOf, piecesOf, RAMP } from "../src/route/stretches"; // prettier-ignore
import { shareAddress, sharedFragment } from "../src/explorer/share";

const line: LonLat[] = Array.from({ length: 5 }, (_, i) => [i / 100, 0]);
const kilometre = alongs(line)[1]!;

const edge = (from: number, to: number, speed: number, surface: string) => ({
  begin_shape_index: from,
  end_shape_index: to,
  speed,
  surface,
});
const answer = {
  shape: encodePolyline(line),
  edges: [edge(0, 1, 30, "paved"), edge(1, 2, 35, "paved_smooth"), edge(2, 3, 100, "gravel"), edge(3, 4, 5, "")],
}; // prettier-ignore

test("neighbours of one class are one stretch, and what is not known is left out", () => {
  const { stretches, metres } = byEdges(answer, "surface", false);
  expect(metres).toBeCloseTo(4 * kilometre);
  expect(stretches.map(({ grade }) => grade)).toEqual([0, 3]);
  expect(stretches[0]!.to).toBeCloseTo(2 * kilometre);
  const lengths = lengthsOf(stretches, 5);
  expect(lengths[3]).toBeCloseTo(kilometre);
  expect(() => byEdges({}, "speed", false)).toThrow(TypeError);
});

test("speeds are classed in the reader's units, the fast first", () => {
  const names = (miles: boolean) =>
    byEdges(answer, "speed", miles).stretches.map(({ grade }) => classNames("speed", miles)[grade]);
  expect(names(false)).toEqual(["20–40 km/h", "> 90 km/h", "0–20 km/h"]);
  expect(names(true)).toEqual(["15–25 mph", "> 60 mph", "0–15 mph"]);
});

test("steepness counts up and down alike", () => {
  const sample = (distance_m: number, elevation_m: number, grade_percent: number | null) => ({ distance_m, elevation_m, grade_percent }); // prettier-ignore
  const profile = profileOf({
    length_m: 3000, ascent_m: 1, descent_m: 1, min_elevation_m: 0, max_elevation_m: 100, coverage: 1,
    samples: [sample(0, 0, 7), sample(1000, 70, -8), sample(2000, 0, 1), sample(3000, 10, null)],
  })!; // prettier-ignore
  expect(bySteepness(profile)).toEqual([
    { from: 0, to: 2000, grade: 2 },
    { from: 2000, to: 3000, grade: 0 },
  ]);
});

test("the pieces of a line are as long as the stretches, however their line was measured", () => {
  const stretches = [
    { from: 0, to: 25, grade: 0 },
    { from: 25, to: 100, grade: 4 },
  ];
  const pieces = piecesOf(line, stretches, 100);
  expect(pieces.map(({ colour }) => colour)).toEqual([RAMP[0], RAMP[4]]);
  expect(pieces[0]!.line.at(-1)![0]).toBeCloseTo(0.01);
  expect(pieces[1]!.line.map(([lon]) => Number(lon.toFixed(4)))).toEqual([0.01, 0.02, 0.03, 0.04]);
});

test("there is a colour for every class", () => {
  for (const kind of COLOURINGS) expect(classNames(kind, false)).toHaveLength(RAMP.length);
});

test("a shared address gives the state back, without the line of its picture", () => {
  const fragment = "#p=1,2;3,4&names=A%20%26%20B;C&depart=2026-11-23T08:30&map=12/1/2";
  const address = new URL(shareAddress("https://x.org/w/", fragment, line));
  expect(address.hash).toBe("");
  expect(`#${sharedFragment(address.search)}`).toBe(fragment);
  expect(address.searchParams.get("line")).toBe(encodePolyline(line, 5));
  expect(sharedFragment("?utm_source=x")).toBeNull();
  expect(shareAddress("https://x.org/", "", [])).toBe("https://x.org/");
  const long = Array.from({ length: 9000 }, (_, i): LonLat => [i / 1e4, Math.sin(i)]);
  expect(shareAddress("https://x.org/", fragment, long).length).toBeLessThan(2500);
});
