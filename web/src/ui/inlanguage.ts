import { settings } from "./settings";
import {
  preferredLanguage,
  usePageLanguage,
  type Dictionary,
  type PageLanguage,
} from "./translate";

const DICTIONARIES: Readonly<
  Record<Exclude<PageLanguage, "en">, () => Promise<{ default: Dictionary }>>
> = {
  de: () => import("../languages/de.json"),
  fr: () => import("../languages/fr.json"),
  es: () => import("../languages/es.json"),
};

/**
 * Puts the page into the reader's language, before any of its words are made. Without its
 * dictionary the page is in English.
 */
export async function inReadersLanguage(): Promise<void> {
  const language = settings.get().language ?? preferredLanguage(navigator.languages);
  if (language === "en") return;
  const texts = await DICTIONARIES[language]().catch(() => null);
  if (!texts) return;
  usePageLanguage(language, texts.default);
  document.documentElement.lang = language;
}
