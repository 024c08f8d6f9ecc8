import type { Break, Vehicle, Window } from "../problem/model";
import { Shifts } from "../problem/shifts";
import { DAY } from "../problem/times";

/** Something done at a place, and the way to it. */
export interface Task {
  /** Seconds of driving. */
  readonly way: number;
  /** In which it begins; none is any time. */
  readonly windows: readonly Window[];
  /** Seconds. */
  readonly lasts: number;
  /** Of each break whether the load on the way is too much for it. */
  readonly heavy: readonly boolean[];
}

/** From the end of one task to the begin of a later one no more seconds than this may pass. */
export interface Ride {
  readonly from: number;
  readonly to: number;
  readonly most: number;
}

export interface Moment {
  readonly arrival: number;
  readonly begin: number;
  readonly end: number;
  /** Seconds after the last window. */
  readonly late: number;
}

/** A break by its number from 0. */
export interface Rest {
  readonly index: number;
  /** The task on the way to which it is taken. */
  readonly before: number;
  readonly begin: number;
  readonly end: number;
  readonly late: number;
}

export interface Times {
  readonly departure: number;
  readonly tasks: readonly Moment[];
  readonly rests: readonly Rest[];
}

/**
 * The times of a vehicle that does tasks in this order: over as soon as can be, and begun as
 * late as that allows, which are the solver's times. Where something must be late each task
 * is reached with as little delay up to it as can be, and then as soon. A break is taken
 * between tasks or on the way.
 */
export function timesOf(
  { shifts, breaks }: Pick<Vehicle, "shifts" | "breaks">,
  tasks: readonly Task[],
  rides: readonly Ride[],
): Times {
  return new Day(shifts, breaks, tasks).times(rides);
}

/** What a break counts as late by where the load is too much for it. */
const HEAVY = DAY;

/** The earliest end of a task after so many breaks. */
interface Label {
  /** Seconds by which something is late so far. */
  readonly late: number;
  readonly end: number;
  /** Breaks taken before the way to it. */
  readonly from: number;
}

/** A day from one end to the other. */
interface Course {
  readonly late: number;
  readonly end: number;
  /** By task: when it begins, and the breaks taken by then. */
  readonly begins: readonly number[];
  readonly taken: readonly number[];
}

class Day {
  private readonly shifts: Shifts;
  private readonly breaks: readonly Break[];
  private readonly tasks: readonly Task[];

  constructor(shifts: readonly Window[], breaks: readonly Break[], tasks: readonly Task[]) {
    this.shifts = new Shifts(shifts);
    this.breaks = breaks;
    this.tasks = tasks;
  }

  times(rides: readonly Ride[]): Times {
    const { opens } = this.shifts;
    if (this.tasks.length === 0) return { departure: opens, tasks: [], rests: [] };
    const { late } = this.course(opens, []);
    const kept = this.possible(rides, late);
    let best = this.warmStart(opens, kept, { late, end: Number.POSITIVE_INFINITY })!;
    let [departure, high] = [opens, best.end];
    while (departure < high) {
      const middle = departure + Math.ceil((high - departure) / 2);
      const later = this.warmStart(middle, kept, best);
      if (later) [departure, best] = [middle, later];
      else high = middle - 1;
    }
    return this.written(departure, best);
  }

  /** The rides that can be kept together, but for those before, without making more late. */
  private possible(rides: readonly Ride[], late: number): readonly Ride[] {
    const bound = { late, end: Number.POSITIVE_INFINITY };
    const can = (some: readonly Ride[]) => this.warmStart(this.shifts.opens, some, bound) !== null;
    if (can(rides)) return rides;
    const likely = rides.filter((ride) => this.least(ride) <= ride.most);
    return likely.reduce<Ride[]>((some, one) => (can([...some, one]) ? [...some, one] : some), []);
  }

