import { isRecord } from "../../call/record";
import type { LonLat } from "../../geo/coords";
import { territoriesOf } from "../problem/areas";
import {
  breakID,
  USUAL_HOUR,
  type Break,
  type Members,
  type Problem,
  type Stop,
  type Vehicle,
  type Window,
} from "../problem/model";
import { lostStops } from "../problem/missing";
import { clock, DAY } from "../problem/times";
import { rideOf, shipmentsOf, type Shipment } from "../problem/shipments";

/** The body of POST /optimise and POST /v1/jobs/optimise. */
export interface OptimiseRequest {
  readonly vehicles: readonly Members[];
  readonly jobs: readonly Members[];
  readonly shipments?: readonly Members[];
  readonly territories?: readonly Members[];
  readonly costing: string;
  readonly geometry: true;
}

/** What is sent for a problem; its times are seconds from midnight of the day. */
export function requestOf(problem: Problem, wording = new Wording(problem)): OptimiseRequest {
  const { stops, vehicles, costing, areas } = problem;
  const { jobs, shipments } = wording.tasks(stops);
  const used = new Set(vehicles.flatMap((vehicle) => vehicle.areas));
  const territories = areas.filter(({ name }) => used.has(name)).flatMap(territoriesOf);
  return {
    vehicles: vehicles.map((vehicle) => wording.vehicle(vehicle)),
    jobs,
    ...(shipments.length ? { shipments } : {}),
    ...(territories.length ? { territories } : {}),
    costing,
    ...(problem.day
      ? { date_time: { type: 1, value: `${problem.day}T${clock(begins(problem))}` } }
      : {}),
    ...wording.groups(problem.more),
    geometry: true,
  };
}

/** When the first vehicle's day begins; times of the day after count as the day's end. */
export function begins({ vehicles }: Problem): number {
  const first = Math.min(...vehicles.map(({ shifts }) => shifts[0]?.[0] ?? 0));
  return Number.isFinite(first) ? Math.min(first, DAY - 60) : 0;
}

/** The largest number of the API: the room of a vehicle that has a bound of another load alone. */
export const UNBOUNDED = 1_000_000_000;

const position = ([lon, lat]: LonLat) => ({ lat, lon });

/** How the things of one problem are put into a request. */
export class Wording {
  private readonly problem: Problem;
  private readonly skills: ReadonlyMap<string, number>;
  /** Ids of the stops that are left out, and of their shipments. */
  private readonly lost: ReadonlySet<unknown>;

  constructor(problem: Problem) {
    this.problem = problem;
    this.skills = skillNumbers(problem);
    const lost = new Set<unknown>(lostStops(problem).map(({ id }) => id));
    for (const { id, pickup } of shipmentsOf(problem.stops)) if (lost.has(pickup.id)) lost.add(id);
    this.lost = lost;
  }

  /** Stops with a place as jobs and shipments; a shipment needs both of its own. */
  tasks(stops: readonly Stop[]): { jobs: Members[]; shipments: Members[] } {
    const placed = stops.filter(({ id }) => !this.lost.has(id));
    const asked = new Set(placed);
    const shipments = shipmentsOf(this.problem.stops).filter(
      ({ pickup, delivery }) => asked.has(pickup) && asked.has(delivery),
    );
    const paired = new Set(shipments.flatMap(({ pickup, delivery }) => [pickup.id, delivery.id]));
    return {
      jobs: placed.filter(({ id }) => !paired.has(id)).map((stop) => this.job(stop)),
      shipments: shipments.map((shipment) => this.shipment(shipment)),
    };
  }

  vehicle(vehicle: Vehicle): Members {
    const { id, start, end, shifts, capacities, skills, trips, reload, areas } = vehicle;
    const [shift] = shifts;
    const { costs, reloads, ...more } = vehicle.more;
    const several = {
      ...(trips > 1 ? { max_trips: trips } : {}),
      ...(trips > 1 && reload ? { reload_time_s: reload } : {}),
      ...membersOf(reloads),
    };
    const priced = { ...costsOf(vehicle), ...membersOf(costs) };
    const territories = this.problem.areas.filter(({ name }) => areas.includes(name));
    return {
      id,
      ...(start ? { start: position(start) } : {}),
      ...(end ? { end: position(end) } : {}),
      ...(shifts.length > 1 ? { time_windows: shifts } : shift ? { time_window: shift } : {}),
      ...(capacities.some((one) => one !== null)
        ? { capacity: this.each((i) => capacities[i] ?? UNBOUNDED) }
        : {}),
      ...this.needed(skills),
      ...(vehicle.breaks.length
        ? { breaks: vehicle.breaks.map((rest, i) => this.rest(rest, i)) }
        : {}),
      ...("max_trips" in several ? { reloads: several } : {}),
      ...(territories.length
        ? { territory_ids: territories.flatMap(territoriesOf).map((one) => one.id) }
        : {}),
      ...(vehicle.mostStops ? { max_tasks: vehicle.mostStops } : {}),
      ...(vehicle.mostDriving ? { max_travel_time: vehicle.mostDriving } : {}),
      ...(vehicle.mostMetres ? { max_distance: vehicle.mostMetres } : {}),
      ...(Object.keys(priced).length ? { costs: priced } : {}),
      ...more,
      ...this.without(more, "steps", (step) => (isRecord(step) ? step["id"] : null)),
      ...this.without(more, "first_stop_ids", (one) => one),
    };
  }

