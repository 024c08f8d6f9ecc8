import { beside, type LonLat } from "./coords";
import { distance } from "./sphere";

/** The place of a line that is nearest to a point. */
export interface Nearest {
  readonly at: LonLat;
  /** Metres between the point and that place. */
  readonly metres: number;
}

/** The place of a line nearest to a point; null for a line of no points. */
export function nearestOn(line: readonly LonLat[], point: LonLat): Nearest | null {
  const first = line[0];
  if (!first) return null;
  // On a plane round the point, where east is as long as north.
  const wide = Math.cos((point[1] * Math.PI) / 180);
  const east = ([lon]: LonLat): number => (beside(lon, point[0]) - point[0]) * wide;
  const north = ([, lat]: LonLat): number => lat - point[1];
  let ax = east(first);
  let ay = north(first);
  let bestX = ax;
  let bestY = ay;
  let best = ax * ax + ay * ay;
  // Without arrays: a trace of thousands of positions asks for each along a line of thousands.
  for (let i = 1; i < line.length; i++) {
    const bx = east(line[i]!);
    const by = north(line[i]!);
    const dx = bx - ax;
    const dy = by - ay;
    const long = dx * dx + dy * dy;
    const share = long > 0 ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / long)) : 0;
    const x = ax + share * dx;
    const y = ay + share * dy;
    const off = x * x + y * y;
    if (off < best) {
      bestX = x;
      bestY = y;
      best = off;
    }
    ax = bx;
    ay = by;
  }
  const at: LonLat = [point[0] + bestX / Math.max(wide, 1e-9), point[1] + bestY];
  return { at, metres: distance(point, at) };
}

/** Legs as near as this to the nearest one run along the same road there. */
const SAME_ROAD_M = 2;

/**
 * The leg of a route that is nearest to a point, and its nearest place. Where legs run along
 * one road the first of them is taken, which is the one that comes there first.
 */
export function nearestLeg(
  legs: readonly (readonly LonLat[])[],
  point: LonLat,
): (Nearest & { readonly leg: number }) | null {
  const all = legs.flatMap((line, leg) => {
    const nearest = nearestOn(line, point);
    return nearest ? [{ ...nearest, leg }] : [];
  });
  const least = Math.min(...all.map(({ metres }) => metres));
  return all.find(({ metres }) => metres <= least + SAME_ROAD_M) ?? null;
}
