import { describe, expect, test } from "vitest";
import { imageCall, MOST_QUERY, USUAL, type ImageRequest } from "../src/image/request";
import { decodePolyline, encodePolyline } from "../src/geo/polyline";

const query = (patch: Partial<ImageRequest>): string => imageCall({ ...USUAL, ...patch }).query;

describe("the call for an image", () => {
  test.each<[string, Partial<ImageRequest>, string]>([
    ["a middle", { center: [-3.00000004, 51.5], zoom: 14 }, "center=-3,51.5&zoom=14&size=600x400"],
    [
      "a box, turned, as JPEG",
      { framing: "bbox", bbox: [-3, 51, -2.9, 51.1], bearing: 30, format: "jpeg", quality: 60 },
      "bbox=-3,51,-2.9,51.1&size=600x400&bearing=30&format=jpeg&quality=60",
    ],
    [
      "markers are fitted",
      {
        framing: "fit",
        retina: true,
        markers: [
          { at: [-3, 51.5], label: "A", colour: "" },
          { at: [-2.9, 51.6], label: "", colour: "#00ff00" },
          { at: [1, 2], label: "", colour: "" },
        ],
      },
      "size=600x400@2x&markers=-3,51.5,A;-2.9,51.6,,00ff00;1,2",
    ],
    [
      "all looks",
      {
        framing: "fit",
        style: "harbour@2",
        lang: "cy",
        pois: "0",
        buildings3d: true,
        satellite: true,
        pitch: 40,
      },
      "size=600x400&pitch=40&style=harbour@2&satellite=1&buildings3d=1&lang=cy&pois=0",
    ],
    ["one point is no route", { framing: "fit", route: [[1, 2]] }, "size=600x400"],
  ])("%s", (_, patch, want) => expect(query(patch)).toBe(want));

  test("a route with its precision, and a value that must be escaped", () => {
    const route = [
      [-120.2, 38.5],
      [-120.95, 40.7],
      [-126.453, 43.252],
    ] as const;
    const text = query({ framing: "fit", route, precision: 5, routeColour: "#ff0000" });
    const read = new URLSearchParams(text);
    expect(read.get("route")).toBe("_p~iF~ps|U_ulLnnqC_mqNvxq`@");
    expect([read.get("precision"), read.get("route_colour")]).toEqual(["5", "#ff0000"]);
    expect(read.get("route_width")).toBeNull();
  });

  test("GeoJSON goes into the query while it fits, then into the body", () => {
    const small = imageCall({ ...USUAL, geojson: '{ "type": "Point" }' });
    expect(small.body).toBeNull();
    expect(new URLSearchParams(small.query).get("geojson")).toBe('{"type":"Point"}');
    const geojson = JSON.stringify({ name: "x".repeat(MOST_QUERY) });
    const large = imageCall({ ...USUAL, geojson });
    expect(large.body).toBe(geojson);
    expect(large.query).not.toContain("geojson");
  });
});

test("a polyline is read back as it was written, on all sides of the earth", () => {
  const line = [
    [-179.999999, -89.999999],
    [179.999999, 89.999999],
    [0, 0],
    [-0.000001, 0.000001],
  ] as const;
  expect(decodePolyline(encodePolyline(line))).toEqual(line);
  expect(encodePolyline([])).toBe("");
});