  /** Lists of tasks that share a vehicle, or do not, without the stops that are left out. */
  groups(more: Members): Members {
    const lists = ["together", "apart"].flatMap((name): [string, unknown][] => {
      const given = more[name];
      if (!Array.isArray(given)) return [];
      const kept = (given as unknown[]).flatMap((group) => {
        const { ids } = this.without({ ids: group }, "ids", (one) => one);
        return ids === undefined ? [group] : (ids as unknown[]).length > 1 ? [ids] : [];
      });
      return [[name, kept.length ? kept : undefined]];
    });
    return { ...more, ...Object.fromEntries(lists) };
  }

  /** A list of members without what is of stops that are left out; nothing where there is none of these. */
  private without(
    more: Members,
    name: string,
    idOf: (one: unknown) => unknown,
  ): Readonly<Record<string, unknown>> {
    const list = more[name];
    if (!Array.isArray(list)) return {};
    const kept = (list as unknown[]).filter((one) => !this.lost.has(String(idOf(one))));
    return kept.length < list.length ? { [name]: kept } : {};
  }

  private rest(rest: Break, index: number): Members {
    const { windows, lasts, loads, more } = rest;
    return {
      id: breakID(rest, index),
      ...opening(windows),
      service_s: lasts,
      ...(loads.some((load) => load !== null)
        ? { max_load: this.each((i) => loads[i] ?? UNBOUNDED) }
        : {}),
      ...more,
    };
  }

  private job(stop: Stop): Members {
    return {
      ...this.place(stop),
      ...this.carried(stop.collects ? "pickup" : "delivery", (i) => stop.amounts[i] ?? 0),
      ...(stop.priority ? { priority: stop.priority } : {}),
      ...this.needed(stop.skills),
      ...stop.more,
    };
  }

  private shipment(shipment: Shipment): Members {
    const { id, pickup, delivery } = shipment;
    const priority = Math.max(pickup.priority, delivery.priority);
    const most = (i: number) => Math.max(pickup.amounts[i] ?? 0, delivery.amounts[i] ?? 0);
    const ride = rideOf(shipment);
    return {
      id,
      pickup: { ...this.place(pickup), ...pickup.more },
      delivery: { ...this.place(delivery), ...delivery.more },
      ...this.carried("amount", most),
      ...(ride ? { max_ride_time_s: ride } : {}),
      ...(priority ? { priority } : {}),
      ...this.needed([...new Set([...pickup.skills, ...delivery.skills])]),
    };
  }

  private place({ id, at, service, windows }: Stop): Members {
    return { id, location: position(at!), service_s: service, ...opening(windows) };
  }

  private needed(skills: readonly string[]): Members {
    return skills.length ? { skills: skills.map((skill) => this.skills.get(skill)) } : {};
  }

  /** Amounts under their name; nothing where all are 0. */
  private carried(name: string, of: (load: number) => number): Members {
    const amounts = this.each(of);
    return amounts.some((one) => one > 0) ? { [name]: amounts } : {};
  }

  /** A number for each load of the problem. */
  private each(of: (load: number) => number): number[] {
    return this.problem.loads.map((_, load) => of(load));
  }
}

/** What a vehicle costs, as far as it is not what is usual. */
function costsOf({ perTrip, perHour, perKilometre }: Vehicle): Members {
  return {
    ...(perTrip ? { fixed: perTrip } : {}),
    ...(perHour === USUAL_HOUR ? {} : { per_hour: perHour }),
    ...(perKilometre ? { per_km: perKilometre } : {}),
  };
}

function membersOf(value: unknown): Members {
  return isRecord(value) ? value : {};
}

function opening(windows: readonly Window[]): Members {
  return windows.length ? { time_windows: windows } : {};
}

/** The name of a skill that came as a number. */
const NUMBERED = /^Skill (0|-?[1-9]\d{0,8})$/;

/** Skills have numbers in a request: those that came as numbers have their own, and others follow the alphabet. */
export function skillNumbers({
  stops,
  vehicles,
}: Pick<Problem, "stops" | "vehicles">): ReadonlyMap<string, number> {
  const names = [...new Set([...stops, ...vehicles].flatMap(({ skills }) => skills))].toSorted();
  const own = names.flatMap((name): [string, number][] => {
    const number = NUMBERED.exec(name)?.[1];
    return number === undefined ? [] : [[name, Number(number)]];
  });
  const numbers = new Map(own);
  const taken = new Set(numbers.values());
  let free = 1;
  for (const name of names) {
    if (numbers.has(name)) continue;
    while (taken.has(free)) free++;
    numbers.set(name, free++);
  }
  return numbers;
}
