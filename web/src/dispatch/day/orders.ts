import { decimal, tr } from "../../ui/translate";
import type { Problem } from "../problem/model";
import type { Route } from "./route";
import { partnerOf } from "../problem/shipments";
import { lasting } from "../problem/times";

/** Orders of visits by vehicle. */
export type Orders = Readonly<Record<string, readonly string[]>>;

export function ordersOf(routes: readonly Route[]): Orders {
  return Object.fromEntries(
    routes.map(({ vehicle, visits }) => [vehicle, visits.map(({ stop }) => stop)]),
  );
}

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

/** The same; the other stop of a shipment goes to the same vehicle, right beside it. */
export function movedWhole(
  problem: Problem,
  orders: Orders,
  to: { readonly stop: string; readonly vehicle: string; readonly index: number },
): Orders {
  const next = moved(orders, to.stop, to.vehicle, to.index);
  const partner = partnerOf(problem, to.stop);
  const list = next[to.vehicle]!;
  if (!partner || list.includes(partner.id)) return next;
  const at = list.indexOf(to.stop);
  return moved(next, partner.id, to.vehicle, partner.collects ? at : at + 1);
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
    tr("{0} driving, {1}{2} km", lasting(driving, true), sign, decimal(Math.abs(km), 1)),
    ...broken,
  ];
  return `${parts.join("; ")}.`;
}
