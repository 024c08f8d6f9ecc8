import type { Answered, Call } from "../call";
import type { LonLat } from "../coords";
import { h } from "../dom";
import type { Field } from "../options";
import type { Plan, Spot } from "../plan";

/** Something drawn on the map for a task; colours are CSS colours. */
export interface Shape {
  readonly geometry: GeoJSON.Geometry;
  readonly colour: string;
  /** A line of dots instead of one that is whole. */
  readonly dotted?: boolean;
  /** Written on a point: a number of a list, a letter. */
  readonly label?: string;
  /** What of the panel's list it is, by its data-item: each is lit with the other. */
  readonly item?: string;
}

/** What came of a task: what to draw, and what to show in the panel. */
export interface Finding {
  readonly shapes: readonly Shape[];
  readonly content: HTMLElement;
  /** The gist in a line, which a phone shows above the panel. */
  readonly glance?: string;
}

/** What a task can do on the page. */
export interface Desk {
  readonly keyed: boolean;
  readonly change: (plan: Plan) => void;
  /** Asks again, though the plan is the same. */
  readonly again: () => void;
  /** Makes a call now; what came of it is shown as the task's. Resolves once it is. */
  readonly run: (call: Call) => Promise<void>;
  /** Opens the card of a place. */
  readonly open: (spot: Spot) => void;
  /** Brings places into view. */
  readonly look: (places: readonly LonLat[]) => void;
  /** Marks a place on the map; null clears the mark. */
  readonly mark: (at: LonLat | null) => void;
  /** Draws other shapes in the place of those that were found. */
  readonly draw: (shapes: readonly Shape[]) => void;
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
  /** What it changes, for who cannot see it. */
  readonly label: string;
  readonly move: (plan: Plan, at: LonLat) => Plan;
}

/** What a task on the rail is, whoever asks for it. */
export interface Described {
  /** Its name in links: do=reach. */
  readonly name: string;
  readonly label: string;
  /** A drawing on a grid of 24 by 24. */
  readonly icon: string;
  /** What the stops are to it, in a sentence; "" says nothing, null where it needs none. */
  readonly stops: string | null;
  /** Whether the stops are a way from a start to a destination, not points alone. */
  readonly journey?: boolean;
  /** Whether a click on the map moves point A, where others add a stop. */
  readonly first?: boolean;
  /** Whether the way of travel and its options matter. */
  readonly travel: boolean;
  /** Inputs of its own, kept in links under their keys; those with main: false are folded away. */
  readonly fields?: readonly Field[];
}

/**
 * One of the things to do. A task is one file in this folder and one line in
 * tasks.ts; the route alone is asked for by the planner.
 */
export interface Task extends Described {
  /** The request for the plan; null while something is missing. */
  readonly request: (plan: Plan, around: Around | null) => Call | null;
  /** Further calls by the answer, made all at once; one that fails keeps none back. */
  readonly beside?: (answer: unknown, plan: Plan) => readonly Call[];
  /** Reads the answer to a call, and what came of those beside; throws where it is not one. */
  readonly read: (
    answer: unknown,
    plan: Plan,
    desk: Desk,
    call: Call,
    beside?: readonly Answered[],
  ) => Finding;
  /** What is said while the answer is waited for. */
  readonly waiting: string;
  /** What to do first, while there is no request. */
  readonly hint: string;
  /** Whether nothing comes of it without an API key. */
  readonly key?: boolean;
  /** Controls besides the fields, made anew when the plan changes. */
  readonly controls?: (plan: Plan, desk: Desk) => HTMLElement;
  /** What is drawn before there is an answer. */
  readonly sketch?: (plan: Plan) => readonly Shape[];
  readonly handles?: (plan: Plan) => readonly Handle[];
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
