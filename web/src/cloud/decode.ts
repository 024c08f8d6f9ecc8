import type { Vector } from "./copc";

/** The points of a node as the graphics processor takes them. */
export interface Points {
  readonly count: number;
  /** Where the positions are measured from, on the map. */
  readonly origin: readonly [x: number, y: number];
  /** East and south of the origin in units of the map, and the height in metres, for each point. */
  readonly positions: Float32Array;
  /** Class, then the intensity, for each point. */
  readonly attributes: Uint16Array;
  /** The intensity that is above nearly all others: sensors use as much of the range as they like. */
  readonly bright: number;
}

/** What of a header is needed for points. */
export interface Layout {
  readonly format: number;
  readonly recordBytes: number;
  readonly scale: Vector;
  readonly offset: Vector;
  /** Of heights in the cloud's units, which are drawn on the ground. */
  readonly ground: number;
  /** The reference system as well-known text. */
  readonly wkt: string;
}

/** A node's compressed points for the worker. */
export interface Task {
  readonly id: number;
  readonly layout: Layout;
  readonly chunk: ArrayBuffer;
  readonly points: number;
}

export type Done =
  | { readonly id: number; readonly points: Points }
  | { readonly id: number; readonly error: string };
