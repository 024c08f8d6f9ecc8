import { expect, test } from "vitest";
import { emptyPlan, stop, withStops, type Plan } from "../src/plan/plan";
import { buildRequest, costed } from "../src/plan/request";
import { matrix, warmth } from "../src/task/matrix";
import { centroid } from "../src/task/centroid";
import { isochrone, minutesOf } from "../src/task/isochrone";
import { readTrace } from "../src/task/trace";

const two: Plan = {
  ...withStops(emptyPlan(), [stop([9.5, 47.1]), stop([9.6, 47.2])]),
  costing: "truck",
};

test("a task asks for itself alone, once its points are there", () => {
  expect(buildRequest({ ...two, task: "reach" })).toBeNull();
  for (const task of [isochrone, matrix, centroid])
    expect(task.request(emptyPlan(), null)).toBeNull();
  expect(isochrone.request(two, null)).toMatchObject({
    path: "isochrone",
    body: {
      locations: [{ lat: 47.1, lon: 9.5 }],
      costing: "truck",
      contours: [{ time: 5 }, { time: 10 }, { time: 15 }],
    },
  });
  const byBus = { ...two, inputs: { reach: { means: "transit" } } };
  expect(isochrone.request(byBus, null)!.body).toMatchObject({ costing: "transit" });
  expect(matrix.request(two, null)!.body).toMatchObject({ sources: [{}, {}], targets: [{}, {}] });
  expect(centroid.request(two, null)!.path).toBe("centroid");
});

test("the load of a lorry goes with its options", () => {
  const plan = { ...two, options: { truck: { tunnel_code: "B/D", hazmat: true, height: 4.2 } } };
  expect(costed(plan)).toEqual({
    costing: "truck",
    costing_options: { truck: { adr_tunnel_code: "B/D", hazmat: true, height: 4.2 } },
  });
});

test("reach is of any minutes, several at once", () => {
  expect(minutesOf("10")).toEqual([10]);
  expect(minutesOf(" 30; 5,10 5 ")).toEqual([5, 10, 30]);
  for (const text of ["", "0", "121", "1.5", "-5", "ten", "1,2,3,4", "5,"]) {
    expect(minutesOf(text)).toBeNull();
  }
  const within = (text: string) => {
    const asked = isochrone.request({ ...two, inputs: { reach: { within: text } } }, null)!;
    return (asked.body as { contours: object }).contours;
  };
  expect(within("10")).toEqual([{ time: 10 }]);
  expect(within("20,10")).toEqual([{ time: 10 }, { time: 20 }]);
});

test("warmth lies between the ends", () => {
  expect([10, 20, 30].map((s) => warmth(s, 10, 30))).toEqual([0, 0.5, 1]);
  expect(warmth(5, 5, 5)).toBe(0);
});

test("a GeoJSON line is a trace, alone or in a collection", () => {
  const geometry = {
    type: "LineString",
    coordinates: [
      [9.5, 47.1],
      [9.6, 47.2, 450],
    ],
  };
  const want = [{ at: [9.5, 47.1] }, { at: [9.6, 47.2] }];
  for (const file of [geometry, { type: "Feature", geometry }, { features: [{ geometry }] }]) {
    expect(readTrace(JSON.stringify(file))).toEqual(want);
  }
  expect(readTrace('{"type":"Point","coordinates":[1,2]}')).toEqual([]);
});
