import { tr } from "../../ui/translate";
import { parseCoordinates } from "../../geo/coords";
import type { Sheet } from "./sheet";
import { readWindows } from "../problem/times";

/** The meanings that a column can have, with their names on the page. */
export const ROLES = [
  ["id", tr("Reference")],
  ["name", tr("Name")],
  ["address", tr("Address")],
  ["house", tr("House number")],
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
  [
    "house",
    /^(house|haus|building|door|street) ?(no|nr|num|number|nummer)$|^hnr$|^numéro de (rue|voie)$|^número de (casa|portal)$/,
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

/** Columns of shops' exports that are no part of a stop, however they are called: money, states, notes. */
const NO_ROLE =
  /\b(?:status|method|level|price|costs?|fees?|tax(?:es|able)?|discount|refund(?:ed)?|subtotal|balance|payment|currency|e ?mail|phone|fulfil\w*|requires shipping|notes?|comments?|remarks?|instructions|(?:total|shipping) amount|amount (?:paid|due)|preis|kosten|betrag|bemerkung|notiz|prix|precio|importe)\b/;

/** Of who pays, and of where it goes. */
const BILLED = /\b(?:billing|bill to|invoice|payer|buyer)\b|rechnung|factura/;
const SENT = /\b(?:ship|shipping|delivery|recipient)\b|^liefer|livraison|entrega/;

function bare(header: string): string {
  return header
    .toLowerCase()
    .replaceAll(/[_\-.:]+/g, " ")
    .replace(/\(.*\)|\[.*\]/, "")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/**
 * The meanings of columns by their names; no two have the same, except for amounts. Columns are
 * looked at in the order given.
 */
export function byNames<R extends string>(
  headers: readonly string[],
  all: readonly (readonly [R, RegExp])[],
  several: R,
  order: readonly number[] = [...headers.keys()],
): { columns: (R | null)[]; taken: Set<R> } {
  const taken = new Set<R>();
  const columns = headers.map((): R | null => null);
  for (const i of order) {
    const name = bare(headers[i]!);
    const free = (role: R): boolean => role === several || !taken.has(role);
    const found = all.find(([role, words]) => free(role) && words.test(name));
    if (found) taken.add(found[0]);
    columns[i] = found?.[0] ?? null;
  }
  return { columns, taken };
}

const PLACED: readonly (Role | null)[] = [
  "address",
  "house",
  "city",
  "postcode",
  "place",
  "lat",
  "lon",
];

/** Whether a column is a part of a place, by its name. */
function isPart(header: string): boolean {
  return PLACED.includes(byNames([header], WORDS, SEVERAL).columns[0]!);
}

/**
 * The columns of a sheet of stops that may have a meaning, in the order in which they are tried:
 * those of the delivery first, those of the billing address last, and none of the latter where
 * another column has the place. In a sheet without a billing address only parts of a place come
 * first, for "delivery driver" and "delivery number" are names and numbers like others.
 */
function usable(headers: readonly string[]): number[] {
  const named = [...headers.keys()].filter((i) => !NO_ROLE.test(bare(headers[i]!)));
  const of = (i: number, words: RegExp): boolean =>
    words.test(headers[i]!.toLowerCase().replaceAll(/[_\-]+/g, " "));
  const others = named.filter((i) => !of(i, BILLED));
  const first = others.filter(
    (i) => of(i, SENT) && (others.length < named.length || isPart(headers[i]!)),
  );
  const placed = byNames(headers, WORDS, SEVERAL, others).columns.some((role) =>
    ["address", "place", "lat"].includes(role ?? ""),
  );
  const last = placed ? [] : named.filter((i) => of(i, BILLED));
  return [...first, ...others.filter((i) => !first.includes(i)), ...last];
}

/** The meanings of a sheet's columns, by their names, else by their cells. */
export function recognise({ headers, rows }: Sheet): Columns {
  const cellsOf = (i: number): string[] => rows.map((row) => row[i] ?? "").filter(Boolean);
  const all = (i: number, fits: (cell: string) => boolean): boolean => {
    const cells = cellsOf(i);
    return cells.length > 0 && cells.every(fits);
  };
  // Shops call an order's number its name.
  const order = headers.findIndex((header, i) => {
    return bare(header) === "name" && all(i, (cell) => /^#\S*\d/.test(cell));
  });
  const words = order < 0 ? WORDS : WORDS.filter(([role]) => role !== "id");
  const indices = usable(headers).filter((i) => i !== order);
  const { columns, taken } = byNames(headers, words, SEVERAL, indices);
  if (order >= 0) columns[order] = "id";
  houseBeside(columns, headers, all);
  const guess = (role: Role, fits: (cell: string) => boolean): void => {
    if (taken.has(role)) return;
    const at = columns.findIndex((known, i) => {
      return known === null && !NO_ROLE.test(bare(headers[i]!)) && all(i, fits);
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
  townBeside(columns, headers, all);
  guess("name", (cell) => /[a-z]/i.test(cell));
  return columns;
}

type All = (i: number, fits: (cell: string) => boolean) => boolean;

/** "No." beside streets without numbers is the house's. */
function houseBeside(columns: (Role | null)[], headers: readonly string[], all: All): void {
  const at = columns.indexOf("address") + 1;
  if (at === 0 || columns.includes("house")) return;
  const free = columns[at] === "id" || columns[at] === null;
  const called = /^(no|nr|num|number|nummer|n°|numéro|número|#)$/.test(bare(headers[at] ?? ""));
  const bareStreets = all(at - 1, (cell) => !/^\d+[a-z]?\s|\s\d+\s?[a-z]?$/i.test(cell));
  if (
    free &&
    called &&
    bareStreets &&
    all(at, (cell) => /^\d{1,5}\s?[a-z]?(?:\s?[-–/+]\s?\d*[a-z]?)?$/i.test(cell))
  )
    columns[at] = "house";
}

/** In a table without names of columns the town stands behind the street. */
function townBeside(columns: (Role | null)[], headers: readonly string[], all: All): void {
  const at = columns.indexOf("address") + 1;
  if (at === 0 || headers[at] !== `Column ${at + 1}` || columns.includes("city")) return;
  if (columns[at] === null && all(at, (cell) => /\p{L}{2}/u.test(cell))) columns[at] = "city";
}
