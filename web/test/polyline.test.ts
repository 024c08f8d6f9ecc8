import { describe, expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import { boundsOf, decodePolyline } from "../src/geo/polyline";

/** The textbook encoder, with bit operations. */
function encode(line: readonly LonLat[], precision: number): string {
  let out = "";
  let before = [0, 0];
  for (const [lon, lat] of line) {
    const now = [Math.round(lat * 10 ** precision), Math.round(lon * 10 ** precision)];
    for (const axis of [0, 1]) {
      const delta = now[axis]! - before[axis]!;
      let value = delta < 0 ? ~(delta << 1) : delta << 1;
      while (value >= 0x20) {
        out += String.fromCharCode((0x20 | (value & 0x1f)) + 63);
        value >>= 5;
      }
      out += String.fromCharCode(value + 63);
    }
    before = now;
  }
  return out;
}

describe("decodePolyline", () => {
  test("the algorithm's published example, precision 5", () => {
    expect(decodePolyline("_p~iF~ps|U_ulLnnqC_mqNvxq`@", 5)).toEqual([
      [-120.2, 38.5],
      [-120.95, 40.7],
      [-126.453, 43.252],
    ]);
  });

  test("undoes the encoder anywhere on the globe, precision 6", () => {
    let seed = 7;
    const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
    for (let i = 0; i < 200; i++) {
      const line = Array.from({ length: 20 }, (): LonLat => [
        Math.round((random() * 360 - 180) * 1e6) / 1e6,
        Math.round((random() * 180 - 90) * 1e6) / 1e6,
      ]);
      expect(decodePolyline(encode(line, 6))).toEqual(line);
    }
  });

  test("an empty text is an empty line", () => {
    expect(decodePolyline("")).toEqual([]);
  });

  test.each(["_p~iF", "_p~iF~ps|", "_p~iF ps|U", "\u00e9"])("refuses %j", (text) => {
    expect(() => decodePolyline(text)).toThrow(RangeError);
  });
});

test("boundsOf", () => {
  expect(boundsOf([])).toBeNull();
  expect(
    boundsOf([
      [3, 4],
      [-1, 9],
    ]),
  ).toEqual([-1, 4, 3, 9]);
});
