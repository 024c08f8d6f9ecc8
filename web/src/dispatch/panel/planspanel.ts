import { h, saveText } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { actionButton, complain, field } from "../../site/form";
import { announce, refusal } from "../../site/page";
import { apiJSON, problemFrom } from "../plan/apijson";
import { figuresOf, type Figures } from "../plan/figures";
import { dropPlan, savedPlans, savePlan, type Saved } from "../plan/saved";
import type { PlanStore } from "../plan/store";
import { lasting } from "../problem/times";
import { decoded, MOST_BYTES } from "../intake/sheet";

/** What plans are compared by, in words. */
const ROWS: readonly (readonly [string, (figures: Figures) => string])[] = [
  ["Stops", ({ stops }) => String(stops)],
  ["Left out", ({ left }) => String(left)],
  ["Rounds", ({ rounds }) => String(rounds)],
  ["Driving", ({ driving }) => lasting(driving)],
  ["Distance", ({ metres }) => `${(metres / 1000).toFixed(1)} km`],
  ["Cost", ({ cost }) => (cost === null ? "–" : Math.round(cost).toLocaleString("en-GB"))],
  ["Late", ({ late }) => (late ? lasting(late) : "–")],
  ["Shortest to longest round", (one) => `${lasting(one.shortest)} to ${lasting(one.longest)}`],
  ["Fewest to most stops", ({ fewest, most }) => `${fewest} to ${most}`],
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
    onchange: () => store.change({ ...store.state.problem, day: day.value }),
  });
  const load = async (): Promise<void> => {
    kept = await savedPlans();
    draw();
  };
  const save = async (): Promise<void> => {
    wrong.replaceChildren();
    const { problem, plan } = store.state;
    const own = name.value.trim();
    if (!own) return complain(name, "A plan is kept under a name.");
    await savePlan({ name: own, at: Date.now(), problem, plan, followed: store.state.followed });
    announce(`${own} is kept in this browser.`);
    await load();
  };
  const open = ({ name: own, problem, plan, followed }: Saved): void => {
    name.value = own;
    store.open(problem, plan, followed);
    announce(`${own} is open.`);
  };
  const anew = (): void => {
    const { problem } = store.state;
    const next = problem.day ? new Date(Date.parse(problem.day) + 86_400_000) : null;
    name.value = "";
    store.open({ ...problem, stops: [], day: next?.toISOString().slice(0, 10) ?? "" }, null);
    announce("The vehicles are as they were, and there are no stops.");
  };
  const draw = (): void => {
    const { plan } = store.state;
    const columns: Column[] = [
      ...(plan ? [{ name: "This one", figures: figuresOf(plan) }] : []),
      ...kept.map((one) => ({
        name: one.problem.day ? `${one.name}, ${one.problem.day}` : one.name,
        figures: one.plan && figuresOf(one.plan),
      })),
    ];
    reconcile(
      box,
      kept.length > 0 && comparison("Plans side by side", columns),
      kept.length > 0 &&
        h(
          "ul",
          { class: "kept", "aria-label": "Kept plans" },
          kept.map((one) =>
            h(
              "li",
              { "data-key": one.name },
              h("strong", {}, one.name),
              " ",
              button(`Open ${one.name}`, `open-${one.name}`, () => open(one)),
              " ",
              button(`Delete ${one.name}`, `drop-${one.name}`, () => {
                void dropPlan(one.name).then(load).catch(fail);
              }),
            ),
          ),
        ),
    );
  };
  store.subscribe((state, before) => {
    if (state === before || state.problem.day !== before.problem.day) day.value = state.problem.day;
    if (state === before || state.plan !== before.plan) draw();
  });
  void load().catch(fail);
  return h(
    "div",
    { class: "plans-panel" },
    h("p", { class: "hint" }, "They stay in this browser until they are deleted."),
    h(
      "div",
      { class: "pairs" },
      field({ name: "plan-name", label: "Name of the plan", control: name }).element,
      field({ name: "plan-day", label: "Day, empty for any", control: day }).element,
    ),
    h(
      "div",
      { class: "buttons" },
      actionButton("Keep this plan", save, fail, "button second small"),
      h(
        "button",
        { type: "button", class: "button second small", onclick: anew },
        "Begin another day with these vehicles",
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
      throw new Error(`${file.name} has ${file.size} bytes; at most ${MOST_BYTES} are read.`);
    let parsed: unknown;
    try {
      parsed = JSON.parse(decoded(await file.arrayBuffer()));
    } catch {
      throw new Error(`${file.name} is no JSON.`);
    }
    const problem = problemFrom(parsed);
    store.open(problem, null);
    announce(`${problem.stops.length} stops and ${problem.vehicles.length} vehicles taken.`);
  };
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
  const save = (): void =>
    saveText("problem.json", "application/json", apiJSON(store.state.problem));
  return h(
    "div",
    { class: "buttons" },
    h(
      "button",
      { type: "button", class: "button second small", onclick: save },
      "Save as the API’s JSON",
    ),
    h("label", { for: "problem-file", class: "button second small" }, "Open the API’s JSON"),
    file,
  );
}
