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
  const flat = ([lon, lat]: LonLat) => [(beside(lon, point[0]) - point[0]) * wide, lat - point[1]];
  let [ax = 0, ay = 0] = flat(first);
  let [bestX, bestY, best] = [ax, ay, ax * ax + ay * ay];
  for (let i = 1; i < line.length; i++) {
    const [bx = 0, by = 0] = flat(line[i]!);
    const [dx, dy] = [bx - ax, by - ay];
    const long = dx * dx + dy * dy;
    const share = long > 0 ? Math.max(0, Math.min(1, -(ax * dx + ay * dy) / long)) : 0;
    const [x, y] = [ax + share * dx, ay + share * dy];
    const off = x * x + y * y;
    if (off < best) [bestX, bestY, best] = [x, y, off];
    [ax, ay] = [bx, by];
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
