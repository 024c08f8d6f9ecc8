import type { Area } from "./areas";
import { judge } from "./judge";
import { legsOf } from "./legs";
import type { Stop, Vehicle, Window } from "./model";
import type { Call } from "./trips";

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
  /** From 0; the vehicle is loaded anew between two. */
  readonly trip: number;
  readonly arrival: number;
  /** When the work begins: later than the arrival where one must wait. */
  readonly begin: number;
  readonly end: number;
  /** Seconds after the last window. */
  readonly late: number;
}

/** What a vehicle does between its visits: a break, or being loaded anew. */
export interface Rest {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

/** A vehicle's day. */
export interface Route {
  readonly vehicle: string;
  readonly visits: readonly Visit[];
  readonly rests: readonly Rest[];
  readonly departure: number;
  readonly finish: number;
  /** Seconds of driving. */
  readonly driving: number;
  /** Metres. */
  readonly distance: number;
  /** What is wrong with it, in words. */
  readonly broken: readonly string[];
}

export interface Given {
  readonly vehicle: Vehicle;
  readonly calls: readonly Call[];
  readonly ways: Ways;
  readonly places: Places;
  readonly loads: readonly string[];
  readonly areas: readonly Area[];
}

/** The day of a vehicle that visits stops in this order: as soon as can be, and whatever that breaks. */
export function schedule(given: Given): Route {
  return new Day(given).route();
}

/** A day while it is gone through. */
class Day {
  private readonly given: Given;
  private readonly broken: string[] = [];
  private readonly rests: Rest[] = [];
  private readonly departure: number;
  private at: number;
  private now: number;
  private driving = 0;
  private distance = 0;
  private breaks = 0;

  constructor(given: Given) {
    this.given = given;
    const { vehicle, places } = given;
    this.at = places.start(vehicle.id);
    this.now = this.departure = vehicle.shifts[0]?.[0] ?? 0;
  }

  route(): Route {
    const { vehicle, calls, places } = this.given;
    const visits: Visit[] = [];
    calls.forEach(({ stop, trip }, i) => {
      if (i > 0 && calls[i - 1]!.trip !== trip) this.reload();
      visits.push(this.visit(stop, trip));
    });
    if (visits.length) {
      this.rest(Number.POSITIVE_INFINITY);
      this.drive(places.end(vehicle.id), "the end");
    }
    const { departure, now: finish, driving, distance, rests } = this;
    const day = { vehicle: vehicle.id, visits, rests, departure, finish, driving, distance };
    const broken = visits.length
      ? [...this.broken, ...judge(this.given, day, legsOf(this.given))]
      : [];
    return { ...day, broken };
  }

  private drive(to: number, name: string): void {
    const { ways } = this.given;
    const { at } = this;
    if (at >= 0 && to >= 0 && at !== to) {
      const seconds = ways.durations[at]?.[to] ?? null;
      if (seconds === null) this.broken.push(`there is no way to ${name}`);
      this.now += seconds ?? 0;
      this.driving += seconds ?? 0;
      this.distance += ways.distances[at]?.[to] ?? 0;
    }
    if (to >= 0) this.at = to;
  }

  private reload(): void {
    const { vehicle, places } = this.given;
    this.drive(places.start(vehicle.id), "the start");
    const begin = this.now;
    this.now += vehicle.reload;
    this.rests.push({ name: "Loading", begin, end: this.now });
  }

  private visit(stop: Stop, trip: number): Visit {
    const to = this.given.places.stop(stop.id);
    const way = this.at >= 0 && to >= 0 ? (this.given.ways.durations[this.at]?.[to] ?? 0) : 0;
    this.rest(this.now + way + stop.service);
    this.drive(to, stop.name);
    const arrival = this.now;
    const worked = this.atWork(arrival, stop.service);
    const open = openFrom(stop.windows, worked);
    const begin = open === null ? worked : this.atWork(open, stop.service);
    const late = open === null ? worked - stop.windows.at(-1)![1] : 0;
    if (late > 0) this.broken.push(`${stop.name} is reached ${minutes(late)} late`);
    this.now = begin + stop.service;
    return { stop: stop.id, trip, arrival, begin, end: this.now, late };
  }

  /** When work can begin from a time on: in the shift, or at the begin of the next. */
  private atWork(from: number, lasts: number): number {
    const { shifts } = this.given.vehicle;
    const shift = shifts.find(([, closes]) => from + lasts <= closes);
    return Math.max(from, shift?.[0] ?? from);
  }

  /** Takes the breaks that are due: whose time has come, or would be over by then. */
  private rest(by: number): void {
    const { breaks } = this.given.vehicle;
    for (let due = breaks[this.breaks]; due; due = breaks[++this.breaks]) {
      const begin = openFrom(due.windows, this.now) ?? this.now;
      const last = due.windows.at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
      if (begin > this.now && by <= last) return;
      if (due.windows.length === 0 && by < Number.POSITIVE_INFINITY && this.driving === 0) return;
      const name = `Break ${this.breaks + 1}`;
      if (begin > last) this.broken.push(`${name} is ${minutes(begin - last)} late`);
      this.now = begin + due.lasts;
      this.rests.push({ name, begin, end: this.now });
    }
  }
}

/** The first moment from a time on that lies in a window; null where there is none. */
function openFrom(windows: readonly Window[], from: number): number | null {
  if (windows.length === 0) return from;
  const open = windows.find(([, to]) => from <= to);
  return open ? Math.max(from, open[0]) : null;
}

const minutes = (seconds: number): string => `${Math.ceil(seconds / 60)} min`;
