import type { Bounds, LonLat } from "../geo/coords";
import { isRecord } from "../call/record";
import { tr } from "../ui/translate";
import { kindName } from "./kinds";

/** Which part of a query met which part of a place; see GET /geocode. */
export interface Match {
  readonly query: string;
  readonly field: string;
  readonly text: string;
  /** 0 to 1; 1 is the same but for case, accents and abbreviations. */
  readonly quality: number;
}

/** A place of the index, or one that a caller uploaded. */
export interface Found {
  readonly id: string | null;
  readonly at: LonLat;
  readonly name: string;
  /** What it is, in words: "Pub", "Street". */
  readonly kind: string;
  /** Where it is, on one line, without its name. */
  readonly address: string;
  readonly details: Readonly<Record<string, string>>;
  readonly match: readonly Match[];
  /** Of what is larger than a point. */
  readonly extent: Bounds | null;
  /** From where the question asked, where it did. */
  readonly metres: number | null;
  /** Whether it is no place of the index but the coordinates that were typed. */
  readonly coordinates: boolean;
}

/** The places of a GeoJSON FeatureCollection; throws where it is none. */
export function readFeatures(answer: unknown): Found[] {
  const features = isRecord(answer) ? answer["features"] : null;
  if (!Array.isArray(features)) throw new TypeError("no features in the answer");
  return features.map(readFeature).filter((found) => found !== null);
}

/** A place from a GeoJSON Feature; null where it has no point. */
export function readFeature(feature: unknown): Found | null {
  if (!isRecord(feature) || !isRecord(feature["geometry"])) return null;
  const at = position(feature["geometry"]["coordinates"]);
  const properties = isRecord(feature["properties"]) ? feature["properties"] : {};
  return at && foundOf(at, properties);
}

/** A place from the record of one: of a list of uploaded places, or of those in view. */
export function readRecord(record: unknown): Found | null {
  if (!isRecord(record)) return null;
  const at = position([record["lon"], record["lat"]]);
  return at && foundOf(at, record);
}

function foundOf(at: LonLat, from: Record<string, unknown>): Found {
  const name = text(from["name"]);
  const type = text(from["type"]);
  const categories = strings(from["categories"]);
  const house = houseOf(from);
  const city = text(from["city"]) || text(from["locality"]);
  const state = text(from["state"]) || text(from["region"]);
  const address = [house, city, text(from["postcode"]), state]
    .filter((part, i, all) => part && part !== name && all.indexOf(part) === i)
    .join(", ");
  const details: Record<string, string> = {};
  for (const [key, value] of Object.entries(isRecord(from["details"]) ? from["details"] : {})) {
    if (typeof value === "string") details[key] = value;
  }
  const metres = from["distance_m"];
  return {
    id: text(from["id"]) || null,
    at,
    name: name || kindName(categories[0] ?? "") || address || tr("Unnamed"),
    kind: kindName(categories[0] || text(from["category"]) || type),
    address: name || categories.length ? address : "",
    details,
    match: readMatch(from["match"]),
    extent: bounds(from["extent"]),
    metres: typeof metres === "number" ? metres : null,
    coordinates: type === "coordinate",
  };
}

/** Countries where the number stands before the street; as the index has them. */
const NUMBER_FIRST = new Set("GB IE IM JE GG US CA AU NZ FR LU MT ZA IN MC".split(" "));

/** The street with its number, in the order of the country; "" where that is the name already. */
function houseOf(from: Record<string, unknown>): string {
  if (from["type"] === "address") return "";
  const parts = [text(from["housenumber"]), text(from["street"])].filter(Boolean);
  const first = NUMBER_FIRST.has(text(from["countrycode"]).toUpperCase() || "GB");
  return (first ? parts : parts.toReversed()).join(" ");
}

function readMatch(match: unknown): Match[] {
  const value = isRecord(match) ? match["words"] : null;
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((part) => ({
    query: text(part["query"]),
    field: text(part["field"]),
    text: text(part["text"]),
    quality: typeof part["quality"] === "number" ? part["quality"] : 1,
  }));
}

function position(value: unknown): LonLat | null {
  if (!Array.isArray(value)) return null;
  const [lon, lat] = value as unknown[];
  return typeof lon === "number" && typeof lat === "number" ? [lon, lat] : null;
}

function bounds(value: unknown): Bounds | null {
  if (!Array.isArray(value) || value.length !== 4) return null;
  return value.every((x) => Number.isFinite(x)) ? (value as unknown as Bounds) : null;
}

function text(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function strings(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
