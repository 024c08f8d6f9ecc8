import type { Map as MapLibre, StyleLayer } from "maplibre-gl";
import { tr } from "../ui/translate";

/** The layers that can be shown and hidden, with their names and whether they are shown at first. */
export const LAYERS = [
  ["labels", tr("Names"), true],
  ["buildings", tr("Buildings"), true],
  ["land", tr("Land and water"), true],
  ["borders", tr("Boundaries"), true],
  ["stops", tr("Stops of buses and trains"), false],
  ["vehicles", tr("Buses where they are"), false],
  ["own", tr("My places"), false],
] as const;

export type Layer = (typeof LAYERS)[number][0];

export function isLayer(name: string): name is Layer {
  return LAYERS.some(([known]) => known === name);
}

/** Which of the page's layers a layer of the base map belongs to; null for what always stays. */
function layerOf(layer: StyleLayer): Layer | null {
  if (layer.id.startsWith("waygate-") || layer.type === "background") return null;
  if (layer.type === "symbol") return "labels";
  switch (layer.sourceLayer) {
    case "buildings":
      return "buildings";
    case "boundaries":
      return "borders";
    case "earth":
    case "landuse":
    case "water":
      return "land";
    default:
      return null;
  }
}

/** Shows and hides the layers of the base map. */
export function showLayers(map: MapLibre, shown: (layer: Layer) => boolean): void {
  for (const id of map.getLayersOrder()) {
    const layer = map.getLayer(id)!;
    const of = layerOf(layer);
    if (!of) continue;
    const visibility = shown(of) ? "visible" : "none";
    if ((layer.visibility ?? "visible") !== visibility) {
      map.setLayoutProperty(id, "visibility", visibility);
    }
  }
}
