// Problems as the API's JSON: what docs/optimisation.md shows, and bodies as people send them to
// VROOM and the like, go in and come out as they were.
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { apiJSON } from "../src/dispatch/plan/apijson";
import { isRequest, problemFrom } from "../src/dispatch/plan/fromapi";
import { endingAfter, nearestOwners } from "../src/dispatch/plan/balance";
import { figuresOf } from "../src/dispatch/plan/figures";
import { requestOf } from "../src/dispatch/plan/request";
import { vehiclesOn, withCosting, withDay } from "../src/dispatch/problem/another";
import { BLANK_VEHICLE } from "../src/dispatch/problem/model";

const DOCS = readFileSync(new URL("../../docs/optimisation.md", import.meta.url), "utf8");
const bodies = [...DOCS.matchAll(/\/optimise(?:\/replan)? -d '(\{[\s\S]*?\})'/g)].map(
  ([, text]) => JSON.parse(text!) as Record<string, unknown>,
);

const job = (more: object) => ({ jobs: [{ id: "a", location: [-3, 51], ...more }] });

const once = (body: unknown): unknown => JSON.parse(apiJSON(problemFrom(body)));

/** A body without what a request has anyway, and ids as texts. */
const usual = (body: Record<string, unknown>): Record<string, unknown> => ({
  costing: "auto",
  ...body,
  geometry: true,
});

