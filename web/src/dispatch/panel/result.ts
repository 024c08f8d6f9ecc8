import { decimal, tr } from "../../ui/translate";
import { codeBlock } from "../../ui/code";
import { h, saveText, type Child } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { actionButton, field } from "../../site/form";
import { announce } from "../../site/page";
import { at } from "../../call/root";
import type { PlanStore } from "../plan/store";
import { differs, type Plan } from "../plan/plan";
import { planCSV, planCurl, routeGPX } from "../plan/export";
import { AIMS } from "../plan/balance";
import { figuresOf } from "../plan/figures";
import { comparison } from "./planspanel";
import { missing } from "../problem/missing";
import { colourOf, named, type Problem } from "../problem/model";
import type { Relaxation } from "../plan/relax";
import { requestOf } from "../plan/request";
import type { Rest, Visit } from "../day/route";
import { clock, lasting } from "../problem/times";

export interface ResultSetup {
  readonly store: PlanStore;
  readonly keyed: boolean;
  readonly solve: (problem: Problem) => void;
  readonly stop: () => void;
  readonly print: (plan: Plan) => Promise<void>;
}

/** Solving, what came of it, why stops are left out, and how to take the plan along. */
export function resultPanel(setup: ResultSetup): HTMLElement {
  const { store } = setup;
  const asking = h("div", { class: "asking" });
  const found = h("div", { class: "found" });
  /** The vehicles whose rounds are unfolded, and have a line for each stop. */
  const open = new Set<string>();
  const drawFound = (): void => reconcile(found, ...foundParts(setup, { open, unfolded }));
  const unfolded = ({ currentTarget }: Event): void => {
    const fold = currentTarget as HTMLDetailsElement;
    const id = fold.dataset["key"]!;
    if (fold.open === open.has(id)) return;
    if (fold.open) open.add(id);
    else open.delete(id);
    drawFound();
  };
  store.subscribe((state, before) => {
    if (
      state === before ||
      state.problem !== before.problem ||
      state.solving !== before.solving ||
      !state.plan !== !before.plan
    ) {
      reconcile(asking, ...askingParts(setup));
    }
    if (state === before || differs(state.plan, before.plan) || state.problem !== before.problem) {
      drawFound();
    }
  });
  return h("div", {}, asking, found);
}

function askingParts({ store, solve, stop, keyed }: ResultSetup): Child[] {
  const { problem, solving, plan } = store.state;
  if (solving) {
    const bar = h("progress", { max: 1, "aria-label": tr("Done") });
    if (solving.share !== null) bar.value = solving.share;
    return [
      h("p", { class: "solving", role: "status" }, solving.text),
      bar,
      h(
        "button",
        { type: "button", class: "button second small", "data-focus": "solve", onclick: stop },
        solving.stopping ? tr("Drop it") : keyed ? tr("Stop with the best so far") : tr("Stop"),
      ),
    ];
  }
  const lacks = missing(problem);
  return [
    problem.vehicles.length > 1 && aimChoice(store),
    lacks.length > 0 &&
      h(
        "ul",
        { class: "lacks" },
        lacks.map((text) => h("li", {}, text)),
      ),
    h(
      "button",
      {
        type: "button",
        class: "button",
        "data-focus": "solve",
        disabled: lacks.length > 0,
        onclick: () => solve(problem),
      },
      plan ? tr("Solve again") : tr("Solve"),
    ),
    !keyed &&
      h(
        "p",
        { class: "hint" },
        tr("With a key it is solved as a job, with its progress, and may be ten times as large."),
      ),
  ];
}

/** What the rounds are to be. */
function aimChoice(store: PlanStore): HTMLElement {
  const control = h(
    "select",
    {
      "data-focus": "aim",
      onchange: ({ currentTarget }: Event) => {
        const aim = AIMS.find(([name]) => name === (currentTarget as HTMLSelectElement).value);
        if (aim) store.change({ ...store.state.problem, aim: aim[0] });
      },
    },
    AIMS.map(([name, label]) => h("option", { value: name }, label)),
  );
  control.value = store.state.problem.aim;
  const hint = tr("All but the first take up to five solutions in place of one.");
  return field({ name: "aim", label: tr("The rounds are to be"), hint, control }).element;
}

interface Folds {
  readonly open: ReadonlySet<string>;
  readonly unfolded: (event: Event) => void;
}

