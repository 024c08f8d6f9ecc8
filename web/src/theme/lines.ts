/** Where the members of a JSON text are: their lines, from 1, by paths such as colours.water. */
export interface Lines {
  readonly of: ReadonlyMap<string, number>;
  /** The first member that is there twice. */
  readonly twice: string | null;
  /** The line and the member at the end of what was read. */
  readonly line: number;
  readonly path: string;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"?|[{}[\],:]|\n/g;

/** Finds the lines of the members of a text that may be no JSON; until reads its first characters only. */
export function memberLines(text: string, until = text.length): Lines {
  const of = new Map<string, number>();
  /** The member in whose object one is, outermost first; null where an array is. */
  const open: (string | null)[] = [];
  /** The last text that was read, and the member whose value one is at. */
  let [line, last, member] = [1, "", ""];
  let twice: string | null = null;
  const path = () => [...open, member || last].filter(Boolean).join(".");
  for (const [token] of text.slice(0, until).matchAll(TOKEN)) {
    if (token === "\n") line++;
    else if (token.startsWith('"')) last = token.replace(/^"|"$/g, "");
    else if (token === ":") {
      member = last;
      if (of.has(path())) twice ??= path();
      of.set(path(), line);
    } else {
      last = "";
      if (token === "{" || token === "[") open.push(member);
      const closes = token === "}" || token === "]";
      member = closes ? (open.pop() ?? "") : ""; // after a comma another one follows
    }
  }
  return { of, twice, line, path: path() };
}

const SPACE = /[ \t\r\n]*/y;
const PART =
  /"(?:[^"\\\u0000-\u001f]|\\["\\/bfnrt]|\\u[\dA-Fa-f]{4})*"|true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|[{}[\],:]/y;

/** Where a text is no JSON any more; its end where it breaks off. Browsers say so for some faults only. */
export function brokenAt(text: string): number {
  /** What closes each object and array that is open, outermost first. */
  const open: string[] = [];
  let wants: "value" | "name" | "colon" | "more" = "value";
  /** Whether what was opened last is empty so far, and may be closed. */
  let empty = false;
  let at = 0;
  const read = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0] ?? "";
  };
  for (;;) {
    at += read(SPACE).length;
    const part = read(PART);
    const closes = (empty || wants === "more") && part !== "" && part === open.at(-1);
    const fits = {
      value: part !== "" && !"}],:".includes(part),
      name: part.startsWith('"'),
      colon: part === ":",
      more: part === "," && open.length > 0,
    }[wants];
    if (!closes && !fits) return at;
    at += part.length;
    empty = wants === "value" && (part === "{" || part === "[");
    if (closes) open.pop();
    else if (empty) open.push(part === "{" ? "}" : "]");
    if (wants === "name" && !closes) wants = "colon";
    else if (wants === "colon") wants = "value";
    else if (empty || (wants === "more" && !closes)) wants = open.at(-1) === "}" ? "name" : "value";
    else wants = "more";
  }
}

/** "Line 3, colours.water", of what is known. */
export function placeOf(line: number | undefined, path: string): string {
  return [line ? `Line ${line}` : "", path].filter(Boolean).join(", ");
}
