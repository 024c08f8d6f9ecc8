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

/** The cells of a CSV by RFC 4180, with whichever of comma, semicolon and tab its first line has most. */
export function readCSV(text: string): string[][] {
  const head = text.slice(0, text.search(/[\r\n]|$/));
  const [separator] = [",", ";", "\t"].toSorted(
    (a, b) => head.split(b).length - head.split(a).length,
  ) as [string];
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
