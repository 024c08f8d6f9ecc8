import { tr } from "../../ui/translate";
import { isRecord } from "../../call/record";
import { geoRows } from "../../task/upload";
import { readCSV, withoutGuard } from "../../ui/csv";
import { readAreas, type Area } from "../problem/areas";
import { clock } from "../problem/times";

/** A table as it came: names of columns, and rows of as many texts. */
export interface Sheet {
  readonly headers: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** The number of each row in its file, from 1; those without a file are counted. */
  readonly numbers?: readonly number[];
  /** Polygons that came with it. */
  readonly areas?: readonly Area[];
}

/** What a file may be; the planner takes no more stops than a job does either way. */
export const MOST_BYTES = 5_000_000;
export const MOST_ROWS = 2000;

/** Reads what was pasted: CSV, what spreadsheets put on the clipboard, GeoJSON or JSON of vehicles. Throws what is wrong, in words. */
export function readText(text: string): Sheet {
  const plain = text.replace(/^\uFEFF/, "");
  if (plain.trim() === "") throw new Error(tr("There is nothing in it."));
  if (/[\0-\x08\x0e-\x1f]/.test(plain))
    throw new Error(tr("This is no text, but a file of another kind."));
  return /^\s*[{[]/.test(plain) ? geoSheet(plain) : cellSheet(readCSV(plain));
}

/** Reads a file of CSV, GeoJSON or XLSX. Throws what is wrong, in words. */
export async function readFile(file: File): Promise<Sheet> {
  if (file.size > MOST_BYTES) {
    throw new Error(
      tr("{0} has {1} bytes; at most {2} are read.", file.name, file.size, MOST_BYTES),
    );
  }
  if (!/\.xlsx$/i.test(file.name)) {
    if (/\.xls$/i.test(file.name)) {
      throw new Error(tr("The old .xls cannot be read: save it as .xlsx or CSV."));
    }
    return readText(decoded(await file.arrayBuffer()));
  }
  // Its reader is loaded only when such a file is dropped.
  const { default: readSheets } = await import("read-excel-file/universal");
  const sheets = await readSheets(await file.arrayBuffer()).catch(() => {
    throw new Error(tr("{0} is no spreadsheet that can be read.", file.name));
  });
  const cells = sheets.map(({ data }) => data.map((row) => row.map(cellText)));
  return cellSheet(cells.find((rows) => rows.some(isFilled)) ?? []);
}

/**
 * The text of a file: by its byte order mark, else UTF-8, else what spreadsheets of
 * western Europe write.
 */
export function decoded(bytes: ArrayBuffer): string {
  const [first, second] = new Uint8Array(bytes, 0, Math.min(2, bytes.byteLength));
  if (first === 0xff && second === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder("utf-16be").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

function isFilled(row: readonly string[]): boolean {
  return row.some((cell) => cell.trim() !== "");
}

/** A cell of a spreadsheet as text. */
function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return "";
  if (cell instanceof Date) {
    const iso = cell.toISOString();
    // A time without a day is kept as one of the first day that there is.
    return cell.getUTCFullYear() < 1905 ? iso.slice(11, 16) : iso.slice(0, 16);
  }
  const text = String(cell);
  // A number has decimals, where a text 1.125 may be a thousand and more.
  return typeof cell === "number" && /\.\d{3}$/.test(text) ? `${text}0` : withoutGuard(text);
}

function cellSheet(cells: readonly (readonly string[])[]): Sheet {
  const filled = withoutTitle(
    cells.map((row, i) => ({ row, number: i + 1 })).filter(({ row }) => isFilled(row)),
  );
  const first = filled[0]?.row;
  if (!first) throw new Error(tr("There is nothing in it."));
  // A line with a number in it is of a stop, not of names; "20 litre crates" is one above numbers.
  const above = (i: number): boolean =>
    filled.slice(1).some(({ row }) => NUMBER.test(row[i] ?? ""));
  const named = !first.some((cell, i) => NUMBER.test(cell) || (HOUSE.test(cell) && !above(i)));
  const names = named ? first : [];
  const lines = named ? filled.slice(1).map(whole(names)) : filled;
  if (lines.length === 0) throw new Error(tr("It has names of columns, and no row below them."));
  if (lines.length > MOST_ROWS) {
    throw new Error(tr("It has {0} rows; at most {1} are read.", lines.length, MOST_ROWS));
  }
  const width = Math.max(names.length, ...lines.map(({ row }) => row.length));
  const fit = (row: readonly string[]): string[] =>
    Array.from({ length: width }, (_, i) => (row[i] ?? "").trim());
  return {
    headers: fit(names).map((name, i) => name || `Column ${i + 1}`),
    rows: lines.map(({ row }) => fit(row)),
    numbers: lines.map(({ number }) => number),
  };
}

const NUMBER = /^\s*[-+]?[\d.,]*\d\s*$/;

/** The beginning of an address, "12 High Street", and of "12345 Town". */
const HOUSE = /^\s*\d+[a-z]?\s+\p{L}{3}/u;

/** Rows below the name of one column are one text each: addresses have commas, and often no quotes. */
function whole(names: readonly string[]): (line: Line) => Line {
  if (names.length > 1) return (line) => line;
  return ({ row, number }) => ({
    row: [
      row
        .map((cell) => cell.trim())
        .filter(Boolean)
        .join(", "),
    ],
    number,
  });
}

interface Line {
  readonly row: readonly string[];
  readonly number: number;
}

/** Lines that may stand above a table. */
const MOST_TITLES = 20;

/**
 * The lines of a table without those above it, which fill few of its columns. Names stand below
 * them: where a number or an address does, the lines are the names of longer rows, or stops.
 */
function withoutTitle(lines: readonly Line[]): readonly Line[] {
  const counts = lines.map(({ row }) => row.filter((cell) => cell.trim() !== "").length);
  const usual = counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0;
  const first = counts.slice(0, MOST_TITLES).findIndex((count) => count * 3 > usual);
  const below = first > 0 ? lines[first]!.row : [];
  return below.some((cell) => /^\s*[-+]?\d/.test(cell)) ? lines : lines.slice(Math.max(0, first));
}

const NO_POINTS = tr("This is JSON, but no GeoJSON of points.");

function geoSheet(text: string): Sheet {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    throw new Error(tr("This is no GeoJSON: {0}", error instanceof Error ? error.message : ""));
  }
  const objects = vehicleObjects(parsed);
  if (objects) return recordSheet(objects);
  const areas = readAreas(parsed);
  const points = withoutPolygons(parsed);
  if (areas.length && points.length === 0) return { headers: [], rows: [], areas };
  let rows: ReturnType<typeof geoRows>;
  try {
    rows = geoRows(areas.length || Array.isArray(parsed) ? { features: points } : parsed);
  } catch {
    throw new Error(NO_POINTS);
  }
  if (rows.every(({ lon, lat }) => lon === undefined && lat === undefined)) {
    throw new Error(NO_POINTS);
  }
  return { ...recordSheet(rows), areas };
}

/** The vehicles of a request's body, or of a list of such; null where it is something else. */
function vehicleObjects(file: unknown): Record<string, unknown>[] | null {
  const list = isRecord(file) ? file["vehicles"] : file;
  if (!Array.isArray(list)) return null;
  const objects = (list as unknown[]).filter(isRecord);
  const fleet = isRecord(file) || objects.every((one) => "start" in one || "capacity" in one);
  return fleet && objects.length ? objects.map(flatVehicle) : null;
}

/** A vehicle as a request has it, with one text for each member. */
function flatVehicle(vehicle: Record<string, unknown>): Record<string, unknown> {
  const flat: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(vehicle)) {
    if (isRecord(value) && typeof value["lat"] === "number") {
      flat[name] = `${value["lat"]}, ${String(value["lon"])}`;
    } else if ((name === "start" || name === "end") && Array.isArray(value)) {
      const [lon, lat] = value as unknown[];
      flat[name] = `${String(lat)}, ${String(lon)}`;
    } else if (name === "time_window" || name === "time_windows") {
      const spans = (name === "time_window" ? [value] : value) as unknown;
      const list = Array.isArray(spans) ? (spans as unknown[]) : [];
      flat["shift"] = list
        .map((span) => (Array.isArray(span) ? span.map((one) => clock(Number(one))).join("-") : ""))
        .join("; ");
    } else if (name === "capacity" && Array.isArray(value) && value.length > 1) {
      value.forEach((one: unknown, i) => (flat[`capacity ${i + 1}`] = one));
    } else if (name === "costs" && isRecord(value)) {
      for (const [kind, cost] of Object.entries(value)) flat[`cost ${kind}`] = cost;
    } else if (name === "max_travel_time") {
      flat["most driving"] = `${String(value)} s`;
    } else if (name === "max_distance") {
      flat["most kilometres"] = Number(value) / 1000;
    } else if (name === "reloads" && isRecord(value)) {
      flat["trips"] = value["max_trips"];
    } else if (Array.isArray(value) && value.every((one) => typeof one !== "object")) {
      flat[name] = value.join("; ");
    } else if (!isRecord(value) && !Array.isArray(value)) {
      flat[name] = value;
    }
  }
  return flat;
}

/** A sheet whose columns are the members of records. */
function recordSheet(rows: readonly Readonly<Record<string, unknown>>[]): Sheet {
  const headers = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const text1 = (value: unknown): string =>
    value === null || value === undefined
      ? ""
      : typeof value === "object"
        ? JSON.stringify(value)
        : String(value);
  const cells = [headers, ...rows.map((row) => headers.map((name) => text1(row[name])))];
  const sheet = cellSheet(cells);
  // The names of columns are no row of such a file.
  return { ...sheet, numbers: (sheet.numbers ?? []).map((number) => number - 1) };
}

function withoutPolygons(file: unknown): unknown[] {
  const features = isRecord(file) ? (file["features"] ?? [file]) : file;
  if (!Array.isArray(features)) return [];
  return (features as unknown[]).filter((feature) => {
    const geometry = isRecord(feature) ? (feature["geometry"] ?? feature) : null;
    return !isRecord(geometry) || !/Polygon$/.test(String(geometry["type"]));
  });
}
