import proj4 from "proj4";
import type { Vector } from "./copc";

/** Where a cloud's coordinates are on the map, in its units: 0 to 1, from the north-west. */
export interface Place {
  /** The place of a coordinate. */
  readonly at: (x: number, y: number) => [x: number, y: number];
  /** Metres of a unit of heights. */
  readonly metres: number;
}

/** The part of well-known text that begins with a keyword; "" where there is none. */
export function partOf(wkt: string, keywords: readonly string[]): string {
  const found = keywords
    .map((word) => wkt.search(new RegExp(String.raw`\b${word}\s*\[`)))
    .filter((at) => at >= 0);
  if (found.length === 0) return "";
  const from = Math.min(...found);
  let depth = 0;
  let quoted = false;
  for (let i = from; i < wkt.length; i++) {
    const c = wkt[i];
    if (c === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (c === "[") depth++;
    else if (c === "]" && --depth === 0) return wkt.slice(from, i + 1);
  }
  return "";
}

/** Metres of the unit that the axes of a system have: the last that it names of itself. */
export function unitOf(system: string): number {
  const units = [...system.matchAll(/\b(?:UNIT|LENGTHUNIT)\s*\[\s*"[^"]*"\s*,\s*([\d.eE+-]+)/g)];
  const metres = Number(units.at(-1)?.[1]);
  return metres > 0 && metres < 1e4 ? metres : 1;
}

/** The place of a system given as well-known text; throws where it cannot be read. */
export function placeOf(wkt: string): Place {
  const plane = partOf(wkt, ["PROJCS", "PROJCRS", "PROJECTEDCRS", "GEOGCS", "GEOGCRS"]);
  const heights = partOf(wkt, ["VERT_CS", "VERTCRS", "VERTICALCRS"]);
  if (!plane) throw new TypeError("the reference system of this cloud cannot be read");
  const { forward } = proj4(plane, "EPSG:4326");
  const projected = plane.startsWith("PROJ");
  return {
    at: (x, y) => {
      const [lon, lat] = forward([x, y]) as [number, number];
      return mercator(lon, lat);
    },
    metres: heights ? unitOf(heights) : projected ? unitOf(plane) : 1,
  };
}

/** A place in Web Mercator, as MapLibre has it. */
export function mercator(lon: number, lat: number): [number, number] {
  const sine = Math.sin((lat * Math.PI) / 180);
  return [lon / 360 + 0.5, 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)];
}

/** The latitude and longitude of a place on the map. */
export function degreesAt(x: number, y: number): [lon: number, lat: number] {
  return [(x - 0.5) * 360, (Math.atan(Math.sinh((0.5 - y) * 2 * Math.PI)) * 180) / Math.PI];
}

/** A metre in units of the map at a latitude there. */
export function metreAt(y: number): number {
  const [, lat] = degreesAt(0, y);
  return 1 / (40_075_016.686 * Math.cos((lat * Math.PI) / 180));
}

/** The corners of a box of coordinates and the middles of its sides, on the map. */
export function outlineOf(place: Place, min: Vector, max: Vector): [number, number][] {
  const [west, south] = min;
  const [east, north] = max;
  const steps = [0, 0.25, 0.5, 0.75];
  const between = (a: number, b: number): number[] => steps.map((t) => a + (b - a) * t);
  return [
    ...between(west, east).map((x) => place.at(x, south)),
    ...between(south, north).map((y) => place.at(east, y)),
    ...between(east, west).map((x) => place.at(x, north)),
    ...between(north, south).map((y) => place.at(west, y)),
  ];
}
