// Puts the explorer into its language before any of its words are made.
import { settings } from "../ui/settings";
import {
  preferredLanguage,
  tr,
  usePageLanguage,
  type Dictionary,
  type PageLanguage,
} from "../ui/translate";

const DICTIONARIES: Readonly<
  Record<Exclude<PageLanguage, "en">, () => Promise<{ default: Dictionary }>>
> = {
  de: () => import("../languages/de.json"),
  fr: () => import("../languages/fr.json"),
  es: () => import("../languages/es.json"),
};

async function boot(): Promise<void> {
  const language = settings.get().language ?? preferredLanguage(navigator.languages);
  if (language !== "en") {
    // Without its dictionary the page is in English.
    const texts = await DICTIONARIES[language]().catch(() => null);
    if (texts) {
      usePageLanguage(language, texts.default);
      document.documentElement.lang = language;
      document.getElementById("map")!.setAttribute("aria-label", tr("Map"));
      document.getElementById("panel")!.setAttribute("aria-label", tr("Workbench"));
    }
  }
  await import("./explorer");
}

void boot();
