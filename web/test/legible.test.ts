import { expression, latest } from "@maplibre/maplibre-gl-style-spec";
import type { StyleSpecification } from "maplibre-gl";
import { expect, test, vi } from "vitest";

vi.mock("maplibre-gl", () => ({ addProtocol: () => undefined }));
const { withoutScripts } = await import("../src/static/legible");

const NAME = ["get", "name"];
const FIELD = [
  "case",
  ["is-supported-script", ["to-string", NAME]],
  NAME,
  ["coalesce", ["get", "name:en"], NAME],
];
const style = {
  version: 8,
  sources: {},
  layers: [
    { id: "land", type: "background" },
    {
      id: "towns",
      type: "symbol",
      source: "map",
      layout: { "text-field": ["concat", FIELD, "!"] },
    },
    { id: "arrows", type: "symbol", source: "map", layout: { "icon-image": "arrow" } },
  ],
} as unknown as StyleSpecification;

/** What a style writes on a place. */
function written(of: StyleSpecification, properties: Record<string, string>): string {
  const field = (of.layers[1] as { layout: Record<string, unknown> }).layout["text-field"];
  const made = expression.createExpression(field, latest.layout_symbol["text-field"] as never);
  if (made.result === "error") throw new Error(made.value.map(String).join("; "));
  const feature = { type: "Point", properties } as never;
  return String(made.value.evaluate({ zoom: 10 } as never, feature));
}

test("names that would be boxes are Latin ones, or none", () => {
  const thai = withoutScripts(style, [["\u0e00", "\u0e7f", "ก"]]);
  expect(written(thai, { name: "เชียงใหม่", "name:en": "Chiang Mai" })).toBe("Chiang Mai!");
  expect(written(thai, { name: "เชียงใหม่", "name:fr": "Chiang Maï" })).toBe("Chiang Maï!");
  expect(written(thai, { name: "เชียงใหม่" })).toBe("!");
  for (const name of ["Newport", "Абакан", "नई दिल्ली", "日本", "ဘား", "ฯ".replace("ฯ", "Thai ก")]) {
    expect(written(thai, { name, "name:en": "English" })).toBe(
      written(style, { name, "name:en": "English" }),
    );
  }
});

test("without such scripts the style stays as it is", () => {
  expect(withoutScripts(style, [])).toBe(style);
  expect(withoutScripts(style, [["\u0e00", "\u0e7f", "ก"]]).layers[2]).toBe(style.layers[2]);
});
