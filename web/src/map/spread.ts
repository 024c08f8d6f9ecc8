import type { LonLat } from "../geo/coords";

/** A place on a plane, in pixels. */
export type Pixel = readonly [x: number, y: number];

/** More marks than these are left where they are. */
const MOST = 300;

/**
 * By how much each mark is moved so that marks nearer to each other than apart pixels do not
 * hide each other: those that do lie round their common middle. Wider has by how many pixels each
 * is wider than usual.
 */
export function spread(
  marks: readonly Pixel[],
  apart: number,
  wider: readonly number[] = [],
): Pixel[] {
  const moves = marks.map((): Pixel => [0, 0]);
  if (marks.length > MOST) return moves;
  const left = new Set(marks.keys());
  for (const first of left) {
    left.delete(first);
    const group = [first];
    for (const member of group) {
      for (const other of left) {
        const [a, b] = [marks[member]!, marks[other]!];
        const more = ((wider[member] ?? 0) + (wider[other] ?? 0)) / 2;
        if (Math.hypot(a[0] - b[0], a[1] - b[1]) >= apart + more) continue;
        left.delete(other);
        group.push(other);
      }
    }
    if (group.length === 1) continue;
    const middle = [0, 1].map(
      (axis) => group.reduce((sum, at) => sum + marks[at]![axis]!, 0) / group.length,
    );
    // The least ring on which neighbours have their distance.
    const widest = Math.max(...group.map((at) => wider[at] ?? 0));
    const radius = (apart + widest) / (2 * Math.sin(Math.PI / group.length));
    group.forEach((at, index) => {
      const angle = Math.PI + (2 * Math.PI * index) / group.length;
      const [x, y] = marks[at]!;
      moves[at] = [
        middle[0]! + radius * Math.cos(angle) - x,
        middle[1]! + radius * Math.sin(angle) - y,
      ];
    });
  }
  return moves;
}

/** Where a place lies on the map of the world at a zoom. */
export function pixelOf([lon, lat]: LonLat, zoom: number): Pixel {
  const world = 512 * 2 ** zoom;
  const north = Math.asinh(Math.tan((lat * Math.PI) / 180));
  return [(world * (lon + 180)) / 360, (world * (1 - north / Math.PI)) / 2];
}

/** The place at a pixel of the map of the world at a zoom. */
export function placeOf([x, y]: Pixel, zoom: number): LonLat {
  const world = 512 * 2 ** zoom;
  const lat = (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / world))) * 180) / Math.PI;
  return [(360 * x) / world - 180, lat];
}
