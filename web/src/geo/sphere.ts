import type { LonLat } from "./coords";

/** The Earth's mean radius. */
const RADIUS_M = 6_371_009;
const RAD = Math.PI / 180;

/** Metres between places, straight; good for what fits on one map. */
export function distance(a: LonLat, b: LonLat): number {
  const x = (b[0] - a[0]) * RAD * Math.cos(((a[1] + b[1]) / 2) * RAD);
  const y = (b[1] - a[1]) * RAD;
  return Math.hypot(x, y) * RADIUS_M;
}

/** The direction from one place to another, in degrees clockwise from north, 0 to 360. */
export function bearing(a: LonLat, b: LonLat): number {
  const x = (b[0] - a[0]) * Math.cos(((a[1] + b[1]) / 2) * RAD);
  return (Math.atan2(x, b[1] - a[1]) / RAD + 360) % 360;
}

/** The place some metres away in a direction. */
export function destination(from: LonLat, degrees: number, metres: number): LonLat {
  const north = (metres * Math.cos(degrees * RAD)) / RADIUS_M;
  const lat = from[1] + north / RAD;
  const wide = Math.cos(((from[1] + lat) / 2) * RAD);
  const east = (metres * Math.sin(degrees * RAD)) / (RADIUS_M * wide);
  return [from[0] + east / RAD, lat];
}
