import { describe, expect, test } from "vitest";
import { done, joined, replanRequest } from "../src/dispatch/day";
import { Desk, placesOf, type Plan } from "../src/dispatch/desk";
import { planCSV, routeGPX } from "../src/dispatch/export";
import { missing, nextVehicle, type Problem, type Stop } from "../src/dispatch/model";
import { readAnswer, requestOf } from "../src/dispatch/request";
import { progressOf } from "../src/dispatch/solve";
import { costWords } from "../src/dispatch/schedule";

const stop = (id: string, patch: Partial<Stop> = {}): Stop => ({
  id,
  name: `Stop ${id}`,
  address: "",
  at: [-3, 51],
  service: 300,
  windows: [],
  amount: 2,
  priority: 0,
  skills: [],
  ...patch,
});

const problem: Problem = {
  stops: [stop("a", { windows: [[30_000, 33_000]], skills: ["crane"] }), stop("b"), stop("c")],
  vehicles: [
    {
      id: "van-1",
      name: "Van 1",
      start: [-3.1, 51],
      end: null,
      shift: [28_800, 61_200],
      capacity: 4,
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

const plan = (): Plan => ({ ...readAnswer(answer, problem), problem, touched: [] });

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
          capacity: [1_000_000],
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
    const unbounded = { ...problem, vehicles: [{ ...vehicle!, capacity: 0 }] };
    expect(requestOf(unbounded).vehicles[0]).not.toHaveProperty("capacity");
    expect(requestOf(unbounded).jobs[1]).not.toHaveProperty("delivery");
  });

  test("what keeps it from being sent is said", () => {
    expect(missing(problem)).toEqual([]);
    expect(missing({ ...problem, stops: [stop("a", { at: null })], vehicles: [] })).toHaveLength(2);
    const [vehicle] = problem.vehicles;
    const odd = { ...vehicle!, start: null, shift: [9, 8] as const };
    expect(missing({ ...problem, vehicles: [odd] })).toEqual([
      "Van 1 has neither a start nor an end.",
      "The shift of Van 1 ends before it begins.",
    ]);
  });
});

describe("what it answers", () => {
  test("routes with the visits of stops", () => {
    const { routes, lines, cost } = plan();
    expect(routes).toEqual([
      {
        vehicle: "van-1",
        visits: [
          { stop: "a", arrival: 29_400, begin: 30_000, end: 30_300, late: 0 },
          { stop: "b", arrival: 30_900, begin: 30_900, end: 31_200, late: 0 },
        ],
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
    const [roomier, later, none] = left!.relaxations;
    const next = roomier!.apply!(problem);
    expect(next.vehicles[0]!.capacity).toBe(6);
    expect(next.vehicles[0]!.skills).toEqual(["crane"]);
    expect(next.stops[0]!.windows).toEqual([[30_000, 33_000]]); // another stop's
    expect(later!.apply!(problem).vehicles[1]!.shift).toEqual([28_800, 61_800]);
    expect(none!.apply).toBeNull();
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
  });
});

describe("a plan that is moved by hand", () => {
  test("is judged by the ways between its places, and taken back", () => {
    const desk = new Desk();
    desk.change(problem);
    desk.take(readAnswer(answer, problem), problem);
    expect(desk.tried("c", "van-2", 0)).toBeNull();
    desk.ways = {
      durations: [
        [0, 600],
        [600, 0],
      ],
      distances: [
        [0, 5000],
        [5000, 0],
      ],
    };
    desk.move("c", "van-2", 0);
    expect(desk.state.plan!.left).toEqual([]);
    const [, moved] = desk.state.plan!.routes;
    expect([moved!.vehicle, moved!.driving, moved!.visits.length]).toEqual(["van-2", 1200, 1]);
    expect(desk.canUndo).toBe(true);
    desk.undo();
    expect(desk.state.plan!.left).toHaveLength(1);
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
  const day = { now: 30_400, unavailable: new Set(["van-2"]), cancelled: new Set(["a", "c"]) };

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
    expect(van!["steps"]).toEqual([{ type: "job", id: "b" }]);
    expect(
      replanRequest(plan(), problem, { ...day, cancelled: new Set() })["changes"],
    ).toBeUndefined();
  });

  test("the new plan follows what is done", () => {
    const { routes } = plan();
    expect(done(routes[0]!, 30_299)).toHaveLength(0);
    expect(done(routes[0]!, 99_999)).toHaveLength(2);
    const rest = { ...routes[0]!, visits: routes[0]!.visits.slice(1), departure: 30_400 };
    const [whole] = joined(routes, [rest], 30_400);
    expect(whole!.visits.map(({ stop: id }) => id)).toEqual(["a", "b"]);
    expect(whole!.departure).toBe(28_800);
    expect(joined(routes, [], 30_400)[0]!.visits.map(({ stop: id }) => id)).toEqual(["a"]);
    expect(joined(routes, [], 0)).toEqual([]);
  });
});

describe("a plan that is taken along", () => {
  test("as CSV, in which no cell is a formula", () => {
    const odd = { ...problem, stops: [stop("a", { name: '=1+"1"' }), ...problem.stops.slice(1)] };
    const lines = planCSV({ ...plan(), problem: odd })
      .trimEnd()
      .split("\r\n");
    expect(lines[0]).toMatch(/^vehicle,position,id,name/);
    expect(lines[1]).toBe(`Van 1,1,a,"'=1+""1""",,51,-3,08:10,08:20,08:25,2,`);
    expect(lines[3]).toBe(",,c,Stop c,,51,-3,,,,2,It is too heavy");
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
