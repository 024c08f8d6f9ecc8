import { expect, test } from "vitest";
import { pixelOf, placeOf, spread, type Pixel } from "../src/map/spread";

const moved = (marks: readonly Pixel[], apart: number): Pixel[] =>
  spread(marks, apart).map(([dx, dy], i) => [marks[i]![0] + dx, marks[i]![1] + dy]);

test.each([
  ["two on one place", [[5, 5], [5, 5]]],
  ["five on one place", Array.from({ length: 5 }, () => [3, 4])],
  ["a chain of near ones", [[0, 0], [8, 0], [16, 0], [24, 0]]],
] as const)("%s are moved apart round their middle", (_, marks) => {
  const now = moved(marks as unknown as Pixel[], 10);
  now.forEach((a, i) => {
    for (const b of now.slice(i + 1)) {
      expect(Math.hypot(a[0] - b[0], a[1] - b[1])).toBeGreaterThan(9.99);
    }
  });
  for (const axis of [0, 1] as const) {
    const middle = (of: readonly (readonly number[])[]) => of.reduce((sum, at) => sum + at[axis]!, 0);
    expect(middle(now)).toBeCloseTo(middle(marks));
  }
}); // prettier-ignore

test("wide marks are moved further apart", () => {
  const marks = [[0, 0], [12, 0], [40, 0]] as const; // prettier-ignore
  const [a, b, c] = spread(marks, 10, [0, 8, 0]).map(([dx], i) => marks[i]![0] + dx);
  expect([Math.abs(b! - a!) > 13.99, c]).toEqual([true, 40]);
});

test("marks that do not hide each other stay, and so do very many", () => {
  expect(spread([[0, 0], [10, 0], [0, 10]], 10)).toEqual([[0, 0], [0, 0], [0, 0]]); // prettier-ignore
  const many = Array.from({ length: 400 }, (): Pixel => [1, 1]);
  expect(spread(many, 10).every(([dx, dy]) => dx === 0 && dy === 0)).toBe(true);
});

test("pixels and places are each other's inverse", () => {
  const [lon, lat] = placeOf(pixelOf([-7.2, 49.3], 12.5), 12.5);
  expect(lon).toBeCloseTo(-7.2, 9);
  expect(lat).toBeCloseTo(49.3, 9);
});
