import type { Window } from "./model";

/** The shifts of a vehicle, between which it stands still. The last goes on for as long as work does. */
export class Shifts {
  readonly opens: number;
  readonly closes: number;
  private readonly spans: readonly Window[];

  constructor(shifts: readonly Window[]) {
    this.opens = shifts[0]?.[0] ?? 0;
    this.closes = shifts.at(-1)?.[1] ?? Number.POSITIVE_INFINITY;
    const last = shifts.at(-1);
    this.spans =
      last && shifts.length > 1
        ? [...shifts.slice(0, -1), [last[0], Number.POSITIVE_INFINITY]]
        : [];
  }

  /** When a drive is over that can go on from a time on. */
  after(from: number, seconds: number): number {
    let at = from;
    let left = seconds;
    for (const [opens, closes] of this.spans) {
      at = Math.max(at, opens);
      if (at + left <= closes) break;
      left -= Math.max(0, closes - at);
      at = Math.max(at, closes);
    }
    return at + left;
  }

  /** How much of a drive is done from a time to another. */
  between(from: number, to: number): number {
    if (this.spans.length === 0) return to - from;
    const driven = ([opens, closes]: Window): number =>
      Math.max(0, Math.min(to, closes) - Math.max(from, opens));
    return this.spans.reduce((sum, span) => sum + driven(span), 0);
  }

  /** When something begins from a time on: in a window, or late, and whole in a shift. */
  begin(windows: readonly Window[], from: number, lasts: number): number {
    for (let at = from; ;) {
      const open = windows.find(([, closes]) => at <= closes) ?? windows.at(-1);
      const begin = Math.max(at, open?.[0] ?? at);
      const shift = this.spans.find(([opens, closes]) => Math.max(begin, opens) + lasts <= closes);
      at = Math.max(begin, shift?.[0] ?? begin);
      if (at === begin) return at;
    }
  }
}
