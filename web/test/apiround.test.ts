// Random bodies of POST /optimise with every member of the API go into the planner and come out as
// they were, but for spellings of the same and for what has no effect.
import { expect, test } from "vitest";
import { apiJSON } from "../src/dispatch/plan/apijson";
import { problemFrom } from "../src/dispatch/plan/fromapi";

type Body = Record<string, unknown>;

/** Chooses at random, always the same after the same seed. */
class Dice {
  private state: number;

  constructor(seed: number) {
    this.state = seed;
  }

  below(n: number): number {
    this.state = (Math.imul(this.state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.state / 2 ** 32) * n);
  }

  one<T>(...list: readonly T[]): T {
    return list[this.below(list.length)]!;
  }

  /** A member, in half of all bodies. */
  maybe(name: string, value: () => unknown): Body {
    return this.below(2) ? { [name]: value() } : {};
  }

  list<T>(most: number, of: (i: number) => T, least = 0): T[] {
    return Array.from({ length: least + this.below(most + 1 - least) }, (_, i) => of(i));
  }
}

/** A body with every member that the API knows, each at random. */
function bodyOf(d: Dice): Body {
  const dimensions = 1 + d.below(3);
  const amounts = () => Array.from({ length: dimensions }, () => d.one(0, 1, 7, 1_000_000, 40_000_000)); // prettier-ignore
  const room = () => Array.from({ length: dimensions }, () => d.one(0, 0, 5, 1_000_000, 1_000_000_000)); // prettier-ignore
  const place = () => {
    const [lat, lon] = [51 + d.below(99) / 100, -3.123456789];
    return d.one<unknown>({ lat, lon }, [lon, lat]);
  };
  const windows = (most = 3) => d.list(most, (i) => [i * 20_000 + d.below(9), i * 20_000 + 10_000]);
  const skills = () => [0, 3, 14, 2, -7, 100_000].filter(() => d.below(3) === 0);
  const seconds = () => d.below(4) * 61;
  const perType = () => ({ big: d.below(99) });
  const spot = (): Body => ({
    location: place(),
    ...d.maybe("description", () => d.one("Bakery", "Zur Post")),
    ...d.maybe(d.one("service_s", "service"), seconds),
    ...d.maybe("setup", seconds),
    ...d.maybe("service_per_type", perType),
    ...d.maybe("setup_per_type", perType),
    ...d.maybe("time_windows", windows),
  });
  const jobs = d.list(5, (i): Body => ({
    id: d.one<unknown>(`j${i}`, 100 + i),
    ...spot(),
    ...d.maybe("delivery", amounts),
    ...d.maybe("pickup", amounts),
    ...d.maybe("skills", skills),
    ...d.maybe("priority", () => d.below(101)),
  }), 2); // prettier-ignore
  const shipments = d.list(3, (i): Body => ({
    ...d.maybe("id", () => d.one<unknown>(`s${i}`, 200 + i)),
    pickup: { ...d.maybe("id", () => `from${i}`), ...spot() },
    delivery: { ...d.maybe("id", () => `to${i}`), ...spot() },
    ...d.maybe("amount", amounts),
    ...d.maybe("skills", skills),
    ...d.maybe("priority", () => d.below(101)),
    ...d.maybe("max_ride_time_s", seconds),
  }));
  const territories = d.list(3, (i): Body => {
    const ring = [[-4, 50], [-2, 50], [-2, 52 + i], [-4, 50]]; // prettier-ignore
    const polygon = d.one<unknown>([ring], ring, { type: "Polygon", coordinates: [ring] });
    return { id: `t${i}`, polygon };
  });
  const vehicles = d.list(4, (i): Body => ({
    id: d.one<unknown>(`v${i}`, 300 + i),
    start: place(),
    ...d.maybe("end", place),
    ...d.maybe("description", () => "North van"),
    ...d.maybe("profile", () => d.one("truck", "car")),
    ...d.maybe("capacity", room),
    ...d.maybe("costs", () => ({
      ...d.maybe("fixed", () => d.below(9)),
      ...d.maybe("per_hour", () => d.one(0, 3600, 5)),
      ...d.maybe("per_task_hour", () => d.below(9)),
      ...d.maybe("per_km", () => d.below(9)),
    })),
    ...d.maybe("skills", skills),
    ...d.maybe("type", () => "big"),
    ...d.maybe("territory_ids", () => territories.map(({ id }) => id)),
    ...(i % 2 ? d.maybe("time_windows", windows) : { time_window: [d.below(90), 50_000] }),
    ...d.maybe("breaks", () => d.list(3, (n): Body => ({
      ...d.maybe("id", () => d.one<unknown>(`lunch${n}`, n)),
      ...d.maybe("time_windows", windows),
      ...d.maybe(d.one("service_s", "service"), seconds),
      ...d.maybe("description", () => "in the shade"),
      ...d.maybe("max_load", room),
    }))), // prettier-ignore
    ...d.maybe("speed_factor", () => 0.9),
    ...d.maybe("max_tasks", () => d.below(9)),
    ...d.maybe("max_travel_time", seconds),
    ...d.maybe("max_distance", () => d.below(3) * 777),
    ...(i % 2 ? {} : d.maybe("reloads", () => ({
      max_trips: 2 + d.below(4),
      ...d.maybe("reload_time_s", seconds),
      ...d.maybe("depot", place),
    }))),
    ...(i ? {} : d.maybe("first_stop_ids", () => [jobs[0]!["id"]])),
    ...(i ? {} : d.maybe("steps", () => [{ type: "start" }, { type: "job", id: jobs[1]!["id"] }])),
  }), 1); // prettier-ignore
  const costing = d.one("auto", "truck", "bus", "motor_scooter");
  const group = () => [jobs.map(({ id }) => id)];
  return {
    vehicles,
    jobs,
    ...(shipments.length ? { shipments } : {}),
    ...(territories.length ? { territories } : {}),
    ...(costing === "auto" ? {} : { costing }),
    ...d.maybe("costing_options", () => ({ [costing]: { use_ferry: 0.4 } })),
    ...d.maybe("relax_if_unassigned", () => ({ time_windows_by_s: 60 })),
    ...d.one<Body>({}, { emissions: { vehicle_category: "van", fuel: "electric" }, avoid_zones: true }), // prettier-ignore
    ...d.maybe("date_time", () => d.one({ type: 0 }, { type: 1, value: "2026-12-02T06:15" }, { type: 1, value: "2026-12-02T00:00" })), // prettier-ignore
    ...d.maybe("together", group),
    ...d.maybe("apart", group),
    ...d.maybe("relax_if_unassigned", () => ({ allow_overtime_s: 60 })),
    ...d.maybe("stability", () => ({ vehicle: 5 })),
    ...d.maybe("explain", () => false),
    ...d.maybe("time_limit_s", () => 2.5),
    ...d.maybe("seed", () => 7),
  };
}

