import type { StyleSpecification } from "maplibre-gl";
import { describe, expect, test } from "vitest";
import { groundOf, heldCentre, type Ground } from "../src/map/ground";

const style = (metadata: unknown): StyleSpecification => ({
  version: 8,
  metadata,
  sources: { map: { type: "vector", tiles: [], bounds: [0, 0, 10, 10] } },
  layers: [],
});

describe("how far a map reaches", () => {
  test("the style tells; roads may lead beyond", () => {
    const told = style({ view: [1, 1, 2, 2], areas: [[0, 0, 10, 10]] });
    expect(groundOf(told, [1, 1, 12, 2])).toEqual({
      view: [1, 1, 2, 2],
      areas: [[0, 0, 10, 10]],
      extent: [0, 0, 12, 10],
    });
  });

  test("without a word of it, what the source and the roads say", () => {
    for (const metadata of [undefined, {}, { view: "all", areas: [[1, 2], "x"] }]) {
      expect(groundOf(style(metadata), [1, 1, 2, 2])).toEqual({
        view: [1, 1, 2, 2],
        areas: [],
        extent: [0, 0, 10, 10],
      });
    }
    expect(groundOf(null, [1, 1, 2, 2])!.extent).toEqual([1, 1, 2, 2]);
    expect(groundOf(null, null)).toBeNull();
  });
});

describe("the view is held to the map", () => {
  const ground: Ground = { view: [0, 0, 1, 1], areas: [], extent: [0, 0, 1, 1] };
  const screen = { width: 800, height: 800, left: 0, right: 0, top: 0, bottom: 0 };
  /** At which a degree is 800 pixels wide. */
  const fits = Math.log2((800 * 360) / 512);

  test("what lies in it stays", () => {
    expect(heldCentre([0.5, 0.5], fits, ground, screen)).toEqual([0.5, 0.5]);
    expect(heldCentre([0.1, 0.9], fits + 4, ground, screen)).toEqual([0.1, 0.9]);
  });

  test("from far off the nearest place is taken", () => {
    const [lon, lat] = heldCentre([-40, 60], fits + 4, ground, screen);
    expect(lon).toBeGreaterThan(-0.1);
    expect(lon).toBeLessThan(0.1);
    expect(lat).toBeGreaterThan(0.9);
    expect(lat).toBeLessThan(1.1);
  });

  test("a small map stays where it can be seen beside a panel", () => {
    const beside = { ...screen, left: 400, bottom: 400 };
    for (const at of [
      [-9, -9],
      [9, 9],
    ] as const) {
      const [lon, lat] = heldCentre(at, fits - 1, ground, beside);
      // A degree is 400 pixels wide: the free quarter is as large as the map.
      const [seenLon, seenLat] = [lon + 0.5, lat + 0.5];
      expect(Math.abs(seenLon - 0.5)).toBeLessThan(0.2);
      expect(Math.abs(seenLat - 0.5)).toBeLessThan(0.2);
    }
  });
});

describe("across the antimeridian", () => {
  const told = style({ view: [179.9, -17, 180.1, -16], areas: [[179.9, -17, 180.1, -16]] });
  told.sources["map"] = { type: "vector", tiles: [], bounds: [-180, -17, 180, -16] };

  test("a map is as wide as its ground, whatever bounds its tiles have", () => {
    expect(groundOf(told, [179.9, -17, 180.1, -16])?.extent).toEqual([179.9, -17, 180.1, -16]);
  });

  test("the centre is held in the turn of the ground", () => {
    const ground = groundOf(told, null)!;
    const screen = { width: 512, height: 512, left: 0, right: 0, top: 0, bottom: 0 };
    const [lon] = heldCentre([-179.99, -16.5], 12, ground, screen);
    expect(lon).toBeCloseTo(180.01);
  });
});
