import type {
  ExpressionSpecification,
  GeoJSONSource,
  LayerSpecification,
  Map as MapLibre,
  StyleSpecification,
} from "maplibre-gl";
import type { RouteView } from "../route/answer";
import { beside, shorter, unrolled, type LonLat } from "../geo/coords";
import { formatLength } from "../ui/format";
import type { OffRoad } from "../route/offroad";
import type { Piece } from "../route/stretches";
import { pixelOf, placeOf, spread } from "./spread";
import { AREA_OPACITY, type Shape as TaskShape } from "./shape";

/** The things drawn over the base map. */
export interface Overlays {
  readonly routes: readonly RouteView[];
  /** Index into routes. */
  readonly chosen: number;
  /** The manoeuvre looked at: its part of the road, or one point. */
  readonly step: readonly LonLat[] | null;
  /** A newer request is under way: the routes shown are about to change. */
  readonly stale: boolean;
  /** What another task than a route found. */
  readonly shapes: readonly TaskShape[];
  /** Where the route does not come up to its points. */
  readonly apart: readonly OffRoad[];
  /** Places whose roads are avoided. */
  readonly avoid: readonly LonLat[];
  /** Parts of the chosen route in colours of their own. */
  readonly paint: readonly Piece[];
  /** The place whose card is open. */
  readonly spot: LonLat | null;
}

const TASK = "waygate-task";
const ROUTES = "waygate-routes";
const PAINT = "waygate-paint";
const STEP = "waygate-step";
const TURNS = "waygate-turns";
const HERE = "waygate-here";
const APART = "waygate-apart";
const AVOID = "waygate-avoid";
const SPOT = "waygate-spot";
const STRETCH = "waygate-stretch";
const SOURCES = [TASK, ROUTES, PAINT, STEP, TURNS, HERE, APART, AVOID, SPOT, STRETCH];

/** The points that tasks found. */
export const DOT_LAYER = "waygate-task-dot";

/** An invisible wide line over the alternatives, so that fingers can hit them. */
export const HIT_LAYER = "waygate-routes-hit";

interface Palette {
  readonly route: string;
  readonly casing: string;
  readonly other: string;
  readonly otherCasing: string;
  readonly step: string;
  readonly apart: string;
  readonly halo: string;
}

/** Of what is drawn over light maps, and over dark ones. */
export const DAY: Palette = {
  route: "#2f5bea",
  casing: "#1b3596",
  other: "#9aa1ad",
  otherCasing: "#6d7480",
  step: "#ffb224",
  apart: "#3d4656",
  halo: "#ffffff",
};
export const NIGHT: Palette = {
  route: "#6f9bff",
  casing: "#16285e",
  other: "#69717d",
  otherCasing: "#2a2f37",
  step: "#ffc44d",
  apart: "#d3dae6",
  halo: "#16191d",
};

const CHOSEN: ExpressionSpecification = ["==", ["get", "chosen"], true];
const OTHER: ExpressionSpecification = ["==", ["get", "chosen"], false];

/** Line width in pixels growing with the zoom, plus extra for a casing. */
function width(base: number, extra = 0): ExpressionSpecification {
  return [
    "interpolate",
    ["exponential", 1.4],
    ["zoom"],
    6,
    base * 0.6 + extra,
    12,
    base + extra,
    18,
    base * 2 + extra,
  ];
}

/**
 * A style with the empty sources and layers of what is drawn over the base map; the lines go
 * below its labels. As parts of the style they cost little: for each layer that is added to one
 * MapLibre writes all of the style out and checks the layer against it.
 */
