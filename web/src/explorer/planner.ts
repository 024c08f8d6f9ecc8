import { send, type Answered } from "../call/call";
import { readRoutes, type RouteAnswer, type RouteView } from "../route/answer";
import type { Loading } from "../ui/loading";
import type { Panel } from "./state";
import { placedStops, stopLetter, type Plan } from "../plan/plan";
import { narrate, type Failure, type Narration } from "../call/problem";
import { buildRequest, type RouteRequest } from "../plan/request";
import { tr } from "../ui/translate";

/** The result of the last finished request. */
export type Outcome =
  | { readonly kind: "none" }
  | {
      readonly kind: "routes";
      readonly request: RouteRequest;
      readonly answer: RouteAnswer;
      readonly routes: readonly RouteView[];
      /** Wall time of the call in milliseconds, seen from the browser. */
      readonly tookMS: number;
      readonly units: number | null;
    }
  | {
      readonly kind: "failed";
      readonly request: RouteRequest;
      readonly narration: Narration;
      readonly status: number | null;
      readonly body: unknown;
      /** Ids of the stops to mark. */
      readonly bad: ReadonlySet<number>;
    };

export interface State {
  readonly plan: Plan;
  readonly outcome: Outcome;
  readonly panel: Panel;
  /** Index of the route that is shown in full. */
  readonly chosen: number;
  readonly busy: boolean;
  /** The last request was given up before it was answered. */
  readonly stopped: boolean;
}

/** The origin of a change of the plan; only one from elsewhere moves the map. */
export type Reason = "elsewhere" | "map";

type Listener = (state: State, before: State) => void;

/** A success that is no route. */
export const UNREADABLE: Failure = {
  kind: "answer",
  status: 200,
  body: { detail: "The answer holds nothing that can be drawn." },
};

/** The pause before a request, as sliders change options many times a second. */
export const REST_MS = 150;

/** Keeps the plan, requests its route and notifies the listeners of each change. */
export class Planner {
  state: State;
  /** Whether the next routes should be brought into view even when visible in part. */
  reason: Reason = "elsewhere";
  private readonly listeners: Listener[] = [];
  private readonly apiKey: string | null;
  private readonly loading: Loading;
  private loaded: (() => void) | null = null;
  private running: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private asked = "";

  constructor(plan: Plan, panel: Panel, apiKey: string | null, loading: Loading) {
    this.apiKey = apiKey;
    this.loading = loading;
    this.state = {
      plan,
      panel,
      outcome: { kind: "none" },
      chosen: 0,
      busy: false,
      stopped: false,
    };
  }

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
    listener(this.state, this.state);
  }

  change(plan: Plan, reason: Reason): void {
    this.reason = reason;
    this.set({ plan });
    this.ask();
  }

  /** Takes the state of a link or of the history. */
  restore(plan: Plan, panel: Panel, reason: Reason): void {
    this.reason = reason;
    this.set({ plan, panel });
    this.ask();
  }

  show(panel: Partial<Panel>): void {
    this.set({ panel: { ...this.state.panel, ...panel } });
  }

  choose(chosen: number): void {
    this.set({ chosen, panel: { ...this.state.panel, alternative: chosen } });
  }

  /** Asks for the plan's route unless just that was asked last. */
  ask(again = false): void {
    const request = buildRequest(this.state.plan);
    const body = request ? JSON.stringify(request) : "";
    if (body === this.asked && !again) return;
    const first = this.asked === "";
    this.asked = body;
    this.end();
    if (!request) {
      this.set({ outcome: { kind: "none" }, chosen: 0, busy: false, stopped: false });
      return;
    }
    const running = new AbortController();
    this.running = running;
    this.loaded = this.loading.begin(tr("Finding a route…"), () => this.stop());
    const { panel } = this.state;
    this.set({
      busy: true,
      stopped: false,
      // Another question has other routes; a link names one of the first.
      ...(first || again ? {} : { panel: { ...panel, alternative: 0 } }),
    });
    this.timer = setTimeout(() => void this.send(request, running.signal), REST_MS);
  }

  /** Asks again what had no answer, now that the browser has a connection again. */
  online(): void {
    const { outcome } = this.state;
    if (outcome.kind === "failed" && outcome.status === null) this.ask(true);
  }

  /** Aborts the current request. */
  private stop(): void {
    this.end();
    this.asked = "";
    this.set({ busy: false, stopped: true });
  }

  private end(): void {
    this.running?.abort();
    clearTimeout(this.timer);
    this.loaded?.();
    this.loaded = null;
  }

  private async send(request: RouteRequest, signal: AbortSignal): Promise<void> {
    const { plan } = this.state;
    const answered = await send({ path: "route", body: request }, this.apiKey, signal);
    if (!answered) return;
    this.end();
    if (answered.kind === "failed") {
      this.showFailure(plan, request, answered.failure);
    } else if (!this.showRoutes(request, answered)) {
      this.showFailure(plan, request, UNREADABLE);
    }
  }

  private showRoutes(
    request: RouteRequest,
    { body, tookMS, units = null }: Answered & { kind: "ok" },
  ): boolean {
    try {
      const answer = body as RouteAnswer;
      const routes = readRoutes(answer);
      if (routes.length === 0) return false;
      const outcome: Outcome = { kind: "routes", request, answer, routes, tookMS, units };
      const chosen = Math.min(this.state.panel.alternative, routes.length - 1);
      this.set({ outcome, chosen, busy: false });
      return true;
    } catch {
      return false;
    }
  }

  private showFailure(plan: Plan, request: RouteRequest, failure: Failure): void {
    const stops = placedStops(plan);
    const letters = stops.map((s) => stopLetter(plan.stops.indexOf(s)));
    const narration = narrate(failure, stops.length, letters);
    this.set({
      outcome: {
        kind: "failed",
        request,
        narration,
        status: failure.kind === "answer" ? failure.status : null,
        body: failure.kind === "answer" ? failure.body : undefined,
        bad: new Set(narration.points.map((index) => stops[index]!.id)),
      },
      chosen: 0,
      busy: false,
    });
  }

  private set(patch: Partial<State>): void {
    const before = this.state;
    this.state = { ...before, ...patch };
    for (const listener of this.listeners) listener(this.state, before);
  }
}
