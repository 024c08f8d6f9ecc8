import { tr } from "../../ui/translate";
import { parseCoordinates, type LonLat } from "../../geo/coords";
import { loadOf } from "../problem/loads";
import { BLANK_STOP, type Stop, type Window } from "../problem/model";
import { SEVERAL, type Columns, type Role } from "./roles";
import type { Sheet } from "./sheet";
import { DAY, readBound, readDuration, readWindows, spanTrouble } from "../problem/times";

/** The name of a row below the stops that has their sum. */
const SUM =
  /^(?:grand )?(?:sum(?:me|s)?|totals?|gesamt(?:summe)?|insgesamt|totale?|somme|suma)\b(?:[\s.]*|\s*[:=].*)$/i;

/** What is wrong with a row. */
export interface RowProblem {
  /** Its number in the file, from 1. */
  readonly row: number;
  readonly text: string;
}

/** The content of a sheet. */
export interface Taken {
  readonly stops: readonly Stop[];
  /** Names of the columns that are amounts. */
  readonly loads: readonly string[];
  readonly problems: readonly RowProblem[];
}

/** A row of a sheet, and the receiver of messages about it. */
export interface Line {
  readonly headers: readonly string[];
  readonly row: readonly string[];
  readonly wrong: (text: string) => void;
}

/** The value of a cell: the usual one if the cell is empty, or, with a message, if it cannot be read. */
export function readCell<T>(
  { headers, row, wrong }: Line,
  at: number,
  reader: (text: string) => T | null,
  usual: T,
): T {
  const text = row[at] ?? "";
  if (text === "") return usual;
  const value = reader(text);
  if (value === null) wrong(tr("“{0}” in {1} cannot be read", text, headers[at] ?? ""));
  return value ?? usual;
}

type Cell = (role: Role) => string;
type Read = <T>(role: Role, reader: (text: string) => T | null, usual: T) => T;

/**
 * The stops of a sheet. A row that is no stop, and a value that cannot be read, is a
 * problem that names it; the rest of the row is taken.
 */
