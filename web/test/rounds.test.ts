import { describe, expect, test } from "vitest";
import { done, joined, replanRequest } from "../src/dispatch/plan/day";
import { PlanStore, placesOf } from "../src/dispatch/plan/store";
import type { Plan } from "../src/dispatch/plan/plan";
import { planCSV, routeGPX } from "../src/dispatch/plan/export";
import { readAnswer } from "../src/dispatch/plan/answer";
import { warmStart } from "../src/dispatch/plan/warmstart";
import { withStops } from "../src/dispatch/problem/merge";
import { missing, unreplannable } from "../src/dispatch/problem/missing";
import {
  BLANK_BREAK,
  BLANK_STOP,
  BLANK_VEHICLE,
  EMPTY,
  nextVehicle,
  type Problem,
  type Stop,
} from "../src/dispatch/problem/model";
import { costWords } from "../src/dispatch/day/orders";
import { requestOf } from "../src/dispatch/plan/request";
import { progressOf } from "../src/dispatch/plan/solve";

const stop = (id: string, patch: Partial<Stop> = {}): Stop => ({
  ...BLANK_STOP,
  id,
  name: `Stop ${id}`,
  at: [-3, 51],
  service: 300,
  amounts: [2],
  ...patch,
});

const problem: Problem = {
  ...EMPTY,
  stops: [stop("a", { windows: [[30_000, 33_000]], skills: ["crane"] }), stop("b"), stop("c")],
  vehicles: [
    {
      ...BLANK_VEHICLE,
      id: "van-1",
      name: "Van 1",
      start: [-3.1, 51],
      capacities: [4],
      skills: ["crane"],
    },
    { ...nextVehicle([], [-3.1, 51]), id: "van-2", name: "Van 2" },
  ],
  costing: "truck",
};

const step = (type: string, id: string, arrival: number, waiting = 0) => ({
  type,
  id,
  arrival,
  waiting_time: waiting,
  setup: 0,
  service: type === "job" ? 300 : 0,
});

const answer = {
  code: 0,
  summary: { cost: 1200.5 },
  routes: [
    {
      vehicle: "van-1",
      duration: 1200,
      distance: 9000,
      geometry: "_izlhA~rlgdF_{geC~ywl@",
      steps: [
        step("start", "", 28_800),
        step("job", "a", 29_400, 600),
        step("break", "tea", 30_300),
        step("job", "b", 30_900),
        step("end", "", 31_800),
      ],
    },
  ],
  unassigned: [
    {
      id: "c",
      type: "job",
      reason: "capacity",
      detail: "It is too heavy",
      relaxations: [
        {
          vehicle: "van-1",
          capacity: [2],
          time_windows_by_s: 60,
          skills: [1],
          cost: 3,
          text: "2 more",
        },
        { vehicle: "van-2", allow_overtime_s: 600, cost: 9, text: "10 minutes more" },
        { vehicle: "van-2", max_tasks: 1, cost: 9, text: "a task more" },
      ],
    },
  ],
};

const plan = (): Plan => ({
  ...readAnswer(answer, problem),
  problem,
  touched: [],
  before: null,
  fixed: [],
});

