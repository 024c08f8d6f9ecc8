import { describe, expect, it } from "vitest";
import { coloured, cut } from "../src/task/clearance";

// About 111 m for each thousandth of a degree.
const WAY = [
  [0, 0],
  [0, 0.001],
  [0, 0.002],
] as const;

describe("cut", () => {
  it("takes a part of a line", () => {
    const part = cut(WAY, 55.6, 166.8);
    expect(part.map(([, lat]) => Math.round(lat * 1e4))).toEqual([5, 10, 15]);
  });
  it("has two ends beyond the line", () => {
    expect(cut(WAY, 500, 600)).toHaveLength(2);
  });
});

describe("coloured", () => {
  const axis = {
    verdict: "fail",
    required_m: 4,
    limiting: null,
    all_failures: [],
    doubts: [],
    coverage: { assessed_m: 100, not_surveyed: [{ from_arc_m: 0, to_arc_m: 50 }] },
    resolution_hint: null,
  } as const;
  it("draws what is not known over what clears", () => {
    expect(coloured(WAY, axis)).toHaveLength(2);
  });
  it("draws a way without any survey as not known", () => {
    const [whole] = coloured(WAY, { ...axis, coverage: null });
    expect(whole!.colour).toBe("#7b7f87");
  });
});
