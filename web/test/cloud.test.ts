import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { CLASSES, tableOf } from "../src/cloud/colours";
import {
  childrenOf,
  cubeOf,
  nameOf,
  readHead,
  readPage,
  type Key,
  type Node,
} from "../src/cloud/copc";
import {
  degreesAt,
  mercator,
  metreAt,
  outlineOf,
  partOf,
  placeOf,
  unitOf,
} from "../src/cloud/place";
import { choose, type Octree } from "../src/cloud/select";

/** A header with the fields that are read. */
function head(change: (view: DataView) => void = () => {}): ArrayBuffer {
  const bytes = new Uint8Array(589);
  bytes.set(new TextEncoder().encode("LASF"));
  bytes.set(new TextEncoder().encode("copc"), 377);
  const view = new DataView(bytes.buffer);
  view.setUint8(104, 6 | 128);
  view.setUint16(105, 30, true);
  [0.01, 0.01, 0.001].forEach((v, i) => view.setFloat64(131 + 8 * i, v, true));
  [100, 200, 300].forEach((v, i) => view.setFloat64(155 + 8 * i, v, true));
  [10, 0, 20, 5, 30, 25].forEach((v, i) => view.setFloat64(179 + 8 * i, v, true));
  view.setBigUint64(247, 7n, true);
  [5, 12, 27, 10, 0.5].forEach((v, i) => view.setFloat64(429 + 8 * i, v, true));
  view.setBigUint64(469, 1000n, true);
  view.setBigUint64(477, 64n, true);
  change(view);
  return bytes.buffer;
}

describe("COPC", () => {
  test("a header", () => {
    expect(readHead(head())).toEqual({
      points: 7,
      format: 6,
      recordBytes: 30,
      scale: [0.01, 0.01, 0.001],
      offset: [100, 200, 300],
      max: [10, 20, 30],
      min: [0, 5, 25],
      centre: [5, 12, 27],
      half: 10,
      spacing: 0.5,
      root: { offset: 1000, bytes: 64 },
    });
  });

  test.each([
    ["short", new ArrayBuffer(588)],
    ["no LAS file", head((v) => v.setUint8(0, 65))],
    ["no COPC file", head((v) => v.setUint8(377, 65))],
    ["old format", head((v) => v.setUint8(104, 3))],
    ["no cube", head((v) => v.setFloat64(453, 0, true))],
    ["no spacing", head((v) => v.setFloat64(461, NaN, true))],
    ["endless", head((v) => v.setFloat64(131, Infinity, true))],
    ["root nowhere", head((v) => v.setBigUint64(469, 2n ** 63n, true))],
    ["root too large", head((v) => v.setBigUint64(477, 2n ** 40n, true))],
  ])("a header that is refused: %s", (_, bytes) => {
    expect(() => readHead(bytes)).toThrow(/COPC/);
  });

  test("a page, without the entries that point nowhere", () => {
    const entry = (...values: number[]): number[] => values;
    const rows = [
      entry(0, 0, 0, 0, 589, 0, 100, 5),
      entry(1, 1, 0, 1, 700, 0, 50, -1),
      entry(1, 0, 0, 0, 0, 0, 0, 0),
      entry(1, 2, 0, 0, 589, 0, 100, 5), // outside
      entry(-1, 0, 0, 0, 589, 0, 100, 5),
      entry(1, 0, 1, 0, 0, 0, 100, 5), // at 0, where the header is
      entry(1, 0, 1, 1, 589, 0, -7, 5),
      entry(1, 1, 1, 1, 589, 0, 100, 2 ** 31 - 1),
    ];
    const page = new Int32Array([...rows.flat(), 1, 2]); // and a piece of one
    expect(readPage(page.buffer).map(({ key, points }) => [nameOf(key), points])).toEqual([
      ["0-0-0-0", 5],
      ["1-1-0-1", -1],
      ["1-0-0-0", 0],
    ]);
  });

  test("cubes of children fill that of their parent", () => {
    const of = readHead(head());
    const [low, high] = cubeOf(of, [0, 0, 0, 0]);
    expect([low, high]).toEqual([
      [-5, 2, 17],
      [15, 22, 37],
    ]);
    const corners = childrenOf([0, 0, 0, 0]).map((key) => cubeOf(of, key));
    expect(new Set(corners.map(String)).size).toBe(8);
    expect(corners[7]).toEqual([[5, 12, 27], high]);
  });
});

