/** The languages of the page, as BCP 47 tags, with their own names; English is in the source. */
export const PAGE_LANGUAGES = [
  ["en", "English"],
  ["de", "Deutsch"],
  ["fr", "Français"],
  ["es", "Español"],
] as const;

export type PageLanguage = (typeof PAGE_LANGUAGES)[number][0];

/** Texts of a language by the English ones. */
export type Dictionary = Readonly<Record<string, string>>;

let language: PageLanguage = "en";
let dictionary: Dictionary = {};

/** The language that the page is in. */
export function pageLanguage(): PageLanguage {
  return language;
}

/** Puts the page into a language; what was made before stays in the one before. */
export function usePageLanguage(next: PageLanguage, texts: Dictionary): void {
  language = next;
  dictionary = texts;
}

/**
 * A text in the language of the page, the English one where there is no other. {0} and {1} stand
 * for the values.
 */
export function tr(text: string, ...values: readonly (string | number)[]): string {
  const found = dictionary[text] || text;
  return found.replace(/\{(\d)\}/g, (whole, at: string) => String(values[Number(at)] ?? whole));
}

/** The page's language for the languages that a reader prefers, the most preferred first. */
export function preferredLanguage(preferred: readonly string[]): PageLanguage {
  for (const tag of preferred) {
    const known = PAGE_LANGUAGES.find(([code]) => tag.toLowerCase().split("-")[0] === code);
    if (known) return known[0];
  }
  return "en";
}

/** A number with a decimal mark as the page's language has it. */
export function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  return language === "en" ? text : text.replace(".", ",");
}

/** The language of dates and times, as a BCP 47 tag. */
export function dateLanguage(): string {
  return language === "en" ? "en-GB" : language;
}
