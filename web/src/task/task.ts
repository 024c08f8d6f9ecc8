import type { LonLat } from "../coords";
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
  /** What to do first, while there is no request. */
  readonly hint: string;
  /** Controls of the task's own, made anew when the plan changes. */
  readonly controls?: (plan: Plan, change: (plan: Plan) => void) => HTMLElement;
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
