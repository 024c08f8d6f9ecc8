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

/** "Line 3, colours.water", of what is known. */
export function placeOf(line: number | undefined, path: string): string {
  return [line ? `Line ${line}` : "", path].filter(Boolean).join(", ");
}
