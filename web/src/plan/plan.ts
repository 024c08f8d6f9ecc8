import { rounded, type LonLat } from "../geo/coords";
import { distance } from "../geo/sphere";
import type { Costing, Options, OptionValue } from "./options";
import { settings } from "../ui/settings";
import { pageLanguage, tr } from "../ui/translate";

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
  /** What the place is called: by the search that found it, else by its address. */
  readonly name?: string;
  readonly stay?: Stay;
}

/** The most that can be asked of a call. */
export const MOST_STAY = { minutes: 1440, least: 100, charger: 1000 } as const;

/** The demands on a call between the start and the destination. */
export interface Stay {
  readonly minutes?: number;
  /** Per cent of a battery's charge that is left on arrival. */
  readonly least?: number;
  /** Kilowatts of a charger there; 0 is none. */
  readonly charger?: number;
}

/** A place that is looked at: one of the index by its id, or a point of the map. */
export interface Spot {
  readonly at: LonLat;
  readonly id: string | null;
  /** "" where only the point is known. */
  readonly name: string;
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
  /** What is done with the points: the name of a task in task/tasks.ts. */
  readonly task: string;
  /** What was put into the fields of tasks, by task; what is left out is at its default. */
  readonly inputs: Readonly<Record<string, Options>>;
  /** The place whose card is open. */
  readonly spot: Spot | null;
  /** Null: at no time in particular. */
  readonly when: When | null;
  /** Places whose roads are not used. */
  readonly avoid: readonly LonLat[];
}

let lastID = 0;

export function stop(at: LonLat | null = null, name = ""): Stop {
  return { id: ++lastID, at: at && rounded(at), ...(at && name ? { name } : {}) };
}

/** The units of a plan where a link names none: those that the reader last chose. */
export function usualUnits(): Units {
  return settings.get().units ?? "kilometers";
}

const USUAL_LANGUAGES = { en: "en-GB", de: "de-DE", fr: "fr-FR", es: "es-ES" } as const;

/** The language of instructions where a link names none: that of the page. */
export function usualLanguage(): Language {
  return USUAL_LANGUAGES[pageLanguage()];
}

export function emptyPlan(): Plan {
  return {
    stops: [stop(), stop()],
    costing: "auto",
    options: {},
    units: usualUnits(),
    language: usualLanguage(),
    task: "route",
    inputs: {},
    spot: null,
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

/** The values of a task's fields that are not at their defaults. */
export function inputsOf(plan: Plan, task: string): Options {
  return plan.inputs[task] ?? {};
}

/** Puts a value into a field of a task; undefined puts it back to its default. */
export function withInput(
  plan: Plan,
  task: string,
  key: string,
  value: OptionValue | undefined,
): Plan {
  const inputs: Record<string, OptionValue> = { ...inputsOf(plan, task) };
  if (value === undefined) delete inputs[key];
  else inputs[key] = value;
  return { ...plan, inputs: { ...plan.inputs, [task]: inputs } };
}

export function withSpot(plan: Plan, spot: Spot | null): Plan {
  return { ...plan, spot: spot && { ...spot, at: rounded(spot.at) } };
}

/** The plan with names for the points that have none; the plan itself where none gets one. */
export function withNames(plan: Plan, nameOf: (at: LonLat) => string): Plan {
  const stops = plan.stops.map((s) => {
    const name = s.at && s.name === undefined ? nameOf(s.at) : "";
    return name ? { ...s, name } : s;
  });
  return stops.some((s, index) => s !== plan.stops[index]) ? { ...plan, stops } : plan;
}

/** The plan without the names of its points, which change nothing of what is asked. */
export function withoutNames(plan: Plan): Plan {
  return { ...plan, stops: plan.stops.map(({ name: _, ...rest }) => rest) };
}

/** What a row is called: its name, else its letter. */
export function stopName(plan: Plan, index: number): string {
  return plan.stops[index]?.name ?? tr("Point {0}", stopLetter(index));
}

/** Fills the first empty row, else appends a new destination. */
export function addStop(plan: Plan, at: LonLat, name = ""): Plan {
  const empty = plan.stops.findIndex((s) => s.at === null);
  if (empty >= 0) return moveStop(plan, plan.stops[empty]!.id, at, name);
  return withStops(plan, [...plan.stops, stop(at, name)]);
}

export function setStart(plan: Plan, at: LonLat, name = ""): Plan {
  return moveStop(plan, plan.stops[0]!.id, at, name);
}

export function setDestination(plan: Plan, at: LonLat, name = ""): Plan {
  return moveStop(plan, plan.stops.at(-1)!.id, at, name);
}

/** The most rows that a link takes. */
export const MOST_STOPS = 50;

/** Reports whether there is room for another row. */
export function withinStops({ stops }: Plan): boolean {
  return stops.length < MOST_STOPS;
}

/** Inserts a row after another one. */
export function insertAfter(plan: Plan, id: number, at: LonLat, name = ""): Plan {
  const index = plan.stops.findIndex((s) => s.id === id);
  return withStops(plan, plan.stops.toSpliced(index + 1, 0, stop(at, name)));
}

/**
 * Inserts a point where it makes the way between the points the least longer, measured
 * straight, or fills an empty row in between.
 */
export function addVia(plan: Plan, at: LonLat, name = ""): Plan {
  const empty = plan.stops.slice(1, -1).find((s) => s.at === null);
  if (empty) return moveStop(plan, empty.id, at, name);
  const stops = placedStops(plan);
  const longer = stops.slice(1).map((next, index) => {
    const before = stops[index]!;
    return distance(before.at, at) + distance(at, next.at) - distance(before.at, next.at);
  });
  const least = longer.indexOf(Math.min(...longer));
  const after = stops[least]?.id ?? plan.stops.at(-2)!.id;
  return insertAfter(plan, after, at, name);
}

export function addEmpty(plan: Plan): Plan {
  return withStops(plan, [...plan.stops, stop()]);
}

export function moveStop(plan: Plan, id: number, at: LonLat | null, name = ""): Plan {
  return {
    ...plan,
    stops: plan.stops.map((s) =>
      s.id === id ? { ...stop(at, name), id, ...(s.stay && at ? { stay: s.stay } : {}) } : s,
    ),
  };
}

/** Asks something else of a call. */
export function withStay(plan: Plan, id: number, stay: Stay): Plan {
  const { minutes, least, charger } = stay;
  const any = minutes !== undefined || least !== undefined || charger !== undefined;
  return {
    ...plan,
    stops: plan.stops.map((s) => {
      if (s.id !== id) return s;
      const { stay: _, ...rest } = s;
      return any ? { ...rest, stay } : rest;
    }),
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
