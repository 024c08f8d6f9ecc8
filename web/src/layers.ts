import type { LayerSpecification, Map as MapLibre } from "maplibre-gl";
import type { Layer } from "./panel/state";

/** Which of the page's layers a layer of the base map belongs to; null for what always stays. */
function layerOf(layer: LayerSpecification): Layer | null {
  if (layer.id.startsWith("waygate-") || layer.type === "background") return null;
  if (layer.type === "symbol") return "labels";
  switch ("source-layer" in layer ? layer["source-layer"] : "") {
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
  for (const layer of map.getStyle()?.layers ?? []) {
    const of = layerOf(layer);
    if (!of) continue;
    const visibility = shown(of) ? "visible" : "none";
    if ((layer.layout?.visibility ?? "visible") !== visibility) {
      map.setLayoutProperty(layer.id, "visibility", visibility);
    }
  }
}
