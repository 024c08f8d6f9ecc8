import { tr } from "../../ui/translate";
/** Seconds of a day. */
export const DAY = 86_400;

/**
 * A time of day in seconds from midnight, as people and spreadsheets write it: 8:30,
 * 08.30, 0830, 8h30, 8:30 pm, 8 am, 2026-11-23T08:30, 23.11.2026 08:30, or the days that a spreadsheet
 * counts (0.354, and 46349.354 with its date). "+1" after it is of the day after. Null where it is none.
 */
export function readTime(text: string): number | null {
  const later = /^(.*\S)\s*\+\s*([1-6])$/.exec(text.trim());
  if (later) {
    const time = readTime(later[1]!);
    return time === null ? null : time + Number(later[2]) * DAY;
  }
  const given = text
    .trim()
    .toLowerCase()
    .replace(/\b([ap])\.\s?m\.?$/, "$1m");
  if (given === "") return null;
  if (NOON.test(given)) return DAY / 2;
  const days = /^(?:0|[1-9]\d{4})?([.,]\d+)$/.exec(given);
  if (days) return Math.round((Number(days[1]!.replace(",", ".")) * DAY) / 60) * 60;
  const match =
    /^(?:(?:\d{4}-\d\d-\d\d|\d{1,2}([./-])\d{1,2}\1(?:\d{4}|\d\d))[t ,]+)?(\d{1,2})(?:[:.h](\d{2})(?::(\d{2})(?:\.\d+)?)?)?\s*(am|pm|h|uhr)?z?$/.exec(
      given,
    ) ?? /^(\d{2})(\d{2})()()$/.exec(given);
  if (!match) return null;
  const [h = "", m = "0", s = "0", half = ""] = match.slice(-4);
  // A number alone is an hour only where it says so.
  if (!/[:.h]|am|pm|uhr/.test(given) && given.length !== 4) return null;
  let hours = Number(h);
  if (half === "pm" && hours < 12) hours += 12;
  if (half === "am" && hours === 12) hours = 0;
  const [minutes, seconds] = [Number(m), Number(s || 0)];
  if (hours > 24 || minutes > 59 || seconds > 59) return null;
  const all = hours * 3600 + minutes * 60 + seconds;
  return all <= DAY ? all : null;
}

const NOON = /^(?:12 )?(?:noon|midday|mittags?|midi|mediod[ií]a)$/;

/** Words before a time that it is not to be earlier than, and not later than. */
const NOT_BEFORE =
  /^(?:not before|no earlier than|from|after|starting|ab|von|nach|à partir de|dès|desde|a partir de)\b\s*/i;
