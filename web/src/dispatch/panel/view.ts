import type { LonLat } from "../../geo/coords";

/** The ways to name a place. */
export interface Finder {
  /** Where the map looks; null while there is none. */
  readonly middle: () => LonLat | null;
  /** The place of an address near there; null where it is not found. */
  readonly find: (address: string) => Promise<LonLat | null>;
  /** Has the next click on the map heard, once; false while there is no map. */
  readonly point: (heard: (at: LonLat) => void) => boolean;
}

export interface View extends Finder {
  /** West, south, east, north. */
  readonly bounds: () => readonly [number, number, number, number] | null;
  /** Has clicks on the map heard, with how many pixels they are from a place; null ends it. */
  readonly clicks: (
    heard: ((at: LonLat, pixelsTo: (place: LonLat) => number) => void) | null,
  ) => void;
  /** Shows the corners of an area that is being drawn; none is nothing. */
  readonly sketch: (corners: readonly LonLat[]) => void;
}
