import { clockTime } from "../ui/format";
import { dateLanguage, tr } from "../ui/translate";
/**
 * The time of day of an RFC 3339 time as it is written: in the zone of the stop, which need
 * not be the reader's.
 */
export function clock(at: string): string {
  return clockTime(at.slice(11, 16));
}

/** The day of an RFC 3339 time in the zone that it is written in: 2026-11-23. */
function dayOf(at: string): string {
  return at.slice(0, 10);
}

const WEEKDAY = new Intl.DateTimeFormat(dateLanguage(), {
  weekday: "short",
  day: "numeric",
  month: "short",
  timeZone: "UTC",
});

/** "tomorrow" or "Mon, 23 Nov" for a time on another day than a first one, else "". */
export function otherDay(at: string, from: string): string {
  const days = Math.round((Date.parse(dayOf(at)) - Date.parse(dayOf(from))) / 86_400_000);
  if (days === 0 || Number.isNaN(days)) return "";
  return days === 1 ? tr("tomorrow") : WEEKDAY.format(new Date(`${dayOf(at)}T00:00:00Z`));
}

/** How long it is until a time: "now", "in 5 min", "3 min ago"; "" from an hour on. */
export function due(at: string, now: number): string {
  const seconds = (Date.parse(at) - now) / 1000;
  if (Math.abs(seconds) < 30) return tr("now");
  // A vehicle that comes in 90 seconds is missed by whoever counts on two minutes.
  const minutes = seconds > 0 ? Math.floor(seconds / 60) : Math.ceil(seconds / 60);
  if (minutes === 0) return seconds > 0 ? tr("in 1 min") : tr("1 min ago");
  if (Math.abs(minutes) >= 60) return "";
  return minutes > 0 ? tr("in {0} min", minutes) : tr("{0} min ago", -minutes);
}

/** How an expected time lies to the timetable's: "on time", "4 min late", "2 min early". */
export function lateness(scheduled: string, expected: string): string {
  const minutes = Math.round((Date.parse(expected) - Date.parse(scheduled)) / 60_000);
  if (minutes === 0) return tr("on time");
  return minutes > 0 ? tr("{0} min late", minutes) : tr("{0} min early", -minutes);
}

/** How old something is: "12 s ago", "4 min ago", "over an hour ago". */
export function ago(seconds: number): string {
  if (seconds < 60) return tr("{0} s ago", Math.max(0, Math.floor(seconds)));
  if (seconds < 3600) return tr("{0} min ago", Math.floor(seconds / 60));
  return tr("over an hour ago");
}

/** A local time (2026-11-23T08:30) with the offset of an RFC 3339 time. */
export function withOffsetOf(local: string, at: string): string {
  return `${local}:00${/(Z|[+-]\d\d:\d\d)$/.exec(at)?.[0] ?? "Z"}`;
}

/** A local time with the offset of the reader's own clock at that time. */
export function withOwnOffset(local: string): string {
  const minutes = -new Date(local).getTimezoneOffset();
  const two = (n: number): string => String(Math.floor(n)).padStart(2, "0");
  const size = Math.abs(minutes);
  return `${local}:00${minutes < 0 ? "-" : "+"}${two(size / 60)}:${two(size % 60)}`;
}