export function withOverlays(style: StyleSpecification, dark: boolean): StyleSpecification {
  const colours = dark ? NIGHT : DAY;
  const below: LayerSpecification[] = [];
  const above: LayerSpecification[] = [];
  const line = (
    id: string,
    filter: ExpressionSpecification | null,
    colour: string | ExpressionSpecification,
    lineWidth: ExpressionSpecification,
    opacity: ExpressionSpecification | number = 1,
    source = ROUTES,
  ) => {
    below.push({
      id,
      type: "line",
      source,
      ...(filter ? { filter } : {}),
      layout: { "line-cap": "round", "line-join": "round" },
      paint: { "line-color": colour, "line-width": lineWidth, "line-opacity": opacity },
    });
  };
  const colour: ExpressionSpecification = ["get", "colour"];
  const of = (kind: string): ExpressionSpecification => ["==", ["geometry-type"], kind];
  below.push({
    id: "waygate-task-area",
    type: "fill",
    source: TASK,
    filter: of("Polygon"),
    paint: { "fill-color": colour, "fill-opacity": AREA_OPACITY },
  });
  below.push({
    id: "waygate-task-casing",
    type: "line",
    source: TASK,
    filter: ["==", ["get", "cased"], true],
    layout: { "line-cap": "round", "line-join": "round" },
    paint: { "line-color": colours.apart, "line-width": 7.5 },
  });
  below.push({
    id: "waygate-task-line",
    type: "line",
    source: TASK,
    filter: ["all", ["!=", ["get", "dotted"], true], ["any", of("LineString"), of("Polygon")]],
    layout: { "line-cap": "round", "line-join": "round" },
    paint: {
      "line-color": colour,
      "line-width": ["case", of("Polygon"), 2, ["get", "thin"], 1.5, 5],
    },
  });
  const dots = (
    id: string,
    source: string,
    filter: ExpressionSpecification,
    shade: string | ExpressionSpecification,
  ) => {
    above.push({
      id,
      type: "line",
      source,
      filter,
      layout: { "line-cap": "round" },
      // Dashes of no length with round ends are dots.
      paint: { "line-color": shade, "line-width": 4, "line-dasharray": [0, 2] },
    });
  };
  dots("waygate-task-dots", TASK, ["==", ["get", "dotted"], true], colour);
  above.push({
    id: DOT_LAYER,
    type: "circle",
    source: TASK,
    filter: of("Point"),
    paint: {
      "circle-radius": ["case", ["==", ["get", "label"], ""], 4, ["get", "radius"]],
      "circle-color": colour,
      "circle-stroke-color": "#fff",
      "circle-stroke-width": 1.5,
    },
  });
  above.push({
    id: "waygate-task-label",
    type: "symbol",
    source: TASK,
    filter: ["all", of("Point"), ["!=", ["get", "label"], ""]],
    layout: {
      "text-field": ["get", "label"],
      "text-font": ["Go Bold"],
      "text-size": ["case", [">", ["get", "radius"], MARK_RADIUS], 11, 12],
      "text-allow-overlap": true,
    },
    paint: { "text-color": "#fff" },
  });
  const faded: ExpressionSpecification = ["case", ["get", "stale"], 0.45, 1];
  line("waygate-other-casing", OTHER, colours.otherCasing, width(4.5, 2), faded);
  line("waygate-other", OTHER, colours.other, width(4.5), faded);
  line("waygate-route-casing", CHOSEN, colours.casing, width(5.5, 3), faded);
  line("waygate-route", CHOSEN, colours.route, width(5.5), faded);
  line(PAINT, null, ["get", "colour"], width(5.5), faded, PAINT);
  line("waygate-step", null, colours.step, width(3.5), 1, STEP);
  line(HIT_LAYER, null, "#000", width(16), 0);
  const dot = (
    id: string,
    source: string,
    radius: number,
    fill: string,
    stroke: string,
    minzoom = 0,
  ) => {
    above.push({
      id,
      type: "circle",
      source,
      minzoom,
      paint: {
        "circle-radius": radius,
        "circle-color": fill,
        "circle-stroke-color": stroke,
        "circle-stroke-width": 2,
      },
    });
  };
  dot("waygate-turns", TURNS, 3.2, "#fff", colours.casing, 12);
  above.push({
    id: "waygate-step-start",
    type: "circle",
    source: STEP,
    filter: ["==", ["geometry-type"], "Point"],
    paint: {
      "circle-radius": 6,
      "circle-color": colours.step,
      "circle-stroke-color": "#fff",
      "circle-stroke-width": 2.5,
    },
  });
  dots(STRETCH, STRETCH, of("LineString"), colours.route);
  dots("waygate-apart", APART, of("LineString"), colours.apart);
  above.push({
    id: "waygate-apart-length",
    type: "symbol",
    source: APART,
    filter: of("Point"),
    layout: {
      "text-field": ["get", "length"],
      "text-font": ["Go Bold"],
      "text-size": 12,
      "text-anchor": "left",
      "text-offset": [0.7, 0],
      "text-allow-overlap": true,
    },
    paint: { "text-color": colours.apart, "text-halo-color": colours.halo, "text-halo-width": 1.6 },
  });
  dot("waygate-avoid", AVOID, 8, "#c5362c", "#fff");
  above.push({
    id: "waygate-avoid-bar",
    type: "symbol",
    source: AVOID,
    layout: {
      "text-field": "–",
      "text-font": ["Go Bold"],
      "text-size": 18,
      "text-allow-overlap": true,
    },
    paint: { "text-color": "#fff" },
  });
  dot("waygate-spot-ring", SPOT, 11, "#b3467a", "#fff");
  dot("waygate-spot", SPOT, 4, "#fff", "#b3467a");
  dot("waygate-here", HERE, 8, colours.step, "#fff");
  const first = style.layers.findIndex(({ type }) => type === "symbol");
  const labels = first < 0 ? style.layers.length : first;
  return {
    ...style,
    sources: {
      ...style.sources,
      ...Object.fromEntries(
        SOURCES.map((id) => [id, { type: "geojson" as const, data: collection([]) }]),
      ),
    },
    layers: [...style.layers.slice(0, labels), ...below, ...style.layers.slice(labels), ...above],
  };
}

