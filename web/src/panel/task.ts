import { send, type Answered, type Call } from "../call/call";
import type { Bounds, LonLat } from "../geo/coords";
import { announce, h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import type { Loading } from "../ui/loading";
import type { Field } from "../plan/options";
import { inputsOf, withInput, withoutNames, type Plan, type Spot } from "../plan/plan";
import { REST_MS, UNREADABLE, type Planner } from "../explorer/planner";
import { boundsOf } from "../geo/polyline";
import { narrate, type Failure } from "../call/problem";
import { refill } from "../ui/reconcile";
import { asking } from "../task/tasks";
import type { TaskContext, Finding, Lasting, Task } from "../task/task";
import { positionsOf, type Around, type Handle, type Shape } from "../map/shape";
import type { Drawer } from "./drawer";
import { control } from "../plan/field";
import { shareButton } from "./share";
import { tr } from "../ui/translate";

export interface TaskSetup {
  readonly planner: Planner;
  readonly loading: Loading;
  readonly apiKey: string | null;
  readonly drawer: Drawer;
  readonly around: () => Around | null;
  readonly draw: (shapes: readonly Shape[]) => void;
  /** Shows handles to drag; calls moved for each movement, the last time where it is released. */
  readonly handles: (
    handles: readonly Handle[],
    moved: (handle: Handle, at: LonLat, last: boolean) => void,
  ) => void;
  readonly fit: (bounds: Bounds) => void;
  readonly mark: (at: LonLat | null) => void;
  readonly open: (spot: Spot) => void;
  /** Shows in a line what was found; null clears it. */
  readonly summary: (text: string | null) => void;
  readonly lay: (overlay: Lasting) => void;
  readonly unlay: (overlay: Lasting) => void;
}

/** The fields of the current task, its controls and its result. */
export class TaskPanel {
  readonly element: HTMLElement;
  private readonly setup: TaskSetup;
  private readonly controls = h("div");
  private readonly result = h("div", { class: "result" });
  private running: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private loaded: (() => void) | null = null;
  private asked = "";
  private task = "";
  /** Whether the plan made a call when it was last looked at. */
  private calls = false;
  private found: readonly Shape[] = [];
  /** Reads the last answer again, for a plan whose points have got their names since. */
  private renew: ((plan: Plan) => void) | null = null;
  /** What the task has laid over the map. */
  private over: { readonly overlay: Lasting; readonly changed: () => void } | null = null;

  constructor(setup: TaskSetup) {
    this.setup = setup;
    this.element = h("section", { "aria-label": tr("Task") }, this.controls, this.result);
    setup.planner.subscribe((state, before) => {
      if (state === before || state.plan !== before.plan) this.ask();
    });
  }

  private context(): TaskContext {
    const { planner, apiKey, open, fit, mark } = this.setup;
    const question = this.asked;
    return {
      keyed: apiKey !== null,
      change: (plan) => planner.change(plan, "map"),
      again: () => this.ask(true),
      run: (call) => {
        const task = asking(planner.state.plan.task);
        return task ? this.call(task, call) : Promise.resolve();
      },
      open,
      look: (places) => {
        const bounds = boundsOf(places);
        if (bounds) fit(bounds);
      },
      mark,
      draw: (shapes) => {
        this.found = shapes;
        this.draw(planner.state.plan);
      },
      apiKey,
      plan: () => planner.state.plan,
      over: (overlay, changed) => {
        if (question !== this.asked) return false;
        this.lift();
        this.over = { overlay, changed };
        this.setup.lay(overlay);
        return true;
      },
    };
  }

  /** Takes what the task has laid over the map off it. */
  private lift(): void {
    if (!this.over) return;
    this.setup.unlay(this.over.overlay);
    this.over.overlay.end();
    this.over = null;
  }

  /** Makes the call that had to wait for the map, which is there now. */
  mapped(): void {
    if (!this.calls) this.ask();
  }

  /** Lights what of the list the map points at; what was chosen there comes into view. */
  light(item: string | null, chosen: boolean): void {
    for (const lit of this.result.querySelectorAll(".lit")) lit.classList.remove("lit");
    const row = item && this.result.querySelector(`[data-item="${CSS.escape(item)}"]`);
    if (!row) return;
    row.classList.add("lit");
    if (!chosen) return;
    row.scrollIntoView({ block: "center" });
    row.querySelector("button")?.focus({ preventScroll: true });
  }

  private renderControls(plan: Plan): void {
    const task = asking(plan.task);
    const inputs = inputsOf(plan, plan.task);
    // Those of the route stand with the way of travel.
    const fields = (task?.fields ?? []).filter(({ without }) => !without || !inputs[without]);
    const { planner } = this.setup;
    const controlOf = (field: Field): HTMLElement =>
      control(field, inputs[field.key], (value) => {
        const next = value === field.default ? undefined : value;
        planner.change(withInput(planner.state.plan, plan.task, field.key, next), "map");
      });
    const folded = fields.filter(({ main }) => main === false);
    const shown = fields.filter(({ main }) => main !== false);
    const used = folded.some(({ key }) => inputs[key] !== undefined);
    const wasOpen = this.controls.querySelector<HTMLDetailsElement>(".more")?.open ?? false;
    refill(
      this.controls,
      shown.length > 0 && h("div", { class: "fields inputs" }, shown.map(controlOf)),
      folded.length > 0 &&
        h(
          "details",
          { class: "more", open: used || wasOpen },
          h("summary", { "data-focus": "more-inputs" }, tr("More settings")),
          h("div", { class: "fields inputs" }, folded.map(controlOf)),
        ),
      task?.controls?.(plan, this.context()),
    );
  }

  private draw(plan: Plan): void {
    const sketch = asking(plan.task)?.sketch?.(plan) ?? [];
    this.setup.draw([...sketch, ...this.found]);
  }

  /** Draws what can be dragged; the sketch follows the hand, the answer comes at its end. */
  private renderHandles(plan: Plan): void {
    const { planner, handles } = this.setup;
    handles(asking(plan.task)?.handles?.(plan) ?? [], (handle, at, last) => {
      const next = handle.move(planner.state.plan, at);
      if (last) return planner.change(next, "map");
      this.draw(next);
      this.renderHandles(next);
    });
  }

  private ask(again = false): void {
    const { planner, drawer, around, apiKey } = this.setup;
    const { plan } = planner.state;
    const task = asking(plan.task);
    this.element.hidden = task === null;
    const needsKey = task?.key === true && apiKey === null;
    const call = needsKey ? null : (task?.request(plan, around()) ?? null);
    this.calls = call !== null;
    this.renderControls(plan);
    this.renderHandles(plan);
    const loading = needsKey ? null : (task?.load?.(plan) ?? null);
    loading?.then(
      () => this.ask(),
      () => refill(this.result, failureNotice({ kind: "network" })),
    );
    // Names come after the points, and make no other question.
    const question = call
      ? JSON.stringify(task?.request(withoutNames(plan), around()))
      : `${plan.task} ${needsKey}`;
    if (question === this.asked && !again) {
      this.renew?.(plan);
      this.over?.changed();
      return this.draw(plan);
    }
    this.lift();
    this.renew = null;
    this.asked = question;
    // What another task found says nothing of this one.
    if (plan.task !== this.task) this.setup.summary(null);
    this.task = plan.task;
    this.end();
    if (task && call) {
      this.draw(plan);
      return void this.call(task, call);
    }
    this.found = [];
    this.draw(plan);
    this.setup.summary(null);
    drawer.show(null);
    this.result.classList.remove("stale");
    const about = task?.hint && h("p", { class: "welcome" }, task.hint);
    refill(this.result, about, needsKey && keyNotice());
  }

  /** Makes a call for a task, once the hand rests, and shows what came of it. */
  private async call(task: Task, call: Call): Promise<void> {
    this.end();
    const { loading, apiKey, planner } = this.setup;
    const { signal } = (this.running = new AbortController());
    this.result.classList.add("stale");
    this.loaded = loading.begin(task.waiting, () => this.stop());
    await new Promise((resolve) => (this.timer = setTimeout(resolve, REST_MS)));
    const { plan } = planner.state;
    const answered = await send(call, apiKey, signal);
    if (!answered) return;
    const ok = answered.kind === "ok";
    let beside: (Answered | null)[] = [];
    let finding: Finding | null = null;
    try {
      const more = ok ? (task.beside?.(answered.body, plan) ?? []) : [];
      beside = await Promise.all(more.map((one) => send(one, apiKey, signal)));
      if (signal.aborted) return;
      const others = beside.filter((one) => one !== null);
      if (ok) finding = task.read(answered.body, plan, this.context(), call, others);
    } catch {
      if (signal.aborted) return;
    }
    this.end();
    this.result.classList.remove("stale");
    if (!ok) return this.fail(task, answered.failure, call);
    if (!finding) {
      return this.fail(task, UNREADABLE, call);
    }
    this.found = finding.shapes;
    this.draw(plan);
    const sketch = task.sketch?.(plan) ?? [];
    const bounds = boundsOf([...finding.shapes, ...sketch].flatMap(positionsOf));
    if (bounds) this.setup.fit(bounds);
    this.setup.drawer.show({ call, ...answered });
    this.setup.mark(null);
    this.setup.summary(finding.summary ?? null);
    if (finding.summary) announce(finding.summary);
    const shared = h("p", { class: "export" }, shareButton(planner));
    const took = tr("Answered in {0} ms, network included.", Math.round(answered.tookMS));
    const fill = ({ content }: Finding): void =>
      refill(this.result, content, shared, h("p", { class: "fine" }, took));
    fill(finding);
    if (!task.named) return;
    const others = beside.filter((one) => one !== null);
    this.renew = (next) => fill(task.read(answered.body, next, this.context(), call, others));
  }

  private fail(task: Task, failure: Failure, call: Call): void {
    this.found = [];
    this.setup.summary(narrate(failure, 0).title);
    this.draw(this.setup.planner.state.plan);
    const answer = failure.kind === "answer" ? failure : null;
    this.setup.drawer.show({ call, status: answer?.status ?? null, body: answer?.body });
    const again =
      failure.kind === "network" &&
      h(
        "p",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "tool", onclick: () => this.ask(true) },
          tr("Try again"),
        ),
      );
    refill(this.result, task.explain?.(failure) ?? failureNotice(failure), again);
  }

  private end(): void {
    this.running?.abort();
    clearTimeout(this.timer);
    this.loaded?.();
    this.loaded = null;
  }

  private stop(): void {
    this.end();
    this.asked = "";
    this.result.classList.remove("stale");
    const again = (): void => this.ask(true);
    refill(
      this.result,
      h(
        "p",
        { class: "notice calm stopped" },
        tr("Cancelled."),
        h("button", { type: "button", class: "tool", onclick: again }, tr("Try again")),
      ),
    );
  }
}

