import { decimal } from "../../ui/translate";

/** How much of the smallest unit of its kind a unit is. */
const UNITS: Readonly<Record<string, readonly [kind: string, factor: number]>> = {
  g: ["mass", 1],
  kg: ["mass", 1000],
  t: ["mass", 1_000_000],
  lb: ["mass", 453.592_37],
  ml: ["volume", 1],
  l: ["volume", 1000],
  m3: ["volume", 1_000_000],
  ft3: ["volume", 28_316.846_592],
  cm: ["length", 10],
  m: ["length", 1000],
};

/** Units that are counted in a smaller one where amounts have decimals, since loads are whole. */
const FINER: Readonly<Record<string, string>> = { t: "kg", kg: "g", m3: "l", l: "ml", m: "cm" };

const SPELLINGS: Readonly<Record<string, string>> = {
  kgs: "kg",
  kilo: "kg",
  kilos: "kg",
  kilogram: "kg",
  kilograms: "kg",
  kilogramm: "kg",
  gram: "g",
  grams: "g",
  tonne: "t",
  tonnes: "t",
  to: "t",
  lbs: "lb",
  pounds: "lb",
  litre: "l",
  litres: "l",
  liter: "l",
  liters: "l",
  cbm: "m3",
  "m³": "m3",
  "ft³": "ft3",
  cuft: "ft3",
  ldm: "m",
};

/** The unit that a word means; null where it is none that is known. */
export function unitNamed(word: string): string | null {
  const name = word.trim().toLowerCase().replace(/\.$/, "");
  const unit = SPELLINGS[name] ?? name;
  return unit in UNITS ? unit : null;
}

/** The unit in the name of a load: "Weight (kg)", "weight_kg", "kg"; null is a number of things. */
export function unitOf(load: string): string | null {
  const word = /[([]([^)\]]+)[)\]]\s*$/.exec(load)?.[1] ?? /(?:^|[\s_])([^\s_]+)$/.exec(load)?.[1];
  return word === undefined ? null : unitNamed(word);
}

/** A load's name with another unit. */
export function withUnit(load: string, unit: string): string {
  const bare = load.replace(/\s*[([][^)\]]+[)\]]\s*$/, "").replace(/[\s_]+$/, "");
  const name = unitOf(bare) === null ? bare : bare.replace(/[\s_]*[^\s_]+$/, "");
  return name ? `${name} (${unit})` : unit;
}

/** What separates decimals in a list of amounts; null where none of them shows it. */
type Decimals = "," | "." | null;

/** The number of a cell, without a unit. */
const NUMBER = /^\d[\d.,]*/;

function decimalsIn(cells: readonly string[]): Decimals {
  const numbers = cells.map((cell) => NUMBER.exec(cell.trim())?.[0] ?? "");
  const comma = numbers.some((one) => /,\d{1,2}$|,\d{4,}$|\.\d{3},|^0,|\.\d{3}\./.test(one));
  const point = numbers.some((one) => /\.\d{1,2}$|\.\d{4,}$|,\d{3}\.|^0\.|,\d{3},/.test(one));
  return comma === point ? null : comma ? "," : ".";
}

/** Whether a number may be of thousands, or have three decimals. */
const EITHER = /^[1-9]\d{0,2}[.,]\d{3}(?![\d.,])/;

