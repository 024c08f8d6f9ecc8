import type { Plan } from "./desk";
import type { Problem } from "./model";
import { jobOf, requestOf, skillNumbers } from "./request";
import type { Route, Visit } from "./schedule";

/** What is known of the day so far. */
export interface Day {
  /** Seconds from midnight. */
  readonly now: number;
  /** Ids of vehicles that are out of work. */
  readonly unavailable: ReadonlySet<string>;
  /** Ids of stops that are not to be served any more. */
  readonly cancelled: ReadonlySet<string>;
}

/** The visits of a route that are done by now: those whose work has ended. */
export function done({ visits }: Route, now: number): readonly Visit[] {
  const open = visits.findIndex(({ end }) => end > now);
  return open < 0 ? visits : visits.slice(0, open);
}

/**
 * The body of POST /optimise/replan: the problem as it was planned, how far each vehicle
 * is, and what has changed since. Stops of the problem as it stands now that were not
 * planned are added.
 */
export function replanRequest(plan: Plan, today: Problem, day: Day): Record<string, unknown> {
  const { problem, routes } = plan;
  const original = requestOf(problem);
  const planned = new Set(problem.stops.map(({ id }) => id));
  const served = new Set(routes.flatMap((route) => done(route, day.now).map(({ stop }) => stop)));
  const kept = new Set(today.stops.map(({ id }) => id));
  const gone = problem.stops.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const cancelled = [...new Set([...day.cancelled, ...gone])].filter((id) => !served.has(id));
  const bounded = problem.vehicles.some(({ capacity }) => capacity > 0);
  const skills = skillNumbers({
    stops: [...problem.stops, ...today.stops],
    vehicles: problem.vehicles,
  });
  const added = today.stops
    .filter(({ id }) => !planned.has(id))
    .flatMap((stop) => jobOf(stop, skills, bounded) ?? []);
  const undone = (vehicle: string): readonly Visit[] => {
    const route = routes.find((one) => one.vehicle === vehicle);
    return route ? route.visits.slice(done(route, day.now).length) : [];
  };
  return {
    ...original,
    // The rest of the plan is where the search begins, and what it keeps to.
    vehicles: original.vehicles.map((vehicle) => {
      const steps = undone(String(vehicle["id"])).map(({ stop }) => ({ type: "job", id: stop }));
      return steps.length ? { ...vehicle, steps } : vehicle;
    }),
    stability: {},
    progress: problem.vehicles.map(({ id }) => {
      const route = routes.find(({ vehicle }) => vehicle === id);
      const completed = route ? done(route, day.now).map(({ stop }) => stop) : [];
      return {
        vehicle: id,
        completed_stop_ids: completed,
        time_s: day.now,
        ...(day.unavailable.has(id) ? { unavailable: true } : {}),
      };
    }),
    ...(cancelled.length || added.length
      ? {
          changes: {
            ...(cancelled.length ? { cancel_job_ids: cancelled } : {}),
            ...(added.length ? { add_jobs: added } : {}),
          },
        }
      : {}),
  };
}

/** The plan of the whole day: what is done as it was, then what the new plan has. */
export function joined(before: readonly Route[], after: readonly Route[], now: number): Route[] {
  const vehicles = new Set([...before, ...after].map(({ vehicle }) => vehicle));
  return [...vehicles].flatMap((vehicle): Route[] => {
    const old = before.find((route) => route.vehicle === vehicle);
    const next = after.find((route) => route.vehicle === vehicle);
    const past = old ? done(old, now) : [];
    const base = next ?? old;
    if (!base || (past.length === 0 && !next)) return [];
    return [
      {
        ...base,
        departure: old?.departure ?? base.departure,
        finish: next?.finish ?? past.at(-1)?.end ?? base.departure,
        driving: next?.driving ?? 0,
        distance: next?.distance ?? 0,
        visits: [...past, ...(next?.visits ?? [])],
      },
    ];
  });
}
