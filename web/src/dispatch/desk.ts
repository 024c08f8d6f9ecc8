import type { LonLat } from "../coords";
import { EMPTY, type Problem, type Vehicle } from "./model";
import type { Answer, Left } from "./request";
import { moved, schedule, type Orders, type Places, type Route, type Ways } from "./schedule";

/** A plan as it is shown: of the solver, or moved by hand since. */
export interface Plan {
  /** What it is a plan of. */
  readonly problem: Problem;
  readonly routes: readonly Route[];
  /** Lines along roads by vehicle; a vehicle without one has straight lines. */
  readonly lines: Readonly<Record<string, readonly LonLat[]>>;
  readonly left: readonly Left[];
  readonly cost: number | null;
  readonly notes: readonly string[];
  /** Vehicles whose stops were moved by hand. */
  readonly touched: readonly string[];
}

export interface Solving {
  readonly text: string;
  /** 0 to 1; null where it is not known. */
  readonly share: number | null;
}

export interface State {
  readonly problem: Problem;
  readonly plan: Plan | null;
  readonly solving: Solving | null;
  /** The stop that is looked at. */
  readonly stop: string | null;
}

type Listener = (state: State, before: State) => void;

const STORED = "waygate.planner";

/** What the page holds; everything that changes it tells the listeners. */
export class Desk {
  state: State = { problem: stored(), plan: null, solving: null, stop: null };
  /** Ways between all places of the plan; null until they are asked for. */
  ways: Ways | null = null;
  private readonly past: Plan[] = [];
  private readonly listeners: Listener[] = [];

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.state, this.state);
  }

  private set(patch: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.state, before);
  }

  change(problem: Problem): void {
    store(problem);
    this.set({ problem });
  }

  solving(solving: Solving | null): void {
    this.set({ solving });
  }

  look(stop: string | null): void {
    this.set({ stop });
  }

  /** Takes what the solver answered for a problem. */
  take(answer: Answer, problem: Problem): void {
    this.past.length = 0;
    this.ways = null;
    this.set({ plan: { ...answer, problem, touched: [] }, solving: null });
  }

  clear(): void {
    this.past.length = 0;
    this.set({ plan: null });
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
    const before = ordersOf(plan.routes);
    const after = moved(before, stop, vehicle, index);
    const from = plan.routes.find(({ visits }) => visits.some((visit) => visit.stop === stop));
    const changed = new Set([vehicle, from?.vehicle]);
    return plan.problem.vehicles.flatMap((one): Route[] => {
      const order = after[one.id] ?? [];
      if (changed.has(one.id)) return [dayOf(plan.problem, one, order, ways)];
      const route = plan.routes.find((r) => r.vehicle === one.id);
      return route ? [route] : [];
    });
  }

  /** Moves a stop by hand; one that was left out so is served. */
  move(stop: string, vehicle: string, index: number): void {
    const { plan } = this.state;
    const routes = this.tried(stop, vehicle, index);
    if (!plan || !routes) return;
    this.past.push(plan);
    const from = plan.routes.find(({ visits }) => visits.some((visit) => visit.stop === stop));
    const touched = [...new Set([...plan.touched, vehicle, ...(from ? [from.vehicle] : [])])];
    const lines = { ...plan.lines };
    for (const id of [vehicle, from?.vehicle]) if (id) delete lines[id];
    const left = plan.left.filter((one) => one.stop !== stop);
    this.set({ plan: { ...plan, routes, lines, left, touched } });
  }
}

/** The day of a vehicle with these stops, by the ways between all places. */
function dayOf(problem: Problem, vehicle: Vehicle, order: readonly string[], ways: Ways): Route {
  const stops = order.flatMap((id) => problem.stops.find((stop) => stop.id === id) ?? []);
  return schedule({ vehicle, stops, ways, places: placesOf(problem).numbers });
}

export function ordersOf(routes: readonly Route[]): Orders {
  return Object.fromEntries(
    routes.map(({ vehicle, visits }) => [vehicle, visits.map(({ stop }) => stop)]),
  );
}

/** All places of a problem, each once, and which of them is whose. */
export function placesOf({ stops, vehicles }: Problem): {
  readonly list: readonly LonLat[];
  readonly numbers: Places;
} {
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

/** What was worked on last in this browser. */
function stored(): Problem {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(STORED) ?? "null");
    const { stops, vehicles } = (value ?? {}) as Partial<Problem>;
    return Array.isArray(stops) && Array.isArray(vehicles) ? (value as Problem) : EMPTY;
  } catch {
    return EMPTY;
  }
}

function store(problem: Problem): void {
  try {
    localStorage.setItem(STORED, JSON.stringify(problem));
  } catch {
    // Storage may be refused or full: it then lasts for this page.
  }
}
