import { formatCount } from "../../ui/format";
import { decimal, tr } from "../../ui/translate";
import { h, saveText } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { actionButton, complain, field } from "../../site/form";
import { announce, refusal } from "../../site/page";
import { apiJSON } from "../plan/apijson";
import { figuresOf, type Figures } from "../plan/figures";
import { problemFrom } from "../plan/fromapi";
import { dropPlan, savedPlans, savePlan, type Saved } from "../plan/saved";
import { differs } from "../plan/plan";
import type { PlanStore } from "../plan/store";
import { vehiclesOn, withDay } from "../problem/another";
import { lostStops } from "../problem/missing";
import { lasting } from "../problem/times";
import { decoded, MOST_BYTES } from "../intake/sheet";

/** What plans are compared by, in words. */
const ROWS: readonly (readonly [string, (figures: Figures) => string])[] = [
  [tr("Stops"), ({ stops }) => String(stops)],
  [tr("Left out"), ({ left }) => String(left)],
  [tr("Rounds"), ({ rounds }) => String(rounds)],
  [tr("Driving"), ({ driving }) => lasting(driving)],
  [tr("Distance"), ({ metres }) => tr("{0} km", decimal(metres / 1000, 1))],
  [tr("Cost"), ({ cost }) => (cost === null ? "–" : formatCount(Math.round(cost)))],
  [tr("Late"), ({ late }) => (late ? lasting(late) : "–")],
  [
    tr("Shortest to longest round"),
    (one) => tr("{0} to {1}", lasting(one.shortest), lasting(one.longest)),
  ],
  [tr("Fewest to most stops"), ({ fewest, most }) => tr("{0} to {1}", fewest, most)],
];

export interface Column {
  readonly name: string;
  readonly figures: Figures | null;
}

/** Plans side by side. */
export function comparison(label: string, columns: readonly Column[]): HTMLElement {
  return h(
    "div",
    { class: "scroll", tabindex: "0", role: "group", "aria-label": label },
    h(
      "table",
      { class: "figures" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          h("td", {}),
          columns.map(({ name }) => h("th", { scope: "col" }, name)),
        ),
      ),
      h(
        "tbody",
        {},
        ROWS.map(([row, words]) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, row),
            columns.map(({ figures }) => h("td", {}, figures ? words(figures) : "–")),
          ),
        ),
      ),
    ),
  );
}

