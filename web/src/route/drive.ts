import type { RouteView, Step } from "./answer";
import type { LonLat } from "../geo/coords";
import { bearing, distance } from "../geo/sphere";

/** Where a traveller is on a route. */
export interface Place {
  readonly at: LonLat;
  /** Degrees from north of the stretch being travelled. */
  readonly bearing: number;
  /** Index into Drive.steps of the stretch being travelled. */
  readonly step: number;
  /** Metres to the next manoeuvre. */
  readonly toNext: number;
  /** Seconds to the destination. */
  readonly left: number;
}

/** Something to say at a time of the journey, in seconds from its start. */
export interface Cue {
  readonly when: number;
  readonly text: string;
}

interface Stretch {
  readonly step: Step;
  /** Seconds from the start of the journey. */
  readonly begin: number;
  readonly end: number;
  readonly metres: number;
  /** Metres from the stretch's start, for each point of its line. */
  readonly along: readonly number[];
}

/** How long before a manoeuvre it is spoken of: well ahead, and just before. */
const ALERT_S = 30;
const PRE_S = 7;
/** What is said on the stretch after a manoeuvre. */
const POST_S = 3;

/** A route as a journey in time, to be played. */
export class Drive {
  readonly steps: readonly Step[];
  readonly seconds: number;
  readonly cues: readonly Cue[];
  private readonly stretches: readonly Stretch[];

  constructor(route: RouteView) {
    this.steps = route.legs.flatMap(({ steps }) => steps);
    let at = 0;
    this.stretches = this.steps.map((step) => {
      const along = lengths(step.line);
      const begin = at;
      at += step.time;
      return { step, begin, end: at, metres: along.at(-1) ?? 0, along };
    });
    this.seconds = at;
    this.cues = cuesOf(this.stretches);
  }

  /** Where the traveller is after so many seconds; clamped to the journey. */
  place(seconds: number): Place | null {
    const when = Math.max(0, Math.min(this.seconds, seconds));
    let index = this.stretches.findIndex(({ end }) => when < end);
    if (index < 0) index = this.stretches.length - 1;
    const stretch = this.stretches[index];
    if (!stretch) return null;
    const took = stretch.end - stretch.begin;
    const share = took > 0 ? Math.min(1, (when - stretch.begin) / took) : 1;
    const { at, bearing } = pointAlong(stretch, share * stretch.metres);
    return {
      at,
      bearing,
      step: index,
      toNext: (1 - share) * stretch.metres,
      left: this.seconds - when,
    };
  }

  /** The time at which the traveller has come so many metres. */
  when(metres: number): number {
    let left = metres;
    for (const { begin, end, metres: length } of this.stretches) {
      if (left <= length && length > 0) return begin + (end - begin) * (left / length);
      left -= length;
    }
    return this.seconds;
  }

  /** The time at which a step begins. */
  beginOf(step: number): number {
    return this.stretches[step]?.begin ?? 0;
  }
}

function cuesOf(stretches: readonly Stretch[]): Cue[] {
  const cues: Cue[] = [];
  const say = (when: number, text: string | undefined): void => {
    if (text) cues.push({ when, text });
  };
  stretches.forEach(({ step, begin, end }, index) => {
    const took = end - begin;
    const before = stretches[index - 1];
    if (!before) say(0, step.verbal_pre_transition_instruction ?? step.instruction);
    else {
      const lead = before.end - before.begin;
      if (lead > ALERT_S + PRE_S) {
        say(begin - ALERT_S, step.verbal_transition_alert_instruction);
      }
      say(
        Math.max(before.begin, begin - PRE_S),
        step.verbal_pre_transition_instruction ?? step.instruction,
      );
    }
    if (took > ALERT_S) say(begin + POST_S, step.verbal_post_transition_instruction);
  });
  return cues.toSorted((a, b) => a.when - b.when);
}

/** Metres along a line at each of its points. */
function lengths(line: readonly LonLat[]): number[] {
  let sum = 0;
  return line.map((point, index) => {
    const before = line[index - 1];
    if (before) sum += distance(before, point);
    return sum;
  });
}

function pointAlong({ step, along }: Stretch, metres: number): { at: LonLat; bearing: number } {
  const { line } = step;
  let index = along.findIndex((m) => m > metres);
  if (index < 0) index = line.length - 1;
  const to = line[index]!;
  const from = line[Math.max(0, index - 1)]!;
  const span = along[index]! - (along[index - 1] ?? 0);
  const share = span > 0 ? Math.max(0, Math.min(1, (metres - (along[index - 1] ?? 0)) / span)) : 1;
  return {
    at: [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share],
    bearing: bearing(from, to),
  };
}
