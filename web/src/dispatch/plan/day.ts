import type { Reported } from "./follow";
import type { Plan } from "./plan";
import { warmStart } from "./warmstart";
import { named, type Problem } from "../problem/model";
import { requestOf, Wording, type OptimiseRequest } from "./request";
import type { Route, Visit } from "../day/route";

/** What is known of the day so far. */
export interface Day {
  /** Seconds from midnight. */
  readonly now: number;
  /** Seconds by which vehicles are behind the plan. */
  readonly late: ReadonlyMap<string, number>;
  /** Ids of vehicles that are out of work. */
  readonly unavailable: ReadonlySet<string>;
  /** Ids of stops that are not to be served any more. */
  readonly cancelled: ReadonlySet<string>;
  /** What drivers have reported, by stop, in place of what time it is; null where they do not. */
  readonly reported?: ReadonlyMap<string, Reported> | null;
}

/**
 * The visits of a route that are done by now, or were tried: those whose work has ended, or that
 * the driver has reported, then in the order and at the times of the reports.
 */
export function done(
  { vehicle, visits }: Route,
  { now, late, reported = null }: Pick<Day, "now" | "late" | "reported">,
): readonly Visit[] {
  if (reported) {
    return visits
      .flatMap((visit) => {
        const at = reported.get(visit.stop)?.at;
        if (at === undefined) return [];
        const begin = Math.max(0, at - (visit.end - visit.begin));
        return [{ ...visit, arrival: begin, begin, end: Math.max(begin, at) }];
      })
      .toSorted((a, b) => a.end - b.end);
  }
  const behind = late.get(vehicle) ?? 0;
  const open = visits.findIndex(({ end }) => end + behind > now);
  return open < 0 ? visits : visits.slice(0, open);
}

/**
 * The body of POST /optimise/replan: the problem as it was planned, how far each vehicle
 * is, and what has changed since. Stops of the problem as it stands now that were not
 * planned are added.
 */
export function replanRequest(
  plan: Plan,
  today: Problem,
  day: Day,
): OptimiseRequest & Record<string, unknown> {
  const { problem, routes } = plan;
  const planned = new Set(problem.stops.map(({ id }) => id));
  const failed = (id: string): boolean => day.reported?.get(id)?.failed ?? false;
  const past = new Set(routes.flatMap((route) => done(route, day).map(({ stop }) => stop)));
  // What could not be done is not tried again on this day.
  const tried = [...past].filter(failed);
  const kept = new Set(today.stops.map(({ id }) => id));
  const gone = problem.stops.filter(({ id }) => !kept.has(id)).map(({ id }) => id);
  const dropped = [...day.cancelled, ...gone].filter((id) => !past.has(id));
  const cancelled = [...new Set([...dropped, ...tried])];
  const fresh = today.stops.filter(({ id }) => !planned.has(id));
  const wording = new Wording({ ...problem, stops: [...problem.stops, ...fresh] });
  const added = wording.tasks(fresh);
  const changes = {
    ...(cancelled.length ? { cancel_job_ids: cancelled } : {}),
    ...(added.jobs.length ? { add_jobs: added.jobs } : {}),
    ...(added.shipments.length ? { add_shipments: added.shipments } : {}),
  };
  return {
    // The plan is where the search begins, and what it keeps to.
    ...warmStart(requestOf(problem, wording), plan),
    stability: {},
    progress: problem.vehicles.map(({ id }) => {
      const route = routes.find(({ vehicle }) => vehicle === id);
      const visited = route ? done(route, day).map(({ stop }) => stop) : [];
      const last = visited.at(-1);
      const at = last !== undefined && failed(last) ? named(problem.stops, last)?.at : null;
      return {
        vehicle: id,
        completed_stop_ids: visited.filter((stop) => !failed(stop)),
        time_s: day.now,
        ...(at ? { current_position: { lon: at[0], lat: at[1] } } : {}),
        ...(day.unavailable.has(id) ? { unavailable: true } : {}),
      };
    }),
    ...(Object.keys(changes).length ? { changes } : {}),
  };
}

/** The plan of the whole day: what is done as it was, then what the new plan has. */
export function joined(before: readonly Route[], after: readonly Route[], day: Day): Route[] {
  const vehicles = new Set([...before, ...after].map(({ vehicle }) => vehicle));
  return [...vehicles].flatMap((vehicle): Route[] => {
    const old = before.find((route) => route.vehicle === vehicle);
    const next = after.find((route) => route.vehicle === vehicle);
    const past = old ? done(old, day) : [];
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
        rests: [...(old?.rests ?? []).filter(({ end }) => end <= day.now), ...(next?.rests ?? [])],
      },
    ];
  });
}
