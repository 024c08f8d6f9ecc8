import { contains, type Bounds } from "../../geo/coords";
import type { Stop } from "../problem/model";

/** Stops off the map that is served. */
export interface Astray {
  readonly stops: readonly Stop[];
  /** Those that are on it once latitude and longitude are exchanged. */
  readonly swapped: ReadonlySet<Stop>;
}

/** The stops off the map that is served; null where there are none. */
export function astray(stops: readonly Stop[], served: Bounds): Astray | null {
  const off = stops.filter(({ at }) => at && !contains(served, at));
  const swapped = off.filter(({ at }) => contains(served, [at![1], at![0]]));
  return off.length ? { stops: off, swapped: new Set(swapped) } : null;
}

/** Stops of which some have latitude and longitude exchanged. */
export function exchanged(stops: readonly Stop[], swapped: ReadonlySet<Stop>): Stop[] {
  return stops.map((stop): Stop => {
    return stop.at && swapped.has(stop) ? { ...stop, at: [stop.at[1], stop.at[0]] } : stop;
  });
}
