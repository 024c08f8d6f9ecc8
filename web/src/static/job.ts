import type { StyleSpecification } from "maplibre-gl";
import type { LonLat } from "../geo/coords";

/** One image to draw, as the server asks for it. Sizes are CSS pixels. */
export interface Job {
  readonly style: StyleSpecification;
  readonly width: number;
  readonly height: number;
  /** Device pixels for one CSS pixel. */
  readonly ratio: number;
  readonly center: LonLat;
  readonly zoom: number;
  readonly bearing: number;
  readonly pitch: number;
  readonly overlays: readonly Overlay[];
  readonly markers: readonly Marker[];
  readonly notice: Notice;
  /** Media type of the image. */
  readonly type: string;
  /** 0 to 1, of types that lose something. */
  readonly quality: number;
}

/** Geometry of one look. */
export interface Overlay {
  readonly geometry: GeoJSON.Geometry;
  readonly stroke: string;
  readonly strokeWidth: number;
  readonly strokeOpacity: number;
  readonly fill: string;
  readonly fillOpacity: number;
  /** A route is drawn with a rim, so that it stands out from roads of its colour. */
  readonly rim: boolean;
}

export interface Marker {
  readonly at: LonLat;
  readonly label: string;
  readonly colour: string;
}

/** The line at the bottom right that names whose data and whose service it is. */
export interface Notice {
  readonly text: string;
  readonly width: number;
  readonly height: number;
}
