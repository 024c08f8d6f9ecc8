import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import type { RouteView } from "../src/route/answer";
import { FORMATS, geoJSON, gpx, kml } from "../src/route/export";
import { byTime, viaNames } from "../src/route/via";

const line: LonLat[] = [
  [-7.28, 49.33],
  [-7.27, 49.34],
];

/** A route of pieces of road, in kilometres and by name; "" is a road without one. */
function route(time: number, ...roads: readonly (readonly [string, number])[]): RouteView {
  const length = roads.reduce((sum, [, piece]) => sum + piece, 0);
  const step = {
    type: 1,
    instruction: "",
    time: 0,
    begin_shape_index: 0,
    end_shape_index: 1,
    line,
  };
  const steps = roads.map(([name, piece]) => ({
    ...step,
    length: piece,
    ...(name ? { street_names: [name, "A1"] } : {}),
  }));
  const summary = { time, length };
  const bounds = [-7.28, 49.33, -7.27, 49.34] as const;
  const rest = { miles: false, language: "en-GB", bounds, clockwise: false, scenic: false };
  return { ...rest, summary, legs: [{ summary, line, steps }], line };
}

test("a route is named by the longest road that no other uses", () => {
  const [motorway, coast] = [
    route(900, ["High Street", 2], ["M91", 12], ["High Street", 2]),
    route(1200, ["High Street", 3], ["Coast Road", 9], ["", 8]),
  ];
  expect(viaNames([motorway, coast])).toEqual(["M91", "Coast Road"]);
  expect(viaNames([motorway])).toEqual(["M91"]);
  // Two ways along the same roads are called by these, and short pieces name nothing.
  const twin = route(950, ["M91", 11], ["High Street", 5], ["Back Lane", 1]);
  expect(viaNames([motorway, twin])).toEqual(["M91 and High Street", "M91 and High Street"]);
  expect(viaNames([route(10, ["", 1])])).toEqual([""]);
  expect(viaNames([])).toEqual([]);
});

test("routes are in the order of time, as they came where that is the same", () => {
  expect(byTime([30, 10, 20, 10].map((time) => route(time)))).toEqual([1, 3, 2, 0]);
});

const NAME = 'Fish & "Chips" <1>\u0000';
const points = [{ at: line[0]!, name: NAME }];

test("a route goes out as GPX and KML that escape what XML reserves", () => {
  const track = gpx("A to B", route(60), points);
  expect(track).toContain('<wpt lat="49.33" lon="-7.28"><name>Fish &amp; "Chips" &lt;1&gt;</name>');
  expect(track.match(/<trkpt lat="49\.3[34]" lon="-7\.2[78]"\/>/g)).toHaveLength(2);
  const places = kml("A to B", route(60), points);
  expect(places).toContain("<coordinates>-7.28,49.33 -7.27,49.34</coordinates>");
  expect(places).toContain('<name>Fish &amp; "Chips" &lt;1&gt;</name><Point>');
});

test("a route goes out as GeoJSON with its time and length", () => {
  const { features } = JSON.parse(geoJSON("A to B", route(60, ["M91", 1.5]), points));
  expect(features).toEqual([
    {
      type: "Feature",
      geometry: { type: "LineString", coordinates: line },
      properties: { name: "A to B", duration_s: 60, distance_m: 1500 },
    },
    {
      type: "Feature",
      geometry: { type: "Point", coordinates: line[0] },
      properties: { name: NAME },
    },
  ]);
  expect(FORMATS.map(({ ending }) => ending)).toEqual(["gpx", "geojson", "kml"]);
});
