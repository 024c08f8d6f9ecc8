import { tr } from "../../ui/translate";
import type { LonLat } from "../../geo/coords";
import { isRecord } from "../../call/record";
import { isCosting } from "../../plan/options";
import { readAreas, type Area } from "../problem/areas";
import {
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
import { number, numbers, records, text } from "../problem/values";
import { requestOf, UNBOUNDED } from "./request";

/**
 * A problem as the body of POST /optimise, with names as descriptions. What the request leaves out,
 * such as stops without a place, is not in it.
 */
export function apiJSON(problem: Problem): string {
  const names = new Map<string, string>([
    ...problem.stops.map(({ id, name }) => [`stop ${id}`, name] as [string, string]),
    ...problem.vehicles.map(({ id, name }) => [`vehicle ${id}`, name] as [string, string]),
  ]);
  const described = (kind: string, one: Members): Members => {
    const name = names.get(`${kind} ${String(one["id"])}`);
    return name && name !== one["id"] ? { ...one, description: name } : one;
  };
  const { vehicles, jobs, shipments, ...rest } = requestOf(problem);
  const body = {
    vehicles: vehicles.map((one) => described("vehicle", one)),
    jobs: jobs.map((one) => described("stop", one)),
    ...(shipments
      ? {
          shipments: shipments.map((one) => ({
            ...one,
            pickup: described("stop", one["pickup"] as Members),
            delivery: described("stop", one["delivery"] as Members),
          })),
        }
      : {}),
    ...rest,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}

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
    ...records(jobs).map((job, i) => jobOf(job, own(job["id"], `job-${i + 1}`), i)),
    ...records(shipments).flatMap((one, i) => endsOf(one, i, own)),
  ];
  const cars = records(vehicles).map((one, i) => vehicleOf(one, i, areas));
  const most = Math.max(
    1,
    ...stops.map((s) => s.amounts.length),
    ...cars.map((v) => v.capacities.length),
  );
  const kept = typeof costing === "string" && !isCosting(costing) ? { ...more, costing } : more;
  return problemOf({
    ...EMPTY,
    stops,
    vehicles: cars,
    areas,
    costing: typeof costing === "string" && isCosting(costing) ? costing : EMPTY.costing,
    loads: Array.from({ length: most }, (__, i) => (most > 1 ? `Amount ${i + 1}` : "Amount")),
    more: kept,
  });
}

function jobOf(job: Members, id: string, index: number): Stop {
  const { delivery, pickup, skills, priority, ...rest } = job;
  const collects = delivery === undefined && pickup !== undefined;
  const place = placeOf(rest, tr("job {0}", index + 1));
  return {
    ...place,
    id,
    name: place.name || id,
    amounts: numbers(delivery ?? pickup),
    collects,
    priority: number(priority) ?? 0,
    skills: skillNames(skills),
    more: { ...place.more, ...(collects || pickup === undefined ? {} : { pickup }) },
  };
}

/** The two stops of a shipment. */
function endsOf(
  shipment: Members,
  index: number,
  own: (id: unknown, usual: string) => string,
): Stop[] {
  const at = tr("shipment {0}", index + 1);
  const name = String(shipment["id"] ?? `shipment-${index + 1}`);
  const [from, to] = [shipment["pickup"], shipment["delivery"]];
  if (!isRecord(from) || !isRecord(to))
    throw new Error(tr("The {0} has no pickup and delivery.", at));
  const common = {
    shipment: name,
    amounts: numbers(shipment["amount"]),
    ride: number(shipment["max_ride_time_s"]) ?? 0,
    priority: number(shipment["priority"]) ?? 0,
    skills: skillNames(shipment["skills"]),
  };
  const end = (one: Members, what: string): Stop => {
    const place = placeOf(one, tr("{0} of {1}", what, at));
    const id = own(one["id"], `${name}/${what}`);
    return { ...place, ...common, id, name: place.name || id, collects: what === "pickup" };
  };
  return [end(from, "pickup"), end(to, "delivery")];
}

