import { h } from "../ui/dom";
import { drawing, uiIcon } from "../ui/icons";
import type { Planner } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import { taskOf } from "../task/tasks";
import { tr } from "../ui/translate";

/** The tasks by what a person wants, with the words over each group. */
export const GROUPS: readonly (readonly [title: string, ...tasks: string[]])[] = [
  ["", "route", "transit", "search"],
  [tr("Compare"), "reach", "matrix", "meet"],
  [
    tr("On the way"),
    ...["ahead", "onway", "errands", "traffic", "incidents", "zones"],
    ...["fuel", "charging", "cameras", "clearance", "weather"],
  ],
  [tr("Driving"), "ev", "trace", "watch"],
  [tr("Look up"), "view", "places", "cloud", "verify"],
];

/** The list of tasks, with the page's own buttons at its end. */
export function rail(planner: Planner, ...extra: readonly (HTMLElement | false)[]): HTMLElement {
  const box = h("fieldset", { class: "bare tasks" });
  planner.subscribe((state, before) => {
    if (state !== before && state.plan.task === before.plan.task) return;
    refill(
      box,
      h("legend", { class: "offscreen" }, tr("What to do")),
      GROUPS.map(([title, ...names]) => [
        title !== "" && h("p", { class: "rail-title", "aria-hidden": "true" }, title),
        names.map((name) => {
          const { label, icon } = taskOf(name);
          return h(
            "label",
            { class: "task" },
            h("input", {
              type: "radio",
              name: "task",
              value: name,
              checked: name === state.plan.task,
              "data-focus": `task-${name}`,
              onchange: () => planner.change({ ...planner.state.plan, task: name }, "map"),
            }),
            drawing(icon),
            label,
          );
        }),
      ]),
    );
    // On a phone the rail scrolls.
    requestAnimationFrame(() =>
      box
        .querySelector(".task:has(:checked)")
        ?.scrollIntoView({ block: "nearest", inline: "nearest" }),
    );
  });
  return h(
    "nav",
    { class: "rail", "aria-label": tr("Tasks") },
    box,
    h("div", { class: "rail-end" }, ...extra.filter((e) => e !== false)),
  );
}

/** A button at the end of the rail. */
export function railButton(
  icon: Parameters<typeof uiIcon>[0],
  label: string,
  act: (button: HTMLElement) => void,
): HTMLElement {
  const button = h(
    "button",
    {
      type: "button",
      class: "task",
      title: label,
      "aria-haspopup": "menu",
      onclick: () => act(button),
    },
    uiIcon(icon),
    label,
  );
  return button;
}
