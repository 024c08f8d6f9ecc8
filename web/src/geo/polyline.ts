import { beside, type Bounds, type LonLat } from "./coords";

/**
 * Decodes an encoded polyline (Google's algorithm) of the given precision in
 * decimal digits: 6 for native answers, 5 for the compatible endpoint.
 *
 * Throws a RangeError on a text that ends within a number or has a
 * character outside the alphabet, as a route drawn from half a shape would
 * look like a real one.
 */
export function decodePolyline(encoded: string, precision = 6): LonLat[] {
  const scale = 10 ** precision;
  const line: LonLat[] = [];
  let at = 0;
  let lat = 0;
  let lon = 0;

  const next = (): number => {
    // Arithmetic rather than shifts: longitudes at precision 6 fit 32 bits
    // only just, and the zigzag doubles them.
    let value = 0;
    let factor = 1;
    for (;;) {
      if (at >= encoded.length) throw new RangeError(`polyline ends within a number at ${at}`);
      const chunk = encoded.charCodeAt(at) - 63;
      if (chunk < 0 || chunk > 63) throw new RangeError(`polyline has a bad character at ${at}`);
      at++;
      value += (chunk & 31) * factor;
      if (chunk < 32) break;
      factor *= 32;
    }
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  };

  while (at < encoded.length) {
    lat += next();
    lon += next();
    line.push([lon / scale, lat / scale]);
  }
  return line;
}

/** Bounds around all points, in the turn round the globe of the first; null without any. */
export function boundsOf(points: Iterable<LonLat>): Bounds | null {
  let west = Infinity;
  let south = Infinity;
  let east = -Infinity;
  let north = -Infinity;
  let first: number | undefined;
  for (const [at, lat] of points) {
    const lon = beside(at, (first ??= at));
    west = Math.min(west, lon);
    east = Math.max(east, lon);
    south = Math.min(south, lat);
    north = Math.max(north, lat);
  }
  return west <= east ? [west, south, east, north] : null;
}

/** Writes a line as an encoded polyline; what decodePolyline reads back to the same digits. */
export function encodePolyline(line: Iterable<LonLat>, precision = 6): string {
  const scale = 10 ** precision;
  let text = "";
  let before: readonly [number, number] = [0, 0];
  const write = (difference: number): void => {
    let value = difference < 0 ? -2 * difference - 1 : 2 * difference;
    while (value >= 32) {
      text += String.fromCharCode((value % 32) + 32 + 63);
      value = Math.floor(value / 32);
    }
    text += String.fromCharCode(value + 63);
  };
  for (const [lon, lat] of line) {
    const at = [Math.round(lat * scale), Math.round(lon * scale)] as const;
    write(at[0] - before[0]);
    write(at[1] - before[1]);
    before = at;
  }
  return text;
}
