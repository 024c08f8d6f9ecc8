import { tr } from "../../ui/translate";
import type { LonLat } from "../../geo/coords";
import { isRecord } from "../../call/record";
import { isCosting } from "../../plan/options";
import { readAreas, type Area } from "../problem/areas";
import {
  BLANK_BREAK,
  BLANK_STOP,
  BLANK_VEHICLE,
  EMPTY,
  problemOf,
  USUAL_HOUR,
  type Break,
  type Members,
  type Problem,
  type Stop,
  type Vehicle,
  type Window,
} from "../problem/model";
import { clock } from "../problem/times";
import { records, text } from "../problem/values";
import { begins, UNBOUNDED } from "./request";

/** Whether a file is the body of a request, with stops in it. */
export function isRequest(file: unknown): file is Members {
  return isRecord(file) && (Array.isArray(file["jobs"]) || Array.isArray(file["shipments"]));
}

/**
 * The problem of a request's body. Members that the planner has no inputs for are kept as they are,
 * and sent again. Throws what is wrong, in words.
 */
export function problemFrom(file: unknown): Problem {
  if (!isRequest(file))
    throw new Error(tr("This is no body of POST /optimise: it has no jobs and no shipments."));
  const { vehicles, jobs, shipments, territories, costing, geometry: _, ...more } = file;
  const ids = new Set<string>();
  const own = (id: unknown, usual: string): string => {
    let free = id === undefined || id === null ? usual : String(id);
    for (let n = 2, like = free; ids.has(free); n++) free = `${like}-${n}`;
    ids.add(free);
    return free;
  };
  const areas = areasOf(territories);
  const stops = [
    ...objects(jobs, (n) => tr("job {0}", n)).map(([job, where], i) =>
      jobOf(job, where, own(job["id"], `job-${i + 1}`)),
    ),
    ...objects(shipments, (n) => tr("shipment {0}", n)).flatMap(([one, where], i) =>
      endsOf(one, where, own, i),
    ),
  ];
  const cars = objects(vehicles, (n) => tr("vehicle {0}", n)).map(([one, where], i) =>
    vehicleOf(one, where, i, areas),
  );
  const most = Math.max(
    1,
    ...stops.map((s) => s.amounts.length),
    ...cars.flatMap((v) => [v.capacities.length, ...v.breaks.map((rest) => rest.loads.length)]),
  );
  const kept = typeof costing === "string" && !isCosting(costing) ? { ...more, costing } : more;
  return ofDay(
    problemOf({
      ...EMPTY,
      stops,
      vehicles: cars,
      areas,
      costing: typeof costing === "string" && isCosting(costing) ? costing : EMPTY.costing,
      loads: Array.from({ length: most }, (__, i) => (most > 1 ? `Amount ${i + 1}` : "Amount")),
      more: kept,
    }),
  );
}

/** A problem with the day of its departure; another time than that of the first shift stays as it came. */
function ofDay(problem: Problem): Problem {
  const { date_time: given, ...more } = problem.more;
  if (!isRecord(given) || given["type"] !== 1 || Object.keys(given).length > 2) return problem;
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)$/.exec(String(given["value"])) ?? [];
  if (!day) return problem;
  return { ...problem, day, more: time === clock(begins(problem)) ? more : problem.more };
}

/** The objects of a list with what they are called; throws where one is none. */
function objects(value: unknown, called: (number: number) => string): [Members, string][] {
  return list(value).map((one, i) => {
    if (!isRecord(one)) throw new Error(tr("The {0} is no object.", called(i + 1)));
    return [one, called(i + 1)];
  });
}

function jobOf(job: Members, where: string, id: string): Stop {
  const { delivery: _, pickup: __, skills, priority, ...rest } = job;
  const read = new Reader(where, job);
  const [brought, pickup] = [read.numbers("delivery"), read.numbers("pickup")];
  const [brings, takes] = [brought, pickup].map((all) => all.some((one) => one !== 0));
  const collects = !brings && takes === true;
  const place = placeOf(rest, where);
  return {
    ...place,
    id,
    name: place.name || id,
    amounts: collects ? pickup : brought,
    collects,
    priority: read.number("priority") ?? 0,
    skills: read.skills(),
    more: { ...place.more, ...(brings && takes ? { pickup } : {}) },
  };
}

/** The two stops of a shipment. As in VROOM's bodies one id of both is that of the shipment. */
function endsOf(
  shipment: Members,
  where: string,
  own: (id: unknown, usual: string) => string,
  index: number,
): Stop[] {
  const { pickup: from, delivery: to } = shipment;
  if (!isRecord(from) || !isRecord(to))
    throw new Error(tr("The {0} has no pickup and delivery.", where));
  const shared = !isNone(from["id"]) && from["id"] === to["id"];
  const name = own(shipment["id"] ?? (shared ? from["id"] : undefined), `shipment-${index + 1}`);
  const read = new Reader(where, shipment);
  const common = {
    shipment: name,
    amounts: read.numbers("amount"),
    ride: read.number("max_ride_time_s") ?? 0,
    priority: read.number("priority") ?? 0,
    skills: read.skills(),
  };
  const end = (one: Members, what: string): Stop => {
    const place = placeOf(one, tr("{0} of {1}", what, where));
    const id = own(shared ? undefined : one["id"], `${name}/${what}`);
    return { ...place, ...common, id, name: place.name || id, collects: what === "pickup" };
  };
  return [end(from, "pickup"), end(to, "delivery")];
}

/** What jobs and the ends of shipments share. */
function placeOf(one: Members, where: string): Stop & { more: Members } {
  const { id: _, description, location, service_s, service, time_windows, ...more } = one;
  const read = new Reader(where, one);
  return {
    ...BLANK_STOP,
    name: text(description) ?? "",
    at: read.position("location"),
    service: read.number(isNone(service_s) ? "service" : "service_s") ?? 0,
    windows: read.windows("time_windows"),
    more,
  };
}

