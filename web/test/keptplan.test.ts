// What a tab works on is found again after a reload, and a browser without room says so.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { readAnswer } from "../src/dispatch/plan/answer";
import { PlanStore } from "../src/dispatch/plan/store";
import { BLANK_STOP, BLANK_VEHICLE, EMPTY, type Problem } from "../src/dispatch/problem/model";

/** A storage with room for so many characters. */
function storage(room: number) {
  const all = new Map<string, string>();
  return {
    room,
    getItem: (key: string) => all.get(key) ?? null,
    removeItem: (key: string) => void all.delete(key),
    setItem(key: string, text: string) {
      if (text.length > this.room) throw new DOMException("full", "QuotaExceededError");
      all.set(key, text);
    },
  };
}

const at = [-3, 51] as const;
const problem: Problem = {
  ...EMPTY,
  stops: [{ ...BLANK_STOP, id: "a", name: "Bakery", at }],
  vehicles: [{ ...BLANK_VEHICLE, id: "v", name: "Van", start: at }],
};
const answer = {
  routes: [{ vehicle: "v", steps: [{ type: "job", id: "a", arrival: 30_000 }] }],
  unassigned: [],
};

beforeEach(() => {
  vi.stubGlobal("localStorage", storage(100_000));
  vi.stubGlobal("sessionStorage", storage(100_000));
});
afterEach(() => vi.unstubAllGlobals());

test("a reload finds the plan, what was changed since, and where drivers follow it", () => {
  const before = new PlanStore();
  before.change(problem);
  before.take(readAnswer(answer, problem), problem);
  before.follow({ id: "plan_1", name: "Monday", tokens: { link: "token" } });
  const changed = {
    ...problem,
    stops: [...problem.stops, { ...BLANK_STOP, id: "b", name: "Mill" }],
  };
  before.change(changed);
  const { plan, problem: now, followed } = new PlanStore().state;
  expect(plan).toEqual(before.state.plan);
  expect([now, followed]).toEqual([changed, before.state.followed]);
});

test("another tab begins with the problem that was changed last, without its plan", () => {
  const before = new PlanStore();
  before.change(problem);
  before.take(readAnswer(answer, problem), problem);
  vi.stubGlobal("sessionStorage", storage(100_000));
  expect(new PlanStore().state).toMatchObject({ problem, plan: null, followed: null });
});

test.each(["localStorage", "sessionStorage"])(
  "a %s without room is reported, until there is some",
  (name) => {
    const store = new PlanStore();
    store.change(problem);
    expect(store.state.unkept).toBe(false);
    vi.stubGlobal(name, storage(10));
    store.change({ ...problem, aim: "time" });
    expect([store.state.unkept, store.state.problem.aim]).toEqual([true, "time"]);
    vi.stubGlobal(name, storage(100_000));
    store.change(problem);
    expect(store.state.unkept).toBe(false);
  },
);

test("a tab without room is no older after a reload than the browser", () => {
  const tab = storage(100_000);
  vi.stubGlobal("sessionStorage", tab);
  const store = new PlanStore();
  store.change(problem);
  tab.room = 10;
  store.change({ ...problem, aim: "time" });
  expect(new PlanStore().state.problem.aim).toBe("time");
});

test.each(["", "[]", "nonsense", '{"problem": 3}'])("what is kept as %j is nothing", (text) => {
  sessionStorage.setItem("waygate.planner.tab", text);
  expect(new PlanStore().state).toMatchObject({ problem: EMPTY, plan: null });
});
