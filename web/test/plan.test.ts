import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import * as plan from "../src/plan/plan";
import { inDirections, pick } from "../src/task/tasks";

const at = (n: number): LonLat => [n, n];
const places = (p: plan.Plan) => p.stops.map((s) => s.at?.[0] ?? null);
const chain = (...points: number[]) =>
  points.reduce((p, n) => plan.addStop(p, at(n)), plan.emptyPlan());

test("clicks set the start, the destination, and then go on from there", () => {
  expect(places(chain(1))).toEqual([1, null]);
  expect(places(chain(1, 2))).toEqual([1, 2]);
  expect(places(chain(1, 2, 3))).toEqual([1, 2, 3]);
});

test("the menu sets start and destination and goes via before the destination", () => {
  const p = chain(1, 2);
  expect(places(plan.setStart(p, at(9)))).toEqual([9, 2]);
  expect(places(plan.setDestination(p, at(9)))).toEqual([1, 9]);
  expect(places(plan.addVia(p, at(9)))).toEqual([1, 9, 2]);
  expect(places(plan.setDestination(plan.emptyPlan(), at(9)))).toEqual([null, 9]);
});

test("removing never leaves fewer than two rows", () => {
  const three = chain(1, 2, 3);
  expect(places(plan.removeStop(three, three.stops[1]!.id))).toEqual([1, 3]);
  const two = chain(1, 2);
  expect(places(plan.removeStop(two, two.stops[0]!.id))).toEqual([null, 2]);
  expect(places(plan.clearStops(three))).toEqual([null, null]);
});

test("reordering clamps at the ends and keeps every stop", () => {
  const p = chain(1, 2, 3);
  const first = p.stops[0]!.id;
  expect(places(plan.reorderStop(p, first, 1))).toEqual([2, 1, 3]);
  expect(places(plan.reorderStop(p, first, 99))).toEqual([2, 3, 1]);
  expect(places(plan.reorderStop(p, first, -5))).toEqual([1, 2, 3]);
  expect(places(plan.reverseStops(p))).toEqual([3, 2, 1]);
});

test("letters go on after Z", () => {
  expect([0, 25, 26, 27, 52].map(plan.stopLetter)).toEqual(["A", "Z", "AA", "AB", "BA"]);
});

test("a click fills a row that waits for a place, and never moves one that has it", () => {
  const clicks = (task: string, count: number): plan.Plan => {
    let p: plan.Plan = { ...plan.emptyPlan(), task };
    for (let n = 1; n <= count; n++) p = pick(p, at(n), "") ?? p;
    return p;
  };
  expect(places(clicks("route", 3))).toEqual([1, 2]);
  expect(places(clicks("matrix", 3))).toEqual([1, 2]);
  expect(places(clicks("reach", 3))).toEqual([1, null]);
  expect(places(clicks("search", 3))).toEqual([null, null]);
  // A trace is drawn by clicks.
  expect(places(clicks("trace", 3))).toEqual([1, 2, 3]);
  // A row that was added waits for its place.
  const three = plan.addEmpty(clicks("route", 2));
  expect(places(pick(three, at(3), "Home")!)).toEqual([1, 2, 3]);
  expect(pick(three, at(3), "Home")!.stops[2]!.name).toBe("Home");
});

test("directions are asked for where points are a way", () => {
  for (const task of ["search", "reach", "meet"]) {
    expect(inDirections({ ...chain(1, 2), task }).task).toBe("route");
  }
  expect(inDirections({ ...chain(1, 2), task: "weather" }).task).toBe("weather");
});
