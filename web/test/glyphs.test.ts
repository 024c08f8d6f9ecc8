import { describe, expect, test, vi } from "vitest";

vi.mock("maplibre-gl", () => ({ addProtocol: () => undefined }));
const { drawnHere, hasGlyphs } = await import("../src/map/glyphs");

/** A glyph file: the stack's name and range, and so many glyphs. */
function file(glyphs: number): Uint8Array {
  const bytes = (field: number, data: number[]): number[] => [
    field * 8 + 2,
    ...length(data.length),
    ...data,
  ];
  const length = (n: number): number[] => (n < 128 ? [n] : [(n % 128) + 128, n >> 7]);
  const text = (s: string): number[] => [...new TextEncoder().encode(s)];
  const stack = [...bytes(1, text("Go Regular")), ...bytes(2, text("1280-1535"))];
  for (let i = 0; i < glyphs; i++) stack.push(...bytes(3, new Array<number>(150).fill(7)));
  return new Uint8Array(bytes(1, stack));
}

describe("letters that the server's fonts lack", () => {
  test("a file without a glyph is told from one with some", () => {
    expect(hasGlyphs(file(0))).toBe(false);
    expect(hasGlyphs(file(1))).toBe(true);
    expect(hasGlyphs(file(3))).toBe(true);
    expect(hasGlyphs(new Uint8Array())).toBe(false);
  });

  test("a style asks for its letters through the page, once", () => {
    const style = {
      version: 8 as const,
      sources: {},
      layers: [],
      glyphs: "https://maps.example/fonts/{fontstack}/{range}.pbf",
    };
    expect(drawnHere(style).glyphs).toBe(`glyphs://${style.glyphs}`);
    expect(drawnHere(drawnHere(style)).glyphs).toBe(`glyphs://${style.glyphs}`);
  });
});
