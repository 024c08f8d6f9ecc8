import { PAGE_LANGUAGES, type PageLanguage } from "./translate";

/** What a reader chose for the explorer; what is left out is as the browser or the page has it. */
export interface Settings {
  readonly language?: PageLanguage;
  readonly units?: "kilometers" | "miles";
  /** Hours of a day that a clock has. */
  readonly clock?: "12" | "24";
  /** Whether the key / goes to the search; left out it does. */
  readonly slash?: boolean;
}

const KEY = "waygate.settings";

/** The settings in a text, as far as it has any. */
export function readSettings(text: string | null): Settings {
  let found: unknown;
  try {
    found = JSON.parse(text ?? "");
  } catch {
    return {};
  }
  if (found === null || typeof found !== "object") return {};
  const { language, units, clock, slash } = found as Record<string, unknown>;
  const known = PAGE_LANGUAGES.find(([code]) => code === language);
  return {
    ...(known ? { language: known[0] } : {}),
    ...(units === "miles" || units === "kilometers" ? { units } : {}),
    ...(clock === "12" || clock === "24" ? { clock } : {}),
    ...(typeof slash === "boolean" ? { slash } : {}),
  };
}

let kept: Settings | null = null;

/** The reader's settings, which this browser keeps. */
export const settings = {
  get(): Settings {
    if (kept) return kept;
    try {
      return (kept = readSettings(localStorage.getItem(KEY)));
    } catch {
      return (kept = {}); // storage may be refused, and is not everywhere
    }
  },
  set(change: Settings): void {
    kept = { ...settings.get(), ...change };
    try {
      localStorage.setItem(KEY, JSON.stringify(kept));
    } catch {
      // They then last for this page.
    }
  },
};

/** How a time is written by the clock that the reader chose, for Intl.DateTimeFormat. */
export function hours(): { readonly hour12?: boolean } {
  const { clock } = settings.get();
  return clock ? { hour12: clock === "12" } : {};
}
