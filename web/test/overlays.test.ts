import { describe, expect, it } from "vitest";
import type { Map as MapLibre, StyleSpecification } from "maplibre-gl";
import { dot } from "../src/map/shape";
import { fillOverlays, withOverlays, type Overlays } from "../src/map/overlays";

const NOTHING: Overlays = {
  routes: [],
  chosen: 0,
  step: null,
  stale: false,
  shapes: [],
  apart: [],
  avoid: [],
  paint: [],
  spot: null,
};

/** The ids of the sources that are filled. */
function filled(overlays: Overlays, before: Overlays | null): string[] {
  const ids: string[] = [];
  const map = {
    getSource: (id: string) => ({ setData: () => void ids.push(id) }),
    getZoom: () => 10,
  };
  fillOverlays(map as unknown as MapLibre, overlays, before);
  return ids.toSorted();
}

describe("what is drawn over the map", () => {
  it("is sent to the map's worker where it differs", () => {
    expect(filled(NOTHING, null)).toHaveLength(8);
    expect(filled(NOTHING, NOTHING)).toEqual([]);
    const step = { ...NOTHING, step: [[1, 2] as const, [1, 3] as const] };
    expect(filled(step, NOTHING)).toEqual(["waygate-step"]);
    expect(filled({ ...NOTHING, shapes: [] }, NOTHING)).toEqual(["waygate-task"]);
    const stale = { ...NOTHING, stale: true };
    expect(filled(stale, NOTHING)).toEqual(["waygate-paint", "waygate-routes"]);
  });

  it("comes with the style, its lines below the labels and its dots above all", () => {
    const style: StyleSpecification = {
      version: 8,
      sources: {},
      layers: [
        { id: "ground", type: "background" },
        { id: "names", type: "symbol", source: "map" },
        { id: "planes", type: "line", source: "map" },
      ],
    };
    const { layers, sources } = withOverlays(style, false);
    const ids = layers.map(({ id }) => id);
    const names = ids.indexOf("names");
    expect(ids[0]).toBe("ground");
    expect(ids.indexOf("waygate-route")).toBeLessThan(names);
    expect(ids.indexOf("waygate-task-area")).toBeLessThan(names);
    expect(ids.indexOf("waygate-here")).toBeGreaterThan(ids.indexOf("planes"));
    expect(new Set(ids).size).toBe(ids.length);
    for (const layer of layers.filter(({ id }) => id.startsWith("waygate-"))) {
      expect(sources).toHaveProperty("source" in layer ? layer.source : "");
    }
    expect(style.layers).toHaveLength(3);
  });

  it("gives marks with long labels a larger circle", () => {
    const radii = new Map<unknown, unknown>();
    const map = {
      getSource: () => ({
        setData: ({ features }: GeoJSON.FeatureCollection) => {
          for (const { properties } of features)
            radii.set(properties?.["label"], properties?.["radius"]);
        },
      }),
      getZoom: () => 10,
    };
    const shapes = ["1", "12", "4–5", "10, 24"].map((label, i) => dot([i, 0], "#000000", label));
    fillOverlays(map as unknown as MapLibre, { ...NOTHING, shapes });
    expect([...radii.values()]).toEqual([10, 10, 5 + 2.2 * 3, 5 + 2.2 * 6]);
  });

  it("has all its layers where the style has no labels", () => {
    const { layers } = withOverlays({ version: 8, sources: {}, layers: [] }, true);
    const ids = layers.map(({ id }) => id);
    expect(ids.indexOf("waygate-route")).toBeLessThan(ids.indexOf("waygate-here"));
  });
});
