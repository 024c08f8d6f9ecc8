import { tr } from "../../ui/translate";
import { parseCoordinates, type LonLat } from "../../geo/coords";
import { loadOf } from "../problem/loads";
import { BLANK_STOP, type Stop, type Window } from "../problem/model";
import type { Sheet } from "./sheet";
import { DAY, readBound, readDuration, readWindows, spanTrouble } from "../problem/times";

/** The meanings that a column can have, with their names on the page. */
export const ROLES = [
  ["id", tr("Reference")],
  ["name", tr("Name")],
  ["address", tr("Address")],
  ["city", tr("Town")],
  ["postcode", tr("Postcode")],
  ["lat", tr("Latitude")],
  ["lon", tr("Longitude")],
  ["place", tr("Coordinates")],
  ["service", tr("Time at the stop")],
  ["from", tr("Not before")],
  ["to", tr("Not after")],
  ["from2", tr("Or not before")],
  ["to2", tr("Or not after")],
  ["window", tr("Between")],
  ["amount", tr("Amount")],
  ["does", tr("Brings or collects")],
  ["shipment", tr("Shipment")],
  ["ride", tr("Most time on board")],
  ["priority", tr("Priority")],
  ["skills", tr("Needs")],
] as const;

export type Role = (typeof ROLES)[number][0];

/** The meaning that several columns may have: each is a load of its own. */
export const SEVERAL: Role = "amount";

/** The meaning of each column; null for one that a plan does not need. */
export type Columns = readonly (Role | null)[];

/** Words before those of a time, as in "Lieferzeit von" and "opening time to". */
const OF_TIME =
  "(?:(?:delivery|arrival|opening|time|window|tw|hours?|lieferzeit|lieferfenster|zeitfenster|anlieferung|öffnungszeit(?:en)?|uhrzeit|zeit|horaires?|livraison|créneau|horario|entrega) (?:window |time )?)?";
const ofTime = (words: string, after: string): RegExp =>
  new RegExp(`^${OF_TIME}(?:${words})(?: time)?${after}$`);
const FROM =
  "from|start|earliest|open(?:s|ing)?|not before|after|von|ab|ready|frühestens|de|dès|à partir de|début|desde|begin.*";
const TO =
  "to|until|till|end|latest|clos(?:e|es|ing)|not after|before|due|bis|spätestens|à|jusqu(?:e|[’']à)|fin|hasta|a";