/** A number as people write it, and the unit after it; null where it is none. */
function quantity(
  text: string,
  decimals: Decimals = null,
): { number: number; unit: string | null } | null {
  const match = /^(\d[\d.,'’\s]*)\s*([^\d\s].*)?$/.exec(text.trim());
  if (!match) return null;
  const [, , rest = ""] = match;
  const word = rest.replace(/\s*[([].*$/, "");
  const unit = word ? unitNamed(word) : null;
  // "2 x 10 kg" and "5-6 kg" are no one number.
  if (unit === null && /\d/.test(word)) return null;
  const digits = match[1]!.replaceAll(/['’\s]/g, "");
  if (decimals) {
    const plain = digits.replaceAll(decimals === "," ? "." : ",", "").replace(",", ".");
    return Number.isFinite(Number(plain)) ? { number: Number(plain), unit } : null;
  }
  // 1,200 is a thousand and two hundred; 1,2 and 0,500 have decimals. So does 1.200.
  const grouped = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/.test(digits);
  const german = /^[1-9]\d{0,2}(?:\.\d{3})+,\d+$|^[1-9]\d{0,2}(?:\.\d{3}){2,}$/.test(digits);
  const plain = grouped
    ? digits.replaceAll(",", "")
    : (german ? digits.replaceAll(".", "") : digits).replace(",", ".");
  const number = Number(plain);
  return Number.isFinite(number) ? { number, unit } : null;
}

/** What a text says in a unit, where a number alone is of the unit "bare": "1.2 t" in kg is 1200; null where nothing can be read. */
function inUnit(
  text: string,
  unit: string | null,
  bare: string | null,
  decimals: Decimals = null,
): number | null {
  const said = quantity(text, decimals);
  if (!said) return null;
  const own = UNITS[said.unit ?? bare ?? ""];
  const wanted = UNITS[unit ?? ""];
  if (!own || !wanted) return said.number;
  return own[0] === wanted[0] ? (said.number * own[1]) / wanted[1] : null;
}

export interface AmountOptions {
  /** Whether it is room for a load, which is rounded down; a load is rounded up. */
  readonly room?: boolean;
  /** The unit of a number alone; by default the load's. */
  readonly bare?: string | null;
  readonly decimals?: Decimals;
}

/** What a text says of a load, as a whole number in its unit; null where nothing can be read. */
export function readAmount(
  text: string,
  load: string,
  { room = false, bare = unitOf(load), decimals = null }: AmountOptions = {},
): number | null {
  const amount = inUnit(text, unitOf(load), bare, decimals);
  if (amount === null) return null;
  const clean = Number(amount.toFixed(6));
  return room ? Math.floor(clean) : Math.ceil(clean);
}

/**
 * A column of amounts as a load: its name, a reader of its cells, and whether one of them may be
 * of thousands as well as have decimals.
 */
export function loadOf(header: string, cells: readonly string[], room = false) {
  const decimals = decimalsIn(cells);
  const load = loadNamed(header, cells, decimals);
  const bare = unitOf(header) ?? unitOf(load);
  return {
    load,
    read: (text: string) => readAmount(text, load, { room, bare, decimals }),
    unsure: (text: string) => decimals === null && EITHER.test(text.trim()),
  };
}

/** A capacity of a load in the unit of another, rounded down. */
export function roomIn(room: number, from: string, to: string): number {
  const unit = unitOf(from);
  return unit === null ? room : (readAmount(`${room} ${unit}`, to, { room: true }) ?? room);
}

/** The one of the loads that a load of another table is; the load itself where it is none of them. */
export function likeLoad(load: string, loads: readonly string[]): string {
  const bare = (name: string): string => withUnit(name, "kg").toLowerCase();
  const kind = (name: string): string | undefined => UNITS[unitOf(name) ?? ""]?.[0];
  const own = kind(load);
  const ofKind = loads.filter((one) => own !== undefined && kind(one) === own);
  return (
    loads.find((one) => one === load) ??
    loads.find((one) => bare(one) === bare(load) && kind(one) === own) ??
    (ofKind.length === 1 ? ofKind[0]! : load)
  );
}

/**
 * The name of a column of amounts as a load: with the unit that its cells have where the name has
 * none, and in a finer one where amounts are so small that rounding them up would count.
 */
export function loadNamed(
  header: string,
  cells: readonly string[],
  decimals: Decimals = null,
): string {
  let load = header;
  if (unitOf(load) === null) {
    const units = new Set(cells.flatMap((cell) => quantity(cell, decimals)?.unit ?? []));
    const [first] = units;
    if (first) load = withUnit(load, first);
  }
  const bare = unitOf(load);
  for (;;) {
    const unit = unitOf(load);
    const finer = unit === null ? undefined : FINER[unit];
    const coarse = cells.some((cell) => {
      const amount = inUnit(cell, unit, bare, decimals);
      return amount !== null && amount > 0 && (Math.ceil(amount) - amount) / amount > 0.05;
    });
    if (!finer || !coarse) return load;
    load = withUnit(load, finer);
  }
}

/** Units in which people read large amounts of a finer one. */
const COARSER: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  g: ["kg", 1000],
  ml: ["l", 1000],
  cm: ["m", 100],
};

/** "12 kg" of "Weight (kg)", "25.3 kg" of "Weight (g)", "3 Boxes" of "Boxes". */
export function amountText(amount: number, load: string, alone: boolean): string {
  const unit = unitOf(load);
  const [coarser, factor] = COARSER[unit ?? ""] ?? ["", Infinity];
  if (amount >= factor) {
    const parts = String(factor).length - 1;
    return `${decimal(amount / factor, parts).replace(/[.,]?0+$/, "")} ${coarser}`;
  }
  if (unit !== null) return `${amount} ${unit.replace("3", "³")}`;
  return alone ? String(amount) : `${amount} ${load}`;
}