export function stopsOf({ headers, rows, numbers = [] }: Sheet, columns: Columns): Taken {
  const problems: RowProblem[] = [];
  const ids = new Set<string>();
  const column = (role: Role): number => columns.indexOf(role);
  const cellsOf = (i: number): string[] => rows.map((row) => row[i] ?? "");
  const carried = headers.flatMap((header, i) =>
    columns[i] === SEVERAL ? [{ ...loadOf(header, cellsOf(i)), i }] : [],
  );
  const unit = (role: Role): 1 | 60 => {
    const header = headers[column(role)]?.toLowerCase() ?? "";
    return /(^|[_ (])s(ec(onds?)?)?\)?$/.test(header) ? 1 : 60;
  };
  const short = lostZero(cellsOf(column("postcode")));
  const capable = skillsOf(headers[column("skills")] ?? "", cellsOf(column("skills")));
  /** What further rows of a stop carry. */
  const further: (readonly [id: string, amounts: readonly number[]])[] = [];
  const stops = rows.flatMap((row, index): Stop[] => {
    const wrong = (text: string): void =>
      void problems.push({ row: numbers[index] ?? index + 1, text });
    const cell: Cell = (role) => row[column(role)] ?? "";
    const line = { headers, row, wrong };
    const read: Read = (role, reader, usual) => readCell(line, column(role), reader, usual);
    const named = [cell("id"), cell("name"), cell("address")].find(Boolean) ?? "";
    const spoken = isAddress(cell("place")) && cell("address") === "" ? cell("place") : "";
    const address = spoken || addressOf(cell);
    const placed = [cell("place"), cell("lat"), cell("lon")].some(
      (text) => text && !SUM.test(text),
    );
    if (SUM.test(named) && !placed && (address === "" || SUM.test(address))) {
      wrong(tr("is a sum, and no stop"));
      return [];
    }
    const at = spoken ? null : placeOf(cell, wrong);
    const name = cell("name");
    const amounts = (): number[] =>
      carried.map(({ i, read: reader, unsure }) => {
        const text = row[i] ?? "";
        const amount = readCell(line, i, reader, 0);
        if (amount && unsure(text)) wrong(tr("“{0}” in {1} is read as {2}", text, headers[i]!, amount)); // prettier-ignore
        return amount;
      });
    if (!at && address === "" && name === "") {
      if (ids.has(cell("id"))) further.push([cell("id"), amounts()]);
      else wrong(tr("has neither coordinates nor an address"));
      return [];
    }
    if (short(cell("postcode")))
      wrong(tr("has the postcode {0}, which is shorter than the others: a zero before it may be lost", cell("postcode"))); // prettier-ignore
    let id = cell("id") || String(index + 1);
    if (ids.has(id)) {
      wrong(tr("has the reference {0} of a row above", id));
      for (let n = 2; ids.has(id); n++) id = `${cell("id")}-${n}`;
    }
    ids.add(id);
    const windows = windowsOf(cell, read);
    const trouble = spanTrouble(windows);
    if (trouble) wrong(tr("has a window that cannot be: {0}", trouble));
    return [
      {
        ...BLANK_STOP,
        id,
        name: name || address || id,
        address,
        at,
        service: read("service", (text) => readDuration(text, unit("service")), 0),
        windows: trouble ? [] : windows,
        amounts: amounts(),
        collects: read("does", readDoes, false),
        shipment: cell("shipment"),
        ride: read("ride", (text) => readDuration(text, unit("ride")), 0),
        priority: Math.min(100, read("priority", readPriority, 0)),
        skills: capable(cell("skills")),
      },
    ];
  });
  const more = (id: string, load: number): number =>
    further.reduce((sum, [of, amounts]) => sum + (of === id ? amounts[load]! : 0), 0);
  return {
    stops: stops.map((stop) => ({
      ...stop,
      amounts: stop.amounts.map((amount, load) => amount + more(stop.id, load)),
    })),
    loads: carried.map(({ load }) => load),
    problems,
  };
}

