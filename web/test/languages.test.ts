import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parsers } from "prettier/plugins/typescript";
import { afterEach, expect, test } from "vitest";
import de from "../src/languages/de.json";
import es from "../src/languages/es.json";
import fr from "../src/languages/fr.json";
import THEMES from "../src/map/themes.json";
import { GROUPS } from "../src/panel/rail";
import { SITE_PAGES } from "../src/site/pages";
import { TASKS } from "../src/task/tasks";
import { clockTime, formatLength } from "../src/ui/format";
import { readSettings, settings } from "../src/ui/settings";
import { preferredLanguage, tr, usePageLanguage, type Dictionary } from "../src/ui/translate";

const DICTIONARIES: readonly (readonly [string, Dictionary])[] = [
  ["German", de],
  ["French", fr],
  ["Spanish", es],
];

interface Node {
  readonly type: string;
  readonly callee?: { readonly name?: string };
  readonly arguments?: readonly { readonly type: string; readonly value?: unknown }[];
}

/** Every text that the sources give to tr, with its file. */
function texts(): Map<string, string> {
  const src = join(import.meta.dirname, "../src");
  const found = new Map<string, string>();
  const visit = (node: unknown, file: string): void => {
    if (Array.isArray(node)) return node.forEach((one) => visit(one, file));
    if (node === null || typeof node !== "object" || !("type" in node)) return;
    const { type, callee, arguments: given = [] } = node as Node;
    if (type === "CallExpression" && callee?.name === "tr" && given[0]?.type === "Literal") {
      found.set(String(given[0].value), file);
    }
    Object.values(node).forEach((value) => visit(value, file));
  };
  for (const file of readdirSync(src, { recursive: true, encoding: "utf8" })) {
    if (!file.endsWith(".ts")) continue;
    const text = readFileSync(join(src, file), "utf8");
    if (text.includes("tr("))
      visit(parsers.typescript.parse(text, { filepath: file } as never), file);
  }
  for (const [, name] of SITE_PAGES) found.set(name, "site/pages.ts");
  for (const name of Object.values(THEMES)) found.set(name, "map/themes.json");
  return found;
}

const all = texts();
const values = (text: string) => [...new Set(text.match(/\{\d(?=[|}])/g))].toSorted().join();

test("the sources have texts", () => expect(all.size).toBeGreaterThan(900));

test.each(DICTIONARIES)("%s has every text of the explorer, and no other", (_, dictionary) => {
  const missing = [...all].filter(([text]) => !dictionary[text]).map((pair) => pair.join(" in "));
  expect(missing).toEqual([]);
  expect(Object.keys(dictionary).filter((text) => !all.has(text))).toEqual([]);
});

test.each(DICTIONARIES)("%s has the values and the edges of each text", (_, dictionary) => {
  const edges = (text: string) => [/^[\s]/.test(text), /\s$/.test(text)];
  for (const [text, said] of Object.entries(dictionary)) {
    expect([said, values(said)]).toEqual([said, values(text)]);
    if (/^\s|\s$/.test(text)) expect([text, ...edges(said)]).toEqual([text, ...edges(text)]);
  }
});

test("a word that is given to agree with a number agrees with every number", () => {
  const nouns = new Set<string>();
  for (const text of all.keys()) {
    for (const [, words] of text.matchAll(/\{\d\|([^}]*)\}/g)) {
      const more = words!.split("|").at(-1)!.split(" ")[0]!;
      if (more.endsWith("s") && more !== "is" && more !== "has") nouns.add(more);
    }
  }
  const alone = [...all].filter(([text]) => {
    const word = /\{\d\} (?:more )?(\w+)/.exec(text)?.[1];
    return word !== undefined && nouns.has(word) && !/at most|has \{1\}/.test(text);
  });
  expect(alone.map((pair) => pair.join(" in "))).toEqual([]);
});

afterEach(() => {
  usePageLanguage("en", {});
  settings.set({ clock: "24" });
});

test("a text is in the page's language, the English one where there is none", () => {
  expect(tr("{0} to {1}", "A", "B")).toBe("A to B");
  usePageLanguage("de", de);
  expect(tr("{0} to {1}", "A {1}", "B")).toBe("A {1} bis B");
  expect(tr("never said {0}", 7)).toBe("never said 7");
  expect(formatLength(3.25, false)).toBe("3,3 km");
});

test("words agree with the number beside them, by the rules of the language they are in", () => {
  const text = "{0} {0|stop|stops}";
  const said = (...numbers: (number | string)[]) => numbers.map((n) => tr(text, n));
  expect(said(0, 1, 2, "1,204")).toEqual(["0 stops", "1 stop", "2 stops", "1,204 stops"]);
  usePageLanguage("fr", { [text]: "{0} {0|arrêt|arrêts}" });
  expect(said(0, 1, 2, 1_000_000)).toEqual(["0 arrêt", "1 arrêt", "2 arrêts", "1000000 arrêts"]);
  usePageLanguage("es", { [text]: "{0} {0|parada|paradas}" });
  expect(said(0, 1, "1.000")).toEqual(["0 paradas", "1 parada", "1.000 paradas"]);
  // What a language lacks is in English, with the rules of English.
  usePageLanguage("fr", {});
  expect(said(0)).toEqual(["0 stops"]);
});

test("the language is the first of the reader's that there is", () => {
  expect(preferredLanguage(["cy", "de-AT", "en"])).toBe("de");
  expect(preferredLanguage(["FR"])).toBe("fr");
  expect(preferredLanguage(["zh-Hans"])).toBe("en");
  expect(preferredLanguage([])).toBe("en");
});

test("settings are read as far as they are known", () => {
  const text = '{"language":"fr","units":"miles","clock":"12","slash":false,"x":1}';
  const known = { language: "fr", units: "miles", clock: "12", slash: false };
  expect(readSettings(text)).toEqual(known);
  for (const text of [null, "", "null", "[", '{"language":"xx","clock":12,"slash":"no"}']) {
    expect(readSettings(text)).toEqual({});
  }
});

test("a clock of twelve hours has noon and midnight", () => {
  settings.set({ clock: "12" });
  expect(["00:05", "09:30", "12:00", "23:59"].map(clockTime)).toEqual(["12:05 am", "9:30 am", "12:00 pm", "11:59 pm"]); // prettier-ignore
});

test("every task is in one group of the rail", () => {
  const grouped = GROUPS.flatMap(([, ...names]) => names);
  expect(grouped.toSorted()).toEqual(TASKS.map(({ name }) => name).toSorted());
});
