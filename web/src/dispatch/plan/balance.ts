import { tr } from "../../ui/translate";
import { isRecord } from "../../call/record";
import type { LonLat } from "../../geo/coords";
import { shipmentsOf } from "../problem/shipments";
import type { Aim, Members, Problem, Vehicle, Window } from "../problem/model";
import { number, records } from "../problem/values";
import { readAnswer, type Answer } from "./answer";
import { figuresOf, type Figures } from "./figures";
import type { OptimiseRequest } from "./request";

export const AIMS: readonly (readonly [Aim, string])[] = [
  ["cost", tr("Least cost, however uneven")],
  ["time", tr("All rounds end as early as they can")],
  ["stops", tr("Rounds with even numbers of stops")],
  ["vehicles", tr("As few vehicles as possible")],
  ["areas", tr("A part of the map for each vehicle")],
];

/** The fixed cost beside which all else is small; a request may have up to 1,048,576. */
const DEAR = 1_000_000;

/** How many further solutions the search for an even plan takes at most. */
const TRIES = 4;

/** Skills of clusters, far from those of the problem. */
const CLUSTER_SKILL = 1_000_000;

export interface Calls {
  /** Solves a request; null where somebody ended it. */
  readonly solve: (request: OptimiseRequest, progressText: string) => Promise<unknown>;
  /** The body of POST /v1/cluster answered. */
  readonly cluster: (body: unknown) => Promise<unknown>;
}

/** An answer, and the figures of the plan of least cost beside it. */
export interface Aimed {
  readonly answer: Answer;
  readonly before: Figures | null;
}

/**
 * Solves a problem for what its rounds are to be. The plan of least cost comes first, and that for
 * the aim never leaves more stops out: bounds on rounds are taken back where they would.
 */
export async function solveFor(
  problem: Problem,
  request: OptimiseRequest,
  calls: Calls,
): Promise<Aimed | null> {
  const solved = async (next: OptimiseRequest, progressText: string): Promise<Answer | null> => {
    const body = await calls.solve(next, progressText);
    return body === null ? null : readAnswer(body, problem);
  };
  const base = await solved(request, "");
  if (!base || problem.aim === "cost" || problem.vehicles.length < 2) {
    return base && { answer: base, before: null };
  }
  const before = figuresOf(base);
  let best = base;
  /**
   * Whether a bounded request has a plan that leaves out no more; it is then the best. One that is
   * refused, or has no answer, has none, and the best so far stays.
   */
  const fits = async (next: OptimiseRequest, progressText: string): Promise<boolean> => {
    const answer = await solved(next, progressText).catch(() => null);
    if (!answer || answer.left.length > base.left.length) return false;
    best = answer;
    return true;
  };
  switch (problem.aim) {
    case "time":
      await evenTime(request, base, before, fits);
      break;
    case "stops":
      await evenStops(request, before, fits);
      break;
    case "vehicles": {
      const dear = request.vehicles.map((one) => withCost(one, DEAR));
      await fits({ ...request, vehicles: dear }, tr("with fewer vehicles"));
      const plain = new Map(request.vehicles.map((one) => [one["id"], one]));
      // The cost of the answer is that of the vehicles as they are.
      const added = best.routes.reduce((sum, { vehicle }) => {
        return sum + (plain.has(vehicle) ? DEAR - fixedOf(plain.get(vehicle)!) : 0);
      }, 0);
      if (best !== base && best.cost !== null) best = { ...best, cost: best.cost - added };
      break;
    }
    case "areas": {
      const parted = await inAreas(problem, request, calls).catch(() => null);
      if (parted) await fits(parted, tr("by parts of the map"));
    }
  }
  return { answer: best, before };
}

type Fits = (request: OptimiseRequest, progressText: string) => Promise<boolean>;

/** Ends shifts ever earlier, halving between the even share of the work and the longest round. */
async function evenTime(
  request: OptimiseRequest,
  base: Answer,
  { longest }: Figures,
  fits: Fits,
): Promise<void> {
  const work = base.routes.reduce((sum, { departure, finish }) => sum + finish - departure, 0);
  let least = work / request.vehicles.length;
  let most = longest;
  for (let tries = 1; tries <= TRIES && most - least > 60; tries++) {
    const seconds = Math.round((least + most) / 2);
    const vehicles = request.vehicles.map((one) => endingAfter(one, seconds));
    if (await fits({ ...request, vehicles }, tr("evenly, {0} of {1}", tries, TRIES)))
      most = seconds;
    else least = seconds;
  }
}

