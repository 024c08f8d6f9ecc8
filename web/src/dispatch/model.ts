import type { LonLat } from "../coords";
import type { Costing } from "../options";

/** A span of seconds from midnight of the day that is planned. */
export type Window = readonly [number, number];

/** Something to be done at a place. */
export interface Stop {
  readonly id: string;
  readonly name: string;
  /** What is looked for where there are no coordinates. */
  readonly address: string;
  /** Null until it is found. */
  readonly at: LonLat | null;
  /** Seconds. */
  readonly service: number;
  /** In which the work begins; none is any time. */
  readonly windows: readonly Window[];
  /** What a vehicle carries there. */
  readonly amount: number;
  /** 0 to 100. */
  readonly priority: number;
  /** What a vehicle must be able to do. */
  readonly skills: readonly string[];
}

export interface Vehicle {
  readonly id: string;
  readonly name: string;
  readonly start: LonLat | null;
  /** Null: the day ends wherever its last stop is. */
  readonly end: LonLat | null;
  readonly shift: Window;
  /** 0 has no bound. */
  readonly capacity: number;
  readonly skills: readonly string[];
}

/** What is to be planned. */
export interface Problem {
  readonly stops: readonly Stop[];
  readonly vehicles: readonly Vehicle[];
  readonly costing: Costing;
}

export const EMPTY: Problem = { stops: [], vehicles: [], costing: "auto" };

const COLOURS = ["#2f5bea", "#c2410c", "#15803d", "#9333ea", "#b91c5c", "#0e7490", "#854d0e"];

/** A vehicle's colour; told apart by its number too. */
export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length]!;
}

/** Another vehicle like the last one. */
export function nextVehicle(vehicles: readonly Vehicle[], depot: LonLat | null): Vehicle {
  const like = vehicles.at(-1);
  const taken = new Set(vehicles.map(({ id }) => id));
  let number = vehicles.length + 1;
  while (taken.has(`van-${number}`)) number++;
  return {
    shift: [8 * 3600, 17 * 3600],
    capacity: 0,
    skills: [],
    start: depot,
    end: depot,
    ...like,
    id: `van-${number}`,
    name: `Van ${number}`,
  };
}

/** What keeps a problem from being solved, in words; none is none. */
export function missing({ stops, vehicles }: Problem): string[] {
  const list: string[] = [];
  const lost = stops.filter(({ at }) => at === null).length;
  if (stops.length === 0) list.push("There are no stops yet.");
  if (lost)
    list.push(`${lost} of ${stops.length} stops have no place yet: find them, or take them out.`);
  if (vehicles.length === 0) list.push("There is no vehicle yet.");
  for (const { name, start, end, shift } of vehicles) {
    if (!start && !end) list.push(`${name} has neither a start nor an end.`);
    if (shift[1] <= shift[0]) list.push(`The shift of ${name} ends before it begins.`);
  }
  return list;
}
