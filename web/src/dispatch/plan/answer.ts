import { tr } from "../../ui/translate";
import type { LonLat } from "../../geo/coords";
import { decodePolyline } from "../../geo/polyline";
import { isRecord } from "../../call/record";
import { breakID, breakName, named, type Problem } from "../problem/model";
import { relaxationOf, type Relaxation } from "./relax";
import type { Rest, Route, Visit } from "../day/route";
import { lostStops } from "../problem/missing";
import { shipmentsOf } from "../problem/shipments";
import { number, records, text, texts } from "../problem/values";

/** A stop that is left out, with why. */
export interface Left {
  /** Of a shipment where it is collected. */
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
    throw new TypeError(tr("The answer has no routes."));
  }
  const byVehicle = new Map<string, Record<string, unknown>[]>();
  const lines: Record<string, readonly LonLat[]> = {};
  for (const trip of records(body["routes"])) {
    const vehicle = String(trip["vehicle"]);
    byVehicle.set(vehicle, [...(byVehicle.get(vehicle) ?? []), trip]);
    const line = text(trip["geometry"]);
    if (line) lines[vehicle] = [...(lines[vehicle] ?? []), ...decodePolyline(line)];
  }
  const summary = isRecord(body["summary"]) ? body["summary"] : {};
  const replan = isRecord(body["replan"]) ? body["replan"] : {};
  return {
    routes: [...byVehicle].map(([vehicle, trips]) => routeOf(vehicle, trips, problem)),
    lines,
    left: [
      ...lostStops(problem).map(({ id, at }) => ({
        stop: id,
        reason: at ? tr("the other end of its shipment has no place") : tr("it has no place yet"),
        relaxations: [],
      })),
      ...records(body["unassigned"]).map((entry) => leftOf(entry, problem)),
    ],
    cost: number(summary["cost"]),
    notes: [...texts(body["warnings"]), ...texts(replan["notes"])],
  };
}

const WORK: readonly unknown[] = ["job", "pickup", "delivery"];

/** The trips of a vehicle as one day. */
function routeOf(vehicle: string, trips: Record<string, unknown>[], problem: Problem): Route {
  const { breaks = [], shifts = [] } = named(problem.vehicles, vehicle) ?? {};
  const visits: Visit[] = [];
  const rests: Rest[] = [];
  const arrivals: number[] = [];
  trips.forEach((trip, index) => {
    const steps = records(trip["steps"]);
    const first = number(steps[0]?.["arrival"]) ?? 0;
    const last = arrivals.at(-1);
    if (last !== undefined) rests.push({ name: tr("Loading"), begin: last, end: first });
    for (const step of steps) {
      const arrival = number(step["arrival"]) ?? 0;
      const begin = arrival + (number(step["waiting_time"]) ?? 0);
      const stop = named(problem.stops, String(step["id"]));
      const service = number(step["service"]) ?? stop?.service ?? 0;
      const end = begin + (number(step["setup"]) ?? 0) + service;
      if (stop && WORK.includes(step["type"])) {
        visits.push({ stop: stop.id, trip: index, arrival, begin, end, late: 0 });
      } else if (step["type"] === "break") {
        const index = breaks.findIndex((rest, i) => breakID(rest, i) === String(step["id"]));
        const name = index < 0 ? String(step["id"]) : breakName(breaks[index]!, index);
        rests.push({ name, begin, end });
      }
      arrivals.push(arrival);
    }
  });
  const shift = shifts[0];
  const sum = (member: string): number =>
    trips.reduce((all, trip) => all + (number(trip[member]) ?? 0), 0);
  const ends = [...visits, ...rests].map(({ end }) => end);
  return {
    vehicle,
    visits,
    rests,
    departure: arrivals[0] ?? shift?.[0] ?? 0,
    finish: Math.max(arrivals.at(-1) ?? 0, ...ends),
    driving: sum("duration"),
    distance: sum("distance"),
    broken: [],
  };
}

function leftOf(entry: Record<string, unknown>, problem: Problem): Left {
  const id = String(entry["id"]);
  const shipment = shipmentsOf(problem.stops).find((one) => one.id === id);
  const stop = shipment?.pickup.id ?? id;
  const both = shipment ? [shipment.pickup.id, shipment.delivery.id] : [id];
  return {
    stop,
    reason: text(entry["detail"]) ?? text(entry["reason"])?.replaceAll("_", " ") ?? "",
    relaxations: records(entry["relaxations"]).flatMap(
      (one) => relaxationOf(one, both, problem) ?? [],
    ),
  };
}
