import type { Area } from "./areas";
import { timesOf, type Ride, type Task, type Rest as TimedRest } from "./earliest";
import { judge } from "./judge";
import { legsOf, sumOf, type Leg } from "./legs";
import type { Break, Vehicle } from "./model";
import { rideOf, shipmentsOf } from "./shipments";
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

/** The day of a vehicle that visits stops in this order: as the solver has it, whatever that breaks. */
export function schedule(given: Given): Route {
  const { vehicle } = given;
  const legs = legsOf(given);
  const { departure, tasks, rests } = timesOf(vehicle, legs.map(taskFor(vehicle)), ridesOf(legs));
  const visits: Visit[] = [];
  const others: Rest[] = [];
  const troubles: string[] = [];
  legs.forEach((leg, i) => {
    const { arrival, begin, end, late } = tasks[i]!;
    for (const rest of rests.filter(({ before }) => before === i)) {
      others.push({ name: `Break ${rest.index + 1}`, begin: rest.begin, end: rest.end });
      troubles.push(...breakTrouble(given, rest, leg));
    }
    if (leg.seconds === null) troubles.push(`there is no way to ${leg.name}`);
    if (late > 0) troubles.push(`${leg.name} is reached ${minutes(late)} late`);
    if (leg.call) {
      const { stop, trip } = leg.call;
      visits.push({ stop: stop.id, trip, arrival, begin, end, late });
    } else if (i < legs.length - 1) {
      others.push({ name: "Loading", begin: arrival, end });
    }
  });
  const day = {
    vehicle: vehicle.id,
    visits,
    rests: others,
    departure,
    finish: tasks.at(-1)?.end ?? departure,
    driving: sumOf(legs, ({ seconds }) => seconds ?? 0),
    distance: sumOf(legs, ({ metres }) => metres),
  };
  return { ...day, broken: visits.length ? [...troubles, ...judge(given, day, legs)] : [] };
}

function taskFor({ breaks }: Vehicle): (leg: Leg) => Task {
  return ({ seconds, call, lasts, aboard }) => ({
    way: seconds ?? 0,
    windows: call?.stop.windows ?? [],
    lasts,
    heavy: breaks.map((rest) => tooMuch(rest, aboard) >= 0),
  });
}

/** The rides with a bound: shipments that are delivered after they are picked up on the same trip. */
function ridesOf(legs: readonly Leg[]): Ride[] {
  const stops = legs.flatMap(({ call }) => call?.stop ?? []);
  return shipmentsOf(stops).flatMap((shipment): Ride[] => {
    const [from, to] = [shipment.pickup, shipment.delivery].map((stop) =>
      legs.findIndex(({ call }) => call?.stop === stop),
    ) as [number, number];
    const most = rideOf(shipment);
    const rides = most > 0 && from < to && legs[from]!.trip === legs[to]!.trip;
    return rides ? [{ from, to, most }] : [];
  });
}

/** The first load of which more is on board than a break allows; -1 for none. */
function tooMuch({ loads }: Break, aboard: readonly number[]): number {
  return aboard.findIndex((amount, load) => amount > (loads[load] ?? Number.POSITIVE_INFINITY));
}

function breakTrouble({ vehicle, loads }: Given, rest: TimedRest, { aboard }: Leg): string[] {
  const given = vehicle.breaks[rest.index]!;
  const load = tooMuch(given, aboard);
  const name = `Break ${rest.index + 1}`;
  return [
    ...(rest.late > 0 ? [`${name} is ${minutes(rest.late)} late`] : []),
    ...(load >= 0
      ? [`${name} has ${aboard[load]} of at most ${given.loads[load]} ${loads[load]} on board`]
      : []),
  ];
}

const minutes = (seconds: number): string => `${Math.ceil(seconds / 60)} min`;
