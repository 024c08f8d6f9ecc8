import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Answered, Call } from "../src/call/call";
import { nameless } from "../src/explorer/address";
import { Naming, NAMING_REST_MS } from "../src/explorer/naming";
import { readPermalink, writePermalink } from "../src/explorer/permalink";
import { Planner } from "../src/explorer/planner";
import type { LonLat } from "../src/geo/coords";
import { addStop, emptyPlan, moveStop, stop, stopName, withStops } from "../src/plan/plan";
import { addressesCall, addressOf, clicked, readAddresses } from "../src/search/address";
import type { Found } from "../src/search/feature";
import { Loading } from "../src/ui/loading";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function found(name: string, metres: number | null, id = "address.1"): Found {
  const bare = { at: [0, 0] as const, kind: "", details: {}, match: [], extent: null };
  return { ...bare, coordinates: false, id, name, metres, address: "Stannerford, ZZ4" };
}

test("a point is called by the house it is at, else by what is nearest", () => {
  const street = found("Quay Street", 0.7, "street.1");
  expect(addressOf([street, found("36 Quay Street", 7)])).toBe("36 Quay Street, Stannerford");
  expect(addressOf([street, found("40 Quay Street", 31)])).toBe("Quay Street, Stannerford");
  expect(addressOf([found("Long Lane", 400, "street.2")])).toBe("near Long Lane, Stannerford");
  expect(addressOf([found("Far Lane", 1001, "street.3")])).toBe("");
  expect(addressOf([found("Somewhere", null)])).toBe("");
  expect(addressOf([])).toBe("");
});

test("a click means the place that the map names, and none that is far off", () => {
  const all = [found("36 Quay Street", 3), found("The Anchor", 12, "poi.1")];
  expect(clicked(all, "the anchor")?.id).toBe("poi.1");
  expect(clicked(all, "The Ship")).toBeNull();
  expect(clicked(all, "")?.name).toBe("36 Quay Street");
  expect(clicked([found("36 Quay Street", 80)], "")).toBeNull();
});

test("an answer that is none is refused, and a point that failed has no name", () => {
  const point = (properties: object) => ({
    type: "Feature",
    geometry: { type: "Point", coordinates: [1, 2] },
    properties,
  });
  const street = { id: "street.1", name: "Quay Street", city: "Stannerford", distance_m: 2 };
  const results = [
    { status: 200, features: [point(street)] },
    { status: 400, problem: {} },
  ];
  expect(readAddresses({ results })).toEqual(["Quay Street, Stannerford", ""]);
  for (const answer of [null, {}, { results: 1 }]) {
    expect(() => readAddresses(answer)).toThrow(TypeError);
  }
});

/** A planner whose points are named by a server that calls each by its longitude. */
function named(answer: (call: Call) => Answered | null) {
  const panel = {
    tab: "directions",
    options: false,
    alternative: 0,
    layers: [],
    theme: "",
    colouring: null,
  } as const;
  const planner = new Planner({ ...emptyPlan(), task: "search" }, panel, null, new Loading());
  const calls: Call[] = [];
  new Naming(planner, (call) => {
    calls.push(call);
    return Promise.resolve(answer(call));
  });
  const add = (at: LonLat) => planner.change(addStop(planner.state.plan, at), "map");
  const names = () => planner.state.plan.stops.map(({ name }) => name);
  return { planner, calls, add, names };
}

function byLongitude(call: Call): Answered {
  const { queries } = call.body as { queries: { lon: number; lat: number }[] };
  const results = queries.map(({ lon, lat }) => ({
    status: 200,
    features: [
      {
        geometry: { type: "Point", coordinates: [lon, lat] },
        properties: { name: `${lon} Street`, distance_m: 1 },
      },
    ],
  }));
  return { kind: "ok", status: 200, body: { results }, tookMS: 1 };
}

const rest = () => vi.advanceTimersByTimeAsync(NAMING_REST_MS);

test("points get their addresses once the hand rests, in one call", async () => {
  const { planner, calls, add, names } = named(byLongitude);
  add([1, 1]);
  // Dragged on and on: only where it comes to rest counts.
  const { id } = planner.state.plan.stops[0]!;
  for (let lon = 2; lon < 50; lon++) {
    planner.change(moveStop(planner.state.plan, id, [lon, 1]), "map");
    await vi.advanceTimersByTimeAsync(10);
  }
  add([60, 1]);
  expect(calls).toEqual([]);
  await rest();
  expect(calls).toEqual([
    addressesCall(
      [
        [49, 1],
        [60, 1],
      ],
      "en-GB",
    ),
  ]);
  expect(names()).toEqual(["49 Street", "60 Street"]);
  // A point that is known is named at once.
  planner.change(withStops(planner.state.plan, [stop([60, 1]), stop([49, 1], "Home")]), "map");
  expect(names()).toEqual(["60 Street", "Home"]);
  await rest();
  expect(calls).toHaveLength(1);
});

test("a server without addresses is asked once, one that was busy again", async () => {
  const failed = (status: number) => () =>
    ({ kind: "failed", failure: { kind: "answer", status, body: {} } }) as const;
  for (const [status, want] of [
    [501, 1],
    [429, 2],
  ] as const) {
    const { calls, add, names } = named(failed(status));
    add([1, 1]);
    await rest();
    add([2, 2]);
    await rest();
    expect(calls).toHaveLength(want);
    expect(names()).toEqual([undefined, undefined]);
  }
});

test("names go with links, and make no step of the history", () => {
  const bare = withStops(emptyPlan(), [stop([1, 2]), stop([3, 4])]);
  const plan = withStops(bare, [stop([1, 2], "36 Quay Street, Stannerford"), stop([3, 4])]);
  expect(nameless(plan)).toBe(nameless(bare));
  const { stops } = readPermalink(writePermalink(plan)).plan;
  expect(stops.map(({ name }) => name)).toEqual(["36 Quay Street, Stannerford", undefined]);
  expect([0, 1].map((index) => stopName(plan, index))).toEqual([
    "36 Quay Street, Stannerford",
    "Point B",
  ]);
});