/** A vehicle whose one shift lasts no longer, but for its breaks; those with several keep them. */
export function endingAfter(vehicle: Members, seconds: number): Members {
  if (vehicle["time_windows"] !== undefined) return vehicle;
  const given = vehicle["time_window"];
  const [from, to] = (Array.isArray(given) ? given : [0, Number.MAX_SAFE_INTEGER]) as [number, number]; // prettier-ignore
  // All breaks are taken, in their order.
  const rested = records(vehicle["breaks"]).reduce((at, rest) => {
    const windows = (rest["time_windows"] ?? []) as readonly Window[];
    const open = windows.find(([, closes]) => closes >= at)?.[0] ?? at;
    return Math.max(at, open) + (number(rest["service_s"]) ?? 0);
  }, from);
  return { ...vehicle, time_window: [from, Math.min(to, Math.max(from + seconds, rested))] };
}

/** Bounds the stops of each round by the even share, and by a few more where that is too few. */
async function evenStops(
  request: OptimiseRequest,
  { stops, most }: Figures,
  fits: Fits,
): Promise<void> {
  const share = Math.ceil(stops / request.vehicles.length);
  for (let extra = 0; extra < TRIES && share + extra < most; extra++) {
    const vehicles = request.vehicles.map((one) => {
      const own = one["max_tasks"];
      const bound = share + extra;
      return {
        ...one,
        max_tasks: typeof own === "number" && own > 0 ? Math.min(own, bound) : bound,
      };
    });
    if (await fits({ ...request, vehicles }, tr("evenly, {0} of {1}", extra + 1, TRIES))) return;
  }
}

function fixedOf(vehicle: Members): number {
  const costs = isRecord(vehicle["costs"]) ? vehicle["costs"] : {};
  return typeof costs["fixed"] === "number" ? costs["fixed"] : 0;
}

function withCost(vehicle: Members, fixed: number): Members {
  const costs = isRecord(vehicle["costs"]) ? vehicle["costs"] : {};
  return { ...vehicle, costs: { ...costs, fixed } };
}

/** Binds the stops of each cluster to the vehicle that starts nearest to it; null where there are too few. */
async function inAreas(
  problem: Problem,
  request: OptimiseRequest,
  { cluster }: Calls,
): Promise<OptimiseRequest | null> {
  const { jobs, shipments = [] } = request;
  const tasks = [...jobs, ...shipments];
  const clusters = Math.min(problem.vehicles.length, tasks.length);
  if (clusters < 2) return null;
  const pickups = new Map(shipmentsOf(problem.stops).map((one) => [one.id, one.pickup]));
  const placed = new Map(problem.stops.map((stop) => [stop.id, stop]));
  const answer = await cluster({
    locations: tasks.map((task) => {
      const id = String(task["id"]);
      const stop = pickups.get(id) ?? placed.get(id)!;
      return { id, lat: stop.at![1], lon: stop.at![0] };
    }),
    clusters,
  });
  const found = records(isRecord(answer) ? answer["clusters"] : null).map((one) => {
    const centroid = isRecord(one["centroid"]) ? one["centroid"] : {};
    return {
      ids: new Set((one["locations"] as unknown[]).map(String)),
      at: [Number(centroid["lon"]), Number(centroid["lat"])] as LonLat,
    };
  });
  const owners = nearestOwners(
    found.map(({ at }) => at),
    problem.vehicles,
  );
  const skillOf = (id: unknown): number =>
    CLUSTER_SKILL + found.findIndex(({ ids }) => ids.has(String(id)));
  const more = (one: Members, skill: number): Members => ({
    ...one,
    skills: [...((one["skills"] as number[] | undefined) ?? []), skill],
  });
  return {
    ...request,
    jobs: jobs.map((job) => more(job, skillOf(job["id"]))),
    ...(shipments.length
      ? { shipments: shipments.map((one) => more(one, skillOf(one["id"]))) }
      : {}),
    vehicles: request.vehicles.map((one) => {
      const number = owners.indexOf(String(one["id"]));
      return number < 0 ? one : more(one, CLUSTER_SKILL + number);
    }),
  };
}

/** The vehicle of each place: pairs are made by nearness, the nearest first. */
export function nearestOwners(places: readonly LonLat[], vehicles: readonly Vehicle[]): string[] {
  const pairs = places.flatMap(([x, y], place) =>
    vehicles.map(({ id, start, end }) => {
      const [lon, lat] = start ?? end ?? [x, y];
      const metres = Math.hypot((lon - x) * Math.cos((y * Math.PI) / 180), lat - y);
      return { place, id, metres };
    }),
  );
  const owners = new Array<string>(places.length).fill("");
  const taken = new Set<string>();
  for (const { place, id } of pairs.toSorted((a, b) => a.metres - b.metres)) {
    if (owners[place] || taken.has(id)) continue;
    owners[place] = id;
    taken.add(id);
  }
  return owners;
}