describe("the API's JSON", () => {
  test("of the documentation comes out as it went in", () => {
    expect(bodies.length).toBeGreaterThan(1);
    const [first] = bodies;
    const out = once(first) as Record<string, unknown>;
    const { shipments: ended, ...rest } = out;
    const { shipments, ...want } = usual(first!);
    expect(rest).toEqual(want);
    expect(ended).toMatchObject(shipments as object[]);
  });

  test.each<[string, Record<string, unknown>]>([
    [
      "a vehicle of another profile and speed",
      {
        vehicles: [
          {
            id: "v",
            start: { lat: 51, lon: -3 },
            profile: "truck",
            speed_factor: 0.9,
            type: "big",
          },
        ],
        jobs: [{ id: "a", location: { lat: 51, lon: -3 }, service_s: 0, setup: 120 }],
      },
    ],
    [
      "what must share a vehicle, and what must not",
      {
        vehicles: [{ id: "v", start: { lat: 51, lon: -3 } }],
        jobs: ["a", "b", "c"].map((id) => ({ id, location: { lat: 51, lon: -3 }, service_s: 60 })),
        together: [["a", "b"]],
        apart: [["a", "c"]],
        relax_if_unassigned: { allow_overtime_s: 600 },
        costing_options: { auto: { use_tolls: 0 } },
      },
    ],
    [
      "a depot for reloads, and costs of tasks",
      {
        vehicles: [
          {
            id: "v",
            start: { lat: 51, lon: -3 },
            time_window: [0, 40_000],
            reloads: { max_trips: 3, depot: { lat: 51.1, lon: -3 } },
            costs: { fixed: 5, per_hour: 100, per_task_hour: 7 },
          },
        ],
        jobs: [
          { id: "a", location: { lat: 51, lon: -3 }, service_s: 0, service_per_type: { big: 9 } },
        ],
      },
    ],
    [
      "a stop that brings and collects",
      {
        vehicles: [{ id: "v", start: { lat: 51, lon: -3 }, capacity: [4, 2] }],
        jobs: [
          {
            id: "a",
            location: { lat: 51, lon: -3 },
            service_s: 0,
            delivery: [1, 0],
            pickup: [0, 2],
          },
        ],
      },
    ],
    [
      "vehicles bound to areas",
      {
        vehicles: [{ id: "v", start: { lat: 51, lon: -3 }, territory_ids: ["North"] }],
        jobs: [{ id: "a", location: { lat: 51, lon: -3 }, service_s: 0 }],
        territories: [
          {
            id: "North",
            polygon: [
              [
                [-4, 50],
                [-2, 50],
                [-2, 52],
                [-4, 50],
              ],
            ],
          },
        ],
      },
    ],
  ])("%s comes out as it went in", (_, body) => expect(once(body)).toEqual(usual(body)));

  test("VROOM's names, numbers for ids and [lon, lat]", () => {
    const problem = problemFrom({
      vehicles: [{ id: 1, start: [-3, 51], capacity: [2], skills: [1, 14] }],
      jobs: [{ id: 7, location: [-3.1, 51], service: 300, delivery: [1], skills: [14] }],
      shipments: [
        { pickup: { id: 7, location: [-3, 51] }, delivery: { id: 7, location: [-3, 51.1] } },
      ],
    });
    expect(problem.stops.map(({ id }) => id)).toEqual(["7", "7-2/pickup", "7-2/delivery"]);
    expect(problem.stops[0]).toMatchObject({ at: [-3.1, 51], service: 300, skills: ["Skill 14"] });
    const { jobs, vehicles } = requestOf(problem);
    expect(vehicles[0]!["skills"]).toEqual(expect.arrayContaining(jobs[0]!["skills"] as number[]));
  });

  test("names are descriptions", () => {
    const body = {
      vehicles: [{ id: "v", description: "North van", start: { lat: 51, lon: -3 } }],
      jobs: [{ id: "a", description: "Bakery", location: { lat: 51, lon: -3 }, service_s: 0 }],
    };
    expect(once(body)).toEqual(usual(body));
  });

  test.each<[unknown, RegExp]>([
    [{ features: [] }, /no body of POST \/optimise/],
    [{ jobs: [{ id: "a" }] }, /location of job 1/],
    [{ jobs: [null] }, /job 1 is no object/],
    [job({ time_windows: [["8:00", "9:00"]] }), /time_windows of job 1/],
    [job({ skills: ["fridge"] }), /skills of job 1/],
    [job({ delivery: 3 }), /delivery of job 1/],
    [job({ service_s: "5 min" }), /service_s of job 1/],
    [{ jobs: [], vehicles: [{ id: 1, start: [1] }] }, /start of vehicle 1/],
    [{ jobs: [], vehicles: [{ breaks: [{}, { max_load: ["1"] }] }] }, /max_load of break 2 of/],
    [{ jobs: [], vehicles: [{ reloads: { max_trips: "3" } }] }, /max_trips of reloads, vehicle 1/],
    [{ jobs: [{ location: { lat: 95, lon: 0 } }] }, /location of job 1/],
    [{ shipments: [{ pickup: {} }] }, /shipment 1/],
  ])("%o is refused in words", (body, why) => expect(() => problemFrom(body)).toThrow(why));

  test("keeps to a vehicle that carries nothing, and to loads of tonnes in grams", () => {
    const body = {
      vehicles: [
        { id: "bicycle", start: { lat: 51, lon: -3 }, capacity: [0, 40_000_000] },
        { id: "van", start: { lat: 51, lon: -3 } },
      ],
      jobs: [{ id: "a", location: { lat: 51, lon: -3 }, service_s: 0, delivery: [1, 30_000_000] }],
    };
    expect(once(body)).toEqual(usual(body));
    const problem = problemFrom(body);
    expect(problem.vehicles.map(({ capacities }) => capacities)).toEqual([[0, 40_000_000], []]);
  });

  test("a stop that has no place leaves groups, steps and first stops", () => {
    const jobs = ["a", "b", "c"].map((id) => ({ id, location: { lat: 51, lon: -3 } }));
    const steps = ["a", "b"].map((id) => ({ type: "job", id }));
    const vehicles = [{ id: "v", start: [-3, 51], first_stop_ids: ["c", "a"], steps }];
    const problem = problemFrom({ vehicles, jobs, together: [["a", "b"], ["b", "c"]], apart: [["a", "x"]] }); // prettier-ignore
    const stops = problem.stops.map((stop) => (stop.id === "a" ? { ...stop, at: null } : stop));
    expect(requestOf({ ...problem, stops })).toMatchObject({
      jobs: [{ id: "b" }, { id: "c" }],
      vehicles: [{ first_stop_ids: ["c"], steps: [{ id: "b" }] }],
      together: [["b", "c"]],
    });
    expect(requestOf({ ...problem, stops })).toHaveProperty("apart", undefined);
  });

  test("another day, or way of travel, that is chosen is the one", () => {
    const body = {
      jobs: [{ id: "a", location: [-3, 51] }],
      vehicles: [{ id: "v", start: [-3, 51], steps: [{ type: "job", id: "a" }] }],
      date_time: { type: 1, value: "2026-12-02T06:15" },
      costing: "pogo",
      together: [["a", "b"]],
    };
    const problem = problemFrom(body);
    expect(problem.day).toBe("2026-12-02");
    expect(requestOf(withDay(problem, "2026-12-09"))).toMatchObject({
      date_time: { type: 1, value: "2026-12-09T00:00" },
    });
    expect(requestOf(withCosting(problem, "truck"))).toMatchObject({ costing: "truck" });
    const next = requestOf(vehiclesOn(problem, ""));
    expect([next.jobs, Object.keys(next)]).toEqual([[], ["vehicles", "jobs", "costing", "geometry"]]); // prettier-ignore
    expect(next.vehicles).toEqual([{ id: "v", start: { lat: 51, lon: -3 } }]);
  });

  test("a plan is the steps of vehicles", () => {
    const problem = problemFrom({ jobs: [{ id: "a", location: [-3, 51] }], vehicles: [{ id: "v", start: [-3, 51] }] }); // prettier-ignore
    const visit = { stop: "a", trip: 0, arrival: 0, begin: 0, end: 0, late: 0 };
    const route = { vehicle: "v", visits: [visit], rests: [], departure: 0, finish: 0, driving: 0, distance: 0, broken: [] }; // prettier-ignore
    const plan = { routes: [route], lines: {}, left: [], cost: 0, notes: [], problem, touched: [], fixed: [], before: null }; // prettier-ignore
    expect(JSON.parse(apiJSON(problem, plan))).toMatchObject({
      vehicles: [{ steps: [{ type: "job", id: "a" }] }],
    });
  });

  test("is told from GeoJSON", () => {
    expect([
      isRequest({ jobs: [] }),
      isRequest({ type: "FeatureCollection", features: [] }),
    ]).toEqual([true, false]);
  });
});

