import type { StyleSpecification } from "maplibre-gl";
import { beside, type Bounds, type LonLat } from "../geo/coords";
import { isRecord } from "../call/record";

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
  // The world under it is a source of its own.
  const source = style?.sources["map"];
  const bounds = source && "bounds" in source && isBounds(source.bounds) ? source.bounds : null;
  // A source across the antimeridian has the bounds of the world.
  const round = bounds !== null && bounds[2] - bounds[0] >= 360 && areas.length > 0;
  const drawn = round ? null : bounds;
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
    held(beside(lon, (west + east) / 2) + aside, west, east, wide * (width - left - right)) - aside,
    held(lat + below, south, north, high * (height - top - bottom)) - below,
  ];
}