const isEmpty = (value: unknown): boolean =>
  Array.isArray(value) ? value.length === 0 : value !== null && typeof value === "object" && Object.keys(value).length === 0; // prettier-ignore

/** Members without those that say what holds without them. */
function plain(of: Body, usual: Body = {}): Body {
  return Object.fromEntries(
    Object.entries(of).filter(([name, value]) => !(isEmpty(value) || value === usual[name])),
  );
}

const placed = (at: unknown): unknown =>
  Array.isArray(at) ? { lat: at[1] as unknown, lon: at[0] as unknown } : at;
const without = (list: unknown): unknown =>
  Array.isArray(list) && list.every((one) => one === 0) ? [] : list;

/** A stop, or a break, in the spelling of the API's documents. */
function spotOf({ location, service, service_s, ...rest }: Body): Body {
  return { ...rest, ...(location ? { location: placed(location) } : {}), service_s: service_s ?? service ?? 0 }; // prettier-ignore
}

const text = (id: unknown): string => String(id);

/** A body in one spelling, without what has no effect; it knows nothing of the planner. */
function spelled(body: Body): Body {
  const list = (name: string): Body[] => (body[name] ?? []) as Body[];
  return plain({
    ...body,
    costing: body["costing"] ?? "auto",
    geometry: true,
    vehicles: list("vehicles").map((one) => {
      const costs = plain((one["costs"] ?? {}) as Body, { fixed: 0, per_hour: 3600, per_task_hour: 0, per_km: 0 }); // prettier-ignore
      const reloads = (one["reloads"] ?? {}) as Body;
      const shifts = one["time_window"] ? [one["time_window"]] : ((one["time_windows"] ?? []) as unknown[]); // prettier-ignore
      const capacity = (one["capacity"] ?? []) as number[];
      const unbounded = capacity.every((room) => room === 1_000_000_000);
      return plain({
        ...one,
        id: text(one["id"]),
        start: placed(one["start"]),
        end: placed(one["end"]) ?? [],
        ...(one["description"] === undefined ? {} : { description: one["description"] }),
        capacity: unbounded ? [] : capacity,
        costs,
        reloads: plain({ ...reloads, depot: placed(reloads["depot"]) ?? [] }, { reload_time_s: 0 }),
        time_window: [],
        time_windows: shifts,
        breaks: ((one["breaks"] ?? []) as Body[]).map((rest, i) => {
          const loads = (rest["max_load"] ?? []) as number[];
          const any = loads.every((load) => load === 1_000_000_000);
          return plain({ ...spotOf(rest), id: text(rest["id"] ?? `Break ${i + 1}`), max_load: any ? [] : loads }); // prettier-ignore
        }),
      }, { max_tasks: 0, max_travel_time: 0, max_distance: 0 }); // prettier-ignore
    }),
    jobs: list("jobs").map((one) => plain({
      ...spotOf(one),
      id: text(one["id"]),
      delivery: without(one["delivery"] ?? []),
      pickup: without(one["pickup"] ?? []),
    }, { priority: 0 })), // prettier-ignore
    shipments: list("shipments").map((one, i) => {
      const id = text(one["id"] ?? `shipment-${i + 1}`);
      const [pickup, delivery] = [one["pickup"], one["delivery"]] as [Body, Body];
      return plain({
        ...one,
        id,
        pickup: plain({ ...spotOf(pickup), id: pickup["id"] ?? `${id}/pickup` }),
        delivery: plain({ ...spotOf(delivery), id: delivery["id"] ?? `${id}/delivery` }),
        amount: without(one["amount"] ?? []),
      }, { priority: 0, max_ride_time_s: 0 }); // prettier-ignore
    }),
    territories: list("territories").map(({ id, polygon }) => {
      const rings = Array.isArray(polygon) ? (polygon as unknown[][][]) : ((polygon as Body)["coordinates"] as unknown[][][]); // prettier-ignore
      return { id, polygon: typeof rings[0]![0] === "number" ? [rings] : rings };
    }),
  });
}

test("bodies of the API come out as they went in", () => {
  for (let seed = 1; seed <= 150; seed++) {
    const body = bodyOf(new Dice(seed * 7919));
    const out = JSON.parse(apiJSON(problemFrom(body))) as Body;
    expect(spelled(out), `seed ${seed}`).toEqual(spelled(body));
    // What comes out goes in once more.
    expect(JSON.parse(apiJSON(problemFrom(out))), `seed ${seed}`).toEqual(out);
  }
});
