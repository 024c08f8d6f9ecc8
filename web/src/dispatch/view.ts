import type { LonLat } from "../coords";

/** Where the map looks; null while there is none. */
export interface View {
  readonly middle: () => LonLat | null;
  /** West, south, east, north. */
  readonly bounds: () => readonly [number, number, number, number] | null;
}
