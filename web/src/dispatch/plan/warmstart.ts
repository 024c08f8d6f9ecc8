import type { Plan } from "./plan";
import type { OptimiseRequest } from "./request";
import { partnerOf, shipmentsOf } from "../problem/shipments";

/**
 * Gives a request the order of a plan, from which the search starts. A vehicle to which
 * stops were moved by hand keeps the plan's order up to the last of them.
 */
export function warmStart<T extends OptimiseRequest>(request: T, plan: Plan): T {
  const { jobs, shipments = [] } = request;
  const ends = shipments.flatMap((one) => [one["pickup"], one["delivery"]]);
  const sent = new Set([...jobs, ...(ends as Record<string, unknown>[])].map((one) => one["id"]));
  const kinds = new Map(
    shipmentsOf(plan.problem.stops).flatMap(({ pickup, delivery }) => [
      [pickup.id, "pickup"],
      [delivery.id, "delivery"],
    ]),
  );
  const vehicles = request.vehicles.map((vehicle) => {
    const route = plan.routes.find((one) => one.vehicle === vehicle["id"]);
    const order = (route?.visits ?? []).map(({ stop }) => stop).filter((id) => sent.has(id));
    const held = order.findLastIndex((id) => plan.fixed.includes(id)) + 1;
    const fixed = order.slice(0, held);
    const steps = order.slice(held).map((id) => ({ type: kinds.get(id) ?? "job", id }));
    return {
      ...vehicle,
      ...(steps.length ? { steps } : {}),
      ...(fixed.length ? { first_stop_ids: fixed } : {}),
    };
  });
  return { ...request, vehicles };
}

/** The fixed stops after one more was moved by hand: it, and the other end of its shipment. */
export function fixedBy({ problem, fixed }: Plan, stop: string): readonly string[] {
  const partner = partnerOf(problem, stop)?.id;
  return [...new Set([...fixed, stop, ...(partner ? [partner] : [])])];
}
