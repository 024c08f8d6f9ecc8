import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { costingIcon } from "../plan/costingicons";
import {
  changedOptions,
  COSTING_NAMES,
  FIELDS,
  type Costing,
  type OptionValue,
} from "../plan/options";
import { isLanguage, LANGUAGES, allowPlace, inputsOf, withInput, type Plan } from "../plan/plan";
import { avoidList, whenControl } from "./conditions";
import type { Planner } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import { SCENIC } from "../task/route";
import { taskOf } from "../task/tasks";
import { control } from "../plan/field";
import { settings } from "../ui/settings";
import { tr } from "../ui/translate";

/** How to travel: the costing, its options, and the units. */
export function travelPanel(planner: Planner, costings: readonly Costing[]): HTMLElement {
  const choices = h("div", { class: "costings" });
  const summary = h("summary", { class: "options-summary", "data-focus": "options" });
  const fields = h("div", { class: "fields" });
  const more = h("div", { class: "fields" });
  const rest = h(
    "details",
    { class: "more" },
    h("summary", { "data-focus": "more-options" }, tr("More settings")),
    more,
  );
  const box = h(
    "div",
    { class: "options-body", tabindex: -1, role: "group", "aria-label": tr("Options") },
    fields,
    rest,
  );
  const details = h("details", { class: "options" }, summary, box);
  details.open = planner.state.panel.options;
  details.addEventListener("toggle", () => {
    if (details.open !== planner.state.panel.options) planner.show({ options: details.open });
  });

  const set = (key: string, value: OptionValue | undefined): void => {
    const { plan } = planner.state;
    const options: Record<string, OptionValue> = { ...plan.options[plan.costing] };
    if (value === undefined) delete options[key];
    else options[key] = value;
    // A load with a tunnel code is dangerous goods; the box can still be emptied.
    if (key === "tunnel_code") {
      if (value === undefined) delete options["hazmat"];
      else options["hazmat"] = true;
    }
    planner.change({ ...plan, options: { ...plan.options, [plan.costing]: options } }, "map");
  };

  const conditions = h("div", { class: "conditions" });
  const renderConditions = (): void => {
    const { plan } = planner.state;
    conditions.hidden = plan.task !== "route" && !taskOf(plan.task).when;
    refill(
      conditions,
      whenControl(plan, plan.task === "route" ? tr("Any time") : tr("Leave now"), (when) =>
        planner.change({ ...planner.state.plan, when }, "map"),
      ),
      plan.task === "route" &&
        plan.costing === "auto" &&
        control(SCENIC, inputsOf(plan, "route")[SCENIC.key], (on) =>
          planner.change(
            withInput(planner.state.plan, "route", SCENIC.key, on === true || undefined),
            "map",
          ),
        ),
      plan.task === "route" &&
        avoidList(plan, (at) => planner.change(allowPlace(planner.state.plan, at), "map")),
    );
  };

  const renderCostings = (): void => {
    const { plan } = planner.state;
    refill(
      choices,
      costings.map((costing) =>
        h(
          "label",
          { class: "costing", title: COSTING_NAMES[costing] },
          h("input", {
            type: "radio",
            name: "costing",
            value: costing,
            checked: costing === plan.costing,
            "data-focus": `costing-${costing}`,
            "aria-label": COSTING_NAMES[costing],
            onchange: () => planner.change({ ...planner.state.plan, costing }, "map"),
          }),
          costingIcon(costing),
        ),
      ),
    );
  };

  const renderFields = (): void => {
    const { plan } = planner.state;
    const values = plan.options[plan.costing] ?? {};
    const changed = Object.keys(changedOptions(plan.costing, values)).length;
    refill(
      summary,
      h("span", {}, tr("{0} options", COSTING_NAMES[plan.costing])),
      changed > 0 && h("span", { class: "badge" }, tr("{0} changed", changed)),
      uiIcon("chevron"),
    );
    const controls = (main: boolean): HTMLElement[] =>
      FIELDS[plan.costing]
        .filter((field) => (field.main ?? false) === main)
        .map((field) =>
          control(field, values[field.key], (next) => {
            set(field.key, next === field.default ? undefined : next);
          }),
        );
    refill(more, controls(false));
    const hidden = Object.keys(changedOptions(plan.costing, values)).some(
      (key) => !FIELDS[plan.costing].find((field) => field.key === key)?.main,
    );
    if (hidden) rest.open = true;
    refill(
      fields,
      controls(true),
      unitsControl(plan, (units) => {
        planner.change({ ...planner.state.plan, units }, "map");
        settings.set({ units });
      }),
      languageControl(plan, (language) =>
        planner.change({ ...planner.state.plan, language }, "map"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "tool reset",
          "data-focus": "reset",
          "aria-disabled": changed ? null : "true",
          onclick: () => {
            const { plan: now } = planner.state;
            planner.change({ ...now, options: { ...now.options, [now.costing]: {} } }, "map");
          },
        },
        tr("Reset to defaults"),
      ),
    );
  };

  planner.subscribe((state, before) => {
    const fresh = state === before;
    if (fresh || state.plan.costing !== before.plan.costing) renderCostings();
    if (state.panel.options !== before.panel.options) details.open = state.panel.options;
    if (fresh || state.plan.costing !== before.plan.costing) rest.open = false;
    if (
      fresh ||
      state.plan.when !== before.plan.when ||
      state.plan.avoid !== before.plan.avoid ||
      state.plan.costing !== before.plan.costing ||
      state.plan.inputs !== before.plan.inputs ||
      state.plan.task !== before.plan.task
    ) {
      renderConditions();
    }
    if (
      fresh ||
      state.plan.costing !== before.plan.costing ||
      state.plan.options !== before.plan.options ||
      state.plan.units !== before.plan.units ||
      state.plan.language !== before.plan.language
    ) {
      renderFields();
    }
  });
  const ways = h(
    "fieldset",
    { class: "bare" },
    h("legend", { class: "offscreen" }, tr("Costing")),
    choices,
  );
  const section = h("section", { "aria-label": tr("How to travel") }, ways, conditions, details);
  planner.subscribe(({ plan }) => {
    const { travel, when } = taskOf(plan.task);
    section.hidden = !travel && !when;
    ways.hidden = details.hidden = !travel;
  });
  return section;
}

function unitsControl(plan: Plan, change: (units: Plan["units"]) => void): HTMLElement {
  const input = h(
    "select",
    {
      id: "units",
      "data-focus": "units",
      onchange: () => change(input.value === "miles" ? "miles" : "kilometers"),
    },
    h("option", { value: "kilometers", selected: plan.units === "kilometers" }, tr("Kilometres")),
    h("option", { value: "miles", selected: plan.units === "miles" }, tr("Miles")),
  );
  return h(
    "div",
    { class: "field choice" },
    h("label", { for: "units" }, tr("Distances in")),
    input,
  );
}

function languageControl(plan: Plan, change: (language: Plan["language"]) => void): HTMLElement {
  const input = h(
    "select",
    {
      id: "language",
      "data-focus": "language",
      onchange: () => isLanguage(input.value) && change(input.value),
    },
    LANGUAGES.map(([tag, name]) =>
      h("option", { value: tag, selected: tag === plan.language, lang: tag }, name),
    ),
  );
  return h(
    "div",
    { class: "field choice" },
    h("label", { for: "language" }, tr("Directions in")),
    input,
  );
}
