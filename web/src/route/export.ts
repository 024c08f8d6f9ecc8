import type { LonLat } from "../geo/coords";
import type { RouteView } from "./answer";

/** A named point of a route. */
export interface Waypoint {
  readonly at: LonLat;
  readonly name: string;
}

/** The files that a route goes out as. */
export const FORMATS = [
  { label: "GPX", ending: "gpx", type: "application/gpx+xml", write: gpx },
  { label: "GeoJSON", ending: "geojson", type: "application/geo+json", write: geoJSON },
  { label: "KML", ending: "kml", type: "application/vnd.google-earth.kml+xml", write: kml },
] as const;

/** A route and its points as GPX 1.1: waypoints and one track with a segment. */
export function gpx(title: string, { line }: RouteView, points: readonly Waypoint[]): string {
  const attributes = ([lon, lat]: LonLat): string => `lat="${lat}" lon="${lon}"`;
  return [
    XML,
    `<gpx version="1.1" creator="Waygate" xmlns="http://www.topografix.com/GPX/1/1">`,
    ...points.map(({ at, name }) => `<wpt ${attributes(at)}><name>${escaped(name)}</name></wpt>`),
    `<trk><name>${escaped(title)}</name><trkseg>`,
    ...line.map((at) => `<trkpt ${attributes(at)}/>`),
    "</trkseg></trk>",
    "</gpx>\n",
  ].join("\n");
}

/** A route and its points as a GeoJSON FeatureCollection: the line first. */
export function geoJSON(title: string, route: RouteView, points: readonly Waypoint[]): string {
  const { line, summary, miles } = route;
  const feature = (geometry: object, properties: object): object => ({
    type: "Feature",
    geometry,
    properties,
  });
  const features = [
    feature(
      { type: "LineString", coordinates: line },
      { name: title, duration_s: summary.time, distance_m: metresOf(summary.length, miles) },
    ),
    ...points.map(({ at, name }) => feature({ type: "Point", coordinates: at }, { name })),
  ];
  return `${JSON.stringify({ type: "FeatureCollection", features })}\n`;
}

/** A route and its points as KML 2.2. */
export function kml(title: string, { line }: RouteView, points: readonly Waypoint[]): string {
  const placemark = (name: string, shape: string): string =>
    `<Placemark><name>${escaped(name)}</name>${shape}</Placemark>`;
  const coordinates = (all: readonly LonLat[]): string =>
    `<coordinates>${all.map((at) => at.join(",")).join(" ")}</coordinates>`;
  return [
    XML,
    `<kml xmlns="http://www.opengis.net/kml/2.2"><Document><name>${escaped(title)}</name>`,
    placemark(title, `<LineString><tessellate>1</tessellate>${coordinates(line)}</LineString>`),
    ...points.map(({ at, name }) => placemark(name, `<Point>${coordinates([at])}</Point>`)),
    "</Document></kml>\n",
  ].join("\n");
}

const XML = `<?xml version="1.0" encoding="UTF-8"?>`;

/** A text as XML 1.0 has it, without the characters that it has no place for. */
function escaped(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;");
}

function metresOf(length: number, miles: boolean): number {
  return Math.round(length * (miles ? 1609.344 : 1000));
}