/** The address of a row in one line; shops put an apostrophe before a postcode, for spreadsheets. */
function addressOf(cell: Cell): string {
  const street = [cell("address"), cell("house")].filter(Boolean).join(" ");
  return [street, cell("postcode").replace(/^'/, ""), cell("city")].filter(Boolean).join(", ");
}

/** Whether a text is no place in degrees, but one in words. */
function isAddress(text: string): boolean {
  return /\p{L}{3}/u.test(text) && !/^(?:point|https?:)/i.test(text) && !parseCoordinates(text);
}

/** Tells postcodes of which a spreadsheet may have dropped the first zero: one of few among many of five digits. */
function lostZero(postcodes: readonly string[]): (postcode: string) => boolean {
  const filled = postcodes.filter(Boolean);
  const whole = filled.filter((one) => /^\d{5}$/.test(one)).length;
  return (postcode) => whole * 2 > filled.length && /^\d{3,4}$/.test(postcode);
}

const YES = /^(?:yes|y|true|x|1|ja|j|oui|sí|si)$/i;
const NO = /^(?:no|n|false|0|nein|non|-)$/i;
/** Columns in which 0 and 1 are the numbers of skills. */
const LISTED = /^(?:required )?skills?$/i;

/** Reads cells of needs: a list of words, or yes and no of what the column is called. */
function skillsOf(header: string, cells: readonly string[]): (text: string) => string[] {
  const filled = cells.filter(Boolean);
  const wanted = header.replace(/^(?:needs?|requires?|required|braucht|benötigt)[\s:]+/i, "");
  const numbers = LISTED.test(header.trim()) && filled.every((one) => /^\d+$/.test(one));
  if (filled.length && !numbers && filled.every((one) => YES.test(one) || NO.test(one)))
    return (text) => (YES.test(text) ? [wanted] : []);
  return (text) =>
    text
      .split(/[;|,]/)
      .map((word) => word.trim())
      .filter(Boolean);
}

/** Words for priorities; low is what a stop without one has. */
const PRIORITIES: readonly (readonly [RegExp, number])[] = [
  [/^(?:l|low|niedrig|gering|basse|baja)$/i, 0],
  [/^(?:m|medium|normal|regular|standard|mittel|moyenne|media)$/i, 40],
  [/^(?:h|high|hoch|haute|alta)$/i, 70],
  [/^(?:c|critical|urgent|vip|kritisch|dringend|urgente?)$/i, 100],
];

function readPriority(text: string): number | null {
  return PRIORITIES.find(([words]) => words.test(text))?.[1] ?? count(text);
}

/** The windows of a row in their order. */
function windowsOf(cell: Cell, read: Read): readonly Window[] {
  const bounds = (from: Role, to: Role): Window[] => {
    if (cell(from) === "" && cell(to) === "") return [];
    const window: Window = [read(from, readBound, 0), read(to, readBound, DAY)];
    return window[0] === 0 && window[1] === DAY ? [] : [window];
  };
  const several = read<readonly Window[] | null>("window", readWindows, null);
  const list = several ?? [...bounds("from", "to"), ...bounds("from2", "to2")];
  return list.toSorted(([a], [b]) => a - b);
}

/** Whether something is collected at a stop, as people write it. */
function readDoes(text: string): boolean | null {
  if (/^(pick|collect|abhol|return|retour|p$)/i.test(text)) return true;
  return /^(deliver|drop|bring|liefer|zustell|livr|task|visit|[dt]$)/i.test(text) ? false : null;
}

function placeOf(cell: Cell, wrong: (text: string) => void): LonLat | null {
  return placeIn([cell("place"), cell("lat"), cell("lon")], wrong);
}

/**
 * Degrees in a cell of their own: 51.5, 51,5, 51.5°, 51.5 N, W 3.0; not a number where it is none, or
 * of the other axis. O is east in some languages and west in others.
 */
function degreesIn(text: string, letters: "NS" | "EW"): number {
  const clean = text.trim().replace(/[\u2212\u2013]/, "-");
  const [, before = "", number = "", after = ""] =
    /^([NSEW]?)\s*([+-]?\d+(?:[.,]\d+)?)\s*°?\s*([NSEW]?)$/i.exec(clean) ?? [];
  const letter = (before + after).toUpperCase();
  if (number === "" || letter.length > 1 || !letters.includes(letter)) return Number.NaN;
  const size = Number(number.replace(",", "."));
  return "SW".includes(letter || "-") ? -size : size;
}

/** A place by a pair of coordinates in one text, or by latitude and longitude; null without either. */
export function placeIn(
  [pair, lat, lon]: readonly [string, string, string],
  wrong: (text: string) => void,
): LonLat | null {
  if (pair !== "") {
    const at = parseCoordinates(pair);
    if (!at) wrong(tr("“{0}” is no pair of coordinates", pair));
    return at;
  }
  if (lat === "" && lon === "") return null;
  const [y, x] = [degreesIn(lat, "NS"), degreesIn(lon, "EW")];
  const whole = Math.abs(y) <= 90 && Math.abs(x) <= 180;
  const at: LonLat | null = /['′"″]/.test(lat) ? parseCoordinates(`${lat} ${lon}`) : whole ? [x, y] : null; // prettier-ignore
  if (!at) wrong(tr("“{0}, {1}” is no latitude and longitude", lat, lon));
  return at;
}

/** A whole number from 0 on; with "12.5 kg" the larger one. */
export function count(text: string): number | null {
  const number = Number(/^\d+(?:[.,]\d+)?/.exec(text)?.[0]?.replace(",", ".") ?? Number.NaN);
  return Number.isFinite(number) ? Math.ceil(number) : null;
}
