import { expect, test } from "vitest";
import type { TaskContext } from "../src/task/task";
import { emptyPlan, type Plan } from "../src/plan/plan";
import { pointAt } from "../src/task/ahead";
import { arcOf, foundIn, summaryOf, inOrder, wayahead, type Found } from "../src/task/wayahead";

const way = [
  [0, 50],
  [0.01, 50],
  [0.01, 50.01],
] as const;

test("a place on a line is found again by its distance from the start", () => {
  const middle = pointAt(way, 1000);
  expect(middle[0]).toBeCloseTo(0.01, 4);
  expect(middle[1]).toBeGreaterThan(50);
  expect(pointAt(way, 0)).toEqual([0, 50]);
  expect(pointAt(way, 1e9)).toEqual([0.01, 50.01]);
  expect(arcOf(way, [0.0101, 50])).toBeCloseTo(arcOf(way, [0.01, 50]));
  expect(arcOf(way, [0, 49])).toBe(0);
});

test("what lies on the way is listed as one comes to it", () => {
  const one = (arc: number): Found => ({ kind: "fuel", arc, at: [0, 0], title: "", details: [] });
  expect(inOrder([one(5), one(1), one(3)]).map(({ arc }) => arc)).toEqual([1, 3, 5]);
  expect(summaryOf([], null)).toMatch(/^Nothing/);
  expect(summaryOf([one(5)], null)).toBe("1 on the way");
  expect(summaryOf([one(5), { ...one(6), kind: "camera" }], null)).toBe("1 camera");
});

test("two stops ask for the route, and the route for all that lies on it", () => {
  const plan: Plan = { ...emptyPlan(), task: "ahead" };
  expect(wayahead.request(plan, null)).toBeNull();
  const answer = {
    trip: { legs: [{ shape: "_o{_}AbmcyLoK?", summary: {} }], summary: {} },
  };
  const calls = wayahead.beside!(answer, plan);
  expect(calls.map(({ path }) => path)).toEqual([
    "v1/incidents/along",
    "v1/cameras/along",
    "v1/fuel/along",
    "v1/charging/along",
    "v1/weather/along",
    "v1/traffic",
  ]);
  expect(() => wayahead.beside!({}, plan)).toThrow();
  expect(() => wayahead.read({}, plan, {} as TaskContext, calls[0]!)).toThrow();
});

test("a filling station tells when it is open, and what it has", () => {
  const station = {
    name: "Cross Garage",
    arc_m: 900,
    lat: 50,
    lon: 0,
    detour_s: 60,
    price_per_litre: 139.9,
    currency: "GBP",
  };
  const detailsOf = (patch: object): readonly unknown[] => {
    const stations = [{ ...station, ...patch }];
    const [found] = foundIn("fuel", { coverage: [], attribution: [], stations }, emptyPlan());
    return found!.details.filter(Boolean);
  };
  expect(detailsOf({ opening_hours: "Mo-Su 06:00-22:00", amenities: ["car_wash"] })).toEqual([
    "1 min detour",
    "Open Mon–Sun 06:00–22:00",
    "car wash",
  ]);
  expect(detailsOf({ opening_hours: "24/7" })).toContain("Open day and night");
  expect(detailsOf({ opening_hours: null, amenities: [] })).toEqual(["1 min detour"]);
});
