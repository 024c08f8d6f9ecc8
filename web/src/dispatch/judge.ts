import { inside } from "./areas";
import type { Stop } from "./model";
import type { Given, Route } from "./schedule";
import { rideOf, shipmentsOf } from "./shipments";
import { lasting } from "./times";
import { amountsOf, peakOf, tripsOf } from "./trips";

/** What a vehicle's day breaks, in words, but for the times of its stops. */
export function judge(given: Given, route: Omit<Route, "broken">): string[] {
  const stops = given.calls.map(({ stop }) => stop);
  return [
    ...shiftTrouble(given, route),
    ...loadTrouble(given),
    ...stops.flatMap((stop) => stopTrouble(given, stop)),
    ...shipmentTrouble(stops, route),
    ...boundTrouble(given, route),
  ];
}

function shiftTrouble({ vehicle }: Given, { finish }: Pick<Route, "finish">): string[] {
  const closes = vehicle.shifts.at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
  return finish > closes ? [`the shift is ${Math.ceil((finish - closes) / 60)} min too short`] : [];
}

function loadTrouble({ vehicle, calls, loads }: Given): string[] {
  const amounts = amountsOf(calls.map(({ stop }) => stop));
  return loads.flatMap((name, load): string[] => {
    const most = vehicle.capacities[load] ?? 0;
    const peaks = tripsOf(calls).map((trip) => peakOf(trip, (stop) => amounts(stop, load)));
    const peak = Math.max(0, ...peaks);
    const what = loads.length > 1 ? ` ${name}` : "";
    return most > 0 && peak > most ? [`it carries ${peak} of at most ${most}${what}`] : [];
  });
}

function stopTrouble({ vehicle, areas }: Given, { name, at, skills }: Stop): string[] {
  const lacks = skills.filter((skill) => !vehicle.skills.includes(skill));
  const bounds = areas.filter((area) => vehicle.areas.includes(area.name));
  const outside = at !== null && bounds.length > 0 && !bounds.some((area) => inside(at, area));
  return [
    ...(lacks.length ? [`${name} needs ${lacks.join(", ")}`] : []),
    ...(outside ? [`${name} lies outside ${vehicle.areas.join(", ")}`] : []),
  ];
}

function shipmentTrouble(stops: readonly Stop[], { visits }: Pick<Route, "visits">): string[] {
  return shipmentsOf(stops).flatMap((shipment): string[] => {
    const { pickup, delivery } = shipment;
    const from = visits.findIndex(({ stop }) => stop === pickup.id);
    const to = visits.findIndex(({ stop }) => stop === delivery.id);
    if (to < from) return [`${delivery.name} comes before ${pickup.name}`];
    if (visits[from]!.trip !== visits[to]!.trip) {
      return [`${delivery.name} is on another trip than ${pickup.name}`];
    }
    // What is waited for in between may be waited for before the pickup.
    const waits = visits.slice(from + 1, to + 1).map(({ arrival, begin }) => begin - arrival);
    const waited = waits.reduce((sum, one) => sum + one, 0);
    const aboard = visits[to]!.begin - visits[from]!.end - waited;
    const most = rideOf(shipment);
    return most > 0 && aboard > most
      ? [`shipment ${pickup.shipment} is on board for ${lasting(aboard)}`]
      : [];
  });
}

/** Bounds are of each trip; of several the driving is not known here. */
function boundTrouble({ vehicle, calls }: Given, { driving, distance }: Omit<Route, "broken">) {
  const { mostStops, mostDriving, mostMetres } = vehicle;
  const trips = tripsOf(calls);
  const longest = Math.max(0, ...trips.map((trip) => trip.length));
  const alone = trips.length === 1;
  return [
    ...(mostStops && longest > mostStops
      ? [`it has ${longest} stops of at most ${mostStops}`]
      : []),
    ...(alone && mostDriving && driving > mostDriving ? [`it drives ${lasting(driving)}`] : []),
    ...(alone && mostMetres && distance > mostMetres
      ? [`it drives ${(distance / 1000).toFixed(1)} km`]
      : []),
  ];
}
