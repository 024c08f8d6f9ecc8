import { expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import { destination, distance } from "../src/geo/sphere";
import { encodePolyline } from "../src/geo/polyline";
import { emptyPlan, stop, withStops, type Plan } from "../src/plan/plan";
import { doors, shapesOf, type Journey } from "../src/task/journeylegs";
import { beside, request } from "../src/task/journeys";
import type { Departure, Stop } from "../src/transit/answers";
import { departureText } from "../src/transit/board";
import { cellsOf, groupsOf, linesOf } from "../src/transit/cells";
import { badgeOf, contrast } from "../src/transit/colours";
import { Glide } from "../src/transit/glide";
import { stopOf, stopSpot } from "../src/transit/spot";
import {
  ago,
  clock,
  due,
  lateness,
  otherDay,
  withOffsetOf,
  withOwnOffset,
} from "../src/transit/words";

test("times are those of the stop's own clock, whatever the reader's is", () => {
  expect(clock("2026-07-01T23:58:10+02:00")).toBe("23:58");
  expect(clock("2026-07-01T23:58:10Z")).toBe("23:58");
  expect(otherDay("2026-07-01T23:58:10+02:00", "2026-07-01T08:00:00+02:00")).toBe("");
  expect(otherDay("2026-07-02T00:10:00+02:00", "2026-07-01T23:50:00+02:00")).toBe("tomorrow");
  expect(otherDay("2026-07-04T06:00:00Z", "2026-07-01T23:50:00Z")).toBe("Sat 4 Jul");
  // The clock goes back between these: one day, though 25 hours.
  expect(otherDay("2026-10-26T00:10:00Z", "2026-10-25T00:05:00+01:00")).toBe("tomorrow");
});

test("how long it is to a departure never promises more time than there is", () => {
  const at = "2026-05-01T09:00:00+01:00";
  const before = (seconds: number): string => due(at, Date.parse(at) - seconds * 1000);
  expect([29, 31, 59, 119, 120, 359, 3599, 3600].map(before)).toEqual([
    ...["now", "in 1 min", "in 1 min", "in 1 min", "in 2 min", "in 5 min", "in 59 min", ""],
  ]);
  expect([-29, -31, -60, -179].map(before)).toEqual(["now", "1 min ago", "1 min ago", "2 min ago"]);
  for (let seconds = 60; seconds < 3600; seconds += 7) {
    const minutes = Number(/in (\d+) min/.exec(before(seconds))?.[1]);
    expect(minutes * 60).toBeLessThanOrEqual(seconds);
    expect(minutes * 60).toBeGreaterThan(seconds - 60);
  }
});

test("an expected time is told against the timetable's", () => {
  const at = "2026-05-01T09:00:00+01:00";
  expect(lateness(at, "2026-05-01T09:04:10+01:00")).toBe("4 min late");
  expect(lateness(at, "2026-05-01T08:00:20Z")).toBe("on time");
  expect(lateness(at, "2026-05-01T08:58:00+01:00")).toBe("2 min early");
  expect([-3, 12, 59.6, 61, 3600].map(ago)).toEqual([
    ...["0 s ago", "12 s ago", "59 s ago", "1 min ago", "over an hour ago"],
  ]);
});

test("a board says when a bus goes, or that it does not, and how old that is", () => {
  const scheduled = "2026-05-01T09:00:00+01:00";
  const bus = {
    ...{ line: "10", destination: "South", mode: "bus", trip: "1", scheduled_at: scheduled },
  };
  const now = Date.parse("2026-05-01T08:50:00+01:00");
  const say = (more: Partial<Departure>) => departureText({ ...bus, ...more }, scheduled, now);
  expect(say({})).toEqual({ main: "in 10 min", struck: "", time: "09:00", notes: [], off: false });
  const late = { expected_at: "2026-05-01T09:04:00+01:00", expected_age_s: 20 };
  expect(say(late)).toEqual({
    ...{ main: "in 14 min", struck: "09:00", time: "09:04", off: false },
    notes: ["4 min late", "said 20 s ago"],
  });
  expect(say({ ...late, cancelled: true })).toEqual({
    ...{ main: "Cancelled", struck: "09:00", time: "", off: true },
    notes: ["said 20 s ago"],
  });
  expect(say({ skipped: true })).toMatchObject({ main: "Not here", off: true });
  expect(say({ expected_at: scheduled }).notes).toEqual(["on time"]);
  expect(say({ continues_as: { line: "2", destination: "East" } }).notes).toEqual([
    "goes on as 2 to East",
  ]);
  expect(say({ scheduled_at: "2026-05-02T00:10:00+01:00" })).toMatchObject({
    ...{ main: "00:10", time: "", notes: ["tomorrow"] },
  });
  const live = { vehicle: "T:1", distance_m: 1240, age_s: 65 };
  expect(say({ live, every_s: 600 }).notes).toEqual([
    ...["about every 10 min", "seen 1.2 km from here, 1 min ago"],
  ]);
});

test("a local time takes an offset", () => {
  const local = "2026-07-01T08:30";
  expect(withOffsetOf(local, "2026-07-01T00:00:00+05:45")).toBe("2026-07-01T08:30:00+05:45");
  expect(withOffsetOf(local, "2026-07-01T00:00:00Z")).toBe("2026-07-01T08:30:00Z");
  for (const time of [local, "2026-01-01T00:00", "2026-10-25T01:30"]) {
    expect(Date.parse(withOwnOffset(time))).toBe(new Date(time).getTime());
  }
});

test("every badge can be read, and the timetable's own text colour is taken where it can", () => {
  expect(badgeOf("bus", "#c8102e", "#ffffff")).toEqual({ ground: "#c8102e", ink: "#ffffff" });
  // White on yellow cannot be read, whoever says so.
  expect(badgeOf("bus", "#ffd800", "#ffffff")).toEqual({ ground: "#ffd800", ink: "#000000" });
  // Text without a ground of its own has nothing that it was meant for.
  expect(badgeOf("bus", null, "#00ff00").ink).toBe("#ffffff");
  expect(badgeOf("bus", "red").ground).toBe(badgeOf("bus", null).ground);
  const pale: string[] = [];
  for (let i = 0; i < 4096; i++) {
    const colour = `#${[8, 4, 0].map((n) => (((i >> n) & 15) * 17).toString(16).padStart(2, "0")).join("")}`;
    const other = `#${colour.slice(3)}${colour.slice(1, 3)}`;
    const { ground, ink } = badgeOf("tram", colour, other);
    if (ground !== colour || contrast(ground, ink) < 4.5) pale.push(colour);
  }
  expect(pale).toEqual([]);
  for (const mode of ["bus", "coach", "tram", "metro", "rail", "ferry", "cable_car", "rocket"]) {
    const { ground, ink } = badgeOf(mode, undefined);
    expect(contrast(ground, ink)).toBeGreaterThanOrEqual(4.5);
  }
});

const HERE: LonLat = [-3, 51.6];

test("a vehicle glides straight from where it is drawn to its newest fix, and no further", () => {
  const glide = new Glide();
  const fix = (at: LonLat, second: number, now: number, still = false): void =>
    glide.take([{ id: "a", at, seen: second * 1000 }], now, still);
  fix(HERE, 0, 1000);
  expect(glide.at("a", 1000)).toEqual(HERE);
  expect(glide.moving(1000)).toBe(false);
  const there = destination(HERE, 90, 100);
  fix(there, 10, 11_000);
  expect(glide.at("a", 11_000)).toEqual(HERE);
  expect(distance(glide.at("a", 16_000)!, HERE)).toBeCloseTo(50, 0);
  // The next fix comes half way: it goes on from where it is, without a jump.
  const next = destination(there, 0, 100);
  const half = glide.at("a", 16_000)!;
  fix(next, 15, 16_000);
  expect(glide.at("a", 16_000)).toEqual(half);
  expect(glide.at("a", 21_000)).toEqual(next);
  expect(glide.at("a", 99_000)).toEqual(next);
  expect(glide.moving(21_000)).toBe(false);
  // The same fix again, and an older one, change nothing.
  fix(HERE, 15, 22_000);
  fix(HERE, 3, 23_000);
  expect(glide.at("a", 24_000)).toEqual(next);
});

test("what no bus can do is no glide, and none is where motion is not wanted", () => {
  const far = destination(HERE, 45, 5000);
  for (const [at, second, still] of [
    [far, 10, false],
    [destination(HERE, 45, 100), 10, true],
  ] as const) {
    const glide = new Glide();
    glide.take([{ id: "a", at: HERE, seen: 0 }], 0, false);
    glide.take([{ id: "a", at, seen: second * 1000 }], 10_000, still);
    expect(glide.at("a", 10_000)).toEqual(at);
    expect(glide.moving(10_000)).toBe(false);
  }
  const glide = new Glide();
  glide.take([{ id: "a", at: HERE, seen: 0 }], 0, false);
  glide.take([{ id: "a", at: destination(HERE, 45, 100), seen: 10_000 }], 10_000, false);
  glide.finish();
  expect(glide.moving(10_001)).toBe(false);
  glide.take([], 20_000, false);
  expect(glide.at("a", 20_000)).toBeNull();
});

test("cells cover a view, and are the same for views beside each other", () => {
  for (const [lon, lat] of [HERE, [179.99, -17], [10, 63.4], [0, 0]] as LonLat[]) {
    for (const zoom of [13, 14.6, 16, 19]) {
      // A map of 1200 by 760 pixels.
      const wide = (1200 * 360) / 512 / 2 ** zoom;
      const high = ((760 * 360) / 512 / 2 ** zoom) * Math.cos((lat * Math.PI) / 180);
      const east = lon + wide / 2;
      const view = [lon - wide / 2, lat - high / 2, east > 180 ? east - 360 : east, lat + high / 2];
      const cells = cellsOf(view as unknown as [number, number, number, number], zoom);
      expect(cells.length).toBeLessThanOrEqual(20);
      for (let x = 0.02; x < 1; x += 0.06) {
        for (let y = 0.02; y < 1; y += 0.06) {
          const at: LonLat = [view[0]! + wide * x, view[1]! + high * y];
          const away = ({ centre }: (typeof cells)[number]): number =>
            Math.min(...[-360, 0, 360].map((turn) => distance([centre[0] + turn, centre[1]], at)));
          expect(cells.some((cell) => away(cell) <= cell.radius + 1)).toBe(true);
        }
      }
      for (const { radius, centre } of cells) {
        expect(radius).toBeLessThanOrEqual(2000);
        expect(Math.abs(centre[0])).toBeLessThanOrEqual(180);
      }
    }
  }
  const view = (lon: number) => cellsOf([lon, 51.6, lon + 0.05, 51.63], 14).map(({ key }) => key);
  expect(view(-3).filter((key) => view(-2.99).includes(key)).length).toBeGreaterThan(0);
});

function drawn(id: string, name: string, at: LonLat, ...lines: string[]): Stop {
  const [lon, lat] = at;
  return { ...{ id, name, lon, lat, lines }, indicator: null, locality: null, modes: ["bus"] };
}

test("the two sides of a road are one stop of a list, and stops of one name in two towns are not", () => {
  const groups = groupsOf(
    [
      drawn("far", "High Street", destination(HERE, 0, 900), "9"),
      drawn("b", "High Street", destination(HERE, 90, 60), "X5", "10"),
      drawn("a", "High Street", destination(HERE, 90, 30), "2", "10"),
      drawn("c", "Station", destination(HERE, 90, 40), "1"),
    ],
    HERE,
  );
  expect(groups.map(({ stops }) => stops.map(({ id }) => id))).toEqual([
    ["a", "b"],
    ["c"],
    ["far"],
  ]);
  expect(linesOf(groups[0]!.stops)).toEqual(["2", "10", "X5"]);
  expect(Math.round(groups[0]!.metres)).toBe(30);
});

test("a stop is a place with a card of its own", () => {
  const spot = stopSpot(drawn("990ZZ:1", "Market", HERE));
  expect(spot).toEqual({ at: HERE, id: "stop:990ZZ:1", name: "Market" });
  expect(stopOf(spot)).toBe("990ZZ:1");
  expect(stopOf({ ...spot, id: "way/12" })).toBeNull();
  expect(stopOf(null)).toBeNull();
});

const two: Plan = {
  ...withStops(emptyPlan(), [stop([-3.3, 51.9]), stop([-3.1, 51.7]), stop([-3.2, 51.8])]),
  task: "transit",
};

test("a journey is asked for between the ends, at the time of the plan", () => {
  expect(request(emptyPlan())).toBeNull();
  expect(request(two)).toEqual({
    path: "v1/transit/journeys",
    body: { from: { lat: 51.9, lon: -3.3 }, to: { lat: 51.8, lon: -3.2 }, language: "en-GB" },
  });
  const plan: Plan = {
    ...two,
    when: { kind: "arrive", at: "2026-07-01T08:30" },
    inputs: { transit: { walk: 600, changes: 0 } },
  };
  expect(request(plan)!.body).toMatchObject({
    at: withOwnOffset("2026-07-01T08:30"),
    ...{ arrive_by: true, max_walk_m: 600, max_changes: 0 },
  });
  expect(beside({}, two).map(({ body }) => body)).toMatchObject([
    { costing: "auto", locations: [{ lat: 51.9 }, { lat: 51.8 }] },
    { costing: "bicycle" },
  ]);
});

test("a walk names the entrances of stations by which it leads", () => {
  const place = { lat: 51.9, lon: -3.3, name: null, indicator: null };
  const walk = {
    ...{ mode: "walk", from: place, to: place, duration_s: 60, distance_m: 80, geometry: "" },
    ...{ depart_at: "2026-05-01T09:00:00+01:00", arrive_at: "2026-05-01T09:01:00+01:00" },
  };
  expect(doors(walk)).toEqual([]);
  expect(doors({ ...walk, exit: place })).toEqual([]);
  expect(
    doors({ ...walk, exit: { ...place, name: "West" }, entrance: { ...place, name: "North" } }),
  ).toEqual(["out by West", "in by North"]);
});

test("a journey is drawn in the colours of its lines, and its walks dotted", () => {
  const place = { lat: 51.9, lon: -3.3, name: null, indicator: null };
  const way: LonLat[] = [
    [-3.3, 51.9],
    [-3.2, 51.8],
  ];
  const leg = {
    ...{ from: place, to: { ...place, name: "Market" }, duration_s: 60, distance_m: 80 },
    ...{ depart_at: "2026-05-01T09:00:00+01:00", arrive_at: "2026-05-01T09:01:00+01:00" },
    geometry: encodePolyline(way),
  };
  const journey: Journey = {
    ...{
      depart_at: leg.depart_at,
      arrive_at: leg.arrive_at,
      duration_s: 60,
      changes: 1,
      walk_m: 80,
    },
    legs: [
      { ...leg, mode: "walk" },
      { ...leg, mode: "bus", line: "10", colour: "#0055aa", text_colour: null },
      { ...leg, mode: "rail", line: null, colour: null },
      { ...leg, mode: "walk", geometry: "" },
    ],
  };
  const shapes = shapesOf(journey);
  const lines = shapes.filter(({ geometry }) => geometry.type === "LineString");
  expect(lines.map(({ dotted = false }) => dotted)).toEqual([true, false, false]);
  expect(lines.map(({ colour }) => colour).slice(1)).toEqual([
    "#0055aa",
    badgeOf("rail", null).ground,
  ]);
  // Where one gets on and off.
  expect(shapes.filter(({ geometry }) => geometry.type === "Point")).toHaveLength(4);
});
