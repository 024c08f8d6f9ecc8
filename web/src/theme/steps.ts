import type { ThemeDocument } from "./document";

/** Steps of longer ago are forgotten. */
const MOST_STEPS = 200;

/** The themes that one edits from one to the next, to go back to and forth. */
export class Steps {
  private list: { readonly theme: ThemeDocument; readonly what: string }[] = [];
  private at = -1;

  /** The theme as it is now. */
  get theme(): ThemeDocument {
    return this.list[this.at]?.theme ?? {};
  }

  get back(): boolean {
    return this.at > 0;
  }

  get forth(): boolean {
    return this.at < this.list.length - 1;
  }

  /**
   * Adds a theme, and what of it was changed: a slider that is dragged is one step. "" is
   * always a step of its own.
   */
  add(theme: ThemeDocument, what: string): void {
    const again = what !== "" && this.list[this.at]?.what === what;
    const before = this.list.slice(0, again ? this.at : this.at + 1);
    this.list = [...before, { theme, what }].slice(-MOST_STEPS);
    this.at = this.list.length - 1;
  }

  /** Goes by some steps: -1 is one back. */
  go(by: number): ThemeDocument {
    this.at = Math.max(0, Math.min(this.list.length - 1, this.at + by));
    // What comes next is another step, also where it changes the same.
    const now = this.list[this.at];
    if (now) this.list[this.at] = { ...now, what: "" };
    return this.theme;
  }
}