/** The radius of a mark in pixels. */
const MARK_RADIUS = 10;

/** The radius of a mark that has room for its label, as "4–5" of several stops. */
function radiusOf(label: string): number {
  return label.length < 3 ? MARK_RADIUS : 5 + 2.2 * label.length;
}

/** How far apart in pixels the marks of a list are at the least. */
const MARKS_APART = 22;

/** Shapes with the marks of lists moved apart at a zoom, each tied to its place by a line. */
function apartMarks(shapes: readonly TaskShape[], zoom: number): TaskShape[] {
  const marks = shapes.flatMap(({ geometry, label }, index) =>
    geometry.type === "Point" && label
      ? [
          {
            index,
            pixel: pixelOf(geometry.coordinates as unknown as LonLat, zoom),
            wider: 2 * (radiusOf(label) - MARK_RADIUS),
          },
        ]
      : [],
  );
  const moves = spread(
    marks.map(({ pixel }) => pixel),
    MARKS_APART,
    marks.map(({ wider }) => wider),
  );
  const all = [...shapes];
  const ties = marks.flatMap(({ index, pixel: [x, y] }, at): TaskShape[] => {
    const [dx, dy] = moves[at]!;
    if (dx === 0 && dy === 0) return [];
    const { geometry, ...rest } = shapes[index]!;
    const [lon, lat] = placeOf([x + dx, y + dy], zoom);
    all[index] = { ...rest, geometry: { type: "Point", coordinates: [lon, lat] } };
    const from = (geometry as GeoJSON.Point).coordinates;
    const tie: GeoJSON.Geometry = { type: "LineString", coordinates: [from, [lon, lat]] };
    return [{ geometry: tie, colour: rest.colour, thin: true }];
  });
  return [...ties, ...all];
}

