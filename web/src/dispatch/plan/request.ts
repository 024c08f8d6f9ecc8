import type { LonLat } from "../../geo/coords";
import { territoriesOf } from "../problem/areas";
import {
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
    ...problem.more,
    geometry: true,
  };
}

/** When the first vehicle's day begins; times of the day after count as the day's end. */
function begins({ vehicles }: Problem): number {
  const first = Math.min(...vehicles.map(({ shifts }) => shifts[0]?.[0] ?? 0));
  return Number.isFinite(first) ? Math.min(first, DAY - 60) : 0;
}

/** More than any round carries: what stands for a vehicle without a bound beside one with. */
export const UNBOUNDED = 1_000_000;

const position = ([lon, lat]: LonLat) => ({ lat, lon });

/** How the things of one problem are put into a request. */
export class Wording {
  private readonly problem: Problem;
  private readonly skills: ReadonlyMap<string, number>;
  private readonly bounded: boolean;

  constructor(problem: Problem) {
    this.problem = problem;
    this.skills = skillNumbers(problem);
    this.bounded = problem.vehicles.some(
      ({ capacities, breaks }) =>
        capacities.some((one) => one > 0) ||
        breaks.some(({ loads }) => loads.some((load) => load !== null)),
    );
  }

  /** Stops with a place as jobs and shipments; a shipment needs both of its own. */
  tasks(stops: readonly Stop[]): { jobs: Members[]; shipments: Members[] } {
    const lost = new Set(lostStops({ stops }));
    const placed = stops.filter((stop) => !lost.has(stop));
    const shipments = shipmentsOf(placed);
    const paired = new Set(shipments.flatMap(({ pickup, delivery }) => [pickup.id, delivery.id]));
    return {
      jobs: placed.filter(({ id }) => !paired.has(id)).map((stop) => this.job(stop)),
      shipments: shipments.map((shipment) => this.shipment(shipment)),
    };
  }

  vehicle(vehicle: Vehicle): Members {
    const { id, start, end, shifts, capacities, skills, trips, reload, areas } = vehicle;
    const [shift] = shifts;
    const territories = this.problem.areas.filter(({ name }) => areas.includes(name));
    return {
      id,
      ...(start ? { start: position(start) } : {}),
      ...(end ? { end: position(end) } : {}),
      ...(shifts.length > 1 ? { time_windows: shifts } : shift ? { time_window: shift } : {}),
      ...(this.bounded ? { capacity: this.each((i) => capacities[i] || UNBOUNDED) } : {}),
      ...this.needed(skills),
      ...(vehicle.breaks.length
        ? { breaks: vehicle.breaks.map((rest, i) => this.rest(rest, i)) }
        : {}),
      ...(trips > 1 ? { reloads: { max_trips: trips, reload_time_s: reload } } : {}),
      ...(territories.length
        ? { territory_ids: territories.flatMap(territoriesOf).map((one) => one.id) }
        : {}),
      ...(vehicle.mostStops ? { max_tasks: vehicle.mostStops } : {}),
      ...(vehicle.mostDriving ? { max_travel_time: vehicle.mostDriving } : {}),
      ...(vehicle.mostMetres ? { max_distance: vehicle.mostMetres } : {}),
      ...costs(vehicle),
      ...vehicle.more,
    };
  }

  private rest({ windows, lasts, loads }: Break, index: number): Members {
    const bounded = this.bounded && loads.some((load) => load !== null);
    return {
      id: `Break ${index + 1}`,
      ...opening(windows),
      service_s: lasts,
      ...(bounded ? { max_load: this.each((i) => loads[i] ?? UNBOUNDED) } : {}),
    };
  }

  private job(stop: Stop): Members {
    const amount = this.each((i) => stop.amounts[i] ?? 0);
    return {
      ...this.place(stop),
      ...(this.bounded ? { [stop.collects ? "pickup" : "delivery"]: amount } : {}),
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
      ...(this.bounded ? { amount: this.each(most) } : {}),
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

  /** A number for each load of the problem. */
  private each(of: (load: number) => number): number[] {
    return this.problem.loads.map((_, load) => of(load));
  }
}

function costs({ perTrip, perHour, perKilometre }: Vehicle): Members {
  if (perTrip === 0 && perHour === USUAL_HOUR && perKilometre === 0) return {};
  return { costs: { fixed: perTrip, per_hour: perHour, per_km: perKilometre } };
}

function opening(windows: readonly Window[]): Members {
  return windows.length ? { time_windows: windows } : {};
}

/** Skills have numbers in a request; these follow the alphabet. */
export function skillNumbers({
  stops,
  vehicles,
}: Pick<Problem, "stops" | "vehicles">): ReadonlyMap<string, number> {
  const names = [...stops, ...vehicles].flatMap(({ skills }) => skills);
  return new Map([...new Set(names)].toSorted().map((name, index) => [name, index + 1]));
}