describe("what the solver is sent", () => {
  test("a problem, with members where they say something", () => {
    expect(requestOf(problem)).toEqual({
      vehicles: [
        {
          id: "van-1",
          start: { lat: 51, lon: -3.1 },
          time_window: [28_800, 61_200],
          capacity: [4],
          skills: [1],
        },
        {
          id: "van-2",
          start: { lat: 51, lon: -3.1 },
          end: { lat: 51, lon: -3.1 },
          time_window: [28_800, 61_200],
        },
      ],
      jobs: [
        {
          id: "a",
          location: { lat: 51, lon: -3 },
          service_s: 300,
          time_windows: [[30_000, 33_000]],
          delivery: [2],
          skills: [1],
        },
        { id: "b", location: { lat: 51, lon: -3 }, service_s: 300, delivery: [2] },
        { id: "c", location: { lat: 51, lon: -3 }, service_s: 300, delivery: [2] },
      ],
      costing: "truck",
      geometry: true,
    });
    const [vehicle] = problem.vehicles;
    const unbounded = { ...problem, vehicles: [{ ...vehicle!, capacities: [] }] };
    expect(requestOf(unbounded).vehicles[0]).not.toHaveProperty("capacity");
  });

  test("loads that a break bounds, of vehicles that carry any", () => {
    const [vehicle] = problem.vehicles;
    const resting = { ...vehicle!, capacities: [], breaks: [{ ...BLANK_BREAK, loads: [0] }] };
    const { vehicles, jobs } = requestOf({ ...problem, vehicles: [resting] });
    expect(vehicles[0]).toMatchObject({ breaks: [{ max_load: [0] }] });
    expect(jobs[1]).toMatchObject({ delivery: [2] });
  });

  test("shipments, breaks, trips, areas, bounds and several loads", () => {
    const ring = [[0, 0], [1, 0], [1, 1], [0, 0]] as const; // prettier-ignore
    const [vehicle] = problem.vehicles;
    const rich: Problem = {
      ...problem,
      loads: ["Boxes", "Kilos"],
      areas: [{ name: "West", polygons: [[ring], [ring]] }],
      stops: [
        stop("p", { collects: true, shipment: "S", amounts: [1, 9], ride: 900, skills: ["crane"] }),
        stop("d", { shipment: "S", amounts: [1, 9], priority: 7 }),
        stop("r", { collects: true, amounts: [3] }),
      ],
      vehicles: [
        {
          ...vehicle!,
          breaks: [{ ...BLANK_BREAK, loads: [2, null] }],
          trips: 3,
          reload: 600,
          areas: ["West"],
          mostStops: 9,
          mostDriving: 3600,
          mostMetres: 5000,
        },
        { ...vehicle!, id: "two", shifts: [[0, 9], [20, 30]], capacities: [] }, // prettier-ignore
      ],
    };
    const { jobs, shipments, territories, vehicles } = requestOf(rich);
    expect(shipments).toEqual([
      {
        id: "S",
        pickup: { id: "p", location: { lat: 51, lon: -3 }, service_s: 300 },
        delivery: { id: "d", location: { lat: 51, lon: -3 }, service_s: 300 },
        amount: [1, 9],
        max_ride_time_s: 900,
        priority: 7,
        skills: [1],
      },
    ]);
    expect(jobs.map(({ id, pickup }) => [id, pickup])).toEqual([["r", [3, 0]]]);
    expect(territories!.map(({ id }) => id)).toEqual(["West", "West #2"]);
    expect(vehicles[0]).toMatchObject({
      capacity: [4, 1_000_000_000],
      breaks: [
        {
          id: "Break 1",
          time_windows: [[43_200, 46_800]],
          service_s: 1800,
          max_load: [2, 1_000_000_000],
        },
      ],
      reloads: { max_trips: 3, reload_time_s: 600 },
      territory_ids: ["West", "West #2"],
      max_tasks: 9,
      max_travel_time: 3600,
      max_distance: 5000,
    });
    expect(vehicles[1]!["time_windows"]).toHaveLength(2);
    expect(vehicles[1]).not.toHaveProperty("capacity");
  });

  test("stops that are added have amounts of all loads", () => {
    const more = withStops(problem, [stop("a", { amounts: [5, 6] })], ["Kilos", "Amount"]);
    expect(more.loads).toEqual(["Amount", "Kilos"]);
    expect([more.stops.at(-1)!.id, more.stops.at(-1)!.amounts]).toEqual(["a 2", [6, 5]]);
    expect(withStops({ ...problem, stops: [] }, [], ["Kilos"]).loads).toEqual(["Kilos"]);
  });

  test("what keeps it from being sent is said", () => {
    expect(missing(problem)).toEqual([]);
    expect(missing({ ...problem, stops: [stop("a", { at: null })], vehicles: [] })).toHaveLength(2);
    const [vehicle] = problem.vehicles;
    const odd = { ...vehicle!, start: null, trips: 2, shifts: [] };
    const alone = stop("x", { shipment: "X" });
    expect(missing({ ...problem, stops: [alone], vehicles: [odd] })).toEqual([
      "Shipment X is not two stops, one that collects and one that does not.",
      "Van 1 has neither a start nor an end.",
      "Van 1 drives several trips: it needs a start.",
      "Van 1 drives several trips: it needs one shift.",
    ]);
    expect(unreplannable({ ...problem, vehicles: [odd] })).toMatch(/several trips.*Van 1/);
    expect(unreplannable(problem)).toBeNull();
  });
});

