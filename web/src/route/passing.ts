import type { LonLat } from "../geo/coords";
import { alongs, placeAt } from "./heights";
import type { Cue, Drive } from "./drive";
import { tr } from "../ui/translate";

/** Something that the journey passes, with a sentence to be spoken. */
export interface Passed {
  readonly kind: "observation" | "heritage";
  /** Metres from the start. */
  readonly metres: number;
  readonly at: LonLat;
  readonly subject: string;
  readonly say: string;
  readonly note: string;
}

/** The answer of POST /v1/route/observations, as far as it is shown. */
export interface Observations {
  readonly route: { readonly length_m: number };
  readonly observations: readonly {
    readonly at_m: number;
    readonly kind: string;
    readonly subject: string;
    readonly say: string;
  }[];
  readonly attribution: readonly string[];
  readonly caveat: string;
}

/** The answer of POST /v1/route/heritage, as far as it is shown. */
export interface Heritage {
  readonly route: { readonly length_m: number };
  readonly lines: readonly {
    readonly at_m: number;
    readonly subject: string;
    readonly say: string;
    readonly basis: string;
  }[];
  readonly attribution: readonly string[];
  readonly caveat: string;
}

const KINDS: Readonly<Record<string, string>> = {
  crossing: tr("Crossing"),
  landscape: tr("Landscape"),
  settlement: tr("Settlement"),
  watercourse: tr("Watercourse"),
  road: tr("Road"),
  climb: tr("Climb"),
};

const BASES: Readonly<Record<string, string>> = {
  plaque: tr("Plaque"),
  map: tr("On the map"),
  record: tr("On record"),
};

/** All that is passed, in the order of the way. */
export function passedOf(
  way: readonly LonLat[],
  observations: Observations | null,
  heritage: Heritage | null,
): Passed[] {
  const along = alongs(way);
  const pointAt = (metres: number): LonLat => placeAt(way, along, metres);
  const seen = (observations?.observations ?? []).map(({ at_m, kind, subject, say }): Passed => ({
    kind: "observation",
    metres: at_m,
    at: pointAt(at_m),
    subject: kind === "climb" ? tr("Top of a climb") : subject,
    say,
    note: KINDS[kind] ?? kind,
  }));
  const heritageLines = (heritage?.lines ?? []).map(({ at_m, subject, say, basis }): Passed => ({
    kind: "heritage",
    metres: at_m,
    at: pointAt(at_m),
    subject,
    say,
    note: BASES[basis] ?? basis,
  }));
  return [...seen, ...heritageLines].toSorted((a, b) => a.metres - b.metres);
}

/** Seconds that stay clear before and after an instruction. */
const BEFORE_S = 8;
const AFTER_S = 6;
/** What cannot be said within so many seconds is not said: it is no longer passed. */
const LATE_S = 60;
/** Letters that are spoken in a second. */
const LETTERS_S = 14;

/** When to say what is passed: between the instructions, one after the other. */
export function cuesOf(passed: readonly Passed[], drive: Drive): (Cue & { readonly of: number })[] {
  const cues: (Cue & { readonly of: number })[] = [];
  let free = 0;
  passed.forEach(({ metres, say }, of) => {
    const due = drive.when(metres);
    const takes = say.length / LETTERS_S;
    let when = Math.max(due, free);
    for (const cue of drive.cues) {
      // The instructions are in order, so that one pass finds the first gap.
      if (when + takes + BEFORE_S > cue.when && when < cue.when + AFTER_S)
        when = cue.when + AFTER_S;
    }
    if (when - due > LATE_S || when > drive.seconds) return;
    cues.push({ when, text: say, of });
    free = when + takes;
  });
  return cues;
}
