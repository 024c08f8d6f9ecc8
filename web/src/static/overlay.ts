import type { LayerSpecification, StyleSpecification } from "maplibre-gl";
import { shorter } from "../geo/coords";
import { dark } from "./colour";
import type { Overlay } from "./job";

const POINT_RADIUS_PX = 6;
const RIM_PX = 1.5;

/** A style with overlays above the ground and the roads, and below every name. */
export function withOverlays(
  style: StyleSpecification,
  overlays: readonly Overlay[],
): StyleSpecification {
  const sources = { ...style.sources };
  const above: LayerSpecification[] = [];
  overlays.forEach((overlay, i) => {
    const source = `overlay-${i}`;
    sources[source] = {
      type: "geojson",
      data: { type: "Feature", properties: {}, geometry: shorter(overlay.geometry) },
      tolerance: 0.2,
    };
    above.push(...layersOf(overlay, source));
  });
  const first = style.layers.findIndex(({ type }) => type === "symbol");
  const at = first < 0 ? style.layers.length : first;
  return {
    ...style,
    sources,
    layers: [...style.layers.slice(0, at), ...above, ...style.layers.slice(at)],
  };
}

function layersOf(o: Overlay, source: string): LayerSpecification[] {
  const layout = { "line-cap": "round", "line-join": "round" } as const;
  const lines: LayerSpecification = {
    id: `${source}-line`,
    type: "line",
    source,
    filter: ["!=", ["geometry-type"], "Point"],
    layout,
    paint: {
      "line-color": o.stroke,
      "line-width": o.strokeWidth,
      "line-opacity": o.strokeOpacity,
    },
  };
  const layers: LayerSpecification[] = [
    {
      id: `${source}-fill`,
      type: "fill",
      source,
      filter: ["==", ["geometry-type"], "Polygon"],
      paint: { "fill-color": o.fill, "fill-opacity": o.fillOpacity, "fill-antialias": false },
    },
  ];
  if (o.rim) {
    layers.push({
      ...lines,
      id: `${source}-rim`,
      paint: {
        "line-color": "#ffffff",
        "line-width": o.strokeWidth + 2 * RIM_PX,
        "line-opacity": o.strokeOpacity,
      },
    });
  }
  if (o.strokeWidth > 0) layers.push(lines);
  layers.push({
    id: `${source}-point`,
    type: "circle",
    source,
    filter: ["==", ["geometry-type"], "Point"],
    paint: {
      "circle-color": o.fill,
      "circle-radius": POINT_RADIUS_PX,
      "circle-opacity": Math.max(o.fillOpacity, o.strokeOpacity),
      "circle-stroke-color": "#ffffff",
      "circle-stroke-width": RIM_PX,
    },
  });
  return layers;
}

/** The colour above the horizon of a pitched map. */
export function skyOf(style: StyleSpecification): string {
  const ground = style.layers.find(({ type }) => type === "background")?.paint as
    { "background-color"?: unknown } | undefined;
  const colour = ground?.["background-color"];
  return typeof colour === "string" && dark(colour) ? "#202a36" : "#d9e8f2";
}