describe("what it answers", () => {
  test("routes with the visits of stops", () => {
    const { routes, lines, cost } = plan();
    expect(routes).toEqual([
      {
        vehicle: "van-1",
        visits: [
          { stop: "a", trip: 0, arrival: 29_400, begin: 30_000, end: 30_300, late: 0 },
          { stop: "b", trip: 0, arrival: 30_900, begin: 30_900, end: 31_200, late: 0 },
        ],
        rests: [{ name: "tea", begin: 30_300, end: 30_300 }],
        departure: 28_800,
        finish: 31_800,
        driving: 1200,
        distance: 9000,
        broken: [],
      },
    ]);
    expect(lines["van-1"]).toHaveLength(2);
    expect(cost).toBe(1200.5);
  });

  test("what is left out, and what would have it served", () => {
    const [left] = plan().left;
    expect([left!.stop, left!.reason]).toEqual(["c", "It is too heavy"]);
    const [roomier, later, longer] = left!.relaxations;
    const next = roomier!.apply(problem);
    expect(next.vehicles[0]!.capacities).toEqual([6]);
    expect(next.vehicles[0]!.skills).toEqual(["crane"]);
    expect(next.stops[0]!.windows).toEqual([[30_000, 33_000]]); // another stop's
    expect(later!.apply(problem).vehicles[1]!.shifts).toEqual([[28_800, 61_800]]);
    const [first, second] = problem.vehicles;
    const bounded = { ...problem, vehicles: [first!, { ...second!, mostStops: 3 }] };
    expect(longer!.apply(bounded).vehicles[1]!.mostStops).toBe(4);
  });

  test("warnings, and notes of a new plan", () => {
    const warnings = [{ code: 901, text: "jobs[0].amount had no effect", parameter: "jobs[0].amount" }]; // prettier-ignore
    const { notes } = readAnswer({ routes: [], warnings, replan: { notes: ["a note"] } }, problem);
    expect(notes).toEqual(["jobs[0].amount had no effect", "a note"]);
  });

  test("trips of a vehicle are one day, and a shipment that is left is its pickup", () => {
    const trip = (at: number, id: string, type: string) => ({
      vehicle: "van-1",
      duration: 60,
      distance: 500,
      steps: [step("start", "", at), step(type, id, at + 60), step("end", "", at + 500)],
    });
    const stops = [stop("a", { shipment: "S", collects: true }), stop("b", { shipment: "S" })];
    const { routes, left } = readAnswer(
      {
        routes: [trip(28_800, "a", "pickup"), trip(30_000, "b", "delivery")],
        unassigned: [{ id: "S", type: "shipment", reason: "no_room" }],
      },
      { ...problem, stops },
    );
    expect(routes).toHaveLength(1);
    expect(routes[0]!.visits.map((visit) => [visit.stop, visit.trip])).toEqual([
      ["a", 0],
      ["b", 1],
    ]);
    expect(routes[0]!.rests).toEqual([{ name: "Loading", begin: 29_300, end: 30_000 }]);
    expect([routes[0]!.driving, routes[0]!.finish, left[0]!.stop]).toEqual([120, 30_500, "a"]);
  });

  test.each([null, {}, { routes: 1 }])("%j is no answer", (body) =>
    expect(() => readAnswer(body, problem)).toThrow(TypeError),
  );

  test("how far a job is", () => {
    expect(progressOf({ state: "queued" })).toEqual({ text: "Waiting for its turn…", share: 0 });
    const progress = { share: 0.5, stage: "search", best_cost: 1234.4, unassigned: 2 };
    expect(progressOf({ state: "running", progress })).toEqual({
      text: "Looking for better rounds, best cost so far 1,234, 2 left out…",
      share: 0.5,
    });
    expect(progressOf({ state: "running" })).toEqual({ text: "Solving…", share: null });
    expect(progressOf({ state: "running", stopping: true }).stopping).toBe(true);
  });
});

