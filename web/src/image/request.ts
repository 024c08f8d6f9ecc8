import { rounded, type Bounds, type LonLat } from "../geo/coords";
import { encodePolyline } from "../geo/polyline";

/** A marker of an image. */
export interface Marker {
  readonly at: LonLat;
  /** 0 to 2 characters. */
  readonly label: string;
  /** "" is the usual one. */
  readonly colour: string;
}

/** What the image shows: what is drawn on it, a middle at a zoom, or a box in full. */
export type Framing = "fit" | "center" | "bbox";

/** Every parameter of /v1/static-map, as the form has them. */
export interface ImageRequest {
  readonly framing: Framing;
  readonly center: LonLat;
  readonly zoom: number;
  readonly bbox: Bounds;
  readonly width: number;
  readonly height: number;
  readonly retina: boolean;
  readonly bearing: number;
  readonly pitch: number;
  readonly style: string;
  readonly format: "png" | "webp" | "jpeg";
  readonly quality: number;
  readonly route: readonly LonLat[];
  readonly precision: 5 | 6;
  readonly routeColour: string;
  readonly routeWidth: number;
  /** As it is typed; "" is none. */
  readonly geojson: string;
  readonly markers: readonly Marker[];
  readonly satellite: boolean;
  readonly buildings3d: boolean;
  /** "" leaves both to the style. */
  readonly lang: string;
  readonly pois: "" | "0" | "1";
}

export const USUAL: ImageRequest = {
  framing: "center",
  center: [0, 0],
  zoom: 12,
  bbox: [0, 0, 0, 0],
  width: 600,
  height: 400,
  retina: false,
  bearing: 0,
  pitch: 0,
  style: "light",
  format: "png",
  quality: 85,
  route: [],
  precision: 6,
  routeColour: "#1f6feb",
  routeWidth: 5,
  geojson: "",
  markers: [],
  satellite: false,
  buildings3d: false,
  lang: "",
  pois: "",
};

/** The server takes no longer query; GeoJSON then goes as a body. */
export const MOST_QUERY = 8000;
export const MOST_MARKERS = 50;

/** A call that gives the image: a query, and GeoJSON where it is too long for one. */
export interface ImageCall {
  readonly query: string;
  readonly body: string | null;
}

/** The call for an image; parameters at their defaults are left out. */
export function imageCall(request: ImageRequest): ImageCall {
  const geojson = compact(request.geojson);
  const query = write(request, geojson);
  if (geojson && query.length > MOST_QUERY) return { query: write(request, ""), body: geojson };
  return { query, body: null };
}

function write(request: ImageRequest, geojson: string): string {
  const { framing, route, markers, format } = request;
  const pairs: [string, string | number][] = [];
  const add = (name: string, value: string | number, usual?: string | number): void => {
    if (value !== usual) pairs.push([name, value]);
  };
  if (framing === "center") {
    add("center", rounded(request.center).join(","));
    add("zoom", Number(request.zoom.toFixed(2)));
  }
  if (framing === "bbox") add("bbox", request.bbox.map((n) => Number(n.toFixed(5))).join(","));
  add("size", `${request.width}x${request.height}${request.retina ? "@2x" : ""}`);
  add("bearing", Number(request.bearing.toFixed(1)), 0);
  add("pitch", Number(request.pitch.toFixed(1)), 0);
  add("style", request.style, USUAL.style);
  add("format", format, USUAL.format);
  if (format !== "png") add("quality", request.quality, USUAL.quality);
  if (route.length > 1) {
    add("route", encodePolyline(route, request.precision));
    add("precision", request.precision, USUAL.precision);
    add("route_colour", request.routeColour, USUAL.routeColour);
    add("route_width", request.routeWidth, USUAL.routeWidth);
  }
  if (geojson) add("geojson", geojson);
  if (markers.length) add("markers", markers.map(markerText).join(";"));
  if (request.satellite) add("satellite", 1);
  if (request.buildings3d) add("buildings3d", 1);
  add("lang", request.lang, "");
  add("pois", request.pois, "");
  return pairs.map(([name, value]) => `${name}=${plain(String(value))}`).join("&");
}

function markerText({ at, label, colour }: Marker): string {
  const parts = [...rounded(at).map(String), label, colour.replace("#", "")];
  while (parts.at(-1) === "") parts.pop();
  return parts.join(",");
}

/** GeoJSON without its spaces; what is no JSON stays, and the server says what is wrong. */
function compact(text: string): string {
  try {
    return text.trim() && JSON.stringify(JSON.parse(text));
  } catch {
    return text.trim();
  }
}

/** A value for a query that keeps readable what may be. */
function plain(value: string): string {
  return encodeURIComponent(value)
    .replaceAll("%2C", ",")
    .replaceAll("%3B", ";")
    .replaceAll("%40", "@")
    .replaceAll("%3A", ":");
}