  /** What a ride takes without a break, and without waiting. */
  private least({ from, to }: Ride): number {
    const { lasts } = this.tasks[from]!;
    const between = this.tasks.slice(from, to).reduce((sum, task) => sum + task.lasts, -lasts);
    return this.tasks.slice(from + 1, to + 1).reduce((sum, { way }) => sum + way, between);
  }

  /** A course that keeps rides; null where there is none that is no later. What is on board for too long is loaded later. */
  private warmStart(
    ready: number,
    rides: readonly Ride[],
    most: Pick<Course, "late" | "end">,
  ): Course | null {
    const floors: number[] = [];
    for (let rounds = 4 * this.tasks.length; rounds >= 0; rounds--) {
      const course = this.course(ready, floors);
      if (course.late > most.late || course.end > most.end) return null;
      const { begins } = course;
      let again = false;
      for (const ride of rides) {
        const floor = begins[ride.to]! - ride.most - this.tasks[ride.from]!.lasts;
        if (floor <= begins[ride.from]!) continue;
        floors[ride.from] = floor;
        again = true;
      }
      if (!again) return course;
    }
    return null;
  }

  /** The course whose tasks begin no earlier than floors. */
  private course(ready: number, floors: readonly (number | undefined)[]): Course {
    const rows: (Label | undefined)[][] = [[{ late: 0, end: ready, from: 0 }]];
    this.tasks.forEach((task, i) => rows.push(this.row(task, rows[i]!, floors[i] ?? 0)));
    const begins: number[] = [];
    const taken: number[] = [];
    let n = this.breaks.length;
    const { late, end } = rows.at(-1)![n]!;
    for (let i = this.tasks.length - 1; i >= 0; i--) {
      const label = rows[i + 1]![n]!;
      begins[i] = label.end - this.tasks[i]!.lasts;
      taken[i] = n;
      n = label.from;
    }
    return { late: late + Math.max(0, end - this.shifts.closes), end, begins, taken };
  }

  /** The labels of a task, by the breaks taken before it. */
  private row(
    { way, windows, lasts, heavy }: Task,
    before: readonly (Label | undefined)[],
    floor: number,
  ): (Label | undefined)[] {
    const { shifts, breaks } = this;
    const row: (Label | undefined)[] = [];
    before.forEach((label, from) => {
      if (!label) return;
      let { late, end: at } = label;
      let left = way;
      for (let taken = from; ; taken++) {
        const begin = shifts.begin(windows, Math.max(shifts.after(at, left), floor), lasts);
        const next = { late: late + lateness(windows, begin), end: begin + lasts, from };
        const known = row[taken];
        if (!known || next.late < known.late || (next.late === known.late && next.end < known.end))
          row[taken] = next;
        const rest = breaks[taken];
        if (!rest) break;
        const start = shifts.begin(rest.windows, at, rest.lasts);
        late += lateness(rest.windows, start) + (heavy[taken] ? HEAVY : 0);
        left = Math.max(0, left - shifts.between(at, start));
        at = start + rest.lasts;
      }
    });
    return row;
  }

  private written(departure: number, { begins, taken }: Course): Times {
    const { shifts, breaks } = this;
    const rests: Rest[] = [];
    let at = departure;
    const tasks = this.tasks.map(({ way, windows, lasts }, before): Moment => {
      let left = way;
      while (rests.length < taken[before]!) {
        const index = rests.length;
        const rest = breaks[index]!;
        const begin = shifts.begin(rest.windows, at, rest.lasts);
        left = Math.max(0, left - shifts.between(at, begin));
        at = begin + rest.lasts;
        rests.push({ index, before, begin, end: at, late: lateness(rest.windows, begin) });
      }
      const arrival = shifts.after(at, left);
      const begin = begins[before]!;
      at = begin + lasts;
      return { arrival, begin, end: at, late: lateness(windows, begin) };
    });
    return { departure, tasks, rests };
  }
}

/** Seconds after the last window. */
function lateness(windows: readonly Window[], begin: number): number {
  return Math.max(0, begin - (windows.at(-1)?.[1] ?? begin));
}
