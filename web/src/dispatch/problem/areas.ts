import { tr } from "../../ui/translate";
import type { LonLat } from "../../geo/coords";
import { isRecord } from "../../call/record";

/** An area that vehicles may be bound to: polygons, each a border and holes in it. */
export interface Area {
  readonly name: string;
  readonly polygons: readonly (readonly (readonly LonLat[])[])[];
}

/** What one call takes. */
export const MOST_TERRITORIES = 64;
export const MOST_POSITIONS = 1000;

/** The polygons of a GeoJSON file as areas. Throws what is wrong, in words. */
export function readAreas(file: unknown): Area[] {
  const given = isRecord(file) ? (file["features"] ?? [file]) : file;
  const features = Array.isArray(given) ? given.filter(isRecord) : [];
  const names = new Set<string>();
  const areas = features.flatMap((feature, index): Area[] => {
    const polygons = polygonsOf(isRecord(feature["geometry"]) ? feature["geometry"] : feature);
    if (!polygons) return [];
    const properties = isRecord(feature["properties"]) ? feature["properties"] : {};
    const named = properties["name"] ?? properties["id"] ?? feature["id"];
    const wanted = typeof named === "string" || typeof named === "number" ? String(named) : "";
    const name = unlike(wanted.trim().slice(0, 200) || `Area ${index + 1}`, names);
    names.add(name);
    return [{ name, polygons }];
  });
  for (const { name, polygons } of areas) {
    const most = Math.max(...polygons.map((rings) => rings.flat().length));
    if (most > MOST_POSITIONS) {
      throw new Error(
        tr("{0} has {1} positions; at most {2} are taken.", name, most, MOST_POSITIONS),
      );
    }
  }
  const count = areas.flatMap(({ polygons }) => polygons).length;
  if (count > MOST_TERRITORIES) {
    throw new Error(tr("It has {0} polygons; at most {1} are taken.", count, MOST_TERRITORIES));
  }
  return areas;
}

function polygonsOf(geometry: Record<string, unknown>): Area["polygons"] | null {
  const { type, coordinates } = geometry;
  const list = type === "Polygon" ? [coordinates] : type === "MultiPolygon" ? coordinates : null;
  if (!Array.isArray(list)) return null;
  const rings = (list as unknown[]).map((one) => (Array.isArray(one) ? one.map(ringOf) : []));
  return rings.every((one) => one.length > 0) ? rings : null;
}

function ringOf(ring: unknown): LonLat[] {
  const positions = Array.isArray(ring) ? (ring as unknown[]) : [];
  return positions.map((position): LonLat => {
    const [lon, lat] = Array.isArray(position) ? (position as unknown[]) : [];
    if (typeof lon !== "number" || typeof lat !== "number") {
      throw new TypeError(tr("A polygon has a position that is not two numbers."));
    }
    return [lon, lat];
  });
}

/** A name that no other area has. */
export function unlike(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let n = 2; taken.has(free); n++) free = `${name} ${n}`;
  return free;
}

/** An area as territories of a request, which are one polygon each. */
export function territoriesOf({ name, polygons }: Area): { id: string; polygon: unknown }[] {
  return polygons.map((polygon, i) => ({ id: i ? `${name} #${i + 1}` : name, polygon }));
}

/**
 * Which side of a border the next one would meet, by the number of its first corner from
 * 1; null is none. The next side goes from the last corner to a place, or to the first
 * corner, which closes the border.
 */
export function sideMet(corners: readonly LonLat[], to: LonLat): number | null {
  const from = corners.at(-1);
  if (!from) return null;
  const last = corners.length - 2;
  const [first] = corners;
  const closes = to === first;
  for (let i = 0; i <= last; i++) {
    const [a, b] = [corners[i]!, corners[i + 1]!];
    const joined = i === last || (closes && i === 0);
    const back = (i === last && folds(a, from, to)) || (closes && i === 0 && folds(from, to, b));
    if (back || (!joined && meet([a, b], [from, to]))) return i + 1;
  }
  return null;
}

/** On which side of the line from a to b a place lies: above 0 is left. */
function side([ax, ay]: LonLat, [bx, by]: LonLat, [x, y]: LonLat): number {
  return (bx - ax) * (y - ay) - (by - ay) * (x - ax);
}

/** Whether the way from a over b to c goes back on itself. */
function folds(a: LonLat, b: LonLat, c: LonLat): boolean {
  const ahead = (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]);
  return side(a, b, c) === 0 && ahead < 0;
}

/** Whether two sides have a place in common. */
function meet([a, b]: readonly [LonLat, LonLat], [c, d]: readonly [LonLat, LonLat]): boolean {
  const apart = (i: 0 | 1): boolean =>
    Math.max(a[i], b[i]) < Math.min(c[i], d[i]) || Math.max(c[i], d[i]) < Math.min(a[i], b[i]);
  if (apart(0) || apart(1)) return false;
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

/** Whether a place lies in an area. */
export function inside([lon, lat]: LonLat, { polygons }: Area): boolean {
  const crossed = (ring: readonly LonLat[]): boolean =>
    ring.reduce((odd, [x, y], i) => {
      const [x0, y0] = ring.at(i - 1)!;
      const crosses = y > lat !== y0 > lat && lon < x + ((lat - y) / (y0 - y)) * (x0 - x);
      return crosses ? !odd : odd;
    }, false);
  return polygons.some((rings) => rings.every((ring, i) => crossed(ring) === (i === 0)));
}
