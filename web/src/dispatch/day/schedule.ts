import { tr } from "../../ui/translate";
import { timesOf, type Ride, type Task, type Rest as TimedRest } from "./earliest";
import { validate } from "./validate";
import { legsOf, sumOf, type Leg } from "./legs";
import { breakName, type Break, type Vehicle } from "../problem/model";
import { rideOf, shipmentsOf } from "../problem/shipments";
import type { Given, Rest, Route, Visit } from "./route";

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
      others.push({
        name: breakName(vehicle.breaks[rest.index]!, rest.index),
        begin: rest.begin,
        end: rest.end,
      });
      troubles.push(...breakTrouble(given, rest, leg));
    }
    if (leg.seconds === null) troubles.push(tr("there is no way to {0}", leg.name));
    if (late > 0) troubles.push(tr("{0} is reached {1} late", leg.name, minutes(late)));
    if (leg.call) {
      const { stop, trip } = leg.call;
      visits.push({ stop: stop.id, trip, arrival, begin, end, late });
    } else if (i < legs.length - 1) {
      others.push({ name: tr("Loading"), begin: arrival, end });
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
  return { ...day, broken: visits.length ? [...troubles, ...validate(given, day, legs)] : [] };
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
  const name = breakName(given, rest.index);
  return [
    ...(rest.late > 0 ? [tr("{0} is {1} late", name, minutes(rest.late))] : []),
    ...(load >= 0
      ? [
          tr(
            "{0} has {1} of at most {2} {3} on board",
            name,
            aboard[load]!,
            given.loads[load]!,
            loads[load]!,
          ),
        ]
      : []),
  ];
}

const minutes = (seconds: number): string => tr("{0} min", Math.ceil(seconds / 60));
