import type { LonLat } from "../coords";
import { h } from "../dom";
import type { Plan } from "../plan";

/** A call of the API that a task makes. */
export interface Call {
  /** Path without the leading slash. */
  readonly path: string;
  readonly body: unknown;
}

/** Something drawn on the map for a task; colours are CSS colours. */
export interface Shape {
  readonly geometry: GeoJSON.Geometry;
  readonly colour: string;
  /** A line of dots instead of one that is whole. */
  readonly dotted?: boolean;
}

/** What came of a task: what to draw, and what to show in the panel. */
export interface Finding {
  readonly shapes: readonly Shape[];
  readonly content: HTMLElement;
}

/** One of the things to do with points on the map, other than a route. */
export interface Task {
  /** The request for the plan; null while points are missing. */
  readonly request: (plan: Plan) => Call | null;
  /** Reads the answer; throws where it is not one. */
  readonly read: (answer: unknown, plan: Plan) => Finding;
  /** What is said while the answer is waited for. */
  readonly waiting: string;
  /** What to do first, while there is no request. */
  readonly hint: string;
  /** Controls of the task's own, made anew when the plan changes. */
  readonly controls?: (plan: Plan, change: (plan: Plan) => void) => HTMLElement;
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

export function dot([lon, lat]: LonLat, colour: string): Shape {
  return { geometry: { type: "Point", coordinates: [lon, lat] }, colour };
}