function vehicleOf(
  vehicle: Members,
  where: string,
  index: number,
  areas: readonly Area[],
): Vehicle {
  const { id: given, description, start, end, time_window, time_windows, ...rest } = vehicle;
  const { capacity, skills, breaks, max_tasks, max_travel_time, max_distance, ...others } = rest;
  const id = String(given ?? `vehicle-${index + 1}`);
  const read = new Reader(where, vehicle);
  const more: Record<string, unknown> = { ...others };
  const known = new Set(areas.map(({ name }) => name));
  const bound = list(more["territory_ids"]).map(String);
  const drawn = bound.every((name) => known.has(name));
  if (drawn) delete more["territory_ids"];
  const costs = read.part(more, "costs", ["fixed", "per_hour", "per_km"]);
  const reloads = read.part(more, "reloads", ["max_trips", "reload_time_s"]);
  return {
    ...BLANK_VEHICLE,
    id,
    name: text(description) ?? id,
    start: isNone(start) ? null : read.position("start"),
    end: isNone(end) ? null : read.position("end"),
    shifts: isNone(time_window)
      ? read.windows("time_windows")
      : new Reader(where, { time_window: [time_window] }).windows("time_window"),
    capacities: read.numbers("capacity").map((one) => (one === UNBOUNDED ? null : one)),
    skills: read.skills(),
    breaks: objects(breaks, (n) => tr("{0} of {1}", `break ${n}`, where)).map(([one, of]) =>
      breakOf(one, of),
    ),
    trips: reloads["max_trips"] ?? 1,
    reload: reloads["reload_time_s"] ?? 0,
    areas: drawn ? bound : [],
    mostStops: read.number("max_tasks") ?? 0,
    mostDriving: read.number("max_travel_time") ?? 0,
    mostMetres: read.number("max_distance") ?? 0,
    perTrip: costs["fixed"] ?? 0,
    perHour: costs["per_hour"] ?? USUAL_HOUR,
    perKilometre: costs["per_km"] ?? 0,
    more,
  };
}

function breakOf(one: Members, where: string): Break {
  const { id, time_windows, service_s, service, max_load, ...more } = one;
  const read = new Reader(where, one);
  return {
    ...BLANK_BREAK,
    id: isNone(id) ? "" : String(id),
    windows: read.windows("time_windows"),
    lasts: read.number(isNone(service_s) ? "service" : "service_s") ?? 0,
    loads: read.numbers("max_load").map((load) => (load === UNBOUNDED ? null : load)),
    more,
  };
}

/** The areas of territories, whose polygon may be rings, one ring alone or a GeoJSON Polygon. */
function areasOf(territories: unknown): readonly Area[] {
  return records(territories).flatMap((one): Area[] => {
    const { id, polygon } = one;
    const alone = Array.isArray(polygon) && typeof list(list(polygon)[0])[0] === "number";
    const geometry = isRecord(polygon)
      ? polygon
      : { type: "Polygon", coordinates: alone ? [polygon] : polygon };
    const feature = { type: "Feature", properties: { name: String(id) }, geometry };
    return [...readAreas(feature)].map((area) => ({ ...area, name: String(id) }));
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function isNone(value: unknown): value is null | undefined {
  return value === undefined || value === null;
}

/** Reads members of one thing; what cannot be read is an error that names both. */
class Reader {
  private readonly where: string;
  private readonly of: Members;

  constructor(where: string, of: Members) {
    this.where = where;
    this.of = of;
  }

  private refuse(member: string): never {
    throw new Error(tr("The {0} of {1} cannot be read.", member, this.where));
  }

  number(member: string): number | null {
    const value = this.of[member];
    if (isNone(value)) return null;
    return typeof value === "number" && Number.isFinite(value) ? value : this.refuse(member);
  }

  numbers(member: string): number[] {
    const value = this.of[member];
    if (isNone(value)) return [];
    const given = list(value).filter((one) => typeof one === "number");
    return Array.isArray(value) && given.length === value.length ? given : this.refuse(member);
  }

  /** Skills are numbers in a request, and words here. */
  skills(): string[] {
    return this.numbers("skills").map((one) => `Skill ${one}`);
  }

  windows(member: string): Window[] {
    const value = this.of[member];
    if (isNone(value)) return [];
    if (!Array.isArray(value)) return this.refuse(member);
    return (value as unknown[]).map((one): Window => {
      const [from, to, ...others] = list(one);
      return typeof from === "number" && typeof to === "number" && others.length === 0
        ? [from, to]
        : this.refuse(member);
    });
  }

  position(member: string): LonLat {
    const value = this.of[member];
    const [lon, lat] = isRecord(value) ? [value["lon"], value["lat"]] : list(value);
    if (typeof lon !== "number" || typeof lat !== "number") return this.refuse(member);
    return Math.abs(lat) <= 90 && Math.abs(lon) <= 180 ? [lon, lat] : this.refuse(member);
  }

  /** Takes numbers out of an object among other members; what is left of it stays there. */
  part(more: Record<string, unknown>, member: string, names: readonly string[]) {
    const given = more[member];
    const numbers: Record<string, number> = {};
    if (!isRecord(given)) return numbers;
    const rest = { ...given };
    for (const name of names) {
      const value = new Reader(`${member}, ${this.where}`, given).number(name);
      if (value !== null) numbers[name] = value;
      delete rest[name];
    }
    if (Object.keys(rest).length) more[member] = rest;
    else delete more[member];
    return numbers;
  }
}
