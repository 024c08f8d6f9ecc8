import { decimal, tr } from "../../ui/translate";
import { inside } from "../problem/areas";
import { sumOf, type Leg } from "./legs";
import type { Stop } from "../problem/model";
import type { Given, Route } from "./route";
import { rideOf, shipmentsOf } from "../problem/shipments";
import { lasting } from "../problem/times";
import { tripsOf } from "./trips";

/** The rules that a vehicle's day breaks, in words; schedule checks the times of stops and breaks. */
export function validate(
  given: Given,
  route: Omit<Route, "broken">,
  legs: readonly Leg[],
): string[] {
  const stops = given.calls.map(({ stop }) => stop);
  return [
    ...shiftTrouble(given, route),
    ...loadTrouble(given, legs),
    ...stops.flatMap((stop) => stopTrouble(given, stop)),
    ...shipmentTrouble(stops, route),
    ...boundTrouble(given, legs),
  ];
}

function shiftTrouble({ vehicle }: Given, { finish }: Pick<Route, "finish">): string[] {
  const closes = vehicle.shifts.at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
  return finish > closes
    ? [tr("the shift is {0} min too short", Math.ceil((finish - closes) / 60))]
    : [];
}

function loadTrouble({ vehicle, loads }: Given, legs: readonly Leg[]): string[] {
  return loads.flatMap((name, load): string[] => {
    const most = vehicle.capacities[load] ?? Number.POSITIVE_INFINITY;
    const peak = Math.max(0, ...legs.map(({ aboard }) => aboard[load]!));
    const what = loads.length > 1 ? ` ${name}` : "";
    return peak > most ? [tr("it carries {0} of at most {1}{2}", peak, most, what)] : [];
  });
}

function stopTrouble({ vehicle, areas }: Given, { name, at, skills }: Stop): string[] {
  const lacks = skills.filter((skill) => !vehicle.skills.includes(skill));
  const bounds = areas.filter((area) => vehicle.areas.includes(area.name));
  const outside = at !== null && bounds.length > 0 && !bounds.some((area) => inside(at, area));
  return [
    ...(lacks.length ? [tr("{0} needs {1}", name, lacks.join(", "))] : []),
    ...(outside ? [tr("{0} lies outside {1}", name, vehicle.areas.join(", "))] : []),
  ];
}

function shipmentTrouble(stops: readonly Stop[], { visits }: Pick<Route, "visits">): string[] {
  return shipmentsOf(stops).flatMap((shipment): string[] => {
    const { pickup, delivery } = shipment;
    const from = visits.findIndex(({ stop }) => stop === pickup.id);
    const to = visits.findIndex(({ stop }) => stop === delivery.id);
    if (to < from) return [tr("{0} comes before {1}", delivery.name, pickup.name)];
    if (visits[from]!.trip !== visits[to]!.trip) {
      return [tr("{0} is on another trip than {1}", delivery.name, pickup.name)];
    }
    const aboard = visits[to]!.begin - visits[from]!.end;
    const most = rideOf(shipment);
    return most > 0 && aboard > most
      ? [tr("shipment {0} is on board for {1}", pickup.shipment, lasting(aboard))]
      : [];
  });
}

/** Checks the limits on stops, driving and distance, which hold for each trip. */
function boundTrouble({ vehicle, calls }: Given, legs: readonly Leg[]): string[] {
  const { mostStops, mostDriving, mostMetres } = vehicle;
  const trips = tripsOf(calls).map((list, trip) => ({
    stops: list.length,
    driving: sumOf(legs, (leg) => (leg.trip === trip ? (leg.seconds ?? 0) : 0)),
    metres: sumOf(legs, (leg) => (leg.trip === trip ? leg.metres : 0)),
  }));
  const most = (of: "stops" | "driving" | "metres") => Math.max(...trips.map((one) => one[of]));
  const what = trips.length > 1 ? tr("a trip") : tr("it");
  return [
    ...(mostStops && most("stops") > mostStops
      ? [tr("{0} has {1} {1|stop|stops} of at most {2}", what, most("stops"), mostStops)]
      : []),
    ...(mostDriving && most("driving") > mostDriving
      ? [tr("{0} drives {1}", what, lasting(most("driving")))]
      : []),
    ...(mostMetres && most("metres") > mostMetres
      ? [tr("{0} drives {1} km", what, decimal(most("metres") / 1000, 1))]
      : []),
  ];
}
