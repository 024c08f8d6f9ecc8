import { clockTime } from "./format";
import { dateLanguage, tr } from "./translate";

/** The days of opening_hours as OpenStreetMap writes them, from Monday on. */
const DAYS = ["Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"];

const WORDS: Readonly<Record<string, string>> = {
  PH: tr("public holidays"),
  SH: tr("school holidays"),
  off: tr("closed"),
  closed: tr("closed"),
};

/** Opening hours (Mo-Fr 09:00-17:00; PH off) in the page's language and the reader's clock. */
export function formatHours(hours: string): string {
  const name = new Intl.DateTimeFormat(dateLanguage(), { weekday: "short", timeZone: "UTC" });
  return hours
    .replace(/\b(?:Mo|Tu|We|Th|Fr|Sa|Su|PH|SH|off|closed)\b/g, (word) => {
      // The fifth of January 1970 was a Monday.
      const day = DAYS.indexOf(word);
      return day < 0 ? WORDS[word]! : name.format(new Date(Date.UTC(1970, 0, 5 + day)));
    })
    .replace(/\b\d{2}:\d{2}\b/g, clockTime)
    .replaceAll("-", "–");
}
