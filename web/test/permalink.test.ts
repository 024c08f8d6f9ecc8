import { describe, expect, test } from "vitest";
import { emptyPlan, moveStop, stop, withStops, type Plan } from "../src/plan/plan";
import type { Panel } from "../src/explorer/state";
import { readPermalink, writePermalink, writeView } from "../src/explorer/permalink";

const without = (plan: Plan) => ({ ...plan, stops: plan.stops.map((s) => s.at) });

describe("permalink", () => {
  test.each<[string, Partial<Plan>, string]>([
    ["nothing", {}, ""],
    [
      "another task",
      { task: "reach", inputs: { reach: { within: "30", toward: "1" } } },
      "do=reach&within=30&toward=1",
    ],
    [
      "a time, and roads to avoid",
      {
        when: { kind: "arrive", at: "2026-11-23T08:30" },
        avoid: [
          [9.5, 47.1],
          [9.6, 47.2],
        ],
      },
      "arrive=2026-11-23T08:30&avoid=9.5,47.1;9.6,47.2",
    ],
    ["a costing", { costing: "bicycle" }, "by=bicycle"],
    [
      "changed options only",
      {
        costing: "truck",
        options: { truck: { height: 4.2, tunnel_code: "B/D", hazmat: true } },
        units: "miles",
        language: "pl-PL",
      },
      "by=truck&units=miles&in=pl-PL&height=4.2&tunnel_code=B/D&hazmat=true",
    ],
    [
      "a code that is no ASCII",
      { costing: "truck", options: { truck: { tunnel_code: "(—)" } } },
      "by=truck&tunnel_code=(%E2%80%94)",
    ],
  ])("%s", (_, parts, want) => {
    const plan = { ...emptyPlan(), ...parts };
    expect(writePermalink(plan)).toBe(want);
    expect(without(readPermalink(`#${want}`).plan)).toEqual(without(plan));
  });

  test("what is asked of calls goes with their places, and nonsense does not", () => {
    const call = { ...stop([9.55, 47.15]), stay: { minutes: 30, charger: 0 } };
    const plan = withStops(emptyPlan(), [stop([9.5, 47.1]), call, stop([9.6, 47.2])]);
    const link = writePermalink(plan);
    expect(link).toBe("p=9.5,47.1;9.55,47.15;9.6,47.2&stays=;30,,0;");
    expect(readPermalink(link).plan.stops[1]!.stay).toEqual(call.stay);
    const wrong = readPermalink("p=1,2;3,4;5,6&stays=x;-1,101,1e9;,,").plan.stops;
    expect(wrong.map(({ stay }) => stay)).toEqual([undefined, undefined, undefined]);
    // Dragged, it stays what it was; emptied, it does not.
    expect(moveStop(plan, call.id, [9.56, 47.16]).stops[1]!.stay).toEqual(call.stay);
    expect(moveStop(plan, call.id, null).stops[1]!.stay).toBeUndefined();
  });

  test("points, with a row that has no place yet, and the camera", () => {
    const plan = withStops(emptyPlan(), [stop([9.5, 47.1]), stop(null), stop([-0.1234567, 51])]);
    const panel: Panel = {
      colouring: "surface",
      tab: "request",
      options: true,
      alternative: 2,
      layers: ["labels", "own"],
      theme: "navigator-day",
    };
    const camera = { zoom: 12.345, lat: 47.1, lon: 9.5 };
    const text = `${writePermalink(plan)}&${writeView(panel, camera)}`;
    expect(text).toBe(
      "p=9.5,47.1;;-0.123457,51&alt=2&tab=request&open=options&layers=labels,own&theme=navigator-day&colour=surface&map=12.35/47.10000/9.50000",
    );
    const back = readPermalink(text);
    expect(back.plan.stops.map((s) => s.at)).toEqual([[9.5, 47.1], null, [-0.123457, 51]]);
    expect(back.panel).toEqual(panel);
    expect(back.camera).toEqual({ zoom: 12.35, lat: 47.1, lon: 9.5 });
  });

  test.each([
    "#p=1,2,3;x,y;200,5",
    "#by=rocket",
    "#by=truck&height=-1&tunnel_code=Z&use_tolls=2&hazmat=perhaps&width=",
    "#map=1/2",
    "#map=99/0/0",
    "#map=a/b/c",
    "#%%%",
    "#units=furlongs",
    "#in=tlh",
    "#do=harm",
    "#depart=tomorrow&avoid=;x,y;999,0&tab=none&alt=-1&open=sesame",
    "#arrive=2026-13-40T99:99",
    "#do=reach&within=-1&toward=up",
    "#here=1&place=x&layers=moon",
    "#do=view&bearing=north&fov=361&radius=9000",
  ])("what is malformed stays at its default: %s", (text) => {
    const { plan, panel, camera } = readPermalink(text);
    expect(camera).toBeNull();
    expect(plan.stops.every((s) => s.at === null)).toBe(true);
    expect(plan.units).toBe("kilometers");
    expect([plan.when, plan.avoid]).toEqual([null, []]);
    expect(panel).toEqual({
      tab: "directions",
      options: false,
      colouring: null,
      alternative: 0,
      layers: [],
      theme: "",
    });
    expect(Object.values(plan.options)).toEqual([]);
    expect([plan.inputs, plan.spot]).toEqual([{}, null]);
  });
});
