// A plan that cannot be had: refusals name vehicles and stops, and the plan of least cost stays where
// the search for an even one fails.
import { expect, test } from "vitest";
import { solveFor } from "../src/dispatch/plan/balance";
import { inNames } from "../src/dispatch/plan/refused";
import { requestOf } from "../src/dispatch/plan/request";
import { BLANK_STOP, BLANK_VEHICLE, EMPTY, type Aim, type Problem } from "../src/dispatch/problem/model"; // prettier-ignore
import { Refused } from "../src/site/client";

const at = [-3, 51] as const;
const problem: Problem = {
  ...EMPTY,
  stops: [
    { ...BLANK_STOP, id: "1", name: "Bakery", at },
    { ...BLANK_STOP, id: "2", name: "Lost", at: null },
    { ...BLANK_STOP, id: "3", name: "Mill", at },
    { ...BLANK_STOP, id: "4", name: "Quay", at, collects: true, shipment: "S" },
    { ...BLANK_STOP, id: "5", name: "Inn", at, shipment: "S" },
  ],
  vehicles: ["North", "South"].map((name) => ({ ...BLANK_VEHICLE, id: `v${name}`, name, start: at })), // prettier-ignore
};

const refused = (body: unknown) =>
  new Refused({ kind: "answer", status: 400, body, retryAfter: null });

test("refusals name vehicles and stops", () => {
  const detail = "vehicles[1].breaks[0].time_windows: ends, and jobs[1].id is that of jobs[0] too, shipments[0]: x, jobs[9]"; // prettier-ignore
  const error = inNames(
    refused({ detail, errors: [{ location: "jobs[1].location", message: "is off" }], status: 400 }),
    requestOf(problem),
    problem,
  ) as Refused;
  expect(error.failure).toMatchObject({
    body: {
      detail:
        "South: breaks[0].time_windows: ends, and Mill: id is that of Bakery too, S: x, jobs[9]",
      errors: [{ location: "Mill: location", message: "is off" }],
      status: 400,
    },
  });
  const other = new Error("x");
  expect(inNames(other, requestOf(problem), problem)).toBe(other);
});

test.each<[Aim]>([["time"], ["stops"], ["vehicles"], ["areas"]])(
  "the plan of least cost stays where that for %s is refused or has no answer",
  async (aim) => {
    for (const why of [refused({}), new Refused({ kind: "network" } as never)]) {
      let calls = 0;
      const answer = (vehicle: string, ids: string[]) => ({
        vehicle,
        steps: ids.map((id) => ({ type: "job", id, arrival: 30_000, service: 0 })),
      });
      const aimed = await solveFor({ ...problem, aim }, requestOf(problem), {
        solve: () =>
          calls++ === 0
            ? Promise.resolve({ routes: [answer("vNorth", ["1", "3", "4", "5"])] })
            : Promise.reject(why),
        cluster: () => Promise.reject(why),
      });
      expect(aimed?.answer.routes).toHaveLength(1);
      expect(aimed?.before).not.toBeNull();
    }
  },
);