/** What went wrong, in words; what a server does not offer is no alarm. */
function failureNotice(failure: Failure): HTMLElement {
  const { title, text, notes } = narrate(failure, 0);
  const missing = failure.kind === "answer" && failure.status === 501;
  return h(
    "div",
    missing
      ? { class: "notice warning", role: "status" }
      : { class: "notice danger", role: "alert" },
    h("h2", {}, uiIcon("warning"), title),
    text && h("p", {}, text),
    notes.length > 0 &&
      h(
        "ul",
        {},
        notes.map((note) => h("li", {}, note)),
      ),
  );
}

function keyNotice(): HTMLElement {
  const keys = new URL("keys", document.baseURI).href;
  return h(
    "div",
    { class: "notice calm" },
    h("h2", {}, uiIcon("shield"), tr("This needs an API key")),
    h(
      "p",
      {},
      h("a", { href: keys }, tr("Get a key")),
      tr(": it takes a moment, and trying costs nothing."),
    ),
    h(
      "p",
      { class: "actions" },
      h("button", { type: "button", class: "tool", onclick: askForKey }, tr("I have one")),
    ),
  );
}

/** Brings the reader to where the key is put in. */
function askForKey(): void {
  document.querySelector<HTMLDetailsElement>(".key-panel")!.open = true;
  document.getElementById("api-key")!.focus();
}
