import type { Stop, Vehicle } from "./model";
import { lasting } from "./times";

/** Times and lengths between places, by the places' numbers; null where there is no way. */
export interface Ways {
  readonly durations: readonly (readonly (number | null)[])[];
  readonly distances: readonly (readonly (number | null)[])[];
}

/** Where the ends of a vehicle and the stops are in Ways. */
export interface Places {
  readonly stop: (id: string) => number;
  /** -1 where the vehicle has none. */
  readonly start: (vehicle: string) => number;
  readonly end: (vehicle: string) => number;
}

/** A visit of a route. All times are seconds from midnight. */
export interface Visit {
  readonly stop: string;
  readonly arrival: number;
  /** When the work begins: later than the arrival where one must wait. */
  readonly begin: number;
  readonly end: number;
  /** Seconds after the last window. */
  readonly late: number;
}

/** A vehicle's day. */
export interface Route {
  readonly vehicle: string;
  readonly visits: readonly Visit[];
  readonly departure: number;
  readonly finish: number;
  /** Seconds of driving. */
  readonly driving: number;
  /** Metres. */
  readonly distance: number;
  /** What is wrong with it, in words. */
  readonly broken: readonly string[];
}

interface Given {
  readonly vehicle: Vehicle;
  readonly stops: readonly Stop[];
  readonly ways: Ways;
  readonly places: Places;
}

/** The day of a vehicle that visits stops in this order: as soon as can be, and whatever that breaks. */
export function schedule({ vehicle, stops, ways, places }: Given): Route {
  const broken: string[] = [];
  const [opens, closes] = vehicle.shift;
  let at = places.start(vehicle.id);
  let now = opens;
  let driving = 0;
  let distance = 0;
  const drive = (to: number, name: string): void => {
    if (at >= 0 && to >= 0 && at !== to) {
      const seconds = ways.durations[at]?.[to] ?? null;
      if (seconds === null) broken.push(`there is no way to ${name}`);
      now += seconds ?? 0;
      driving += seconds ?? 0;
      distance += ways.distances[at]?.[to] ?? 0;
    }
    if (to >= 0) at = to;
  };
  const visits = stops.map((stop): Visit => {
    drive(places.stop(stop.id), stop.name);
    const arrival = now;
    const open = stop.windows.find(([, to]) => arrival <= to);
    const begin = Math.max(arrival, open?.[0] ?? arrival);
    const late = open || stop.windows.length === 0 ? 0 : arrival - stop.windows.at(-1)![1];
    if (late > 0) broken.push(`${stop.name} is reached ${Math.ceil(late / 60)} min late`);
    now = begin + stop.service;
    return { stop: stop.id, arrival, begin, end: now, late };
  });
  if (visits.length) drive(places.end(vehicle.id), "the end");
  if (visits.length && now > closes) {
    broken.push(`the shift is ${Math.ceil((now - closes) / 60)} min too short`);
  }
  const load = stops.reduce((sum, { amount }) => sum + amount, 0);
  if (vehicle.capacity > 0 && load > vehicle.capacity) {
    broken.push(`it carries ${load} of at most ${vehicle.capacity}`);
  }
  for (const { name, skills } of stops) {
    const lacks = skills.filter((skill) => !vehicle.skills.includes(skill));
    if (lacks.length) broken.push(`${name} needs ${lacks.join(", ")}`);
  }
  return { vehicle: vehicle.id, visits, departure: opens, finish: now, driving, distance, broken };
}

/** Orders of visits by vehicle. */
export type Orders = Readonly<Record<string, readonly string[]>>;

/** The orders with a stop at a place of a vehicle's; before takes it out of where it is. */
export function moved(orders: Orders, stop: string, vehicle: string, index: number): Orders {
  const next: Record<string, readonly string[]> = {};
  for (const [id, list] of Object.entries(orders))
    next[id] = list.filter((other) => other !== stop);
  const list = [...(next[vehicle] ?? [])];
  list.splice(Math.max(0, Math.min(index, list.length)), 0, stop);
  next[vehicle] = list;
  return next;
}

/** At which place of a route a time falls: before the first visit that begins after it. */
export function placeAt(route: Route | undefined, time: number, without: string): number {
  const visits = route?.visits.filter(({ stop }) => stop !== without) ?? [];
  const after = visits.findIndex(({ begin, end }) => (begin + end) / 2 > time);
  return after < 0 ? visits.length : after;
}

/** What one set of routes costs more than another. */
export interface Difference {
  readonly driving: number;
  readonly distance: number;
  /** What is broken that was not before. */
  readonly broken: readonly string[];
}

export function difference(after: readonly Route[], before: readonly Route[]): Difference {
  const sum = (routes: readonly Route[], of: "driving" | "distance"): number =>
    routes.reduce((total, route) => total + route[of], 0);
  const old = new Set(before.flatMap((route) => route.broken));
  return {
    driving: sum(after, "driving") - sum(before, "driving"),
    distance: sum(after, "distance") - sum(before, "distance"),
    broken: after.flatMap((route) => route.broken).filter((text) => !old.has(text)),
  };
}

/** "+5 min driving, +1.2 km; Bakery is reached 7 min late". */
export function costWords({ driving, distance, broken }: Difference): string {
  const km = distance / 1000;
  const sign = km < 0 ? "−" : "+";
  const parts = [
    `${lasting(driving, true)} driving, ${sign}${Math.abs(km).toFixed(1)} km`,
    ...broken,
  ];
  return `${parts.join("; ")}.`;
}
