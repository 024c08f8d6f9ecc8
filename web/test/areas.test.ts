import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import { sideMet } from "../src/dispatch/problem/areas";

const SQUARE: readonly LonLat[] = [
  [0, 0],
  [4, 0],
  [4, 4],
  [0, 4],
];

test.each<[string, readonly LonLat[], LonLat, number | null]>([
  ["the first corner", [], [1, 1], null],
  ["a second one", SQUARE.slice(0, 1), [1, 1], null],
  ["a turn", SQUARE.slice(0, 2), [4, 4], null],
  ["back along the last side", SQUARE.slice(0, 2), [1, 0], 1],
  ["further along it", SQUARE.slice(0, 2), [9, 0], null],
  ["across the first side", SQUARE.slice(0, 3), [2, -1], 1],
  ["onto the first side", SQUARE.slice(0, 3), [2, 0], 1],
  ["onto a corner", SQUARE, [4, 0], 1],
  ["short of it", SQUARE.slice(0, 3), [2, 1], null],
])("a side to %s", (_, corners, to, met) => {
  expect(sideMet(corners, to)).toBe(met);
});

test("closing a border", () => {
  const closes = (...corners: LonLat[]): number | null => sideMet(corners, corners[0]!);
  expect(closes(...SQUARE)).toBeNull();
  expect(closes([0, 0], [4, 0], [2, 3])).toBeNull();
  // The last side runs across the second one.
  expect(closes([0, 0], [1, 4], [2, -1], [4, 4])).toBe(2);
  // It runs along the first one, from ahead of it and from behind.
  expect(closes([0, 0], [4, 0], [4, 4], [8, 0])).toBe(1);
  expect(closes([0, 0], [4, 0], [4, 4], [-8, 0])).toBeNull();
});

test("a side meets one just where a slow look along both finds them near", () => {
  let seed = 7;
  const random = (): number => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
  const place = (): LonLat => [random(), random()];
  const near = (a: LonLat, b: LonLat, c: LonLat, d: LonLat): boolean => {
    // Where the lines through both cross, as shares of the sides.
    const [ux, uy, vx, vy] = [b[0] - a[0], b[1] - a[1], d[0] - c[0], d[1] - c[1]];
    const by = ux * vy - uy * vx;
    const s = ((c[0] - a[0]) * vy - (c[1] - a[1]) * vx) / by;
    const t = ((c[0] - a[0]) * uy - (c[1] - a[1]) * ux) / by;
    return s >= 0 && s <= 1 && t >= 0 && t <= 1;
  };
  let met = 0;
  for (let n = 0; n < 2000; n++) {
    const [a, b, c, to] = [place(), place(), place(), place()];
    const found = sideMet([a, b, c], to);
    expect(found).toBe(near(a, b, c, to) ? 1 : null);
    met += found === null ? 0 : 1;
  }
  expect(met).toBeGreaterThan(100);
});
