import { isRecord } from "../call/record";
import { brokenAt, memberLines, placeOf } from "./lines";

/** A theme document, as POST /styles takes it. What is left out is as in the theme it extends. */
export interface ThemeDocument {
  readonly name?: string;
  readonly description?: string;
  readonly extends?: string;
  readonly colours?: Readonly<Record<string, string>>;
  readonly roads?: Readonly<Record<string, number>>;
  readonly widths?: Readonly<Record<string, number>>;
  readonly labels?: Readonly<Record<string, number | string>>;
  readonly sizes?: Readonly<Record<string, number>>;
  readonly show?: Readonly<Record<string, boolean>>;
  readonly kinds?: Readonly<Record<string, boolean>>;
}

/** The members of a theme that have members of their own. */
export type Group = (typeof GROUPS)[number];

const GROUPS = ["colours", "roads", "widths", "labels", "sizes", "show", "kinds"] as const;

export type Value = string | number | boolean;

/** A theme with nothing left out, as the server puts it together. */
export type WholeTheme = ThemeDocument & Readonly<Required<Pick<ThemeDocument, Group>>>;

/** What is wrong with a theme, and where: colours.water. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export function valueOf(theme: ThemeDocument, group: Group, key: string): Value | undefined {
  return theme[group]?.[key];
}

/**
 * The theme with a value at group.key; undefined takes it out, so that the theme
 * has what it extends there. A group without members goes too.
 */
export function withValue(
  theme: ThemeDocument,
  group: Group,
  key: string,
  value: Value | undefined,
): ThemeDocument {
  const members: Record<string, Value> = { ...theme[group] };
  if (value === undefined) delete members[key];
  else members[key] = value;
  const { [group]: _, ...rest } = theme;
  return (Object.keys(members).length ? { ...rest, [group]: members } : rest) as ThemeDocument;
}

/** The document of a text; a sentence that says why it is none, with its line and member. */
export function readDocument(text: string): ThemeDocument | string {
  try {
    const value: unknown = JSON.parse(text);
    const { of, twice } = memberLines(text);
    if (twice !== null) return `${placeOf(of.get(twice), twice)}: this member is there twice.`;
    return isRecord(value) ? (value as ThemeDocument) : "A theme is a JSON object: { … }";
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    const { line, path } = memberLines(text, brokenAt(text));
    const why = said.replace(/ (in JSON )?at (position|line) \d.*$/, "");
    return `${placeOf(line, path)}: this is no JSON. ${why}.`;
  }
}

/** A problem in words, with the line where its member is in the text of the theme. */
export function problemLine({ path, message }: Problem, text: string): string {
  const place = placeOf(memberLines(text).of.get(path), path);
  return place ? `${place}: ${message}` : message;
}

/** The problems that a 422 lists; none where it lists none. */
export function readProblems(body: unknown): Problem[] {
  const list = isRecord(body) && Array.isArray(body["problems"]) ? body["problems"] : [];
  return list.filter(isRecord).flatMap(({ path, message }) => {
    return typeof path === "string" && typeof message === "string" ? [{ path, message }] : [];
  });
}

/** Colours by what they are of, in the order of a form; a colour that is none of them comes last. */
export function colourSections(names: readonly string[]): [string, string[]][] {
  const sections: [string, RegExp][] = [
    ["Names", /^text/],
    ["Road numbers", /shield/],
    ["Water", /^(water|tidal|ferry|ice)/],
    ["Roads", /^(motorway|trunk|primary|street|tunnel)/],
    ["Paths and rails", /^(path|track|rail|runway|pedestrian)/],
    ["Buildings and borders", /^(building|border)/],
    ["Land", /./],
  ];
  const lists = new Map(sections.map(([title]) => [title, [] as string[]]));
  for (const name of names) {
    lists.get(sections.find(([, pattern]) => pattern.test(name))![0])!.push(name);
  }
  const order = ["Land", "Water", "Buildings and borders", "Roads", "Paths and rails", "Names"];
  return [...order, "Road numbers"].flatMap((title): [string, string[]][] => {
    const list = lists.get(title)!;
    return list.length ? [[title, list]] : [];
  });
}

/** "water_edge" as words: "Water edge". */
export function spoken(name: string): string {
  const words = name.replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value that is not the same in two themes. */
export interface Difference {
  readonly group: Group;
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** What differs between two themes, by groups and in the order of a form. */
export function differences(before: WholeTheme, after: WholeTheme): Difference[] {
  return GROUPS.flatMap((group) => {
    const keys = Object.keys({ ...before[group], ...after[group] });
    return keys.flatMap((key) => {
      const [a, b] = [valueOf(before, group, key), valueOf(after, group, key)];
      if (a === b) return [];
      return [{ group, label: labelOf(group, key), before: inWords(a), after: inWords(b) }];
    });
  });
}

/** The words for a member of a theme. */
export function labelOf(group: Group, key: string): string {
  const factor = FACTORS.find((one) => one[0] === group && one[1] === key);
  if (factor) return factor[2];
  if (group === "widths") return `Width: ${key}`;
  if (group === "sizes")
    return `Size: ${key === "pois" ? "points of interest" : key.replaceAll("_", " ")}`;
  if (group === "show" && key === "pois") return "Points of interest";
  return spoken(key).replace("3d", "3D");
}

function inWords(value: Value | undefined): string {
  if (value === undefined) return "as usual";
  if (typeof value === "boolean") return value ? "shown" : "left out";
  if (typeof value === "number") return `× ${value.toFixed(2)}`;
  return value || "the usual";
}

/** Numbers that a theme has one of, with the words for them and their range. */
export const FACTORS = [
  ["roads", "width", "Width of roads", 0.25, 4],
  ["roads", "casing", "Lines at their sides", 0, 4],
  ["labels", "size", "Size of names", 0.5, 2],
  ["labels", "halo", "Line round their letters", 0, 3],
] as const;
