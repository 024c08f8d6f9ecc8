import type {
  ExpressionSpecification,
  GeoJSONSource,
  Map as MapLibre,
  MapMouseEvent,
} from "maplibre-gl";
import type { LonLat } from "../geo/coords";
import type { Overlay } from "../map/overlay";
import type { Stop, Vehicle } from "./answers";
import { STOPS_ZOOM } from "./cells";
import { badgeOf } from "./colours";

const STOPS = "waygate-transit-stops";
const VEHICLES = "waygate-transit-vehicles";
const ARROW = "waygate-transit-arrow";
const FONT = ["Go Bold"];

/** How far from a dot a click or a finger still means it, in pixels. */
const SLOP = 9;

/** A vehicle as it is drawn. */
export interface Drawn {
  readonly vehicle: Vehicle;
  readonly at: LonLat;
  /** Whether it was seen too long ago to be there still. */
  readonly stale: boolean;
}

/** Stops as dots with their indicator, and vehicles as discs with their line and direction. */
export class TransitOverlay implements Overlay {
  private map: MapLibre | null = null;
  private stops: readonly Stop[] = [];
  private vehicles: readonly Drawn[] = [];
  private readonly chosen: {
    readonly stop: (id: string) => void;
    readonly vehicle: (id: string) => void;
  };

  constructor(chosen: TransitOverlay["chosen"]) {
    this.chosen = chosen;
  }

  add(map: MapLibre, night: boolean): void {
    this.map = map;
    const data = { type: "FeatureCollection" as const, features: [] };
    const [ink, halo] = night ? ["#d3dae6", "#16191d"] : ["#1b1e23", "#ffffff"];
    map.addSource(STOPS, { type: "geojson", data });
    map.addSource(VEHICLES, { type: "geojson", data });
    if (!map.hasImage(ARROW)) map.addImage(ARROW, arrow(), { pixelRatio: 2, sdf: true });
    map.addLayer({
      id: STOPS,
      type: "circle",
      source: STOPS,
      minzoom: STOPS_ZOOM,
      paint: {
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 13, 3.5, 15, 5.5, 17, 8],
        "circle-color": night ? "#20252b" : "#ffffff",
        "circle-stroke-color": night ? "#86a8ff" : "#2f56d4",
        "circle-stroke-width": ["interpolate", ["linear"], ["zoom"], 13, 1.5, 16, 2.5],
      },
    });
    map.addLayer({
      id: `${STOPS}-name`,
      type: "symbol",
      source: STOPS,
      minzoom: 15,
      layout: {
        "text-field": ["step", ["zoom"], ["get", "indicator"], 16, ["get", "label"]],
        "text-font": FONT,
        "text-size": 11,
        "text-anchor": "left",
        "text-justify": "left",
        "text-offset": [0.9, 0],
        "text-max-width": 12,
        "text-optional": true,
      },
      paint: { "text-color": ink!, "text-halo-color": halo!, "text-halo-width": 1.4 },
    });
    const faded: ExpressionSpecification = ["case", ["get", "stale"], 0.5, 1];
    map.addLayer({
      id: `${VEHICLES}-arrow`,
      type: "symbol",
      source: VEHICLES,
      filter: ["has", "bearing"],
      layout: {
        "icon-image": ARROW,
        "icon-rotate": ["get", "bearing"],
        "icon-rotation-alignment": "map",
        "icon-size": ["interpolate", ["linear"], ["zoom"], 8, 0.4, 11, 0.7, 14, 1],
        "icon-allow-overlap": true,
        "icon-ignore-placement": true,
      },
      paint: {
        "icon-color": ["get", "ground"],
        "icon-halo-color": halo!,
        "icon-halo-width": 1,
        "icon-opacity": faded,
      },
    });
    map.addLayer({
      id: VEHICLES,
      type: "circle",
      source: VEHICLES,
      paint: {
        "circle-radius": ["interpolate", ["linear"], ["zoom"], 8, 4, 11, 7, 14, 11],
        "circle-color": ["get", "ground"],
        "circle-stroke-color": halo!,
        "circle-stroke-width": 1.5,
        "circle-opacity": faded,
        "circle-stroke-opacity": faded,
      },
    });
    map.addLayer({
      id: `${VEHICLES}-line`,
      type: "symbol",
      source: VEHICLES,
      minzoom: 11,
      layout: {
        "text-field": ["get", "line"],
        "text-font": FONT,
        "text-size": ["interpolate", ["linear"], ["zoom"], 11, 8, 14, 11],
        "text-allow-overlap": true,
        "text-ignore-placement": true,
      },
      paint: { "text-color": ["get", "ink"] },
    });
    this.fillStops();
    this.fillVehicles();
  }

  at({ point: { x, y }, target }: MapMouseEvent): (() => void) | null {
    const layers = [VEHICLES, STOPS].filter((id) => target.getLayer(id));
    if (layers.length === 0) return null;
    const box: [[number, number], [number, number]] = [
      [x - SLOP, y - SLOP],
      [x + SLOP, y + SLOP],
    ];
    const away = ({ geometry }: GeoJSON.Feature): number => {
      const [lon, lat] = (geometry as GeoJSON.Point).coordinates as [number, number];
      const at = target.project([lon, lat]);
      return Math.hypot(at.x - x, at.y - y);
    };
    const [nearest] = target
      .queryRenderedFeatures(box, { layers })
      .toSorted((a, b) => away(a) - away(b));
    if (!nearest) return null;
    const id = String(nearest.properties["id"]);
    return nearest.layer.id === STOPS ? () => this.chosen.stop(id) : () => this.chosen.vehicle(id);
  }

  showStops(stops: readonly Stop[]): void {
    this.stops = stops;
    this.fillStops();
  }

  showVehicles(vehicles: readonly Drawn[]): void {
    if (vehicles.length === 0 && this.vehicles.length === 0) return;
    this.vehicles = vehicles;
    this.fillVehicles();
  }

  private fillStops(): void {
    this.fill(
      STOPS,
      this.stops.map(({ id, name, indicator, lat, lon }) =>
        point([lon, lat], {
          id,
          indicator: indicator ?? "",
          label: [name, indicator].filter(Boolean).join("\n"),
        }),
      ),
    );
  }

  private fillVehicles(): void {
    this.fill(
      VEHICLES,
      this.vehicles.map(({ vehicle: { id, properties }, at, stale }) => {
        const { line, colour, bearing } = properties;
        const { ground, ink } = badgeOf("bus", stale ? "#6b7280" : colour);
        // Long names would not fit into the disc.
        const short = (line ?? "").length <= 4 ? (line ?? "") : "";
        return point(at, {
          ...{ id, ground, ink, stale, line: short },
          ...(bearing === null ? {} : { bearing }),
        });
      }),
    );
  }

  private fill(source: string, features: GeoJSON.Feature[]): void {
    void this.map
      ?.getSource<GeoJSONSource>(source)
      ?.setData({ type: "FeatureCollection", features });
  }
}

function point([lon, lat]: LonLat, properties: Record<string, unknown>): GeoJSON.Feature {
  return { type: "Feature", geometry: { type: "Point", coordinates: [lon, lat] }, properties };
}

/** A tip that looks out of a disc, to the north. */
function arrow(): ImageData {
  const size = 96;
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = size;
  const context = canvas.getContext("2d")!;
  context.beginPath();
  context.moveTo(size / 2, 1);
  context.lineTo(size / 2 + 20, 34);
  context.lineTo(size / 2 - 20, 34);
  context.fill();
  return context.getImageData(0, 0, size, size);
}
