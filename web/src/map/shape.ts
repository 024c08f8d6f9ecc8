import type { LonLat } from "../geo/coords";
import type { Plan } from "../plan/plan";
import { h } from "../ui/dom";

/** Something drawn on the map for a task; colours are CSS colours. */
export interface Shape {
  readonly geometry: GeoJSON.Geometry;
  readonly colour: string;
  /** A line of dots instead of one that is whole. */
  readonly dotted?: boolean;
  /** A line with an edge, so that it is seen whatever its colour is. */
  readonly cased?: boolean;
  /** A line that ties a mark to its place. */
  readonly thin?: boolean;
  /** Written on a point: a number of a list, a letter. */
  readonly label?: string;
  /** The data-item of its row in the panel's list; pointing at one highlights both. */
  readonly item?: string;
}

/** Where the map looks, for tasks to whom it matters. */
export interface Around {
  readonly centre: LonLat;
  /** West, south, east, north. */
  readonly bounds: readonly [number, number, number, number];
}

/** Something on the map to drag, which changes the plan. */
export interface Handle {
  readonly id: string;
  readonly at: LonLat;
  /** The name of what it changes, for screen readers. */
  readonly label: string;
  readonly move: (plan: Plan, at: LonLat) => Plan;
}

/** How much an area hides of what lies below. */
export const AREA_OPACITY = 0.24;

/** A sample of what is drawn, for a legend. */
export function swatch(colour: string, form: "square" | "round" | "bar" | "dots"): HTMLElement {
  const box = h("span", { class: `swatch ${form}`, "aria-hidden": "true" });
  // Through the object model: the page's policy allows no style attributes.
  box.style.color = colour;
  return box;
}

export function line(points: readonly LonLat[], colour: string): Shape {
  return {
    geometry: { type: "LineString", coordinates: points.map(([lon, lat]) => [lon, lat]) },
    colour,
  };
}

export function dot([lon, lat]: LonLat, colour: string, label?: string, item?: string): Shape {
  return {
    geometry: { type: "Point", coordinates: [lon, lat] },
    colour,
    ...(label ? { label } : {}),
    ...(item ? { item } : {}),
  };
}

/** Every position of a shape. */
export function positionsOf({ geometry }: Shape): LonLat[] {
  switch (geometry.type) {
    case "Point":
      return [geometry.coordinates as unknown as LonLat];
    case "LineString":
      return geometry.coordinates as unknown as LonLat[];
    case "Polygon":
      return geometry.coordinates.flat() as unknown as LonLat[];
    case "MultiPolygon":
      return geometry.coordinates.flat(2) as unknown as LonLat[];
    default:
      return [];
  }
}
