import { expect, test } from "vitest";
import { finds } from "../src/reference/find";

const route = {
  method: "post",
  path: "/route",
  summary: "A way from place to place",
  description: "For cars and trucks.",
};
const trace = { ...route, path: "/trace_route", summary: "Roads of a trace" };

test.each([
  ["", true],
  ["POST route", true],
  ["place way", true],
  ["directions", true],
  ["map matching", false],
  ["route plane", false],
])("searching for %s finds a route: %s", (text, found) => {
  expect(finds(text, route, false)).toBe(found);
});

test("the description is looked through where that is wanted", () => {
  expect([false, true].map((deep) => finds("trucks", route, deep))).toEqual([false, true]);
});

test("a call is found by what others call it", () => {
  expect(finds("Map Matching", trace, false)).toBe(true);
});
