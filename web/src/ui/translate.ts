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

/** What a text leaves open: {0} for a value, {0|stop|stops} for the words that agree with it. */
const OPEN = /\{(\d)((?:\|[^{|}]*)*)\}/g;

/** The categories of plurals, in the order in which a text has words for those of its language. */
const CATEGORIES: readonly Intl.LDMLPluralRule[] = ["zero", "one", "two", "few", "many", "other"];

/**
 * A text in the language of the page, the English one where there is no other. {0} and {1} stand
 * for the values, and {0|stop|stops} for the word that agrees with the first: there is one for
 * each category of the language, and the last is that of all further ones.
 */
export function tr(text: string, ...values: readonly (string | number)[]): string {
  const own = dictionary[text];
  return (own || text).replace(OPEN, (whole, at: string, words: string) => {
    const value = values[Number(at)];
    if (value === undefined) return whole;
    return words === ""
      ? String(value)
      : agreeing(words.split("|").slice(1), value, own ? language : "en");
  });
}

function agreeing(words: readonly string[], value: string | number, tag: string): string {
  const rules = new Intl.PluralRules(tag);
  // Digits in groups are more than one.
  const category = rules.select(/^\d+$/.test(String(value)) ? Number(value) : NaN);
  const { pluralCategories } = rules.resolvedOptions();
  const place = CATEGORIES.filter((one) => pluralCategories.includes(one)).indexOf(category);
  return words[Math.min(place, words.length - 1)]!;
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
