import type { LonLat } from "../coords";
import { isRecord } from "../record";
import { decodePolyline } from "../polyline";
import type { Problem, Stop, Vehicle, Window } from "./model";
import type { Route, Visit } from "./schedule";

interface Position {
  readonly lat: number;
  readonly lon: number;
}

/** The body of POST /optimise and POST /v1/jobs/optimise. */
export interface OptimiseRequest {
  readonly vehicles: readonly Readonly<Record<string, unknown>>[];
  readonly jobs: readonly Readonly<Record<string, unknown>>[];
  readonly costing: string;
  readonly geometry: true;
}

const position = ([lon, lat]: LonLat): Position => ({ lat, lon });

/** What is sent for a problem; its times are seconds from midnight of the day. */
export function requestOf({ stops, vehicles, costing }: Problem): OptimiseRequest {
  const skills = skillNumbers({ stops, vehicles });
  const bounded = vehicles.some(({ capacity }) => capacity > 0);
  return {
    vehicles: vehicles.map((vehicle) => vehicleOf(vehicle, skills, bounded)),
    jobs: stops.flatMap((stop) => {
      const job = jobOf(stop, skills, bounded);
      return job ? [job] : [];
    }),
    costing,
    geometry: true,
  };
}

/** More than any round carries: what stands for a vehicle without a bound beside one with. */
const UNBOUNDED = 1_000_000;

function vehicleOf(
  { id, start, end, shift, capacity, skills: can }: Vehicle,
  skills: ReadonlyMap<string, number>,
  bounded: boolean,
): Record<string, unknown> {
  return {
    id,
    ...(start ? { start: position(start) } : {}),
    ...(end ? { end: position(end) } : {}),
    time_window: shift,
    ...(bounded ? { capacity: [capacity || UNBOUNDED] } : {}),
    ...(can.length ? { skills: can.map((skill) => skills.get(skill)) } : {}),
  };
}

/** A stop as a job; null while it has no place. */
export function jobOf(
  { id, at, service, windows, amount, priority, skills: needs }: Stop,
  skills: ReadonlyMap<string, number>,
  bounded: boolean,
): Record<string, unknown> | null {
  if (!at) return null;
  return {
    id,
    location: position(at),
    service_s: service,
    ...(windows.length ? { time_windows: windows } : {}),
    ...(bounded ? { delivery: [amount] } : {}),
    ...(priority ? { priority } : {}),
    ...(needs.length ? { skills: needs.map((skill) => skills.get(skill)) } : {}),
  };
}

/** Skills have numbers in a request; these follow the alphabet. */
export function skillNumbers({
  stops,
  vehicles,
}: Pick<Problem, "stops" | "vehicles">): ReadonlyMap<string, number> {
  const names = [...stops, ...vehicles].flatMap(({ skills }) => skills);
  return new Map([...new Set(names)].toSorted().map((name, index) => [name, index + 1]));
}

/** A change that would have a stop served. */
export interface Relaxation {
  readonly text: string;
  /** The problem with the change made; null where the page cannot make it. */
  readonly apply: ((problem: Problem) => Problem) | null;
}

/** A stop that is left out, with why. */
export interface Left {
  readonly stop: string;
  readonly reason: string;
  /** Each alone would have it served; the first asks for least. */
  readonly relaxations: readonly Relaxation[];
}

/** What the solver answered. */
export interface Answer {
  readonly routes: readonly Route[];
  readonly lines: Readonly<Record<string, readonly LonLat[]>>;
  readonly left: readonly Left[];
  readonly cost: number | null;
  /** What it says besides. */
  readonly notes: readonly string[];
}

/** Reads the answer of POST /optimise or /optimise/replan; throws where it is none. */
export function readAnswer(body: unknown, problem: Problem): Answer {
  if (!isRecord(body) || !Array.isArray(body["routes"])) {
    throw new TypeError("The answer holds no routes.");
  }
  const routes = body["routes"].filter(isRecord);
  const lines: Record<string, readonly LonLat[]> = {};
  for (const route of routes) {
    const line = lineOf(route["geometry"]);
    const vehicle = String(route["vehicle"]);
    if (line) lines[vehicle] = [...(lines[vehicle] ?? []), ...line];
  }
  const summary = isRecord(body["summary"]) ? body["summary"] : {};
  const left = Array.isArray(body["unassigned"]) ? body["unassigned"].filter(isRecord) : [];
  const replan = isRecord(body["replan"]) ? body["replan"] : {};
  return {
    routes: routes.map((route) => routeOf(route, problem)),
    lines,
    left: left.map((entry) => leftOf(entry, problem)),
    cost: number(summary["cost"]),
    notes: [...texts(body["warnings"]), ...texts(replan["notes"])],
  };
}

