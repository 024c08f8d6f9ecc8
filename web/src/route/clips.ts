import { pathOf } from "../call/call";
import { dateLanguage } from "../ui/translate";

/** A voice that the server speaks with. */
export interface Voice {
  readonly id: string;
  /** BCP 47 tag; * is every language. */
  readonly language: string;
}

/** What a voice is called: by its language and region, and by its id where others have them too. */
export function voiceName({ id, language }: Voice, among: readonly Voice[]): string {
  if (language === "*") return id;
  const names = new Intl.DisplayNames([dateLanguage()], { type: "language" });
  const name = names.of(language) ?? language;
  return among.filter((one) => one.language === language).length > 1 ? `${name} · ${id}` : name;
}

/** The voices that speak a language: those of its region first, then of the language, then of all. */
export function voicesFor(voices: readonly Voice[], language: string): Voice[] {
  const want = language.toLowerCase();
  const base = want.split("-")[0];
  const rank = ({ language: tag }: Voice): number => {
    const has = tag.toLowerCase();
    return has === want ? 0 : has.split("-")[0] === base ? 1 : has === "*" ? 2 : 3;
  };
  return voices.filter((v) => rank(v) < 3).toSorted((a, b) => rank(a) - rank(b));
}

/** Clips that are kept; each has some kilobytes. */
const MOST = 60;

/** Clips of speech from the server: each is asked for once, also ahead of when it is played. */
export class Clips {
  private readonly apiKey: string | null;
  private readonly format: string;
  private readonly held = new Map<string, Promise<Blob | null>>();

  constructor(apiKey: string | null, plays: (type: string) => boolean) {
    this.apiKey = apiKey;
    this.format = plays("audio/ogg; codecs=opus") ? "opus" : "wav";
  }

  /** The clip of a text; null where the server has none for it. */
  get(text: string, language: string, voice: string): Promise<Blob | null> {
    const query = { text, language, voice, format: this.format };
    const path = pathOf({ path: "v1/voice/speech", query });
    const held = this.held.get(path);
    if (held) return held;
    const clip = this.load(path);
    this.held.set(path, clip);
    // What failed is asked for again the next time.
    void clip.then((blob) => blob ?? this.held.delete(path));
    const oldest = this.held.keys().next();
    if (this.held.size > MOST && !oldest.done) this.held.delete(oldest.value);
    return clip;
  }

  private async load(path: string): Promise<Blob | null> {
    try {
      const response = await fetch(new URL(path, document.baseURI), {
        headers: this.apiKey ? { Authorization: `Bearer ${this.apiKey}` } : {},
      });
      const sound = /^audio\//.test(response.headers.get("Content-Type") ?? "");
      return response.ok && sound ? await response.blob() : null;
    } catch {
      return null;
    }
  }
}

/** The server's voice that this browser plays, by language; "" is the browser's own. */
export const chosenVoice = {
  get(language: string): string | null {
    try {
      return localStorage.getItem(`waygate.voice.${language}`);
    } catch {
      return null; // storage may be refused
    }
  },
  set(language: string, id: string): void {
    try {
      localStorage.setItem(`waygate.voice.${language}`, id);
    } catch {
      // It then lasts for this page.
    }
  },
};
