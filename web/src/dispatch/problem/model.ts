import { tr } from "../../ui/translate";
import type { LonLat } from "../../geo/coords";
import type { Costing } from "../../plan/options";
import type { Area } from "./areas";

/** A span of seconds from midnight of the day that is planned. */
export type Window = readonly [number, number];

/** Members of the API's JSON. */
export type Members = Readonly<Record<string, unknown>>;

/** What rounds are to be. */
export type Aim = "cost" | "time" | "stops" | "vehicles" | "areas";

/** That of a vehicle without a shift. */
export const DAY_SPAN: Window = [0, 86_400];

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
  /** How much of each load of the problem; what is not there is 0. */
  readonly amounts: readonly number[];
  /** Whether the load is collected there, and not brought. */
  readonly collects: boolean;
  /** What is collected at one stop of this name is brought to the other; "" is none. */
  readonly shipment: string;
  /** Most seconds that a shipment is on board; 0 has no bound. */
  readonly ride: number;
  /** 0 to 100. */
  readonly priority: number;
  /** What a vehicle must be able to do. */
  readonly skills: readonly string[];
  /** What the API knows besides, as it is sent. */
  readonly more: Members;
}

/** A rest of a driver. */
export interface Break {
  /** "" is that of its number. */
  readonly id: string;
  /** In which it begins; none is any time. */
  readonly windows: readonly Window[];
  /** Seconds. */
  readonly lasts: number;
  /** Most of each load that is on board meanwhile; null has no bound. */
  readonly loads: readonly (number | null)[];
  /** What the API knows besides, as it is sent. */
  readonly more: Members;
}

/** Where a vehicle starts or ends. */
export interface Depot {
  readonly at: LonLat | null;
  /** By which it was found, or is to be looked for; "" is none. */
  readonly address: string;
}

export interface Vehicle {
  readonly id: string;
  readonly name: string;
  readonly start: LonLat | null;
  readonly startAddress: string;
  /** Null: the day ends wherever its last stop is. */
  readonly end: LonLat | null;
  readonly endAddress: string;
  /** None is any time. */
  readonly shifts: readonly Window[];
  /** Of each load of the problem; null has no bound. */
  readonly capacities: readonly (number | null)[];
  readonly skills: readonly string[];
  /** In the order in which they are taken. */
  readonly breaks: readonly Break[];
  /** Most trips of a shift, 1 to 5, and the seconds between two of them at the start. */
  readonly trips: number;
  readonly reload: number;
  /** Names of the areas whose stops it serves; none is anywhere. */
  readonly areas: readonly string[];
  /** Most of a trip: stops, seconds of driving, metres; 0 has no bound. */
  readonly mostStops: number;
  readonly mostDriving: number;
  readonly mostMetres: number;
  /** What a trip costs, an hour of driving, and a kilometre. */
  readonly perTrip: number;
  readonly perHour: number;
  readonly perKilometre: number;
  /** What the API knows besides, as it is sent. */
  readonly more: Members;
}

/** What an hour of driving costs where nothing is said: one a second. */
export const USUAL_HOUR = 3600;

/** What is to be planned. */
export interface Problem {
  readonly stops: readonly Stop[];
  readonly vehicles: readonly Vehicle[];
  readonly costing: Costing;
  /** Names of what is carried. */
  readonly loads: readonly string[];
  readonly areas: readonly Area[];
  readonly aim: Aim;
  /** The day, as 2026-11-30, for which ways are worked out; "" is any. */
  readonly day: string;
  /** What the API knows besides, as it is sent. */
  readonly more: Members;
}

export const EMPTY: Problem = {
  stops: [],
  vehicles: [],
  costing: "auto",
  loads: ["Amount"],
  areas: [],
  aim: "cost",
  day: "",
  more: {},
};

export const BLANK_STOP: Stop = {
  id: "",
  name: "",
  address: "",
  at: null,
  service: 0,
  windows: [],
  amounts: [],
  collects: false,
  shipment: "",
  ride: 0,
  priority: 0,
  skills: [],
  more: {},
};

export const BLANK_VEHICLE: Vehicle = {
  id: "",
  name: "",
  start: null,
  startAddress: "",
  end: null,
  endAddress: "",
  shifts: [[8 * 3600, 17 * 3600]],
  capacities: [],
  skills: [],
  breaks: [],
  trips: 1,
  reload: 0,
  areas: [],
  mostStops: 0,
  mostDriving: 0,
  mostMetres: 0,
  perTrip: 0,
  perHour: USUAL_HOUR,
  perKilometre: 0,
  more: {},
};

export const BLANK_BREAK: Break = {
  id: "",
  windows: [[12 * 3600, 13 * 3600]],
  lasts: 1800,
  loads: [],
  more: {},
};

/** What a break is called, by its number from 0. */
export function breakName({ id }: Break, index: number): string {
  return id || tr("Break {0}", index + 1);
}

/** Its id in a request, which is the same in every language. */
export function breakID({ id }: Break, index: number): string {
  return id || `Break ${index + 1}`;
}

/** A problem that was kept, with what has no value in it as it is without one. */
export function problemOf(kept: Partial<Problem>): Problem {
  return {
    ...EMPTY,
    ...kept,
    stops: (kept.stops ?? []).map((stop) => ({ ...BLANK_STOP, ...stop })),
    vehicles: (kept.vehicles ?? []).map((vehicle) => ({
      ...BLANK_VEHICLE,
      ...vehicle,
      breaks: (vehicle.breaks ?? []).map((rest) => ({ ...BLANK_BREAK, ...rest })),
    })),
  };
}

const COLOURS = ["#2f5bea", "#c2410c", "#15803d", "#9333ea", "#b91c5c", "#0e7490", "#854d0e"];

/** A vehicle's colour; its number distinguishes it too. */
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
    ...BLANK_VEHICLE,
    start: depot,
    end: depot,
    ...like,
    id: `van-${number}`,
    name: `Van ${number}`,
  };
}

/** The one thing of a list by its id. */
export function named<T extends { readonly id: string }>(list: readonly T[], id: string): T | null {
  return list.find((one) => one.id === id) ?? null;
}
