import { describe, expect, test } from "vitest";
import { percent, tone } from "../src/site/meter";
import { bars, marks, pieces, shortCount } from "../src/site/scale";
import { byEndpoint, REST, stackDays, totals, type Usage } from "../src/site/usage";

function day(date: string, ...entries: [endpoint: string, units: number, calls?: number][]) {
  return {
    date,
    total_units: entries.reduce((sum, [, units]) => sum + units, 0),
    endpoints: entries.map(([endpoint, units, calls = units]) => ({
      endpoint,
      class: units > calls ? "premium" : "standard",
      units,
      calls,
    })),
  };
}

const usage: Usage = {
  days: [
    day("2026-11-01", ["POST /route", 40, 2], ["POST /route", 3], ["GET /v1/keys/self", 0, 9]),
    day("2026-11-03", ["GET /tiles", 50], ["POST /route", 1], ["GET /geocode", 2], ["GET /x", 1]),
  ],
};
const dates = ["2026-11-01", "2026-11-02", "2026-11-03"];

describe("by endpoint", () => {
  test("sums over days, classes apart, most units first", () => {
    expect(byEndpoint(usage).map((row) => [row.endpoint, row.class, row.units, row.calls])).toEqual(
      [
        ["GET /tiles", "standard", 50, 50],
        ["POST /route", "premium", 40, 2],
        ["POST /route", "standard", 4, 4],
        ["GET /geocode", "standard", 2, 2],
        ["GET /x", "standard", 1, 1],
        ["GET /v1/keys/self", "standard", 0, 9],
      ],
    );
  });

  test("nothing used", () => {
    expect(byEndpoint({})).toEqual([]);
    expect(byEndpoint({ days: null })).toEqual([]);
    expect(byEndpoint({ days: [{ date: "2026-11-01", total_units: 0, endpoints: null }] })).toEqual(
      [],
    );
  });
});

describe("stacks by day", () => {
  test("days without calls are there, in order, at nothing", () => {
    const { days } = stackDays(usage, dates, 6);
    expect(days.map(({ date, total, calls }) => [date, total, calls])).toEqual([
      ["2026-11-01", 43, 14],
      ["2026-11-02", 0, 0],
      ["2026-11-03", 54, 54],
    ]);
  });

  test("as many parts as fit, the rest as one", () => {
    const stacks = stackDays(usage, dates, 3);
    expect(stacks.names).toEqual(["GET /tiles", "POST /route", REST]);
    expect(stacks.days[2]!.parts).toEqual([50, 1, 3]);
  });

  test("no rest where all fit", () => {
    expect(stackDays(usage, dates, 4).names).toEqual([
      "GET /tiles",
      "POST /route",
      "GET /geocode",
      "GET /x",
    ]);
  });

  test.each([1, 2, 3, 4, 9])("%d parts lose no unit", (limit) => {
    const stacks = stackDays(usage, dates, limit);
    const want = byEndpoint(usage).reduce((sum, row) => sum + row.units, 0);
    expect(totals(stacks).units).toBe(want);
    expect(stacks.days.flatMap((d) => d.parts).reduce((a, b) => a + b, 0)).toBe(want);
    expect(stacks.names.length).toBeLessThanOrEqual(limit);
  });
});

describe("axis marks", () => {
  test.each<[number, number[]]>([
    [0, [0, 1]],
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [5, [0, 2, 4, 6]],
    [97, [0, 50, 100]],
    [130, [0, 50, 100, 150]],
    [50_000, [0, 20_000, 40_000, 60_000]],
  ])("up to %d", (max, want) => {
    expect(marks(max)).toEqual(want);
  });

  test("cover every value with few whole steps", () => {
    for (let max = 1; max < 5_000_000; max = Math.ceil(max * 1.07)) {
      const found = marks(max);
      expect(found.at(-1)).toBeGreaterThanOrEqual(max);
      expect(found.length).toBeLessThanOrEqual(5);
      expect(found.every(Number.isInteger)).toBe(true);
      expect(found.at(-2)).toBeLessThan(max);
    }
  });
});

describe("bars", () => {
  test("pieces touch, start at the ground and are as high as their sum", () => {
    const found = pieces([10, 0, 30, 60], 200, 100);
    expect(found.map(({ series }) => series)).toEqual([0, 2, 3]);
    expect(found[0]!.y + found[0]!.height).toBeCloseTo(100);
    for (const [i, piece] of found.entries()) {
      if (i) expect(piece.y + piece.height).toBeCloseTo(found[i - 1]!.y);
    }
    expect(found.reduce((sum, { height }) => sum + height, 0)).toBeCloseTo(50);
  });

  test.each([
    [1, 300],
    [28, 300],
    [31, 900],
  ])("%d bars in %d pixels stay inside and apart", (count, width) => {
    const { lefts, wide } = bars(count, width);
    expect(lefts).toHaveLength(count);
    expect(lefts[0]).toBeGreaterThanOrEqual(0);
    expect(lefts.at(-1)! + wide).toBeLessThanOrEqual(width);
    lefts.slice(1).forEach((left, i) => expect(left).toBeGreaterThan(lefts[i]! + wide));
  });

  test("short counts", () => {
    expect([0, 9_999, 12_000, 12_500, 3_400_000].map(shortCount)).toEqual([
      "0",
      "9,999",
      "12k",
      "12.5k",
      "3.4M",
    ]);
  });
});

test.each<[number, number, number, string]>([
  [0, 100, 0, "calm"],
  [79, 100, 79, "calm"],
  [80, 100, 80, "amber"],
  [49_999, 50_000, 99, "amber"],
  [50_000, 50_000, 100, "danger"],
  [70_000, 50_000, 140, "danger"],
  [0, 0, 100, "danger"],
])("%d of a quota of %d", (used, quota, share, colour) => {
  expect(percent(used, quota)).toBe(share);
  expect(tone(used, quota)).toBe(colour);
});