describe("balance", () => {
  test("shifts end sooner, and never later", () => {
    expect(endingAfter({ time_window: [100, 500] }, 200)["time_window"]).toEqual([100, 300]);
    expect(endingAfter({ time_window: [100, 500] }, 900)["time_window"]).toEqual([100, 500]);
    expect(endingAfter({}, 900)["time_window"]).toEqual([0, 900]);
    const breaks = [
      { time_windows: [[50, 90], [300, 400]], service_s: 60 }, // prettier-ignore
      { service_s: 30 },
    ];
    expect(endingAfter({ time_window: [100, 500], breaks }, 20)["time_window"]).toEqual([100, 390]);
    const several = { time_windows: [[0, 1]] };
    expect(endingAfter(several, 900)).toBe(several);
  });

  test("parts of the map go to the vehicles that start nearest, each to another", () => {
    const van = (id: string, lon: number) => ({ ...BLANK_VEHICLE, id, start: [lon, 51] as const });
    const vans = [van("east", 2), van("west", -2), van("far", 50)];
    expect(nearestOwners([[-1, 51], [1, 51]], vans)).toEqual(["west", "east"]); // prettier-ignore
    const home = [van("a", 0), van("b", 0)];
    expect(new Set(nearestOwners([[-1, 51], [1, 51]], home)).size).toBe(2); // prettier-ignore
  });

  test("figures leave out vehicles that stay", () => {
    const visit = (late: number) => ({ stop: "s", trip: 0, arrival: 0, begin: 0, end: 0, late });
    const route = (visits: ReturnType<typeof visit>[], finish: number) => ({
      vehicle: "v",
      visits,
      rests: [],
      departure: 100,
      finish,
      driving: 50,
      distance: 1000,
      broken: [],
    });
    const routes = [route([visit(0), visit(30)], 400), route([visit(0)], 200), route([], 100)];
    expect(figuresOf({ routes, left: [], cost: 9 })).toMatchObject({
      rounds: 2,
      stops: 3,
      late: 30,
      shortest: 100,
      longest: 300,
      fewest: 1,
      most: 2,
      metres: 2000,
    });
  });
});
