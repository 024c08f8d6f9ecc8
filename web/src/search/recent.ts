import type { LonLat } from "../geo/coords";
import { isRecord } from "../call/record";

/** A place that was picked before, as this browser remembers it. */
export interface Recent {
  readonly at: LonLat;
  readonly id: string | null;
  readonly name: string;
  readonly detail: string;
}

const KEY = "waygate.recent";
const MOST = 8;

/** The places that were picked last, the newest first. */
export function recents(): Recent[] {
  try {
    const list: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(list) ? list.filter(isRecent).slice(0, MOST) : [];
  } catch {
    // Storage may be refused by the browser; then nothing is remembered.
    return [];
  }
}

export function remember(place: Recent): void {
  const same = ({ at, name }: Recent): boolean =>
    name === place.name && at[0] === place.at[0] && at[1] === place.at[1];
  keep([place, ...recents().filter((other) => !same(other))].slice(0, MOST));
}

export function forgetRecents(): void {
  keep([]);
}

function keep(list: readonly Recent[]): void {
  try {
    localStorage.setItem(KEY, JSON.stringify(list));
  } catch {
    // See above.
  }
}

function isRecent(value: unknown): value is Recent {
  if (!isRecord(value)) return false;
  const { at, id, name, detail } = value;
  const place = Array.isArray(at) && at.length === 2 && at.every((x) => Number.isFinite(x));
  const named = typeof name === "string" && typeof detail === "string";
  return place && named && (id === null || typeof id === "string");
}
