import { describe, expect, test } from "vitest";
import { done, joined, replanRequest } from "../src/dispatch/plan/day";
import {
  beginningOf,
  clockIn,
  linksCSV,
  publishBody,
  reportedOf,
  today,
  tokensOf,
  type FollowedPlan,
} from "../src/dispatch/plan/follow";
import type { Plan } from "../src/dispatch/plan/plan";
import type { Route } from "../src/dispatch/day/route";
import { BLANK_STOP, BLANK_VEHICLE, problemOf } from "../src/dispatch/problem/model";

const stop = (id: string, patch = {}) => ({
  ...BLANK_STOP,
  id,
  name: `Stop ${id}`,
  at: [1, 2] as const,
  ...patch,
});
const visit = (id: string, begin: number) => ({
  stop: id,
  trip: 0,
  arrival: begin,
  begin,
  end: begin + 600,
  late: 0,
});
const route: Route = {
  vehicle: "v1",
  visits: [visit("a", 30_000), visit("b", 33_000.4), visit("c", 36_000)],
  rests: [],
  departure: 29_000,
  finish: 37_000,
  driving: 0,
  distance: 0,
  broken: [],
};
const plan: Plan = {
  problem: problemOf({
    stops: [
      stop("a", { amounts: [3], windows: [[28_800, 36_000]] }),
      stop("b", { at: [5, 6], amounts: [1], collects: true }),
      stop("c", { name: "x".repeat(300), address: "Street 1" }),
    ],
    vehicles: [
      { ...BLANK_VEHICLE, id: "v1", name: "Van 1" },
      { ...BLANK_VEHICLE, id: "v2", name: "Van 2" },
    ],
    loads: ["Boxes"],
    day: "2026-11-30",
    costing: "truck",
  }),
  routes: [route, { ...route, vehicle: "v2", visits: [] }],
  lines: {},
  left: [],
  cost: 1,
  notes: [],
  touched: [],
  fixed: [],
  before: null,
};

test("a day begins twelve hours before noon, in the browser's offset", () => {
  for (const day of ["2026-03-29", "2026-10-25", "2026-11-30"]) {
    const begins = beginningOf(day);
    expect(begins).toMatch(/^\d{4}-\d\d-\d\dT\d\d:00:00[+-]\d\d:\d\d$/);
    const noon = new Date(Date.parse(begins) + 12 * 3_600_000);
    expect([noon.getHours(), noon.getMinutes(), today(noon)]).toEqual([12, 0, day]);
    expect(begins.slice(0, 13)).toBe(`${day}T00`);
  }
});

test("a plan is published with its driven rounds, within the bounds of the API", () => {
  const body = publishBody(plan, "Monday") as { rounds: { stops: Record<string, unknown>[] }[] };
  expect(body).toMatchObject({ name: "Monday", begins_at: beginningOf("2026-11-30") });
  expect(body.rounds).toHaveLength(1);
  const [{ stops }] = body.rounds as [{ stops: Record<string, unknown>[] }];
  expect(stops[0]).toEqual({
    id: "a",
    name: "Stop a",
    address: "",
    note: "Bring: Boxes 3",
    lat: 2,
    lon: 1,
    arrival_s: 30_000,
    begin_s: 30_000,
    end_s: 30_600,
    time_windows: [[28_800, 36_000]],
  });
  expect(stops[1]).toMatchObject({ note: "Collect: Boxes 1", begin_s: 33_000 });
  expect(String(stops[2]!["name"])).toHaveLength(200);
});

const about = { lat: 2, lon: 1, begin_s: 0, end_s: 0 };
const followed: FollowedPlan = {
  id: "plan_1",
  name: "Monday",
  begins_at: "2026-11-30T00:00:00+01:00",
  expires_at: "2026-12-08T00:00:00+01:00",
  rounds: [
    {
      vehicle: "v1",
      name: "Van, 1",
      costing: "auto",
      link_id: "l0",
      done: 1,
      failed: 1,
      delay_s: 0,
      stops: [
        {
          id: "a",
          name: "=A",
          ...about,
          state: "done",
          eta: "2026-11-30T08:35:00+01:00",
          link_id: "l1",
        },
        { id: "b", ...about, state: "failed", eta: "2026-11-30T08:30:00+01:00" },
        { id: "c", ...about, state: "open", eta: "2026-11-30T10:00:00+01:00", link_id: "l3" },
      ],
    },
  ],
  links: [{ id: "l0", vehicle: "v1", token: "T0" }],
};

describe("what drivers report", () => {
  const reported = reportedOf(followed);
  const day = { now: 32_000, late: new Map(), unavailable: new Set<string>(), cancelled: new Set<string>(), reported }; // prettier-ignore

  test("is what is done, in the order of the reports", () => {
    expect(done(route, day).map(({ stop: id, begin, end }) => [id, begin, end])).toEqual([
      ["b", 30_000, 30_600],
      ["a", 30_300, 30_900],
    ]);
    expect(done(route, { ...day, reported: new Map() })).toEqual([]);
  });

  test("is where the rest of the day is planned from: what failed is not tried again", () => {
    const request = replanRequest(plan, plan.problem, day);
    expect(request["progress"]).toEqual([
      { vehicle: "v1", completed_stop_ids: ["a"], time_s: 32_000 },
      { vehicle: "v2", completed_stop_ids: [], time_s: 32_000 },
    ]);
    expect(request["changes"]).toEqual({ cancel_job_ids: ["b"] });
  });

  test("puts a vehicle where it failed last", () => {
    const later = new Map([...reported, ["b", { failed: true, at: 31_500 }] as const]);
    const { progress } = replanRequest(plan, plan.problem, {
      ...day,
      reported: later,
    }) as unknown as {
      progress: unknown[];
    };
    expect(progress[0]).toMatchObject({ current_position: { lon: 5, lat: 6 } });
  });

  test("stays in the plan of the whole day", () => {
    const [whole] = joined([route], [{ ...route, visits: [visit("c", 34_000)] }], day);
    expect(whole!.visits.map(({ stop: id }) => id)).toEqual(["b", "a", "c"]);
  });
});

test("tokens are kept as long as their links are in force", () => {
  expect(tokensOf({ l1: "T1", gone: "X" }, followed)).toEqual({ l0: "T0", l1: "T1" });
});

test("links are saved as a table without formulas", () => {
  const csv = linksCSV(followed, { l0: "T0", l3: "T3" }, (page, token) => `${page}#${token}`);
  expect(csv.split("\r\n")).toEqual([
    "\uFEFFvehicle,stop,name,expected,link",
    '"Van, 1",,,,driver#T0',
    '"Van, 1",a,\'=A,08:35,',
    '"Van, 1",b,,08:30,',
    '"Van, 1",c,,10:00,arrival#T3',
    "",
  ]);
  expect(clockIn(followed, "2026-12-01T01:00:00+01:00")).toBe("01:00 +1");
});