/**
 * Puts into the layers what differs from before, all where that is null; does nothing until
 * the style is loaded.
 */
export function fillOverlays(
  map: MapLibre,
  overlays: Overlays,
  before: Overlays | null = null,
): void {
  if (!map.getSource(ROUTES)) return;
  const fill = (
    id: string,
    of: readonly (keyof Overlays)[],
    shapes: () => readonly Shape[],
  ): void => {
    if (before && of.every((key) => overlays[key] === before[key])) return;
    void map.getSource<GeoJSONSource>(id)?.setData(collection(shapes()));
  };
  const { routes, chosen, stale, shapes, paint, apart, avoid, spot, step } = overlays;
  fill(ROUTES, ["routes", "chosen", "stale"], () =>
    routes.map((route, index) => ({
      geometry: { type: "LineString", coordinates: unrolled(route.line) },
      properties: { index, chosen: index === chosen, stale },
    })),
  );
  fill(TASK, ["shapes"], () =>
    apartMarks(shapes, map.getZoom()).map(
      ({
        geometry,
        colour,
        dotted = false,
        cased = false,
        thin = false,
        label = "",
        item = "",
      }) => ({
        geometry: shorter(geometry),
        properties: { colour, dotted, cased, thin, label, item, radius: radiusOf(label) },
      }),
    ),
  );
  fill(PAINT, ["paint", "stale"], () =>
    paint.map(({ line, colour }) => ({
      geometry: { type: "LineString", coordinates: unrolled(line) },
      properties: { colour, stale },
    })),
  );
  fill(APART, ["apart", "routes", "chosen"], () => {
    const miles = routes[chosen]?.miles ?? false;
    return apart.flatMap(({ line: [from, to], metres }): Shape[] => [
      { geometry: { type: "LineString", coordinates: unrolled([from, to]) }, properties: {} },
      {
        geometry: {
          type: "Point",
          coordinates: [(from[0] + beside(to[0], from[0])) / 2, (from[1] + to[1]) / 2],
        },
        properties: { length: formatLength(metres / (miles ? 1609.344 : 1000), miles) },
      },
    ]);
  });
  fill(AVOID, ["avoid"], () => avoid.map(point));
  fill(SPOT, ["spot"], () => (spot ? [point(spot)] : []));
  fill(TURNS, ["routes", "chosen"], () =>
    (routes[chosen]?.legs ?? [])
      .flatMap(({ steps }) => steps)
      .flatMap(({ line: [start] }) => (start ? [point(start)] : [])),
  );
  fill(STEP, ["step"], () => {
    const [start, ...rest] = step ?? [];
    const line = { type: "LineString" as const, coordinates: unrolled(step ?? []) };
    return start
      ? [...(rest.length ? [{ geometry: line, properties: {} }] : []), point(start)]
      : [];
  });
}

function point(at: LonLat): Shape {
  return { geometry: { type: "Point", coordinates: [...at] }, properties: {} };
}

/** Draws the line that a route is dragged along; an empty one takes it off the map. */
export function stretch(map: MapLibre, coordinates: number[][]): void {
  void map
    .getSource<GeoJSONSource>(STRETCH)
    ?.setData(
      collection(
        coordinates.length > 1
          ? [{ geometry: { type: "LineString", coordinates }, properties: {} }]
          : [],
      ),
    );
}

/** Puts the traveller of a played route on the map; null takes them off it. */
export function fillHere(map: MapLibre, at: LonLat | null): void {
  void map.getSource<GeoJSONSource>(HERE)?.setData(collection(at ? [point(at)] : []));
}

interface Shape {
  readonly geometry: GeoJSON.Geometry;
  readonly properties: Record<string, unknown>;
}

function collection(shapes: readonly Shape[]): GeoJSON.FeatureCollection {
  return { type: "FeatureCollection", features: shapes.map((s) => ({ type: "Feature", ...s })) };
}
