import { describe, expect, test } from "vitest";
import {
  contains,
  formatCoordinates,
  parseCoordinates,
  shorter,
  unrolled,
  wrapped,
  type Bounds,
  type LonLat,
} from "../src/geo/coords";

const LONDON: LonLat = [-0.1246, 51.5007];

describe("parseCoordinates", () => {
  test.each<[string, LonLat]>([
    ["51.5007, -0.1246", LONDON],
    ["51.5007,-0.1246", LONDON],
    ["  51.5007 ,  -0.1246  ", LONDON],
    ["51.5007; -0.1246", LONDON],
    ["51.5007/-0.1246", LONDON],
    ["51.5007, \u22120.1246", LONDON],
    ["-0.1246 51.5007", LONDON],
    ["[-0.1246, 51.5007]", LONDON],
    ["(51.5007, -0.1246)", LONDON],
    ["geo:51.5007,-0.1246", LONDON],
    ["51,5007; -0,1246", LONDON],
    ["51,5007, -0,1246", LONDON],
    ["51.5007N 0.1246W", LONDON],
    ["N51.5007 W0.1246", LONDON],
    ["0.1246 W, 51.5007 N", LONDON],
    ["51.5007° N, 0.1246° W", LONDON],
    ["47 9", [47, 9]],
    ["47, 9", [9, 47]],
    // Only one order is on the globe.
    ["151.2, -33.8", [151.2, -33.8]],
    ["-33.8 151.2", [151.2, -33.8]],
  ])("%s", (text, want) => {
    expect(parseCoordinates(text)).toEqual(want);
  });

  test("degrees, minutes and seconds", () => {
    const [lon, lat] = parseCoordinates(`51°30'2.52"N 0°7′28.56″W`)!;
    expect(lat).toBeCloseTo(51.5007, 6);
    expect(lon).toBeCloseTo(-0.1246, 6);
    expect(parseCoordinates("51° 30' N, 0° 30' E")).toEqual([0.5, 51.5]);
  });

  test("bounds settle the order only when one order lies within", () => {
    const bounds: Bounds = [9, 46, 10, 48];
    expect(parseCoordinates("9.52, 47.14", bounds)).toEqual([9.52, 47.14]);
    expect(parseCoordinates("47.14 9.52", bounds)).toEqual([9.52, 47.14]);
    expect(parseCoordinates("47.14, 9.52", bounds)).toEqual([9.52, 47.14]);
    expect(parseCoordinates("1, 2", bounds)).toEqual([2, 1]);
    // Letters are not overruled.
    expect(parseCoordinates("9.52N 47.14E", bounds)).toEqual([47.14, 9.52]);
  });

  test.each([
    "",
    "London",
    "51.5",
    "51.5,",
    "91, 181",
    "1 2 3",
    "51.5N 52N",
    "95N 10E",
    "51°70'N 2°0'W",
    "51°30'60\"N 2°0'0\"W",
    "1e5, 3",
    "NaN, 3",
    "--1, 2",
  ])("refuses %j", (text) => {
    expect(parseCoordinates(text)).toBeNull();
  });

  test("reads back what formatCoordinates writes", () => {
    let seed = 1;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < 500; i++) {
      const at: LonLat = [random() * 360 - 180, random() * 180 - 90];
      const back = parseCoordinates(formatCoordinates(at))!;
      expect(back[0]).toBeCloseTo(at[0], 4);
      expect(back[1]).toBeCloseTo(at[1], 4);
    }
  });
});

describe("across the antimeridian", () => {
  test("lines go the shorter way round", () => {
    expect(unrolled([[179, 1], [-179, 2], [-178, 3], [179, 4]])).toEqual([[179, 1], [181, 2], [182, 3], [179, 4]]); // prettier-ignore
    expect(unrolled([[10, 1], [-10, 2]])).toEqual([[10, 1], [-10, 2]]); // prettier-ignore
    expect(shorter({ type: "Polygon", coordinates: [[[-179, 0], [179, 0], [179, 1], [-179, 0]]] })) // prettier-ignore
      .toEqual({ type: "Polygon", coordinates: [[[-179, 0], [-181, 0], [-181, 1], [-179, 0]]] }); // prettier-ignore
  });

  test("a place of the map is one on the globe, and lies in bounds in any turn", () => {
    expect(wrapped(180.5, 1)).toEqual([-179.5, 1]);
    expect(wrapped(-180, 1)).toEqual([-180, 1]);
    expect(contains([179, 0, 181, 2], [-179.5, 1])).toBe(true);
    expect(contains([179, 0, 181, 2], [-178.5, 1])).toBe(false);
  });
});
