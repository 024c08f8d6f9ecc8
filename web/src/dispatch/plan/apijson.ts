import { territoriesOf } from "../problem/areas";
import type { Members, Problem } from "../problem/model";
import type { Plan } from "./plan";
import { requestOf } from "./request";
import { warmStart } from "./warmstart";

/**
 * A problem as the body of POST /optimise, with names as descriptions, and its plan as the steps
 * of vehicles. What the request leaves out, such as stops without a place, is not in it.
 */
export function apiJSON(problem: Problem, plan: Plan | null = null): string {
  const names = new Map<string, string>([
    ...problem.stops.map(({ id, name }) => [`stop ${id}`, name] as [string, string]),
    ...problem.vehicles.map(({ id, name }) => [`vehicle ${id}`, name] as [string, string]),
  ]);
  const described = (kind: string, one: Members): Members => {
    const name = names.get(`${kind} ${String(one["id"])}`);
    return name && name !== one["id"] ? { ...one, description: name } : one;
  };
  const request = requestOf(problem);
  const {
    vehicles,
    jobs,
    shipments,
    territories: _,
    ...rest
  } = plan ? warmStart(request, plan) : request;
  // Those of no vehicle too.
  const territories = problem.areas.flatMap(territoriesOf);
  const body = {
    vehicles: vehicles.map((one) => described("vehicle", one)),
    ...(jobs.length ? { jobs: jobs.map((one) => described("stop", one)) } : {}),
    ...(shipments
      ? {
          shipments: shipments.map((one) => ({
            ...one,
            pickup: described("stop", one["pickup"] as Members),
            delivery: described("stop", one["delivery"] as Members),
          })),
        }
      : {}),
    ...(territories.length ? { territories } : {}),
    ...rest,
  };
  return `${JSON.stringify(body, null, 2)}\n`;
}
