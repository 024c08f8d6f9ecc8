import type { LonLat } from "../../geo/coords";

/** Where the map looks; null while there is none. */
export interface View {
  readonly middle: () => LonLat | null;
  /** West, south, east, north. */
  readonly bounds: () => readonly [number, number, number, number] | null;
  /** Has clicks on the map heard, with how many pixels they are from a place; null ends it. */
  readonly clicks: (
    heard: ((at: LonLat, pixelsTo: (place: LonLat) => number) => void) | null,
  ) => void;
  /** Shows the corners of an area that is being drawn; none is nothing. */
  readonly sketch: (corners: readonly LonLat[]) => void;
}
