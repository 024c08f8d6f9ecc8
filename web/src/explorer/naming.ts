import type { Answered, Call } from "../call/call";
import type { LonLat } from "../geo/coords";
import { placedStops, withNames } from "../plan/plan";
import { addressesCall, readAddresses } from "../search/address";
import type { Planner } from "./planner";

/** The pause after the last change before addresses are asked for, in milliseconds. */
export const NAMING_REST_MS = 350;

/** So many points have their names kept. */
const MOST_KNOWN = 500;

/** A server that answers so has no addresses for this page, and is not asked again. */
const REFUSED: readonly number[] = [400, 401, 403, 404, 501];

/** Calls the points of the plan that have no name by their addresses. */
export class Naming {
  private readonly planner: Planner;
  private readonly send: (call: Call) => Promise<Answered | null>;
  /** The name of a point by its coordinates; "" while it is asked for, and where there is none. */
  private readonly known = new Map<string, string>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the server has no addresses. */
  private missing = false;

  constructor(planner: Planner, send: (call: Call) => Promise<Answered | null>) {
    this.planner = planner;
    this.send = send;
    planner.subscribe((state, before) => {
      if (state === before || state.plan.stops !== before.plan.stops) this.look();
    });
  }

  private look(): void {
    clearTimeout(this.timer);
    this.apply();
    if (this.missing || this.nameless().length === 0) return;
    this.timer = setTimeout(() => void this.ask(), NAMING_REST_MS);
  }

  /** The points that have no name and were not asked about. */
  private nameless(): LonLat[] {
    return placedStops(this.planner.state.plan).flatMap(({ at, name }) =>
      name === undefined && !this.known.has(at.join()) ? [at] : [],
    );
  }

  private apply(): void {
    const { plan } = this.planner.state;
    const named = withNames(plan, (at) => this.known.get(at.join()) ?? "");
    if (named !== plan) this.planner.change(named, this.planner.reason);
  }

  private async ask(): Promise<void> {
    const points = this.nameless();
    if (points.length === 0) return;
    for (const at of points) this.keep(at, "");
    const call = addressesCall(points, this.planner.state.plan.language);
    const answered = await this.send(call);
    if (answered?.kind !== "ok") {
      const failure = answered?.failure;
      this.missing = failure?.kind === "answer" && REFUSED.includes(failure.status);
      // What failed for now is asked again at the next change.
      for (const at of points) this.known.delete(at.join());
      return;
    }
    try {
      readAddresses(answered.body).forEach((name, index) => this.keep(points[index]!, name));
    } catch {
      this.missing = true;
    }
    this.apply();
  }

  private keep(at: LonLat, name: string): void {
    if (this.known.size >= MOST_KNOWN) this.known.delete(this.known.keys().next().value!);
    this.known.set(at.join(), name);
  }
}
