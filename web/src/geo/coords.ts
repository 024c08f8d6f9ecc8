/** A place as GeoJSON has it: longitude, latitude, in degrees. */
export type LonLat = readonly [lon: number, lat: number];

/** West, south, east, north in degrees. */
export type Bounds = readonly [west: number, south: number, east: number, north: number];

export function contains(bounds: Bounds, [lon, lat]: LonLat): boolean {
  const [west, south, east, north] = bounds;
  const at = beside(lon, (west + east) / 2);
  return at >= west && at <= east && lat >= south && lat <= north;
}

/** A longitude in the turn round the globe that brings it nearest to another one. */
export function beside(lon: number, other: number): number {
  return lon - 360 * Math.round((lon - other) / 360);
}

/** A place that was taken from the map, where longitudes go on beyond 180, on the globe. */
export function wrapped(lon: number, lat: number): LonLat {
  return [Math.abs(lon) > 180 ? beside(lon, 0) : lon, lat];
}

/** A line that goes the shorter way round the globe, on beyond 180 where it must. */
export function unrolled(line: readonly (readonly number[])[]): number[][] {
  let before: number | undefined;
  return line.map(([lon = 0, ...rest]) => {
    before = before === undefined ? lon : beside(lon, before);
    return [before, ...rest];
  });
}

/** A geometry whose lines and rings go the shorter way round the globe. */
export function shorter(of: GeoJSON.Geometry): GeoJSON.Geometry {
  switch (of.type) {
    case "LineString":
      return { ...of, coordinates: unrolled(of.coordinates) };
    case "MultiLineString":
    case "Polygon":
      return { ...of, coordinates: of.coordinates.map(unrolled) };
    case "MultiPolygon":
      return { ...of, coordinates: of.coordinates.map((polygon) => polygon.map(unrolled)) };
    default:
      return of;
  }
}

/**
 * The place at the precision of the answer's shape: six decimals, a tenth of a
 * metre. Requests, links and inputs then all speak of the same place.
 */
export function rounded([lon, lat]: LonLat): LonLat {
  return [Number(lon.toFixed(6)), Number(lat.toFixed(6))];
}

/** "lat, lon" with five decimals (about a metre), as parseCoordinates reads it back. */
export function formatCoordinates([lon, lat]: LonLat): string {
  return `${lat.toFixed(5)}, ${lon.toFixed(5)}`;
}

const NUMBER = String.raw`[+-]?\d+(?:\.\d+)?`;
const COMMA_NUMBER = String.raw`[+-]?\d+,\d+`;
const PLAIN = new RegExp(`^(${NUMBER})(\\s*[,;/]\\s*|\\s+)(${NUMBER})$`);
const COMMA = new RegExp(`^(${COMMA_NUMBER})(\\s*[;/]\\s*|,\\s+|\\s+)(${COMMA_NUMBER})$`);

const ANGLE = String.raw`([+-]?\d+(?:[.,]\d+)?)\s*°?\s*(?:(\d+(?:[.,]\d+)?)\s*'\s*)?(?:(\d+(?:[.,]\d+)?)\s*"\s*)?`;
const LETTER_LAST = new RegExp(`^${ANGLE}([NSEW])[\\s,;/]*${ANGLE}([NSEW])$`);
const LETTER_FIRST = new RegExp(`^([NSEW])\\s*${ANGLE}[\\s,;/]*([NSEW])\\s*${ANGLE}$`);

/**
 * Reads a place as people paste it: "lat, lon" (a comma, semicolon or slash
 * between), "lon lat" (only space between), "[lon, lat]" (GeoJSON), "geo:lat,lon",
 * decimal commas, and degrees, minutes and seconds with N, S, E, W.
 *
 * Where no letter settles the order, the other order is taken when only that
 * one is on the globe, or only that one lies within bounds.
 *
 * Returns null for anything that is not two coordinates on the globe.
 */
export function parseCoordinates(text: string, bounds?: Bounds): LonLat | null {
  const clean = text
    .trim()
    .replace(/[\u2212\u2013]/g, "-")
    .replace(/[\u2032\u2019]/g, "'")
    .replace(/[\u2033\u201d]|''/g, '"')
    .replace(/^geo:/i, "")
    .replace(/\s+/g, " ");
  const bracketed = /^[[(](.*)[\])]$/.exec(clean);
  const body = (bracketed?.[1] ?? clean).trim();

  const lettered = parseLettered(body.toUpperCase());
  if (lettered !== undefined) return lettered;

  const match = PLAIN.exec(body) ?? COMMA.exec(body);
  if (!match) return null;
  const first = decimal(match[1]!);
  const second = decimal(match[3]!);
  const lonFirst = clean.startsWith("[") || match[2]!.trim() === "";
  const asWritten: LonLat = lonFirst ? [first, second] : [second, first];
  const swapped: LonLat = [asWritten[1], asWritten[0]];
  if (!onGlobe(asWritten)) return onGlobe(swapped) ? swapped : null;
  if (bounds && !contains(bounds, asWritten) && contains(bounds, swapped)) return swapped;
  return asWritten;
}

/** undefined: no letters to go by; null: letters, but not one of each axis. */
function parseLettered(body: string): LonLat | null | undefined {
  const last = LETTER_LAST.exec(body);
  const first = last ? null : LETTER_FIRST.exec(body);
  const groups = last
    ? [last[4]!, last.slice(1, 4), last[8]!, last.slice(5, 8)]
    : first
      ? [first[1]!, first.slice(2, 5), first[5]!, first.slice(6, 9)]
      : null;
  if (!groups) return undefined;
  const [letterA, partsA, letterB, partsB] = groups as [string, string[], string, string[]];
  const a = degrees(partsA, letterA);
  const b = degrees(partsB, letterB);
  const aIsLat = letterA === "N" || letterA === "S";
  const bIsLat = letterB === "N" || letterB === "S";
  if (aIsLat === bIsLat) return null;
  const at: LonLat = aIsLat ? [b, a] : [a, b];
  return onGlobe(at) ? at : null;
}

function degrees([whole, minutes, seconds]: (string | undefined)[], letter: string): number {
  if (decimal(minutes ?? "0") >= 60 || decimal(seconds ?? "0") >= 60) return NaN;
  const value = decimal(whole!) + decimal(minutes ?? "0") / 60 + decimal(seconds ?? "0") / 3600;
  return letter === "S" || letter === "W" ? -value : value;
}

function decimal(text: string): number {
  return Number(text.replace(",", "."));
}

function onGlobe([lon, lat]: LonLat): boolean {
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90; // NaN is not
}
