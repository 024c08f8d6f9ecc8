import type { LonLat } from "../../geo/coords";
import type { Answer } from "./answer";
import type { Figures } from "./figures";
import type { Followed, Reported } from "./follow";
import { fixedBy } from "./warmstart";
import { readKept, writeKept } from "./kept";
import { named, type Problem, type Vehicle } from "../problem/model";
import { movedWhole, ordersOf } from "../day/orders";
import type { Plan } from "./plan";
import { schedule } from "../day/schedule";
import type { Places, Route, Ways } from "../day/route";
import { partnerOf } from "../problem/shipments";
import type { Call } from "../day/trips";

export interface Solving {
  readonly text: string;
  /** 0 to 1; null where it is not known. */
  readonly share: number | null;
  /** Whether it ends with the best so far. */
  readonly stopping?: boolean;
}

export interface State {
  readonly problem: Problem;
  readonly plan: Plan | null;
  readonly solving: Solving | null;
  /** The stop that is looked at. */
  readonly stop: string | null;
  /** Where drivers follow the plan; null where they do not. */
  readonly followed: Followed | null;
  /** What drivers have reported, by stop; null where they do not follow the plan. */
  readonly reported: ReadonlyMap<string, Reported> | null;
  /** Whether the browser has no room to keep this beyond the page. */
  readonly unkept: boolean;
}

type Listener = (state: State, before: State) => void;

/** The state of the planner's page; every change of it notifies the listeners. */
export class PlanStore {
  state: State = {
    ...readKept(),
    solving: null,
    stop: null,
    reported: null,
    unkept: false,
  };
  /** Ways between all places of the plan; null before the server has given them. */
  ways: Ways | null = null;
  /** Whether stops that were moved by hand stay where they are when the plan is solved again. */
  keep = true;
  private readonly past: Plan[] = [];
  private readonly listeners: Listener[] = [];

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.state, this.state);
  }

  private set(patch: Partial<State>): void {
    const before = this.state;
    const next = { ...before, ...patch };
    const changed = (["problem", "plan", "followed"] as const).some(
      (of) => next[of] !== before[of],
    );
    this.state = changed ? { ...next, unkept: !writeKept(next) } : next;
    for (const listener of this.listeners) listener(this.state, before);
  }

  change(problem: Problem): void {
    this.set({ problem });
  }

  solving(solving: Solving | null): void {
    this.set({ solving });
  }

  look(stop: string | null): void {
    this.set({ stop });
  }

  /** Takes the solver's answer to a problem. */
  take(answer: Answer, problem: Problem, before: Figures | null = null): void {
    this.past.length = 0;
    this.ways = null;
    this.set({ plan: { ...answer, problem, touched: [], fixed: [], before }, solving: null });
  }

  /** Takes a problem with its plan, or without one, in place of all that was there. */
  open(problem: Problem, plan: Plan | null, followed: Followed | null = null): void {
    this.past.length = 0;
    this.ways = null;
    this.set({
      problem,
      plan: plan && { ...plan, problem },
      solving: null,
      stop: null,
      followed,
      reported: null,
    });
  }

  follow(followed: Followed | null): void {
    this.set(followed ? { followed } : { followed, reported: null });
  }

  /** Takes what drivers have reported so far. */
  report(reported: ReadonlyMap<string, Reported>): void {
    this.set({ reported });
  }

  /** Lines along roads of a vehicle whose stops were moved, once they are found. */
  draw(vehicle: string, line: readonly LonLat[]): void {
    const { plan } = this.state;
    if (plan) this.set({ plan: { ...plan, lines: { ...plan.lines, [vehicle]: line } } });
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  undo(): void {
    const plan = this.past.pop();
    if (plan) this.set({ plan });
  }

  /** The routes with a stop moved by hand; null while the ways are not known. */
  tried(stop: string, vehicle: string, index: number): readonly Route[] | null {
    const { plan } = this.state;
    const { ways } = this;
    if (!plan || !ways) return null;
    const { problem, routes } = plan;
    const after = movedWhole(problem, ordersOf(routes), { stop, vehicle, index });
    const changed = this.changedBy(plan, stop, vehicle);
    return problem.vehicles.flatMap((one): Route[] => {
      const own = routes.filter((route) => route.vehicle === one.id);
      if (!changed.has(one.id)) return own;
      return [dayOf(plan, one, inTrips(after[one.id] ?? [], tripNumbers(own, stop)), ways)];
    });
  }

  /** The vehicles whose rounds change when a stop is moved to one. */
  private changedBy({ problem, routes }: Plan, stop: string, vehicle: string): Set<string> {
    const ends = [stop, partnerOf(problem, stop)?.id];
    const from = routes.filter(({ visits }) => visits.some((visit) => ends.includes(visit.stop)));
    return new Set([vehicle, ...from.map((route) => route.vehicle)]);
  }

  /** Moves a stop by hand. One that was left out is served from then on. */
  move(stop: string, vehicle: string, index: number): void {
    const { plan } = this.state;
    const routes = this.tried(stop, vehicle, index);
    if (!plan || !routes) return;
    this.past.push(plan);
    const changed = this.changedBy(plan, stop, vehicle);
    const touched = [...new Set([...plan.touched, ...changed])];
    const lines = { ...plan.lines };
    for (const id of changed) delete lines[id];
    const served = new Set(routes.flatMap(({ visits }) => visits.map((visit) => visit.stop)));
    const left = plan.left.filter((one) => !served.has(one.stop));
    this.set({ plan: { ...plan, routes, lines, left, touched, fixed: fixedBy(plan, stop) } });
  }
}