describe("a plan that is moved by hand", () => {
  test("is judged by the ways between its places, and taken back", () => {
    const store = new PlanStore();
    store.change(problem);
    store.take(readAnswer(answer, problem), problem);
    expect(store.tried("c", "van-2", 0)).toBeNull();
    store.ways = {
      durations: [
        [0, 600],
        [600, 0],
      ],
      distances: [
        [0, 5000],
        [5000, 0],
      ],
    };
    store.move("c", "van-2", 0);
    expect(store.state.plan!.left).toEqual([]);
    const [, moved] = store.state.plan!.routes;
    expect([moved!.vehicle, moved!.driving, moved!.visits.length]).toEqual(["van-2", 1200, 1]);
    expect(store.state.plan!.fixed).toEqual(["c"]);
    const again = warmStart(requestOf(problem), store.state.plan!);
    expect(again.vehicles.map((one) => [one["steps"], one["first_stop_ids"]])).toEqual([
      [
        [
          { type: "job", id: "a" },
          { type: "job", id: "b" },
        ],
        undefined,
      ],
      [undefined, ["c"]],
    ]);
    expect(store.canUndo).toBe(true);
    store.undo();
    expect(store.state.plan!.left).toHaveLength(1);
  });

  test("both stops of a shipment go to one trip of another vehicle", () => {
    const of = (trip: number, ...ids: string[]) => ({
      vehicle: trip < 0 ? "van-2" : "van-1",
      steps: ids.map((id) => step("job", id, 30_000)),
    });
    const shipped = (id: string, collects: boolean) => stop(id, { shipment: "S", collects });
    const stops = [stop("a"), shipped("p", true), shipped("d", false), stop("b"), stop("c")];
    const [van] = problem.vehicles;
    const both = [{ ...van!, trips: 2 }, problem.vehicles[1]!];
    const own = { ...problem, stops, vehicles: both };
    const routes = [of(0, "a"), of(1, "p", "d"), of(-1, "b", "c")];
    const store = new PlanStore();
    store.take(readAnswer({ routes }, own), own);
    store.ways = { durations: [[0, 9], [9, 0]], distances: [[0, 9], [9, 0]] }; // prettier-ignore
    const [, moved] = store.tried("p", "van-2", 1)!;
    expect(moved!.visits.map(({ stop: id, trip }) => [id, trip])).toEqual([
      ["b", 0],
      ["p", 0],
      ["d", 0],
      ["c", 0],
    ]);
  });

  test("places are counted once", () => {
    const { list, numbers } = placesOf(problem);
    expect(list).toEqual([
      [-3, 51],
      [-3.1, 51],
    ]);
    expect([numbers.stop("b"), numbers.start("van-1"), numbers.end("van-1")]).toEqual([0, 1, -1]);
  });

  test("says what it costs", () => {
    const words = costWords({ driving: 300, distance: -1240, broken: ["A is late"] });
    expect(words).toBe("+5 min driving, −1.2 km; A is late.");
  });
});

