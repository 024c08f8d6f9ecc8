import { distance } from "../geo/sphere";
import type { LonLat } from "../geo/coords";

/** The longest glide. A vehicle that was seen longer ago than that comes to its place at once. */
const LONGEST_MS = 12_000;
/** A movement that is faster than any bus is an error or another vehicle of the same name. */
const FASTEST = 60; // metres a second

interface Path {
  readonly from: LonLat;
  readonly to: LonLat;
  /** When it is at from, and when at to, in milliseconds. */
  readonly start: number;
  readonly end: number;
  readonly seen: number;
}

/**
 * Where vehicles are drawn between two fixes: each goes straight from where it was drawn
 * to its newest fix and stays there. Nothing is drawn ahead of what was seen.
 */
export class Glide {
  private paths = new Map<string, Path>();

  /** Takes the newest fixes; still says that nothing is to move on its way. */
  take(
    fixes: readonly { readonly id: string; readonly at: LonLat; readonly seen: number }[],
    now: number,
    still: boolean,
  ): void {
    const next = new Map<string, Path>();
    for (const { id, at, seen } of fixes) {
      const before = this.paths.get(id);
      if (before && seen <= before.seen) {
        next.set(id, before);
        continue;
      }
      const from = before ? placeOn(before, now) : at;
      const apart = distance(from, at);
      const took = before ? seen - before.seen : 0;
      const jumps = still || !before || apart > (FASTEST * took) / 1000 || apart === 0;
      const lasts = jumps ? 0 : Math.min(took, LONGEST_MS);
      next.set(id, { from, to: at, start: now, end: now + lasts, seen });
    }
    this.paths = next;
  }

  /** Brings all to their newest fix. */
  finish(): void {
    for (const [id, path] of this.paths) this.paths.set(id, { ...path, end: path.start });
  }

  /** Where a vehicle is drawn at a time; null for one that there is not. */
  at(id: string, now: number): LonLat | null {
    const path = this.paths.get(id);
    return path ? placeOn(path, now) : null;
  }

  /** Whether one moves at a time. */
  moving(now: number): boolean {
    return [...this.paths.values()].some(({ end }) => end > now);
  }
}

function placeOn({ from, to, start, end }: Path, now: number): LonLat {
  if (now >= end) return to;
  const part = Math.max(0, (now - start) / (end - start));
  return [from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part];
}