/** Plans kept under names, side by side with that on the page, and the problem as the API's JSON. */
export function plansPanel(store: PlanStore): HTMLElement {
  const box = h("div", { class: "kept-plans" });
  const wrong = h("div", {});
  const fail = (error: unknown): void => wrong.replaceChildren(refusal(error));
  let kept: readonly Saved[] = [];
  const name = h("input", { type: "text", maxLength: 80 });
  const day = h("input", {
    type: "date",
    onchange: () => store.change(withDay(store.state.problem, day.value)),
  });
  const load = async (): Promise<void> => {
    kept = await savedPlans();
    draw();
  };
  const save = async (): Promise<void> => {
    wrong.replaceChildren();
    const { problem, plan } = store.state;
    const own = name.value.trim();
    if (!own) return complain(name, tr("A plan is kept under a name."));
    await savePlan({ name: own, at: Date.now(), problem, plan, followed: store.state.followed });
    announce(tr("{0} is kept in this browser.", own));
    await load();
  };
  const open = ({ name: own, problem, plan, followed }: Saved): void => {
    name.value = own;
    store.open(problem, plan, followed);
    announce(tr("{0} is open.", own));
  };
  const anew = (): void => {
    const { problem } = store.state;
    const next = problem.day ? new Date(Date.parse(problem.day) + 86_400_000) : null;
    name.value = "";
    store.open(vehiclesOn(problem, next?.toISOString().slice(0, 10) ?? ""), null);
    announce(tr("The vehicles are as they were, and there are no stops."));
  };
  const draw = (): void => {
    const { plan } = store.state;
    const columns: Column[] = [
      ...(plan ? [{ name: tr("This one"), figures: figuresOf(plan) }] : []),
      ...kept.map((one) => ({
        name: one.problem.day ? `${one.name}, ${one.problem.day}` : one.name,
        figures: one.plan && figuresOf(one.plan),
      })),
    ];
    reconcile(
      box,
      kept.length > 0 && comparison(tr("Plans side by side"), columns),
      kept.length > 0 &&
        h(
          "ul",
          { class: "kept", "aria-label": tr("Kept plans") },
          kept.map((one) =>
            h(
              "li",
              { "data-key": one.name },
              h("strong", {}, one.name),
              " ",
              button(tr("Open the plan {0}", one.name), `open-${one.name}`, () => open(one)),
              " ",
              button(tr("Delete {0}", one.name), `drop-${one.name}`, () => {
                void dropPlan(one.name).then(load).catch(fail);
              }),
            ),
          ),
        ),
    );
  };
  store.subscribe((state, before) => {
    if (state === before || state.problem.day !== before.problem.day) day.value = state.problem.day;
    if (state === before || differs(state.plan, before.plan)) draw();
  });
  void load().catch(fail);
  return h(
    "div",
    { class: "plans-panel" },
    h("p", { class: "hint" }, tr("They stay in this browser until they are deleted.")),
    h(
      "div",
      { class: "pairs" },
      field({ name: "plan-name", label: tr("Name of the plan"), control: name }).element,
      field({ name: "plan-day", label: tr("Day, empty for any"), control: day }).element,
    ),
    h(
      "div",
      { class: "buttons" },
      actionButton(tr("Keep this plan"), save, fail, "button second small"),
      h(
        "button",
        { type: "button", class: "button second small", onclick: anew },
        tr("Begin another day with these vehicles"),
      ),
    ),
    box,
    wrong,
    jsonPart(store, fail),
  );
}

function button(label: string, focus: string, act: () => void): HTMLElement {
  return h("button", { type: "button", class: "link", "data-focus": focus, onclick: act }, label);
}

/** Taking the problem along as the body of POST /optimise, and reading one. */
function jsonPart(store: PlanStore, fail: (error: unknown) => void): HTMLElement {
  const take = async (file: File): Promise<void> => {
    if (file.size > MOST_BYTES)
      throw new Error(
        tr("{0} has {1} bytes; at most {2} are read.", file.name, file.size, MOST_BYTES),
      );
    let parsed: unknown;
    try {
      parsed = JSON.parse(decoded(await file.arrayBuffer()));
    } catch {
      throw new Error(tr("{0} is no JSON.", file.name));
    }
    const problem = problemFrom(parsed);
    store.open(problem, null);
    announce(
      tr(
        "{0} {0|stop|stops} and {1} {1|vehicle|vehicles} taken.",
        problem.stops.length,
        problem.vehicles.length,
      ),
    );
  };
  const left = h("p", { class: "hint", role: "status" });
  const file = h("input", {
    type: "file",
    class: "offscreen",
    id: "problem-file",
    accept: ".json",
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) void take(chosen).catch(fail);
      file.value = "";
    },
  });
  const save = (): void => {
    const { problem, plan } = store.state;
    const order = plan?.problem === problem ? plan : null;
    saveText("problem.json", "application/json", apiJSON(problem, order));
    const lost = lostStops(problem);
    const names = lost.slice(0, 10).map(({ name }) => name);
    left.textContent = lost.length
      ? tr(
          "Without {0} {0|stop that has|stops that have} no place: {1}",
          lost.length,
          names.join(", "),
        )
      : "";
  };
  return h(
    "div",
    { class: "buttons" },
    h(
      "button",
      { type: "button", class: "button second small", onclick: save },
      tr("Save as the API’s JSON"),
    ),
    h("label", { for: "problem-file", class: "button second small" }, tr("Open the API’s JSON")),
    file,
    left,
  );
}
