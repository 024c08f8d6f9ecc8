/** The part of the browser's history that is used. */
export interface Past {
  readonly state: unknown;
  pushState(state: unknown, unused: string, address: string): void;
  replaceState(state: unknown, unused: string, address: string): void;
  back(): void;
  forward(): void;
}

/**
 * The states of the plan in the browser's history: one entry each, so that the
 * browser's own buttons and ours go back and forward through the same states.
 */
export class PlanHistory {
  private readonly past: Past;
  private readonly bare: () => string;
  /** The plan of the current entry, without the map's position and the names of points. */
  private plan = "";
  private readonly listeners: (() => void)[] = [];
  private at: number;
  /** The newest entry that is known: after a reload the current one. */
  private last: number;

  /** bare gives the address without a fragment. */
  constructor(past: Past, bare: () => string, plan: string) {
    this.past = past;
    this.bare = bare;
    this.plan = plan;
    this.at = indexOf(past.state) ?? 0;
    this.last = this.at;
  }

  /** Calls listener now and at each step. */
  listen(listener: () => void): void {
    this.listeners.push(listener);
    listener();
  }

  get canUndo(): boolean {
    return this.at > 0;
  }

  get canRedo(): boolean {
    return this.at < this.last;
  }

  undo(): void {
    if (this.canUndo) this.past.back();
  }

  redo(): void {
    if (this.canRedo) this.past.forward();
  }

  /**
   * Keeps a state: a new plan as a new entry, anything else in the current one. Two plans are
   * the same where nameless is: what they are without the names of points.
   */
  keep(plan: string, rest: string, nameless: string = plan): void {
    const address = this.address(plan, rest);
    if (nameless === this.plan) {
      this.past.replaceState({ at: this.at }, "", address);
      return;
    }
    this.plan = nameless;
    this.last = ++this.at;
    this.past.pushState({ at: this.at }, "", address);
    this.tell();
  }

  /** Takes note that the browser went to the entry of a plan: one of ours, or a new one by a link. */
  arrive(plan: string): void {
    this.plan = plan;
    const at = indexOf(this.past.state);
    if (at === null) this.last = ++this.at;
    else this.at = at;
    this.last = Math.max(this.last, this.at);
    this.tell();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }

  private address(plan: string, rest: string): string {
    const fragment = [plan, rest].filter(Boolean).join("&");
    return fragment ? `#${fragment}` : this.bare();
  }
}

function indexOf(state: unknown): number | null {
  const at = state !== null && typeof state === "object" && "at" in state ? state.at : null;
  return typeof at === "number" ? at : null;
}

/** Undoes on Ctrl+Z and redoes on Ctrl+Y or Ctrl+Shift+Z, except while somebody types. */
export function listenForUndo(planHistory: PlanHistory): void {
  addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = target instanceof HTMLElement && target.matches("input[type=text], textarea");
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) planHistory.undo();
    else if (key === "y" || key === "z") planHistory.redo();
    else return;
    event.preventDefault();
  });
}
