import type { GeoJSONSource, Map as MapLibre } from "maplibre-gl";
import type { LonLat } from "../geo/coords";
import type { Overlay } from "./overlay";
import type { Pixel } from "./spread";

const ROOM = "waygate-room";

/** The room that a pin takes, from its point upwards, in pixels. */
const WIDE = 28;
const HIGH = 36;

/** A pin that takes room on the map. */
export interface Pinned {
  readonly at: LonLat;
  /** By how much it is moved aside, in pixels. */
  readonly offset: Pixel;
}

/**
 * The room of pins on the map: pins are no part of the map's picture, so a picture of nothing
 * lies where each one is, and the map's labels keep away from that.
 */
export class Room implements Overlay {
  private map: MapLibre | null = null;
  private pins: readonly Pinned[] = [];

  add(map: MapLibre): void {
    this.map = map;
    if (!map.hasImage(ROOM)) {
      map.addImage(ROOM, { width: WIDE, height: HIGH, data: new Uint8Array(4 * WIDE * HIGH) });
    }
    map.addSource(ROOM, { type: "geojson", data: this.data() });
    // The labels of a layer give way to those of the layers above it.
    map.addLayer({
      id: ROOM,
      type: "symbol",
      source: ROOM,
      layout: {
        "icon-image": ROOM,
        "icon-anchor": "bottom",
        "icon-offset": ["get", "offset"],
        "icon-allow-overlap": true,
      },
    });
  }

  at(): null {
    return null;
  }

  take(pins: readonly Pinned[]): void {
    this.pins = pins;
    void this.map?.getSource<GeoJSONSource>(ROOM)?.setData(this.data());
  }

  private data(): GeoJSON.FeatureCollection {
    return {
      type: "FeatureCollection",
      features: this.pins.map(({ at, offset }) => ({
        type: "Feature",
        geometry: { type: "Point", coordinates: [...at] },
        properties: { offset },
      })),
    };
  }
}