/** What jobs and the ends of shipments share. */
function placeOf(one: Members, what: string): Stop & { more: Members } {
  const { id: _, description, location, service_s, service, time_windows, ...more } = one;
  return {
    ...BLANK_STOP,
    name: text(description) ?? "",
    at: positionOf(location, what),
    service: number(service_s) ?? number(service) ?? 0,
    windows: windowsOf(time_windows),
    more,
  };
}

function vehicleOf(vehicle: Members, index: number, areas: readonly Area[]): Vehicle {
  const {
    id: given,
    description,
    start,
    end,
    time_window,
    time_windows,
    capacity,
    skills,
    ...rest
  } = vehicle;
  const { breaks, max_tasks, max_travel_time, max_distance, ...others } = rest;
  const id = String(given ?? `vehicle-${index + 1}`);
  const more: Record<string, unknown> = { ...others };
  const where = tr("vehicle {0}", index + 1);
  const place = (at: unknown): LonLat | null => (at == null ? null : positionOf(at, where));
  const known = new Set(areas.map(({ name }) => name));
  const bound = list(more["territory_ids"]).map(String);
  const drawn = bound.every((name) => known.has(name));
  if (drawn) delete more["territory_ids"];
  // What the planner has inputs for only in part stays as it came.
  const costs = isRecord(more["costs"]) ? more["costs"] : {};
  const plain = number(costs["per_task_hour"]) === null;
  if (plain) delete more["costs"];
  const reloads = isRecord(more["reloads"]) ? more["reloads"] : null;
  if (reloads && reloads["depot"] === undefined) delete more["reloads"];
  return {
    ...BLANK_VEHICLE,
    id,
    name: text(description) ?? id,
    start: place(start),
    end: place(end),
    shifts: windowsOf(time_window === undefined ? time_windows : [time_window]),
    capacities: numbers(capacity).map((one) => (one === UNBOUNDED ? 0 : one)),
    skills: skillNames(skills),
    breaks: records(breaks).map(breakOf),
    trips: (reloads && number(reloads["max_trips"])) ?? 1,
    reload: (reloads && number(reloads["reload_time_s"])) ?? 0,
    areas: drawn ? bound : [],
    mostStops: number(max_tasks) ?? 0,
    mostDriving: number(max_travel_time) ?? 0,
    mostMetres: number(max_distance) ?? 0,
    perTrip: (plain && number(costs["fixed"])) || 0,
    perHour: (plain ? number(costs["per_hour"]) : null) ?? USUAL_HOUR,
    perKilometre: (plain && number(costs["per_km"])) || 0,
    more,
  };
}

function breakOf(one: Members): Break {
  return {
    windows: windowsOf(one["time_windows"]),
    lasts: number(one["service_s"]) ?? number(one["service"]) ?? 0,
    loads: numbers(one["max_load"]).map((load) => (load === UNBOUNDED ? null : load)),
  };
}

function areasOf(territories: unknown): readonly Area[] {
  return records(territories).flatMap((one): Area[] => {
    const coordinates = one["polygon"];
    const geometry = isRecord(coordinates) ? coordinates : { type: "Polygon", coordinates };
    const feature = { type: "Feature", properties: { name: String(one["id"]) }, geometry };
    return [...readAreas(feature)].map((area) => ({ ...area, name: String(one["id"]) }));
  });
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Skills are numbers in a request, and words here. */
function skillNames(skills: unknown): string[] {
  return numbers(skills).map((one) => `Skill ${one}`);
}

function windowsOf(value: unknown): Window[] {
  return list(value).flatMap((one): Window[] => {
    const [from, to] = numbers(one);
    return from === undefined || to === undefined ? [] : [[from, to]];
  });
}

function positionOf(value: unknown, what: string): LonLat {
  const [lon, lat] = isRecord(value)
    ? [number(value["lon"]), number(value["lat"])]
    : numbers(value);
  if (lon == null || lat == null || Math.abs(lat) > 90 || Math.abs(lon) > 180)
    throw new Error(tr("The location of {0} cannot be read.", what));
  return [lon, lat];
}
