import { expect, test } from "vitest";
import { DAY, NIGHT } from "../src/map/overlays";
import { COLOURS as BANDS } from "../src/task/isochrone";
import { RAMP } from "../src/route/stretches";
import { RAW, WAY } from "../src/task/trace";
import { COLOURS as SIGHT } from "../src/task/view";

/** What who lacks one kind of cone sees of linear RGB (Machado, Oliveira, Fernandes, 2009, severity 1). */
const SIMULATIONS: Readonly<Record<string, readonly number[]>> = {
  usual: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  tritanopia: [1.255528, -0.076749, -0.178779, -0.078411, 0.930809, 0.147602, 0.004733, 0.691367, 0.3039],
}; // prettier-ignore

/** CIE L*a*b* under D65. */
function lab(colour: string, matrix: readonly number[]): number[] {
  const rgb = [1, 3, 5].map((at) => {
    const v = parseInt(colour.slice(at, at + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  const row = (m: readonly number[], i: number, of: readonly number[]) =>
    m[3 * i]! * of[0]! + m[3 * i + 1]! * of[1]! + m[3 * i + 2]! * of[2]!;
  const seen = [0, 1, 2].map((i) => Math.min(1, Math.max(0, row(matrix, i, rgb))));
  const xyz = [
    0.4124564, 0.3575761, 0.1804375, 0.2126729, 0.7151522, 0.072175, 0.0193339, 0.119192, 0.9503041,
  ];
  const white = [0.95047, 1, 1.08883];
  const [x, y, z] = [0, 1, 2].map((i) => {
    const v = row(xyz, i, seen) / white[i]!;
    return v > 216 / 24389 ? Math.cbrt(v) : ((24389 / 27) * v + 16) / 116;
  }) as [number, number, number];
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

/** ΔE*ab; 2.3 is just to be seen. */
function apart(a: string, b: string, matrix: readonly number[]): number {
  const [p, q] = [lab(a, matrix), lab(b, matrix)];
  return Math.hypot(...p.map((v, i) => v - q[i]!));
}

const told: readonly (readonly [string, readonly string[]])[] = [
  ["routes by day", [DAY.route, DAY.other, DAY.step]],
  ["routes by night", [NIGHT.route, NIGHT.other, NIGHT.step]],
  ["bands of an isochrone", BANDS],
  ["lines of sight", Object.values(SIGHT)],
  ["classes of a route", RAMP],
  ["a trace and its way", [WAY, RAW]],
];

test.each(told)("%s are told apart whoever looks", (_, colours) => {
  for (const [sight, matrix] of Object.entries(SIMULATIONS)) {
    colours.forEach((a, i) => {
      for (const b of colours.slice(i + 1)) {
        expect(apart(a, b, matrix), `${a} and ${b}, ${sight}`).toBeGreaterThan(15);
      }
    });
  }
});
