import { rounded, type LonLat } from "./coords";
import type { Costing, Options } from "./options";

export type Units = "kilometers" | "miles";

/** The languages of instructions, as BCP 47 tags, with their own names. */
export const LANGUAGES = [
  ["en-GB", "English"],
  ["en-US", "English (US)"],
  ["cy-GB", "Cymraeg"],
  ["de-DE", "Deutsch"],
  ["es-ES", "Español"],
  ["fr-FR", "Français"],
  ["it-IT", "Italiano"],
  ["nl-NL", "Nederlands"],
  ["pl-PL", "Polski"],
  ["pt-PT", "Português"],
  ["pt-BR", "Português (Brasil)"],
  ["sv-SE", "Svenska"],
] as const;

export type Language = (typeof LANGUAGES)[number][0];

export function isLanguage(tag: string | null): tag is Language {
  return LANGUAGES.some(([known]) => known === tag);
}

/** The things to do with points, with their names on the page. */
export const TASKS = [
  ["route", "Route"],
  ["reach", "Reach"],
  ["matrix", "Matrix"],
  ["meet", "Meet"],
  ["trace", "Trace"],
] as const;

export type TaskName = (typeof TASKS)[number][0];

export function isTask(name: string | null): name is TaskName {
  return TASKS.some(([known]) => known === name);
}

/** How far away is within reach. */
export interface Reach {
  readonly minutes: number;
  /** Towards the place rather than from it. */
  readonly toward: boolean;
}

export const REACHES: readonly number[] = [6, 15, 30, 60];

/** When one travels: local time of the place, to the minute (2026-11-23T08:30). */
export interface When {
  readonly kind: "depart" | "arrive";
  readonly at: string;
}

/** How many places can be kept out of a route. */
export const MOST_AVOIDED = 50;

/** A row of the itinerary; without a place until the user gives one. */
export interface Stop {
  readonly id: number;
  readonly at: LonLat | null;
}

/** Everything that determines the request. Immutable; see the functions below. */
export interface Plan {
  /** At least two: start first, destination last. */
  readonly stops: readonly Stop[];
  readonly costing: Costing;
  /** What was set per costing, kept while another costing is looked at. */
  readonly options: Readonly<Partial<Record<Costing, Options>>>;
  readonly units: Units;
  readonly language: Language;
  /** What is done with the points. */
  readonly task: TaskName;
  readonly reach: Reach;
  /** Null: at no time in particular. */
  readonly when: When | null;
  /** Places whose roads are not used. */
  readonly avoid: readonly LonLat[];
}

let lastID = 0;

export function stop(at: LonLat | null = null): Stop {
  return { id: ++lastID, at: at && rounded(at) };
}

export function emptyPlan(): Plan {
  return {
    stops: [stop(), stop()],
    costing: "auto",
    options: {},
    units: "kilometers",
    language: "en-GB",
    task: "route",
    reach: { minutes: 15, toward: false },
    when: null,
    avoid: [],
  };
}

export function withStops(plan: Plan, stops: readonly Stop[]): Plan {
  const padded = [...stops];
  while (padded.length < 2) padded.push(stop());
  return { ...plan, stops: padded };
}

/** The plan with the rows' ids of another where both have a row, so that rows stay themselves. */
export function adopt(plan: Plan, old: Plan): Plan {
  const stops = plan.stops.map((s, index) => ({ ...s, id: old.stops[index]?.id ?? s.id }));
  return { ...plan, stops };
}

export function avoidPlace(plan: Plan, at: LonLat): Plan {
  return { ...plan, avoid: [...plan.avoid, rounded(at)].slice(-MOST_AVOIDED) };
}

export function allowPlace(plan: Plan, at: LonLat): Plan {
  return { ...plan, avoid: plan.avoid.filter((other) => other !== at) };
}

const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Whether a text is a local time that there is. */
export function isLocalTime(text: string): boolean {
  return LOCAL_TIME.test(text) && !Number.isNaN(Date.parse(`${text}Z`));
}

/** Fills the first empty row, else appends a new destination. */
export function addStop(plan: Plan, at: LonLat): Plan {
  const empty = plan.stops.findIndex((s) => s.at === null);
  if (empty >= 0) return moveStop(plan, plan.stops[empty]!.id, at);
  return withStops(plan, [...plan.stops, stop(at)]);
}

export function setStart(plan: Plan, at: LonLat): Plan {
  return moveStop(plan, plan.stops[0]!.id, at);
}

export function setDestination(plan: Plan, at: LonLat): Plan {
  return moveStop(plan, plan.stops.at(-1)!.id, at);
}

/** Inserts before the destination, or fills an empty row in between. */
export function addVia(plan: Plan, at: LonLat): Plan {
  const empty = plan.stops.slice(1, -1).find((s) => s.at === null);
  if (empty) return moveStop(plan, empty.id, at);
  return withStops(plan, [...plan.stops.slice(0, -1), stop(at), plan.stops.at(-1)!]);
}

export function addEmpty(plan: Plan): Plan {
  return withStops(plan, [...plan.stops, stop()]);
}

export function moveStop(plan: Plan, id: number, at: LonLat | null): Plan {
  return {
    ...plan,
    stops: plan.stops.map((s) => (s.id === id ? { ...s, at: at && rounded(at) } : s)),
  };
}

export function removeStop(plan: Plan, id: number): Plan {
  if (plan.stops.length <= 2) return moveStop(plan, id, null);
  return withStops(
    plan,
    plan.stops.filter((s) => s.id !== id),
  );
}

/** Moves a row to another place in the order; out-of-range places are clamped. */
export function reorderStop(plan: Plan, id: number, to: number): Plan {
  const moved = plan.stops.find((s) => s.id === id);
  if (!moved) return plan;
  const rest = plan.stops.filter((s) => s.id !== id);
  rest.splice(Math.max(0, Math.min(rest.length, to)), 0, moved);
  return withStops(plan, rest);
}

export function reverseStops(plan: Plan): Plan {
  return withStops(plan, plan.stops.toReversed());
}

export function clearStops(plan: Plan): Plan {
  return withStops(plan, []);
}

/** The rows that have a place, in order: what the request's locations stand for. */
export function placedStops(plan: Plan): (Stop & { at: LonLat })[] {
  return plan.stops.filter((s): s is Stop & { at: LonLat } => s.at !== null);
}

/** A, B, … Z, AA, … for the row at index. */
export function stopLetter(index: number): string {
  const rest = Math.floor(index / 26);
  return (rest > 0 ? stopLetter(rest - 1) : "") + String.fromCharCode(65 + (index % 26));
}