const NOT_AFTER =
  /^(?:not after|no later than|until|till?|before|by|to|bis|vor|spätestens|jusqu['’]?[àa]|avant|hasta|antes de)(?![a-z])\s*/i;
const ONWARDS = /\s*(?:onwards?|or later|and later|\+)$/i;
const ANY_TIME = /^(?:any ?time|any|all day|open|always|flexible|egal|ganztägig|-|–|—)$/i;

/** A time as a bound of a window, where 8 is an hour and "from 8:00" is 8:00. */
export function readBound(text: string): number | null {
  const bare = text.trim().replace(NOT_BEFORE, "").replace(NOT_AFTER, "");
  return (
    readTime(bare) ??
    (/^\d{1,2}$/.test(bare) && Number(bare) <= 24 ? Number(bare) * 3600 : null) ??
    (/^\d[0-5]\d$/.test(bare) ? readTime(`0${bare}`) : null)
  );
}

/**
 * A span in one text: "8:00-12:00", "8 am to 1 pm", "from 8:00", "until 17:00", "9-17". Null where
 * it is none.
 */
export function readWindow(text: string): readonly [number, number] | null {
  const given = text.trim();
  const parts = given
    .replace(NOT_BEFORE, "")
    .split(/\s*(?:-|–|—|\bto\b|\bbis\b|\buntil\b|\btill\b|\.\.|(?<=:\d\d)\/)\s*/i)
    .filter(Boolean);
  if (parts.length === 2) {
    const [from, to] = parts.map(readBound);
    return from == null || to == null ? null : [from, to];
  }
  if (ONWARDS.test(given) || NOT_BEFORE.test(given)) {
    const from = readBound(given.replace(ONWARDS, ""));
    return from === null ? null : [from, DAY];
  }
  const to = NOT_AFTER.test(given) ? readBound(given) : null;
  return to === null ? null : [0, to];
}

/** Several of them, as "8-10; 14:00-16:00"; none for "any time", null where one cannot be read. */
export function readWindows(text: string): (readonly [number, number])[] | null {
  if (ANY_TIME.test(text.trim())) return [];
  const between = /^(?:between|zwischen|entre)\s+(.+?)\s+(?:and|und|et|y)\s+(.+)$/i.exec(
    text.trim(),
  );
  if (between) return readWindows(`${between[1]}-${between[2]}`);
  const parts = text.split(/\s*(?:[;,|&\n]|\band\b|\bund\b)\s*/i).filter(Boolean);
  const windows = parts.map(readWindow);
  return windows.length && windows.every((one) => one !== null) ? windows : null;
}

const HOUR_WORDS = "h|hrs?|hours?|std\\.?|stunden?|heures?|horas?";
const MINUTE_WORDS = "m|mn|mins?\\.?|minut(?:es?|os?|en?)|['’′]";
/** "1h30", "1 h 30 min", "1 hour 5 minutes". */
const HOURS = new RegExp(`^(\\d+)\\s*(?:${HOUR_WORDS})\\s*(\\d{1,2})\\s*(?:${MINUTE_WORDS})?$`);
const LENGTH = new RegExp(
  `^(\\d+(?:\\.\\d+)?)\\s*(${HOUR_WORDS}|${MINUTE_WORDS}|s|secs?|seconds?|sek\\.?|sekunden?)?$`,
);

/**
 * A length of time in seconds: "5" (of the unit given), "5 min", "90 s", "1 h", "0:05",
 * "00:05:30". Null where it is none, or negative.
 */
export function readDuration(text: string, unit: 1 | 60 | 3600 = 60): number | null {
  const given = text.trim().toLowerCase().replace(",", ".");
  const clock = /^(\d{1,2}):(\d{2})(?::(\d{2}))?$/.exec(given);
  if (clock) return Number(clock[1]) * 3600 + Number(clock[2]) * 60 + Number(clock[3] ?? 0);
  const parts = HOURS.exec(given);
  if (parts) return Number(parts[1]) * 3600 + Number(parts[2]) * 60;
  const [, number, named = ""] = LENGTH.exec(given) ?? [];
  if (number === undefined) return null;
  const by = /^h|^st/.test(named) ? 3600 : /^m|^['’′]/.test(named) ? 60 : named ? 1 : unit;
  return Math.round(Number(number) * by);
}

/** "08:30"; on the day after "08:30 +1". */
export function clock(seconds: number): string {
  const days = Math.floor(seconds / DAY);
  const minutes = Math.round((seconds - days * DAY) / 60);
  const at = `${String(Math.floor(minutes / 60) % 24).padStart(2, "0")}:${String(minutes % 60).padStart(2, "0")}`;
  return days > 0 ? `${at} +${days}` : at;
}

/** "08:00–10:00", "from 08:00", "until 17:00". */
export function spanWords([from, to]: readonly [number, number]): string {
  if (from <= 0 && to < DAY) return tr("until {0}", clock(to));
  return to === DAY && from > 0 ? tr("from {0}", clock(from)) : `${clock(from)}–${clock(to)}`;
}

/** "1 h 05 min", "12 min", "40 s"; a sign only where it is negative or asked for. */
export function lasting(seconds: number, signed = false): string {
  const sign = seconds < 0 ? "−" : signed ? "+" : "";
  const all = Math.abs(Math.round(seconds));
  if (all < 60) return `${sign}${all} s`;
  const minutes = Math.round(all / 60);
  if (minutes < 60) return tr("{0}{1} min", sign, minutes);
  return tr(
    "{0}{1} h {2} min",
    sign,
    Math.floor(minutes / 60),
    String(minutes % 60).padStart(2, "0"),
  );
}

/** What keeps spans from being windows, in words; null is nothing. */
export function spanTrouble(spans: readonly (readonly [number, number])[]): string | null {
  const odd = spans.find(([from, to]) => to < from);
  if (odd) return tr("{0} to {1} ends before it begins", clock(odd[0]), clock(odd[1]));
  const meets = spans.findIndex(([from], i) => i > 0 && from <= spans[i - 1]![1]);
  return meets < 0 ? null : tr("{0} lies in the time before it", clock(spans[meets]![0]));
}