/** The trip of each stop of a vehicle, but for one that is moved. */
function tripNumbers(routes: readonly Route[], without: string): ReadonlyMap<string, number> {
  const visits = routes.flatMap((route) => route.visits);
  return new Map(
    visits.filter(({ stop }) => stop !== without).map(({ stop, trip }) => [stop, trip]),
  );
}

/** An order of stops with their trips; a stop without a trip takes that of the stop before it, or after. */
function inTrips(
  order: readonly string[],
  trips: ReadonlyMap<string, number>,
): readonly (readonly [string, number])[] {
  const known = order.map((id) => trips.get(id));
  let trip = known.find((one) => one !== undefined) ?? 0;
  return order.map((id, i) => {
    trip = Math.max(trip, known[i] ?? trip);
    return [id, trip];
  });
}

/** The day of a vehicle with these stops, by the ways between all places. */
function dayOf(
  { problem }: Plan,
  vehicle: Vehicle,
  order: readonly (readonly [string, number])[],
  ways: Ways,
): Route {
  const calls = order.flatMap(([id, trip]): Call[] => {
    const stop = named(problem.stops, id);
    return stop ? [{ stop, trip }] : [];
  });
  const { loads, areas } = problem;
  return schedule({ vehicle, calls, ways, places: placesOf(problem).numbers, loads, areas });
}

interface Placed {
  readonly list: readonly LonLat[];
  readonly numbers: Places;
}

const placed = new WeakMap<Problem, Placed>();

/** All places of a problem, each once, and which of them is whose. */
export function placesOf(problem: Problem): Placed {
  const known = placed.get(problem) ?? findPlaces(problem);
  placed.set(problem, known);
  return known;
}

function findPlaces({ stops, vehicles }: Problem): Placed {
  const numbers = new Map<string, number>();
  const list: LonLat[] = [];
  const add = (at: LonLat | null): number => {
    if (!at) return -1;
    const key = at.join();
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, list.length);
    return list.push(at) - 1;
  };
  const of = new Map(stops.map(({ id, at }) => [id, add(at)]));
  const starts = new Map(vehicles.map(({ id, start }) => [id, add(start)]));
  const ends = new Map(vehicles.map(({ id, end }) => [id, add(end)]));
  return {
    list,
    numbers: {
      stop: (id) => of.get(id) ?? -1,
      start: (id) => starts.get(id) ?? -1,
      end: (id) => ends.get(id) ?? -1,
    },
  };
}
