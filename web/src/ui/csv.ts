/**
 * A place in a text where a spreadsheet begins a formula: at the beginning of a cell, or of what
 * would be one with another separator; behind apostrophes it begins none.
 */
const FORMULA = /(^|[;\t\r\n])(\s{0,8})('*)(?=[=+\-@＝＋－＠])/g;
const NEGATIVE = /^-\d+(?:\.\d+)?$/;

/**
 * A table by RFC 4180, with the byte order mark by which spreadsheets see that it is UTF-8. A
 * text that a spreadsheet would run gets an apostrophe, which readCSV takes away again.
 */
export function writeCSV(rows: readonly (readonly (string | number)[])[]): string {
  return `\uFEFF${rows.map((row) => `${row.map(cellOf).join(",")}\r\n`).join("")}`;
}

function cellOf(value: string | number): string {
  if (typeof value === "number" || NEGATIVE.test(value)) return String(value);
  const text = value.replace(FORMULA, "$1$2'$3");
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A text of a cell without the apostrophe that kept a spreadsheet from running it. */
export function withoutGuard(text: string): string {
  return text.replace(FORMULA, (_, start: string, space: string, guards: string) => start + space + guards.slice(1)); // prettier-ignore
}

/** Lines by which the separator is found. */
const SAMPLE = 30;

/**
 * The separator of a table: what a line "sep=;" at its beginning names, else that of comma,
 * semicolon and tab of which the most lines have as many. Titles above a table have none, and
 * cells may have others.
 */
function separatorOf(text: string): string {
  const lines = text
    .slice(0, 100_000)
    .replaceAll(/"(?:[^"]|"")*"/g, "")
    .split(/[\r\n]+/)
    .filter((line) => line.trim() !== "")
    .slice(0, SAMPLE);
  const alike = (separator: string): readonly [lines: number, cells: number] => {
    const tally = new Map<number, number>();
    for (const line of lines) {
      const count = line.split(separator).length;
      if (count > 1) tally.set(count, (tally.get(count) ?? 0) + 1);
    }
    const [cells = 1, most = 0] = [...tally].toSorted(([a, x], [b, y]) => y - x || b - a)[0] ?? [];
    return [most, cells];
  };
  const separators = [",", ";", "\t"];
  const counts = (separator: string): number[] => lines.map((line) => line.split(separator).length);
  // One that every line has more of than any line has of another, though not all as many.
  const clear = separators.find((one) => {
    const others = separators.filter((other) => other !== one).flatMap(counts);
    return Math.min(...counts(one)) > Math.max(...others);
  });
  if (clear) return clear;
  const [best] = separators
    .map((separator) => [separator, alike(separator)] as const)
    .toSorted(([, a], [, b]) => b[0] - a[0] || b[1] - a[1]);
  return best![0];
}

/** The cells of a CSV by RFC 4180, with whichever of comma, semicolon and tab separates them. */
export function readCSV(given: string): string[][] {
  const named = /^sep=([,;\t])\r?\n/i.exec(given);
  const text = named ? given.slice(named[0].length) : given;
  const separator = named?.[1] ?? separatorOf(text);
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') cell += text[i++];
      else quoted = false;
    } else if (c === '"' && cell === "") quoted = true;
    else if (c === separator) {
      row.push(cell);
      cell = "";
    } else if (c === "\n" || c === "\r") {
      if (c === "\r" && text[i + 1] === "\n") i++;
      rows.push([...row, cell]);
      row = [];
      cell = "";
    } else cell += c;
  }
  if (cell !== "" || row.length) rows.push([...row, cell]);
  return rows.map((cells) => cells.map(withoutGuard));
}
