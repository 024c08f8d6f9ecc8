import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { wrapped } from "../geo/coords";
import type { Labelled } from "./pointer";

/** The layers of the tiles whose points are places of their own. */
const PLACES: ReadonlySet<string> = new Set(["pois", "places"]);

/** How many pixels beside a label a click may be. */
const SLOP_PX = 3;

/** The place whose label of the base map is under the pointer; null for none. */
export function labelAt(map: MapLibre, { point }: MapMouseEvent): Labelled | null {
  const { x, y } = point;
  const hits = map.queryRenderedFeatures([
    [x - SLOP_PX, y - SLOP_PX],
    [x + SLOP_PX, y + SLOP_PX],
  ]);
  for (const { layer, sourceLayer, geometry, properties } of hits) {
    const name: unknown = properties["name"];
    if (layer.type !== "symbol" || !PLACES.has(sourceLayer ?? "")) continue;
    if (geometry.type !== "Point" || typeof name !== "string" || !name) continue;
    const [lon = 0, lat = 0] = geometry.coordinates;
    return { at: wrapped(lon, lat), name };
  }
  return null;
}
