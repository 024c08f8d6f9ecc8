import type { FilterSpecification, Map as MapLibre, StyleSpecification } from "maplibre-gl";
import type { Bounds, LonLat } from "./coords";
import { isRecord } from "./record";

/** How far a map reaches. */
export interface Ground {
  /** What to look at first. */
  readonly view: Bounds;
  /** The boxes that have land and sea in them; roads may lead beyond. */
  readonly areas: readonly Bounds[];
  /** All that there is to see. */
  readonly extent: Bounds;
}

/** What a style says of its map; without it, bounds of the roads; null without either. */
export function groundOf(style: StyleSpecification | null, roads: Bounds | null): Ground | null {
  const metadata = isRecord(style?.metadata) ? style.metadata : {};
  const areas = Array.isArray(metadata["areas"]) ? metadata["areas"].filter(isBounds) : [];
  const source = Object.values(style?.sources ?? {}).find((s) => s.type === "vector");
  const drawn = source && "bounds" in source && isBounds(source.bounds) ? source.bounds : null;
  const all = [...areas, drawn, roads].filter(isBounds);
  if (all.length === 0) return null;
  const extent = all.reduce((a, b) => [
    Math.min(a[0], b[0]),
    Math.min(a[1], b[1]),
    Math.max(a[2], b[2]),
    Math.max(a[3], b[3]),
  ]);
  const view = isBounds(metadata["view"]) ? metadata["view"] : (roads ?? extent);
  return { view, areas, extent };
}

function isBounds(value: unknown): value is Bounds {
  return Array.isArray(value) && value.length === 4 && value.every((v) => Number.isFinite(v));
}

/** A map on the screen in pixels: its size, and what panels cover of it. */
export interface Screen {
  readonly width: number;
  readonly height: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** By what share of half the screen the map may be moved when it fills the screen. */
const PLAY = 0.35;

/**
 * The centre nearest to one that was asked for at which the map fills the part of
 * the screen that can be seen, or lies in it.
 */
export function heldCentre(
  [lon, lat]: LonLat,
  zoom: number,
  { extent }: Ground,
  screen: Screen,
): LonLat {
  const wide = 360 / (512 * 2 ** zoom);
  const high = wide * Math.cos((lat * Math.PI) / 180);
  const { width, height, left, right, top, bottom } = screen;
  const [west, south, east, north] = extent;
  const held = (at: number, low: number, up: number, seen: number): number => {
    const reach = Math.abs((up - low) / 2 - seen / 2) + (PLAY * seen) / 2;
    const middle = (low + up) / 2;
    return Math.max(middle - reach, Math.min(middle + reach, at));
  };
  const aside = (wide * (left - right)) / 2;
  const below = (high * (bottom - top)) / 2;
  return [
    held(lon + aside, west, east, wide * (width - left - right)) - aside,
    held(lat + below, south, north, high * (height - top - bottom)) - below,
  ];
}

const SOURCE = "waygate-beyond";

/**
 * Lets land and sea fade into the plain ground round the map, below its roads
 * and names, so that it ends nowhere in a line.
 */
export function addFade(map: MapLibre, { areas }: Ground): void {
  const { layers } = map.getStyle();
  const plain = layers.find((layer) => layer.type === "background")?.paint?.["background-color"];
  if (typeof plain !== "string" || areas.length === 0) return;
  map.addSource(SOURCE, { type: "geojson", data: beyond(areas) });
  const roads = layers.find(
    (layer) => "source-layer" in layer && layer["source-layer"] === "roads",
  );
  const polygons: FilterSpecification = ["==", ["geometry-type"], "Polygon"];
  map.addLayer(
    {
      id: "waygate-beyond",
      type: "fill",
      source: SOURCE,
      filter: polygons,
      paint: { "fill-color": plain },
    },
    roads?.id,
  );
  map.addLayer(
    {
      id: "waygate-beyond-edge",
      type: "line",
      source: SOURCE,
      filter: ["!", polygons],
      layout: { "line-join": "round" },
      paint: {
        "line-color": plain,
        "line-width": ["interpolate", ["linear"], ["zoom"], 6, 24, 11, 90, 16, 220],
        "line-blur": ["interpolate", ["linear"], ["zoom"], 6, 12, 11, 45, 16, 110],
      },
    },
    roads?.id,
  );
}

/** The world without some boxes, and their outlines. */
function beyond(areas: readonly Bounds[]): GeoJSON.FeatureCollection {
  const ring = ([west, south, east, north]: Bounds): number[][] => [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
  const holes = areas.map((area) => ring(area).reverse());
  const feature = (geometry: GeoJSON.Geometry): GeoJSON.Feature => ({
    type: "Feature",
    properties: {},
    geometry,
  });
  return {
    type: "FeatureCollection",
    features: [
      feature({ type: "Polygon", coordinates: [ring([-180, -85, 180, 85]), ...holes] }),
      feature({ type: "MultiLineString", coordinates: holes }),
    ],
  };
}
