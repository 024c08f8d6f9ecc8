// Money is whole pence or millipence (1,000 are a penny). Nothing here divides
// into fractions: quotients are taken after the remainder is off.

/** "£1,234.50" from whole pence. */
export function pounds(pence: number): string {
  const whole = Math.abs(pence);
  const rest = whole % 100;
  return `${sign(pence)}£${grouped((whole - rest) / 100)}.${String(rest).padStart(2, "0")}`;
}

/**
 * Millipence to the last digit that counts: "£12.34", "£12.34567". Never fewer
 * than two digits after the point.
 */
export function exactMoney(millipence: number): string {
  const whole = Math.abs(millipence);
  const rest = whole % 100_000;
  const digits = String(rest)
    .padStart(5, "0")
    .replace(/0{1,3}$/, "");
  return `${sign(millipence)}£${grouped((whole - rest) / 100_000)}.${digits}`;
}

/** A whole number with thousands separated: "1,234,567". */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** "1 unit", "1,204 units", of a page that is in English only. */
export function counted(value: number, one: string): string {
  return `${grouped(value)} ${one}${value === 1 ? "" : "s"}`;
}

/**
 * The pence of an amount as people type it: "12", "12.5", "£1,200.00". Null for
 * anything else, for parts of a penny and for numbers beyond exact integers.
 */
export function parsePounds(text: string): number | null {
  const match = /^£?\s*(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}))?$/.exec(text.trim());
  if (!match) return null;
  const pence = Number(match[1]!.replaceAll(",", "") + (match[2] ?? "").padEnd(2, "0"));
  return Number.isSafeInteger(pence) ? pence : null;
}

function sign(value: number): string {
  return value < 0 ? "−" : "";
}
