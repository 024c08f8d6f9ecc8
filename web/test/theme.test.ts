import { describe, expect, test } from "vitest";
import { contrast, contrastOf } from "../src/theme/contrast";
import {
  colourSections,
  problemLine,
  readDocument,
  readProblems,
  withValue,
  type ThemeDocument,
} from "../src/theme/document";
import { readDraft } from "../src/theme/draft";
import { brokenAt } from "../src/theme/lines";
import { Steps } from "../src/theme/steps";
import { isLook } from "../src/map/themes";

describe("a theme that is edited", () => {
  const theme: ThemeDocument = { extends: "dark", colours: { water: "#001122" } };

  test("takes values, and loses a group with its last value", () => {
    const wider = withValue(theme, "roads", "width", 1.2);
    expect(wider).toEqual({ ...theme, roads: { width: 1.2 } });
    expect(withValue(wider, "colours", "water", undefined)).toEqual({
      extends: "dark",
      roads: { width: 1.2 },
    });
    expect(theme.colours).toEqual({ water: "#001122" });
  });

  test("false is a value", () => {
    expect(withValue({}, "show", "pois", false)).toEqual({ show: { pois: false } });
  });

  test.each([
    ["{", /no JSON/],
    ["[1]", /JSON object/],
    ["null", /JSON object/],
  ])("%s is no document, and says so", (text, why) => {
    expect(readDocument(text)).toMatch(why);
  });

  test.each([
    ['{\n "colours": {\n  "water" "#fff" } }', /^Line 3, colours\.water: /],
    ['{"roads": {"width": 2}\n, "labels": {"size": 1,}}', /^Line 2, labels(\.size)?: /],
    ['{\n"a": {"b": 1},\n"a": {}}', /^Line 3, a: .*twice/],
    ['{\n"colours": {\n"water": blue\n},\n"name": "Quay"\n}', /^Line 3, colours\.water: /],
    ['{\n"show": {"pois": },\n"name": "Quay"\n}', /^Line 2, show\.pois: /],
    ['{"name": "a: {", "sizes": {"pois": ', /^Line 1, sizes\.pois: /],
  ])("%s is refused with its line and member", (text, where) => {
    expect(readDocument(text)).toMatch(where);
  });

  test("a text is read to its end where it is JSON, and to its fault where it is not", () => {
    const whole = ' {"a": [], "b": {}, "c": [1, -2.5e3, "\\u00e9\\"", true, {"d": [null]}]} ';
    expect(brokenAt(whole)).toBe(whole.length);
    for (const [before, after] of [
      ["[1 ", "2]"],
      ["[1, ", "]"],
      ['{"a": 1, ', "}"],
      ['{"a": ', "nope}"],
      ["{", "'a': 1}"],
      ["{} ", "{}"],
      ["[", "}"],
      ['{"a": ', '"b\n"}'],
      ["[0", "1]"],
    ] as const) {
      expect(brokenAt(before + after)).toBe(before.length);
      expect(() => JSON.parse(before + after) as unknown).toThrow();
    }
  });

  test("a problem names its line", () => {
    const text = '{\n"colours": {\n"earth": "#fff",\n"water": "wet"}}';
    const line = (path: string) => problemLine({ path, message: "no colour" }, text);
    expect(line("colours.water")).toBe("Line 4, colours.water: no colour");
    expect(line("extends")).toBe("extends: no colour");
    expect(line("")).toBe("no colour");
  });

  test("steps are undone and done again; a slider that is dragged is one", () => {
    const steps = new Steps();
    steps.add({ extends: "light" }, "");
    for (const width of [1.1, 1.2, 1.3]) steps.add({ roads: { width } }, "roads.width");
    expect(steps.go(-1)).toEqual({ extends: "light" });
    expect([steps.back, steps.forth]).toEqual([false, true]);
    expect(steps.go(1)).toEqual({ roads: { width: 1.3 } });
    steps.add({ roads: { width: 2 } }, "roads.width");
    expect(steps.go(-1)).toEqual({ roads: { width: 1.3 } });
    steps.add({ extends: "dark" }, "extends");
    expect([steps.back, steps.forth]).toEqual([true, false]);
    for (let i = 0; i < 500; i++) steps.add({ name: String(i) }, "");
    expect(steps.go(-1000)).toEqual({ name: "300" });
  });

  test("a draft is read, and what is none is not", () => {
    const kept = { from: "dark", name: "Harbour", theme: { extends: "dark" } };
    expect(readDraft(JSON.stringify(kept))).toEqual(kept);
    for (const text of [null, "", "[", "null", "{}", '{"from":"/","name":"","theme":{}}']) {
      expect(readDraft(text)).toBeNull();
    }
  });

  test("a document is read whatever it holds: the server says what is wrong", () => {
    expect(readDocument('{"colours":{"water":"wet"}}')).toEqual({ colours: { water: "wet" } });
  });

  test("problems are read, and what is none is left out", () => {
    const problems = [{ path: "roads.width", message: "must be a number" }, { path: 1 }, "x"];
    expect(readProblems({ problems })).toEqual([problems[0]]);
    expect(readProblems(undefined)).toEqual([]);
    expect(readProblems({ problems: "many" })).toEqual([]);
  });

  test("every colour is in one section, also one that came later", () => {
    const names = ["water", "water_edge", "motorway", "motorway_shield", "text_water", "volcano"];
    const sections = colourSections(names);
    expect(sections.flatMap(([, list]) => list).toSorted()).toEqual(names.toSorted());
    expect(Object.fromEntries(sections)).toMatchObject({
      Land: ["volcano"],
      Names: ["text_water"],
      "Road numbers": ["motorway_shield"],
    });
  });
});

test.each([
  ["light", true],
  ["harbour-bay@12", true],
  ["", false],
  ["Light", false],
  ["a@0", false],
  ["../x", false],
  ["a".repeat(101), false],
])("a link may name the style %s: %s", (text, can) => expect(isLook(text)).toBe(can));

describe("contrast", () => {
  test("is that of WCAG", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21, 5);
    expect(contrast("#ffffff", "#767676")).toBeCloseTo(4.54, 2);
    expect(contrast("#767676", "#ffffff")).toBeCloseTo(4.54, 2);
    expect(contrast("#abc", "#ffffff")).toBeNaN();
  });

  test("of a colour is the least against what its letters lie on", () => {
    const colours = { text: "#767676", text_halo: "#ffffff", earth: "#777777", water: "#aacfe0" };
    expect(contrastOf("text", colours)).toBeLessThan(1.1);
    expect(contrastOf("earth", colours)).toBeLessThan(1.1);
    expect(contrastOf("text_halo", colours)).toBeCloseTo(4.54, 2);
    expect(contrastOf("water", colours)).toBeNull();
  });
});