function foundParts(setup: ResultSetup, { open, unfolded }: Folds): Child[] {
  const { store } = setup;
  const { plan, problem } = store.state;
  if (!plan) return [];
  /** With the lines that came since this was drawn. */
  const lined = (): Plan => store.state.plan ?? plan;
  const driving = plan.routes.reduce((sum, route) => sum + route.driving, 0);
  const metres = plan.routes.reduce((sum, route) => sum + route.distance, 0);
  const visits = plan.routes.reduce((sum, route) => sum + route.visits.length, 0);
  const names = new Map(plan.problem.vehicles.map(({ id, name }) => [id, name]));
  const broken = plan.routes.flatMap((route) =>
    route.broken.map((text) => `${names.get(route.vehicle) ?? route.vehicle}: ${text}`),
  );
  return [
    h(
      "p",
      { class: "plan-sum" },
      tr(
        "{0} {0|stop|stops} in {1} {1|round|rounds}, {2} of driving, {3} km.",
        visits,
        plan.routes.length,
        lasting(driving),
        decimal(metres / 1000, 1),
      ),
      plan.left.length > 0 && h("strong", {}, tr(" {0} left out.", plan.left.length)),
    ),
    plan.before &&
      comparison(tr("Before and after"), [
        { name: tr("Least cost"), figures: plan.before },
        { name: tr("This plan"), figures: figuresOf(plan) },
      ]),
    plan.problem !== problem &&
      h(
        "p",
        { class: "hint" },
        tr("The stops or vehicles have changed since: solve again, or plan the day anew."),
      ),
    plan.notes.map((text) => h("p", { class: "hint" }, text)),
    plan.touched.length > 0 &&
      h(
        "div",
        { class: "touched" },
        h(
          "p",
          {},
          tr("Moved by hand. "),
          broken.length
            ? tr("Broken: {0}.", broken.join("; "))
            : tr("All windows and shifts hold."),
        ),
        keepTick(store),
        h(
          "button",
          {
            type: "button",
            class: "button second small",
            "data-focus": "undo",
            onclick: () => store.undo(),
          },
          tr("Take back the last move"),
        ),
      ),
    plan.left.length > 0 && leftList(setup, plan),
    h("h3", {}, tr("The rounds")),
    plan.routes.map((route) => {
      const index = plan.problem.vehicles.findIndex(({ id }) => id === route.vehicle);
      const vehicle = plan.problem.vehicles[index];
      if (!vehicle) return null;
      const mark = h("span", { class: "vehicle-mark", "aria-hidden": "true" }, String(index + 1));
      mark.style.background = colourOf(index);
      return h(
        "details",
        {
          class: "round",
          "data-key": vehicle.id,
          open: plan.routes.length < 3,
          ontoggle: unfolded,
        },
        h(
          "summary",
          {},
          mark,
          h("strong", {}, vehicle.name),
          tr(
            " {0} {0|stop|stops}, {1}–{2}, {3} km",
            route.visits.length,
            clock(route.departure),
            clock(route.finish),
            decimal(route.distance / 1000, 1),
          ),
        ),
        open.has(vehicle.id) &&
          h(
            "ol",
            {},
            [...route.visits, ...route.rests]
              .toSorted((a, b) => a.begin - b.begin)
              .map((part) => ("stop" in part ? visitLine(store, plan, part) : restLine(part))),
          ),
        h(
          "button",
          {
            type: "button",
            class: "button second small",
            onclick: () =>
              saveText(
                `${vehicle.id}.gpx`,
                "application/gpx+xml",
                routeGPX(lined(), vehicle, route),
              ),
          },
          tr("GPX for {0}", vehicle.name),
        ),
      );
    }),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          onclick: () => saveText("plan.csv", "text/csv", planCSV(plan)),
        },
        tr("Save as CSV"),
      ),
      actionButton(
        tr("Print"),
        () => setup.print(lined()),
        (error) => announce(error instanceof Error ? error.message : String(error)),
        "button second small",
      ),
    ),
    h(
      "details",
      { class: "fold" },
      h("summary", {}, tr("The request with curl")),
      codeBlock(
        tr("Copy the command"),
        planCurl(
          at(setup.keyed ? "v1/jobs/optimise" : "optimise"),
          requestOf(plan.problem),
          setup.keyed,
        ),
      ),
    ),
  ];
}

/** Whether what was moved by hand stays when the plan is solved again. */
function keepTick(store: PlanStore): HTMLElement {
  const box = h("input", {
    type: "checkbox",
    checked: store.keep,
    onchange: ({ currentTarget }: Event) =>
      (store.keep = (currentTarget as HTMLInputElement).checked),
  });
  const text = tr("Keep it when solved again: rounds stay as they are up to the last stop moved.");
  return h("label", { class: "tick" }, box, text);
}

function visitLine(store: PlanStore, { problem }: Plan, visit: Visit): HTMLElement {
  const stop = named(problem.stops, visit.stop);
  const waits = visit.begin - visit.arrival;
  return h(
    "li",
    {},
    h(
      "button",
      { type: "button", class: "link", onclick: () => store.look(visit.stop) },
      stop?.name ?? visit.stop,
    ),
    ` ${clock(visit.begin)}–${clock(visit.end)}`,
    waits > 0 && h("span", { class: "muted" }, tr(", waits {0}", lasting(waits))),
    stop && stop.address !== stop.name && h("span", { class: "muted" }, ` ${stop.address}`),
  );
}

function restLine({ name, begin, end }: Rest): HTMLElement {
  return h("li", { class: "rest-line muted" }, `${name} ${clock(begin)}–${clock(end)}`);
}

function leftList(setup: ResultSetup, plan: Plan): HTMLElement {
  return h(
    "section",
    { class: "left" },
    h("h3", {}, tr("Left out")),
    h(
      "ul",
      {},
      plan.left.map(({ stop: id, reason, relaxations }) => {
        const stop = plan.problem.stops.find((one) => one.id === id);
        return h(
          "li",
          {},
          h("strong", {}, stop?.name ?? id),
          reason && `: ${reason}`,
          relaxations.slice(0, 3).map((relaxation) => relaxed(setup, relaxation)),
        );
      }),
    ),
  );
}

/** What would have a stop served, and a button that does it. */
function relaxed({ store, solve }: ResultSetup, { text, apply }: Relaxation): HTMLElement {
  const allow = (): void => {
    const next = apply(store.state.problem);
    store.change(next);
    solve(next);
  };
  return h(
    "p",
    { class: "relaxation" },
    `${text} `,
    h(
      "button",
      { type: "button", class: "button second small", onclick: allow },
      tr("Allow it and solve again"),
    ),
  );
}
