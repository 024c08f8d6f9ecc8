import type { LonLat } from "./coords";
import { distance } from "./drive";

/** An edge of an answer of POST /trace_attributes, as far as heights go. */
export interface SlopeEdge {
  readonly begin_shape_index: number;
  readonly end_shape_index: number;
  /** Metres above the sea, of the edge's middle. */
  readonly mean_elevation?: number;
  /** Per cent. */
  readonly weighted_grade?: number;
}

export interface HeightPoint {
  /** Metres along the line. */
  readonly along: number;
  /** Metres above the sea. */
  readonly height: number;
}

/** The heights along a line, and how much it climbs. */
export interface Profile {
  readonly points: readonly HeightPoint[];
  readonly metres: number;
  readonly low: number;
  readonly high: number;
  readonly up: number;
  readonly down: number;
}

/** Less than so many metres up or down is the noise of the heights, no climb. */
const NOISE_M = 3;

/**
 * The profile of a line from the slopes of its edges: known in the middle of each
 * edge, and at its ends by its grade. Null where too little is known.
 */
export function profileOf(shape: readonly LonLat[], edges: readonly SlopeEdge[]): Profile | null {
  const along = alongs(shape);
  const metres = along.at(-1) ?? 0;
  const points: HeightPoint[] = [];
  let known = 0;
  let end: number | null = null;
  for (const edge of edges) {
    const from = along[edge.begin_shape_index];
    const to = along[edge.end_shape_index];
    const { mean_elevation: mean, weighted_grade: grade = 0 } = edge;
    if (from === undefined || to === undefined || mean === undefined) {
      end = null;
      continue;
    }
    const rise = ((to - from) * grade) / 200;
    const start: number = end === null ? mean - rise : (end + mean - rise) / 2;
    points.push({ along: from, height: start }, { along: (from + to) / 2, height: mean });
    known += to - from;
    end = mean + rise;
  }
  if (end !== null) points.push({ along: metres, height: end });
  if (points.length < 3 || known < 0.8 * metres) return null;
  const heights = points.map(({ height }) => height);
  return {
    points,
    metres,
    low: Math.min(...heights),
    high: Math.max(...heights),
    ...climbs(heights),
  };
}

/** Metres along a line at each of its points. */
export function alongs(line: readonly LonLat[]): number[] {
  let sum = 0;
  return line.map((at, i) => (i === 0 ? 0 : (sum += distance(line[i - 1]!, at))));
}

function climbs(heights: readonly number[]): { up: number; down: number } {
  let [up, down] = [0, 0];
  let from = heights[0]!;
  for (const height of heights) {
    if (Math.abs(height - from) < NOISE_M) continue;
    if (height > from) up += height - from;
    else down += from - height;
    from = height;
  }
  return { up: Math.round(up), down: Math.round(down) };
}

/** The height at some metres along, between the points that are known. */
export function heightAt({ points }: Profile, metres: number): number {
  const next = points.findIndex(({ along }) => along >= metres);
  if (next <= 0) return (next === 0 ? points[0] : points.at(-1))!.height;
  const [a, b] = [points[next - 1]!, points[next]!];
  const share = b.along > a.along ? (metres - a.along) / (b.along - a.along) : 1;
  return a.height + (b.height - a.height) * share;
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
