import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";

/** Something over the map with sources and layers of its own, whose code may come late. */
export interface Overlay {
  /** Adds its sources and layers to a style that has just been loaded. */
  add(map: MapLibre, night: boolean): void;
  /** What a click there does; null where nothing of it is under the pointer. */
  at(event: MapMouseEvent): (() => void) | null;
}
