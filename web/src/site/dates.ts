import { h } from "../ui/dom";
import { hours } from "../ui/settings";
import { dateLanguage } from "../ui/translate";

const DATE_TIME = new Intl.DateTimeFormat(dateLanguage(), {
  dateStyle: "medium",
  timeStyle: "short",
  ...hours(),
});
const TIME = new Intl.DateTimeFormat(dateLanguage(), { timeStyle: "short", ...hours() });
const MONTH = new Intl.DateTimeFormat(dateLanguage(), {
  month: "long",
  year: "numeric",
  timeZone: "UTC",
});
const DAY = new Intl.DateTimeFormat(dateLanguage(), { dateStyle: "medium", timeZone: "UTC" });

/** An RFC 3339 moment in the reader's own time, as text. */
export function momentText(value: string): string {
  const date = new Date(value);
  return Number.isNaN(date.getTime()) ? value : DATE_TIME.format(date);
}

/** The time of day of a moment, by the reader's clock. */
export function timeOfDay(value: string): string {
  return TIME.format(new Date(value));
}

/** An RFC 3339 moment in the reader's own time; a dash where there is none. */
export function moment(value: string | null | undefined): HTMLElement | string {
  if (!value) return "–";
  return h("time", { datetime: value, title: value }, momentText(value));
}

/** "21 Nov 2026" from YYYY-MM-DD. */
export function dayName(day: string): string {
  const date = new Date(`${day}T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? day : DAY.format(date);
}

/** The UTC month of a moment, as quotas count: "2026-11". */
export function monthOf(date: Date): string {
  return date.toISOString().slice(0, 7);
}

/** "November 2026" from "2026-11". */
export function monthName(month: string): string {
  const date = new Date(`${month}-01T00:00:00Z`);
  return Number.isNaN(date.getTime()) ? month : MONTH.format(date);
}

/** All days of a month: "2026-11-01" to "2026-11-30". */
export function daysOf(month: string): string[] {
  const [year, number] = month.split("-").map(Number);
  if (!year || !number) return [];
  const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
  return Array.from({ length }, (_, i) => `${month}-${String(i + 1).padStart(2, "0")}`);
}

/** The months from the one of first to the one of last, latest first, at most limit. */
export function monthsBetween(first: Date, last: Date, limit = 24): string[] {
  const months: string[] = [];
  const at = new Date(Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), 1));
  const start = monthOf(first);
  while (months.length < limit && (months.length === 0 || monthOf(at) >= start)) {
    months.push(monthOf(at));
    at.setUTCMonth(at.getUTCMonth() - 1);
  }
  return months;
}