function routeOf(route: Record<string, unknown>, { stops, vehicles }: Problem): Route {
  const steps = Array.isArray(route["steps"]) ? route["steps"].filter(isRecord) : [];
  const vehicle = String(route["vehicle"]);
  const known = new Map(stops.map((stop) => [stop.id, stop]));
  const visits = steps.flatMap((step): Visit[] => {
    const id = String(step["id"]);
    const stop = known.get(id);
    if (!stop || step["type"] !== "job") return [];
    const arrival = number(step["arrival"]) ?? 0;
    const begin = arrival + (number(step["waiting_time"]) ?? 0);
    const service = number(step["service"]) ?? stop.service;
    const end = begin + (number(step["setup"]) ?? 0) + service;
    return [{ stop: id, arrival, begin, end, late: 0 }];
  });
  const arrivals = steps.map((step) => number(step["arrival"]) ?? 0);
  const shift = vehicles.find(({ id }) => id === vehicle)?.shift[0] ?? 0;
  return {
    vehicle,
    visits,
    departure: arrivals[0] ?? shift,
    finish: Math.max(arrivals.at(-1) ?? 0, visits.at(-1)?.end ?? 0),
    driving: number(route["duration"]) ?? 0,
    distance: number(route["distance"]) ?? 0,
    broken: [],
  };
}

function lineOf(geometry: unknown): readonly LonLat[] | null {
  return typeof geometry === "string" && geometry ? decodePolyline(geometry) : null;
}

function leftOf(entry: Record<string, unknown>, problem: Problem): Left {
  const stop = String(entry["id"]);
  const list = Array.isArray(entry["relaxations"]) ? entry["relaxations"].filter(isRecord) : [];
  return {
    stop,
    reason: text(entry["detail"]) ?? text(entry["reason"])?.replaceAll("_", " ") ?? "",
    relaxations: list.flatMap((one) => relaxationOf(one, stop, problem) ?? []),
  };
}

/** What a relaxation asks for that this page has no field for. */
const ELSEWHERE = ["leaves_territory", "max_tasks", "max_travel_time", "max_distance"];

function relaxationOf(
  entry: Record<string, unknown>,
  stop: string,
  problem: Problem,
): Relaxation | null {
  const said = text(entry["text"]);
  if (!said) return null;
  if (ELSEWHERE.some((member) => entry[member])) return { text: said, apply: null };
  const vehicle = String(entry["vehicle"]);
  const windows = number(entry["time_windows_by_s"]) ?? 0;
  const later = number(entry["allow_overtime_s"]) ?? 0;
  const [more = 0] = numbers(entry["capacity"]);
  const names = [...skillNumbers(problem)];
  const lacks = numbers(entry["skills"]).flatMap((wanted) => {
    return names.filter(([, number]) => number === wanted).map(([name]) => name);
  });
  return {
    text: said,
    apply: (before) => {
      let after = before;
      if (windows) after = widened(after, stop, windows);
      if (later) after = overtime(after, vehicle, later);
      if (more) after = roomier(after, vehicle, more);
      if (lacks.length) after = abler(after, vehicle, lacks);
      return after;
    },
  };
}

/** A problem with more time for a stop: every window by as much on both sides. */
function widened(problem: Problem, stop: string, by: number): Problem {
  const wider = ([from, to]: Window): Window => [Math.max(0, from - by), to + by];
  return {
    ...problem,
    stops: problem.stops.map((one) =>
      one.id === stop ? { ...one, windows: one.windows.map(wider) } : one,
    ),
  };
}

/** A problem in which a vehicle works longer. */
function overtime(problem: Problem, vehicle: string, by: number): Problem {
  return {
    ...problem,
    vehicles: problem.vehicles.map((one) =>
      one.id === vehicle ? { ...one, shift: [one.shift[0], one.shift[1] + by] } : one,
    ),
  };
}

/** A problem in which a vehicle carries more. */
function roomier(problem: Problem, vehicle: string, by: number): Problem {
  return {
    ...problem,
    vehicles: problem.vehicles.map((one) =>
      one.id === vehicle && one.capacity > 0 ? { ...one, capacity: one.capacity + by } : one,
    ),
  };
}

/** A problem in which a vehicle can do more. */
function abler(problem: Problem, vehicle: string, skills: readonly string[]): Problem {
  return {
    ...problem,
    vehicles: problem.vehicles.map((one) =>
      one.id === vehicle ? { ...one, skills: [...new Set([...one.skills, ...skills])] } : one,
    ),
  };
}

function number(value: unknown): number | null {
  return typeof value === "number" && Number.isFinite(value) ? value : null;
}

function numbers(value: unknown): number[] {
  return Array.isArray(value) ? value.filter((one): one is number => typeof one === "number") : [];
}

function text(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function texts(value: unknown): string[] {
  const list = Array.isArray(value) ? (value as unknown[]) : [];
  return list.flatMap((one) => {
    const said = typeof one === "string" ? one : isRecord(one) ? text(one["message"]) : null;
    return said ? [said] : [];
  });
}
