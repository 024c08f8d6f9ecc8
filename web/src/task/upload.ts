import { isRecord } from "../call/record";
import { readCSV } from "../ui/csv";

/** A place as PUT /places takes it. */
export interface PlaceRecord {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
  readonly [member: string]: unknown;
}

export interface Upload {
  readonly name: string;
  readonly places: readonly PlaceRecord[];
  /** Rows that are no place. */
  readonly skipped: number;
}

/** Columns of a file and members of GeoJSON properties by what they are in a record. */
const NAMES: Readonly<Record<string, readonly string[]>> = {
  id: ["id", "ref", "code"],
  name: ["name", "title", "label"],
  lat: ["lat", "latitude", "y"],
  lon: ["lon", "lng", "long", "longitude", "x"],
  street: ["street", "address", "addr:street"],
  locality: ["locality", "city", "town", "addr:city"],
  region: ["region", "state", "county"],
  postcode: ["postcode", "zip", "postal_code", "addr:postcode"],
  country_code: ["country_code", "countrycode"],
  categories: ["categories", "category", "type"],
  alt_names: ["alt_names", "alt_name"],
  importance: ["importance"],
};

/** Reads CSV (with a line of names), points of GeoJSON, GPX or KML; throws where it is none. */
export function readUpload(text: string): Omit<Upload, "name"> {
  const plain = text.replace(/^\uFEFF/, "");
  const rows = /^\s*</.test(plain)
    ? xmlRows(plain)
    : /^\s*\{/.test(plain)
      ? geoRows(JSON.parse(plain))
      : csvRows(plain);
  const places = rows.map(recordOf).filter((place) => place !== null);
  return { places, skipped: rows.length - places.length };
}

export type Row = Readonly<Record<string, unknown>>;

/** The properties, ids and places of the features of a GeoJSON file; throws where it is none. */
export function geoRows(file: unknown): Row[] {
  const features = isRecord(file) ? (file["features"] ?? [file]) : [];
  if (!Array.isArray(features)) throw new TypeError("no features");
  return features.filter(isRecord).map((feature) => {
    const geometry = isRecord(feature["geometry"]) ? feature["geometry"] : {};
    const point = geometry["type"] === "Point" ? geometry["coordinates"] : null;
    const [lon, lat] = Array.isArray(point) ? (point as unknown[]) : [];
    const properties = isRecord(feature["properties"]) ? feature["properties"] : {};
    const id = feature["id"];
    return { ...(id === undefined ? {} : { id }), ...properties, lon, lat };
  });
}

/** The waypoints of a GPX file, or the points of a KML file. */
function xmlRows(text: string): Row[] {
  const file = new DOMParser().parseFromString(text, "application/xml");
  const named = (of: Element): string =>
    [...of.children].find(({ localName }) => localName === "name")?.textContent?.trim() ?? "";
  const marks = [...file.getElementsByTagNameNS("*", "wpt")].map((one) => ({
    name: named(one),
    lat: one.getAttribute("lat"),
    lon: one.getAttribute("lon"),
  }));
  const placed = [...file.getElementsByTagNameNS("*", "Placemark")].flatMap((one) => {
    const point = one.getElementsByTagNameNS("*", "Point")[0];
    const position = point?.getElementsByTagNameNS("*", "coordinates")[0]?.textContent;
    const [lon, lat] = position?.trim().split(",") ?? [];
    return point ? [{ name: named(one), lat, lon }] : [];
  });
  return [...marks, ...placed];
}

function csvRows(text: string): Row[] {
  const [head = [], ...lines] = readCSV(text);
  const names = head.map((name) => name.trim());
  return lines
    .filter((cells) => cells.some((cell) => cell.trim() !== ""))
    .map((cells) => Object.fromEntries(names.map((name, i) => [name, (cells[i] ?? "").trim()])));
}

function recordOf(row: Row, index: number): PlaceRecord | null {
  const known = new Set<string>();
  const lower = new Map(Object.keys(row).map((key) => [key.toLowerCase(), key]));
  const value = (member: string): unknown => {
    const key = NAMES[member]!.map((name) => lower.get(name)).find((name) => name !== undefined);
    if (key === undefined) return undefined;
    known.add(key);
    return row[key];
  };
  const number = (member: string): number => {
    const given = value(member);
    return given === "" || given === null ? Number.NaN : Number(given);
  };
  const [lat, lon] = [number("lat"), number("lon")];
  const name = String(value("name") ?? "");
  const id = String(value("id") ?? "") || `place-${index + 1}`;
  if (!Number.isFinite(lat) || !Number.isFinite(lon) || name === "") return null;
  const record: Record<string, unknown> = { id, name, lat, lon };
  for (const member of ["street", "locality", "region", "postcode", "country_code"]) {
    const given = value(member);
    if (given !== undefined && given !== "") record[member] = String(given);
  }
  for (const member of ["categories", "alt_names"]) {
    const given = value(member);
    const list = Array.isArray(given) ? given : String(given ?? "").split(/[;|,]/);
    const words = list.map((word) => String(word).trim()).filter(Boolean);
    if (words.length) record[member] = words;
  }
  const importance = number("importance");
  if (Number.isFinite(importance)) record["importance"] = importance;
  const rest = Object.entries(row).filter(([key, given]) => !known.has(key) && given !== "");
  if (rest.length) record["properties"] = Object.fromEntries(rest);
  return record as PlaceRecord;
}
