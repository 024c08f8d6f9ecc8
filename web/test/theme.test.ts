import { describe, expect, test } from "vitest";
import { contrast, contrastOf } from "../src/theme/contrast";
import {
  colourSections,
  readDocument,
  readProblems,
  withValue,
  type ThemeDocument,
} from "../src/theme/document";
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
