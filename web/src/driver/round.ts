import { DAY } from "../dispatch/problem/times";
import type { Costing } from "../plan/options";
import { clockTime } from "../ui/format";
import { dateLanguage, tr } from "../ui/translate";

export type StopState = "open" | "done" | "failed";

/** A stop of a published plan, with how far it is. */
export interface RoundStop {
  readonly id: string;
  readonly name?: string;
  readonly address?: string;
  readonly note?: string;
  readonly lat: number;
  readonly lon: number;
  /** Seconds from the beginning of the plan. */
  readonly begin_s: number;
  readonly end_s: number;
  readonly time_windows?: readonly (readonly [number, number])[];
  readonly state: StopState;
  /** RFC 3339, as the plan's clocks show it. */
  readonly eta: string;
  readonly report?: string;
  readonly link_id?: string;
}

/** The round of a vehicle of a published plan. */
export interface Round {
  readonly vehicle: string;
  readonly name: string;
  readonly costing: Costing;
  readonly link_id?: string;
  readonly done: number;
  readonly failed: number;
  readonly delay_s: number;
  readonly stops: readonly RoundStop[];
}

/** The answer of GET /v1/driver. */
export interface DrivenRound extends Round {
  readonly plan: string;
  readonly begins_at: string;
  readonly expires_at: string;
  readonly ignored?: readonly string[];
}

/** A report that may not be sent yet. */
export interface Mark {
  readonly stop: string;
  readonly state: StopState;
  /** RFC 3339. */
  readonly at: string;
  readonly note: string;
}

/** A round with the reports that are not sent yet, of each stop the last. */
export function withMarks(round: DrivenRound, marks: readonly Mark[]): DrivenRound {
  const last = new Map(marks.map((mark) => [mark.stop, mark]));
  return {
    ...round,
    stops: round.stops.map((stop) => {
      const mark = last.get(stop.id);
      if (!mark) return stop;
      const { state, note: report, at } = mark;
      return { ...stop, state, report, ...(state === "open" ? {} : { eta: timeIn(round.begins_at, Date.parse(at)) }) }; // prettier-ignore
    }),
  };
}

/** Reports that still have to be sent once some were taken: those that came meanwhile. */
export function without(marks: readonly Mark[], sent: readonly Mark[]): Mark[] {
  const key = ({ stop, at, state }: Mark): string => `${at} ${state} ${stop}`;
  const gone = new Set(sent.map(key));
  return marks.filter((mark) => !gone.has(key(mark)));
}

/** Reports in a text that a browser has kept; those that cannot be read are left out. */
export function readMarks(text: string | null): Mark[] {
  try {
    const list: unknown = JSON.parse(text ?? "[]");
    return (Array.isArray(list) ? (list as Partial<Mark>[]) : []).flatMap((one) =>
      typeof one?.stop === "string" && typeof one.at === "string" && one.state
        ? [{ stop: one.stop, at: one.at, state: one.state, note: one.note ?? "" }]
        : [],
    );
  } catch {
    return [];
  }
}

/** The first stop that is not reported; null where all are. */
export function nextStop({ stops }: DrivenRound): RoundStop | null {
  return stops.find(({ state }) => state === "open") ?? null;
}

/** The clock of a time as the plan has it: "08:30" of 2026-11-30T08:30:00+01:00. */
export function clockOf(time: string): string {
  return time.slice(11, 16);
}

/** The clock at some seconds from the beginning of a plan, in the offset of its beginning. */
export function clockAt(begins: string, seconds: number): string {
  return clockOf(timeIn(begins, Date.parse(begins) + seconds * 1000));
}

/** An instant, in milliseconds since 1970, as RFC 3339 in the offset of a plan's beginning. */
function timeIn(begins: string, at: number): string {
  const [suffix, sign, hours = "0", minutes = "0"] = /([+-])(\d\d):(\d\d)$/.exec(begins) ?? ["Z"];
  const offset = (Number(hours) * 60 + Number(minutes)) * (sign === "-" ? -60_000 : 60_000);
  return new Date(at + offset).toISOString().slice(0, 19) + suffix;
}

/** A span between two clocks in words; "" where it is open at both ends, which midnight is. */
export function spanOf(from: string, to: string): string {
  const open = "00:00";
  if (to === open) return from === open ? "" : tr("from {0}", clockTime(from));
  return from === open ? tr("until {0}", clockTime(to)) : `${clockTime(from)}–${clockTime(to)}`;
}

/** Hours after the end of a round in which it can still be late. */
const LATE_HOURS = 6;

/** Whether a round is under way on the day of its plan: on another day it has no delay. */
export function onItsDay(
  begins: string,
  stops: readonly { readonly end_s: number }[],
  now = Date.now(),
): boolean {
  const at = (now - Date.parse(begins)) / 1000;
  const end = Math.max(0, ...stops.map(({ end_s }) => end_s)) + LATE_HOURS * 3600;
  return at >= 0 && at < Math.max(DAY, end);
}

/** The day of a time as the plan has it, in words. */
export function dayWords(time: string): string {
  const [year, month, date] = time.slice(0, 10).split("-").map(Number);
  return new Date(year!, month! - 1, date).toLocaleDateString(dateLanguage(), {
    weekday: "long",
    day: "numeric",
    month: "long",
  });
}

/** The fragment of the explorer with the way to a stop, from a place or from one to be chosen. */
export function wayTo(
  { lon, lat, name, address }: RoundStop,
  costing: Costing,
  from: readonly [number, number] | null,
): string {
  const called = encodeURIComponent((name || address || "").replaceAll(";", ","));
  const parts = [`p=${from ? from.map((one) => one.toFixed(6)).join() : ""};${lon},${lat}`];
  if (called) parts.push(`names=;${called}`);
  if (costing !== "auto") parts.push(`by=${costing}`);
  return `#${parts.join("&")}`;
}
