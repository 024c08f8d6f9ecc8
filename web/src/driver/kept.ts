import { readMarks, without, type DrivenRound, type Mark } from "./round";

/** A round as it came last. */
export interface KeptRound {
  readonly round: DrivenRound;
  /** Milliseconds since 1970, as is until. */
  readonly at: number;
  /** When the plan is at its end, by the clock of this phone. */
  readonly until: number;
}

/** Part of Storage. */
export type Shelf = Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;

/**
 * What a phone keeps of drivers' links, by their tokens: the round as it came last, and the
 * reports that wait to be sent. It is read anew each time, because two pages may be open. What
 * storage refuses lasts for this page.
 */
export class KeptLinks {
  private readonly storage: Shelf | null;
  private readonly rounds: string;
  private readonly reports: string;
  private readonly memory = new Map<string, string>();

  /** root is the path of the server, of which an origin may have several. */
  constructor(storage: Shelf | null, root: string) {
    this.storage = storage;
    this.rounds = `waygate.driver ${root} round `;
    this.reports = `waygate.driver ${root} marks `;
  }

  /** Whether reports are lost when the page is closed. */
  get fleeting(): boolean {
    return this.memory.size > 0;
  }

  /** The links of which something is kept. */
  tokens(): string[] {
    const keys = [...this.memory.keys()];
    try {
      for (let i = 0; i < (this.storage?.length ?? 0); i++) keys.push(this.storage!.key(i) ?? "");
    } catch {
      // Storage may be refused.
    }
    const found = keys.flatMap((key) => {
      const prefix = [this.rounds, this.reports].find((one) => key.startsWith(one));
      return prefix ? [key.slice(prefix.length)] : [];
    });
    return [...new Set(found)];
  }

  marks(token: string): Mark[] {
    return readMarks(this.read(this.reports + token));
  }

  report(token: string, mark: Mark): void {
    this.writeMarks(token, [...this.marks(token), mark]);
  }

  sent(token: string, marks: readonly Mark[]): void {
    this.writeMarks(token, without(this.marks(token), marks));
  }

  /** The round of a link; null where none is kept, or the plan is at its end. */
  round(token: string, now = Date.now()): KeptRound | null {
    try {
      const kept = JSON.parse(this.read(this.rounds + token) ?? "null") as KeptRound | null;
      if (!Array.isArray(kept?.round?.stops) || typeof kept.at !== "number") return null;
      return kept.until > now ? kept : null;
    } catch {
      return null;
    }
  }

  keepRound(token: string, kept: KeptRound): void {
    const key = this.rounds + token;
    const text = JSON.stringify(kept);
    if (this.store(key, text)) return;
    this.makeRoom();
    this.store(key, text);
  }

  forget(token: string): void {
    for (const key of [this.rounds + token, this.reports + token]) this.remove(key);
  }

  /** Forgets links whose plans are at their end. */
  expire(now = Date.now()): void {
    for (const token of this.tokens()) {
      if (this.read(this.rounds + token) && !this.round(token, now)) this.forget(token);
    }
  }

  private writeMarks(token: string, marks: readonly Mark[]): void {
    const key = this.reports + token;
    if (marks.length === 0) return this.remove(key);
    const text = JSON.stringify(marks);
    if (this.store(key, text)) return;
    this.makeRoom();
    if (!this.store(key, text)) this.memory.set(key, text);
  }

  /** Deletes the rounds that are kept, which can be asked for again; reports cannot. */
  private makeRoom(): void {
    for (const token of this.tokens()) this.remove(this.rounds + token);
  }

  private store(key: string, text: string): boolean {
    try {
      if (!this.storage) return false;
      this.storage.setItem(key, text);
      this.memory.delete(key);
      return true;
    } catch {
      return false;
    }
  }

  private read(key: string): string | null {
    try {
      return this.memory.get(key) ?? this.storage?.getItem(key) ?? null;
    } catch {
      return null;
    }
  }

  private remove(key: string): void {
    this.memory.delete(key);
    try {
      this.storage?.removeItem(key);
    } catch {
      // Nothing is kept then.
    }
  }
}