describe("where a cloud is", () => {
  const NL = 'PROJCS["RD",GEOGCS["A",UNIT["degree",0.017]],UNIT["metre",1]]';
  test("parts of well-known text, whatever is in quotes", () => {
    const whole = `COMPD_CS["a ] b",${NL},VERT_CS["NAP",UNIT["foot",0.3048]]]`;
    expect(partOf(whole, ["PROJCS", "GEOGCS"])).toBe(NL);
    expect(unitOf(partOf(whole, ["VERT_CS"]))).toBe(0.3048);
    expect(partOf(whole, ["GEOCCS"])).toBe("");
    expect(partOf('PROJCS["open', ["PROJCS"])).toBe("");
  });

  test("a place in UTM, on the map and in degrees", () => {
    const wkt =
      'PROJCS["WGS 84 / UTM zone 29N",GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563]],PRIMEM["Greenwich",0],UNIT["degree",0.0174532925199433]],PROJECTION["Transverse_Mercator"],PARAMETER["latitude_of_origin",0],PARAMETER["central_meridian",-9],PARAMETER["scale_factor",0.9996],PARAMETER["false_easting",500000],PARAMETER["false_northing",0],UNIT["metre",1]]';
    const place = placeOf(wkt);
    // By PROJ: cs2cs EPSG:4326 EPSG:32629.
    const [lon, lat] = degreesAt(...place.at(632947.453, 5466307.952));
    expect(lon).toBeCloseTo(-7.17, 7);
    expect(lat).toBeCloseTo(49.335, 7);
    expect(place.metres).toBe(1);
    const around = outlineOf(place, [632947, 5466307, 0], [633047, 5466407, 0]);
    const [[west], [east]] = [around[0]!, around[4]!];
    expect((east - west) / metreAt(around[0]![1])).toBeCloseTo(100, 0);
    expect(() => placeOf("")).toThrow(/reference system/);
  });

  test("Mercator there and back", () => {
    const places: [number, number][] = [
      [0, 0],
      [179, 84],
      [-120.5, -33.3],
    ];
    for (const at of places) {
      const back = degreesAt(...mercator(...at));
      expect(back[0]).toBeCloseTo(at[0], 9);
      expect(back[1]).toBeCloseTo(at[1], 9);
    }
  });
});

describe("which nodes are drawn", () => {
  /** A full octree of some levels over the whole map, in whose plane alone it is divided. */
  function tree(levels: number, points: number): Octree {
    const nodes = new Map<string, Node>();
    const grow = (key: Key): void => {
      nodes.set(nameOf(key), { key, offset: 1, bytes: 1, points });
      if (key[0] + 1 < levels)
        childrenOf(key)
          .filter(([, , , z]) => z === 0)
          .forEach(grow);
    };
    grow([0, 0, 0, 0]);
    return {
      node: (name) => nodes.get(name),
      box: ([level, x, y]) => [x, y, x + 1, y + 1].map((n) => n / 2 ** level) as never,
      spacing: (level) => 2 ** -level / 100,
    };
  }
  const all = [0, 0, 1, 1] as const;

  test("as deep as the screen shows", () => {
    const of = tree(5, 100);
    const levels = (pixel: number) =>
      Math.max(...choose(of, { box: all, pixel, budget: 1e9 }).nodes.map(({ key }) => key[0]));
    expect([1, 1 / 200, 1 / 400, 1 / 1e6].map(levels)).toEqual([0, 1, 2, 4]);
  });

  test("only what is in sight", () => {
    const { nodes } = choose(tree(4, 100), { box: [0.01, 0.01, 0.1, 0.1], pixel: 0, budget: 1e9 });
    expect(nodes.map(({ key }) => nameOf(key))).toEqual([
      "0-0-0-0",
      "1-0-0-0",
      "2-0-0-0",
      "3-0-0-0",
    ]);
  });

  test("never more points than the budget, coarse ones and the middle first", () => {
    for (const budget of [0, 99, 100, 1234, 4000]) {
      const { nodes, points, full } = choose(tree(4, 100), { box: all, pixel: 0, budget });
      expect(points).toBeLessThanOrEqual(budget);
      expect(points).toBe(100 * nodes.length);
      expect(full).toBe(true);
    }
    const { nodes } = choose(tree(3, 100), { box: [0, 0, 0.6, 0.6], pixel: 0, budget: 600 });
    expect(nodes.map(({ key }) => key[0])).toEqual([0, 1, 1, 1, 1, 2]);
    expect(nameOf(nodes[5]!.key)).toBe("2-1-1-0");
  });

  test("a page of the hierarchy is read before what is in it", () => {
    const of = tree(2, 100);
    const page: Node = { key: [1, 0, 0, 0], offset: 7, bytes: 32, points: -1 };
    const { nodes, pages } = choose(
      { ...of, node: (name) => (name === "1-0-0-0" ? page : of.node(name)) },
      { box: all, pixel: 0, budget: 1e9 },
    );
    expect(pages).toEqual([page]);
    expect(nodes).toHaveLength(4);
  });
});

test("colours of classes and ramps", () => {
  expect([...tableOf("class").slice(8, 12)]).toEqual([0xa9, 0x74, 0x4f, 255]);
  expect([...tableOf("height").slice(-4)]).toEqual([0xfb, 0xe4, 0x5b, 255]);
  expect([...tableOf("intensity").slice(0, 4)]).toEqual([0x2a, 0x2d, 0x33, 255]);
  expect(new Set(CLASSES.map(([code]) => code)).size).toBe(CLASSES.length);
});

const SAMPLE = `${process.env["WAYGATE_DATA"] ?? ""}/pointcloud/lone-star.copc.laz`;
function sample(): Buffer | null {
  try {
    return readFileSync(SAMPLE);
  } catch {
    return null;
  }
}

test.skipIf(sample() === null)(
  "a real file: the points of its nodes are those of its header",
  () => {
    const file = sample()!;
    const part = (from: number, bytes: number) =>
      new Uint8Array(file.subarray(from, from + bytes)).buffer;
    const of = readHead(part(0, 589));
    const nodes = readPage(part(of.root.offset, of.root.bytes));
    expect(nodes.reduce((sum, { points }) => sum + points, 0)).toBe(518_862);
    expect(of.points).toBe(518_862);
  },
);
