import { describe, expect, test } from "vitest";
import { readRoutes, tunnelLocation, type RouteAnswer } from "../src/route/answer";

// Three points at precision 6: (0, 0), (0, 0.000001), (0.000001, 0.000001).
const SHAPE = "???AA?";
const summary = { time: 60, length: 1 };
const leg = {
  summary,
  shape: SHAPE,
  maneuvers: [
    { type: 1, instruction: "Go.", time: 60, length: 1, begin_shape_index: 0, end_shape_index: 2 },
    { type: 4, instruction: "Stop.", time: 0, length: 0, begin_shape_index: 2, end_shape_index: 2 },
  ],
};

describe("readRoutes", () => {
  test("legs join without repeating their joint", () => {
    const [route] = readRoutes({ trip: { legs: [leg, leg], summary } });
    expect(route!.line).toHaveLength(5);
    expect(route!.legs[0]!.steps.map((s) => s.line.length)).toEqual([3, 1]);
    expect(route!.bounds).toEqual([0, 0, 0.000001, 0.000001]);
    expect(route!.miles).toBe(false);
  });

  test("the recommended route comes first, then the alternatives", () => {
    const answer: RouteAnswer = {
      trip: { legs: [leg], summary, units: "miles" },
      alternates: [{ trip: { legs: [leg], summary: { time: 99, length: 2 } } }, {}],
    };
    expect(readRoutes(answer).map((route) => route.summary.time)).toEqual([60, 99]);
    expect(readRoutes(answer)[0]!.miles).toBe(true);
  });

  test("a scenic route comes last, unless it is one of the alternatives", () => {
    const other = { legs: [{ summary, shape: "??A??A" }], summary: { time: 80, length: 2 } };
    const scenic = { available: true, chosen: "scenic" as const, alternative: { trip: other } };
    const trip = { legs: [leg], summary };
    const marks = (answer: RouteAnswer): boolean[] => readRoutes(answer).map((r) => r.scenic);
    expect(marks({ trip, scenic })).toEqual([false, true]);
    expect(marks({ trip, alternates: [{ trip: other }, { trip }], scenic })).toEqual([
      false,
      true,
      false,
    ]);
    expect(marks({ trip, scenic: { available: false, note: "no map" } })).toEqual([false]);
  });

  test("an answer without directions has a line all the same", () => {
    const [route] = readRoutes({ trip: { legs: [{ summary, shape: SHAPE }], summary } });
    expect(route!.legs[0]!.steps).toEqual([]);
  });

  test("roundabouts are gone round as the line goes", () => {
    const round = { ...leg.maneuvers[0]!, type: 26 };
    const clockwise = (shape: string, type: number): boolean =>
      readRoutes({
        trip: { legs: [{ summary, shape, maneuvers: [{ ...round, type }] }], summary },
      })[0]!.clockwise;
    expect(clockwise("??A??A", 26)).toBe(true); // north, then east
    expect(clockwise(SHAPE, 26)).toBe(false);
    expect(clockwise("??A??A", 10)).toBe(false);
  });

  test("a body that is no route", () => {
    expect(readRoutes({})).toEqual([]);
  });
});

test("tunnelLocation takes either form of a place", () => {
  expect(tunnelLocation({ location: { lat: 1, lon: 2 } })).toEqual([2, 1]);
  expect(tunnelLocation({ location: [2, 1] })).toEqual([2, 1]);
  for (const location of [undefined, null, [], "2,1", { lat: 1 }, { lat: "1", lon: 2 }]) {
    expect(tunnelLocation({ location })).toBeNull();
  }
});