/** Words in a column's name that give its meaning, the surest first. */
const WORDS: readonly (readonly [Role, RegExp])[] = [
  ["lat", /^(lat|latitude|breite|breitengrad|latitud|y)$/],
  ["lon", /^(lon|lng|long|longitude|länge|längengrad|longitud|x)$/],
  ["place", /^(coordinates?|coords?|lat ?lon|lat ?lng|position|location|koordinaten)$/],
  ["from2", ofTime(FROM, " ?2")],
  ["to2", ofTime(TO, " ?2")],
  ["from", ofTime(FROM, "")],
  ["to", ofTime(TO, "")],
  [
    "service",
    /service|duration|unload|dwell|time at|handling|minutes|^min$|dauer|durée|standzeit|haltezeit|entladezeit|aufenthalt|duración|temps sur place/,
  ],
  ["window", /(time )?window|slot|between|zeitfenster|lieferzeit|öffnungszeit|créneau|horario/],
  ["ride", /on board|\bride\b|transit time/],
  ["shipment", /shipment|consignment|^pair$|sendung|expédition/],
  ["does", /^(does|type|kind|task|action|activity|brings or collects|art|auftragsart)$/],
  [
    "amount",
    /amount|demand|load|weight|quantity|qty|parcels?|pallets?|volume|units|kg|menge|gewicht|^(?:(?:anz(?:ahl)?|number of|num|nb|nombre de|n° de|número de) )?(box(es)?|crates?|cartons?|cases?|bags?|bins?|totes?|items?|pieces?|pcs|rolls?|passengers?|kisten?|kartons?|paletten?|pakete?|stück|colis|caisses?|palettes?|poids|cantidad|cajas?|bultos?|palés?|peso)$/,
  ],
  ["priority", /priorit/],
  ["skills", /skill|need|require|equipment/],
  // What has both is one text: "Street, number, postcode, town".
  [
    "address",
    /(street|stra(ß|ss)e|\brue|calle).*(post|plz|zip|\bort\b|town|city|ville|ciudad)|postal address|postanschrift/,
  ],
  ["postcode", /post ?code|zip|postal|plz/],
  ["city", /city|town|locality|^ort$|stadt|ville|ciudad/],
  ["address", /address|street|adresse|anschrift|straße|strasse|\brue\b|direcci[oó]n|calle/],
  [
    "id",
    /^((order|job|stop|delivery|customer|client|account|kunden?|auftrags?|liefer(schein)?|bestell|commande|cliente?|pedido) ?)?(id|ref|reference|code|number|no|nr|nummer|order|numéro|n°|número|#)$|^(n°|nr|no|num[eé]ro|número) (de )?(client|commande|cliente|pedido)$/,
  ],
  [
    "name",
    /name|title|label|customer|client|stop|site|kunde|firma|company|empfänger|destinataire|nom|nombre/,
  ],
];

/** The name of a row below the stops that has their sum. */
const SUM =
  /^(?:grand )?(?:sum(?:me|s)?|totals?|gesamt(?:summe)?|insgesamt|totale?|somme|suma)\b[\s:.]*$/i;

/** The meanings of columns by their names; no two have the same, except for amounts. */
export function byNames<R extends string>(
  headers: readonly string[],
  all: readonly (readonly [R, RegExp])[],
  several: R,
): { columns: (R | null)[]; taken: Set<R> } {
  const taken = new Set<R>();
  const columns = headers.map((header) => {
    const name = header
      .toLowerCase()
      .replaceAll(/[_\-.:]+/g, " ")
      .replace(/\(.*\)|\[.*\]/, "")
      .replaceAll(/\s+/g, " ")
      .trim();
    const free = (role: R): boolean => role === several || !taken.has(role);
    const found = all.find(([role, words]) => free(role) && words.test(name));
    if (found) taken.add(found[0]);
    return found?.[0] ?? null;
  });
  return { columns, taken };
}

/** The meanings of a sheet's columns, by their names, else by their cells. */
export function recognise({ headers, rows }: Sheet): Columns {
  const { columns, taken } = byNames(headers, WORDS, SEVERAL);
  const guess = (role: Role, fits: (cell: string) => boolean): void => {
    if (taken.has(role)) return;
    const at = columns.findIndex((known, i) => {
      const cells = rows.map((row) => row[i] ?? "").filter(Boolean);
      return known === null && cells.length > 0 && cells.every(fits);
    });
    if (at < 0) return;
    columns[at] = role;
    taken.add(role);
  };
  const pairs = !taken.has("lat") && !taken.has("lon");
  if (pairs) guess("place", (cell) => /[ ,]/.test(cell) && parseCoordinates(cell) !== null);
  guess(
    "window",
    (cell) => /\d[:.h]\d\d|\d\s*(am|pm|h|uhr)\b/i.test(cell) && !!readWindows(cell)?.length,
  );
  if (pairs && !taken.has("place")) {
    const degrees = (most: number) => (cell: string) =>
      /^-?\d+[.,]\d{2,}$/.test(cell) && Math.abs(Number(cell.replace(",", "."))) <= most;
    guess("lat", degrees(90));
    guess("lon", degrees(180));
  }
  if (!taken.has("address") && !taken.has("postcode"))
    guess("address", (cell) => /\d.*[a-z]|[a-z].*\d/i.test(cell));
  guess("name", (cell) => /[a-z]/i.test(cell));
  return columns;
}

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
  const stops = rows.flatMap((row, index): Stop[] => {
    const wrong = (text: string): void =>
      void problems.push({ row: numbers[index] ?? index + 1, text });
    const cell: Cell = (role) => row[column(role)] ?? "";
    const line = { headers, row, wrong };
    const read: Read = (role, reader, usual) => readCell(line, column(role), reader, usual);
    const at = placeOf(cell, wrong);
    const address = [cell("address"), cell("postcode"), cell("city")].filter(Boolean).join(", ");
    if (!at && address === "" && (cell("name") === "" || SUM.test(cell("name")))) {
      wrong(tr("has neither coordinates nor an address"));
      return [];
    }
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
        name: cell("name") || address || id,
        address,
        at,
        service: read("service", (text) => readDuration(text, unit("service")), 0),
        windows: trouble ? [] : windows,
        amounts: carried.map(({ i, read: reader }) => readCell(line, i, reader, 0)),
        collects: read("does", readDoes, false),
        shipment: cell("shipment"),
        ride: read("ride", (text) => readDuration(text, unit("ride")), 0),
        priority: Math.min(100, read("priority", count, 0)),
        skills: cell("skills")
          .split(/[;|,]/)
          .map((word) => word.trim())
          .filter(Boolean),
      },
    ];
  });
  return { stops, loads: carried.map(({ load }) => load), problems };
}

/** The windows of a row in their order. */
function windowsOf(cell: Cell, read: Read): readonly Window[] {
  const bounds = (from: Role, to: Role): Window[] => {
    if (cell(from) === "" && cell(to) === "") return [];
    return [[read(from, readBound, 0), read(to, readBound, DAY)]];
  };
  const several = read<readonly Window[] | null>("window", readWindows, null);
  const list = several ?? [...bounds("from", "to"), ...bounds("from2", "to2")];
  return list.toSorted(([a], [b]) => a - b);
}

/** Whether something is collected at a stop, as people write it. */
function readDoes(text: string): boolean | null {
  if (/^(pick|collect|abhol|return|retour)/i.test(text)) return true;
  return /^(deliver|drop|bring|liefer|zustell|livr)/i.test(text) ? false : null;
}

function placeOf(cell: Cell, wrong: (text: string) => void): LonLat | null {
  return placeIn([cell("place"), cell("lat"), cell("lon")], wrong);
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
  const [y, x] = [Number(lat.replace(",", ".")), Number(lon.replace(",", "."))];
  const whole = lat !== "" && lon !== "" && Math.abs(y) <= 90 && Math.abs(x) <= 180;
  if (!whole) wrong(tr("“{0}, {1}” is no latitude and longitude", lat, lon));
  return whole ? [x, y] : null;
}

/** A whole number from 0 on; with "12.5 kg" the larger one. */
export function count(text: string): number | null {
  const number = Number(/^\d+(?:[.,]\d+)?/.exec(text)?.[0]?.replace(",", ".") ?? Number.NaN);
  return Number.isFinite(number) ? Math.ceil(number) : null;
}
