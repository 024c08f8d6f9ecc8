import type { LonLat } from "../geo/coords";
import { distance } from "../geo/sphere";

/** The answer of POST /elevation/along, as far as it is shown; null is what is not known. */
export interface HeightAnswer {
  readonly length_m: number;
  readonly samples: readonly {
    readonly distance_m: number;
    readonly elevation_m: number | null;
    readonly grade_percent: number | null;
  }[];
  readonly ascent_m: number | null;
  readonly descent_m: number | null;
  readonly min_elevation_m: number | null;
  readonly max_elevation_m: number | null;
  /** Share of the samples whose height is known. */
  readonly coverage: number;
}

export interface HeightPoint {
  /** Metres along the line. */
  readonly along: number;
  /** Metres above the sea. */
  readonly height: number;
  /** Per cent, positive uphill. */
  readonly grade: number;
}

/** The heights along a line, and how much it climbs, in metres. */
export interface Profile {
  readonly points: readonly HeightPoint[];
  readonly metres: number;
  readonly low: number;
  readonly high: number;
  readonly up: number;
  readonly down: number;
}

/** Less than this share of a line is not drawn. */
const ENOUGH = 0.8;

/** The profile in an answer; null where too little is known. */
export function profileOf(answer: HeightAnswer): Profile | null {
  const { ascent_m: up, descent_m: down, min_elevation_m: low, max_elevation_m: high } = answer;
  if (up === null || down === null || low === null || high === null) return null;
  const points = answer.samples.flatMap(({ distance_m, elevation_m, grade_percent }) =>
    elevation_m === null
      ? []
      : [{ along: distance_m, height: elevation_m, grade: grade_percent ?? 0 }],
  );
  if (points.length < 2 || answer.coverage < ENOUGH) return null;
  return { points, metres: answer.length_m, low, high, up, down };
}

/** Metres along a line at each of its points. */
export function alongs(line: readonly LonLat[]): number[] {
  let sum = 0;
  return line.map((at, i) => (i === 0 ? 0 : (sum += distance(line[i - 1]!, at))));
}

/** What is known at some metres along: between the samples, as they are in proportion. */
export function pointAt({ points }: Profile, metres: number): HeightPoint {
  const next = points.findIndex(({ along }) => along >= metres);
  if (next <= 0) return (next === 0 ? points[0] : points.at(-1))!;
  const [a, b] = [points[next - 1]!, points[next]!];
  const share = (metres - a.along) / (b.along - a.along);
  return {
    along: metres,
    height: a.height + (b.height - a.height) * share,
    grade: share < 0.5 ? a.grade : b.grade,
  };
}

/** The place at some metres along a line. */
export function placeAt(line: readonly LonLat[], along: readonly number[], metres: number): LonLat {
  const next = along.findIndex((at) => at >= metres);
  if (next <= 0) return (next === 0 ? line[0] : line.at(-1))!;
  const [a, b] = [line[next - 1]!, line[next]!];
  const span = along[next]! - along[next - 1]!;
  const share = span > 0 ? (metres - along[next - 1]!) / span : 1;
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
}

/** Round numbers from low to high, at most so many, for the marks of an axis. */
export function ticks(low: number, high: number, most: number): number[] {
  const rough = (high - low) / most;
  if (!(rough > 0)) return [];
  const ten = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * ten).find((size) => size >= rough)!;
  const first = Math.ceil(low / step);
  const count = Math.floor(high / step) - first + 1;
  return Array.from({ length: count }, (_, index) => (first + index) * step);
}