describe("a day that is under way", () => {
  const today: Problem = { ...problem, stops: [problem.stops[0]!, stop("d", { name: "New" })] };
  const day = {
    now: 30_400,
    late: new Map(),
    unavailable: new Set(["van-2"]),
    cancelled: new Set(["a", "c"]),
  };

  test("what is done stays, and the rest is asked for with what changed", () => {
    const request = replanRequest(plan(), today, day);
    expect(request["progress"]).toEqual([
      { vehicle: "van-1", completed_stop_ids: ["a"], time_s: 30_400 },
      { vehicle: "van-2", completed_stop_ids: [], time_s: 30_400, unavailable: true },
    ]);
    expect(request["changes"]).toEqual({
      cancel_job_ids: ["c", "b"],
      add_jobs: [{ id: "d", location: { lat: 51, lon: -3 }, service_s: 300, delivery: [2] }],
    });
    const [van] = request["vehicles"] as Record<string, unknown>[];
    expect(van!["steps"]).toEqual([
      { type: "job", id: "a" },
      { type: "job", id: "b" },
    ]);
    expect(van!["first_stop_ids"]).toBeUndefined();
    const moved = replanRequest({ ...plan(), fixed: ["b"] }, today, day);
    const [held] = moved["vehicles"] as Record<string, unknown>[];
    expect([held!["first_stop_ids"], held!["steps"]]).toEqual([["a", "b"], undefined]);
    expect(
      replanRequest(plan(), problem, { ...day, cancelled: new Set() })["changes"],
    ).toBeUndefined();
  });

  test("the new plan follows what is done", () => {
    const { routes } = plan();
    expect(done(routes[0]!, { ...day, now: 30_299 })).toHaveLength(0);
    expect(done(routes[0]!, { ...day, now: 99_999 })).toHaveLength(2);
    const late = new Map([[routes[0]!.vehicle, 99_999]]);
    expect(done(routes[0]!, { now: 99_999, late })).toHaveLength(0);
    const rest = { ...routes[0]!, visits: routes[0]!.visits.slice(1), departure: 30_400 };
    const [whole] = joined(routes, [rest], { ...day, now: 30_400 });
    expect(whole!.visits.map(({ stop: id }) => id)).toEqual(["a", "b"]);
    expect(whole!.departure).toBe(28_800);
    expect(
      joined(routes, [], { ...day, now: 30_400 })[0]!.visits.map(({ stop: id }) => id),
    ).toEqual(["a"]);
    expect(joined(routes, [], { ...day, now: 0 })).toEqual([]);
  });
});

describe("a plan that is taken along", () => {
  test("as CSV, in which no cell is a formula", () => {
    const odd = { ...problem, stops: [stop("a", { name: '=1+"1"' }), ...problem.stops.slice(1)] };
    const lines = planCSV({ ...plan(), problem: odd })
      .slice(1) // the byte order mark
      .trimEnd()
      .split("\r\n");
    expect(lines[0]).toBe(
      "vehicle,position,id,name,address,lat,lon,arrival,begin,end,does,shipment,Amount,note",
    );
    expect(lines[1]).toBe(`Van 1,1,a,"'=1+""1""",,51,-3,08:10,08:20,08:25,bring,,2,`);
    expect(lines[3]).toBe(",,c,Stop c,,51,-3,,,,bring,,2,It is too heavy");
  });

  test("as GPX, well-formed whatever a stop is called", () => {
    const odd = { ...problem, stops: [stop("a", { name: "<&>" }), ...problem.stops.slice(1)] };
    const whole = { ...plan(), problem: odd };
    const gpx = routeGPX(whole, odd.vehicles[0]!, whole.routes[0]!);
    expect(gpx).toContain("<name>1 &lt;&amp;&gt;</name>");
    expect(gpx.match(/<wpt /g)).toHaveLength(2);
    expect(gpx.match(/<trkpt /g)).toHaveLength(2);
  });
});
