import type { Bounds } from "../geo/coords";
import type { Planner } from "../explorer/planner";
import type { RouteView } from "../route/answer";
import { byTime, viaNames } from "../route/via";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { tr } from "../ui/translate";

export interface ChoiceSetup {
  readonly planner: Planner;
  readonly fit: (bounds: Bounds) => void;
}

/** The routes to choose from, the quickest first, each with the road that sets it apart. */
export function routeChoice(
  { planner, fit }: ChoiceSetup,
  routes: readonly RouteView[],
  chosen: number,
): HTMLElement {
  const order = byTime(routes);
  const best = routes[order[0]!]!;
  const names = viaNames(routes);
  return h(
    "div",
    { class: "routes", role: "radiogroup", "aria-label": tr("Routes") },
    order.map((index) => {
      const route = routes[index]!;
      const later = route.summary.time - best.summary.time;
      return h(
        "label",
        { class: "route" },
        h("input", {
          type: "radio",
          name: "route",
          checked: index === chosen,
          "data-focus": `route-${index}`,
          onchange: () => planner.choose(index),
          onclick: () => index === planner.state.chosen && fit(route.bounds),
        }),
        h("strong", { class: "route-time" }, formatTime(route.summary.time)),
        h("span", { class: "route-length" }, formatLength(route.summary.length, route.miles)),
        route !== best &&
          h(
            "span",
            { class: "route-later" },
            later >= 30 ? tr("{0} longer", formatTime(later)) : tr("as quick"),
          ),
        h("span", { class: "flags" }, flags(route)),
        names[index] && h("span", { class: "route-via" }, tr("via {0}", names[index])),
      );
    }),
  );
}

function flags({ summary, scenic }: RouteView): HTMLElement[] {
  const names = [
    scenic && tr("Scenic"),
    summary.has_toll && tr("Toll"),
    summary.has_highway && tr("Motorway"),
    summary.has_ferry && tr("Ferry"),
    summary.has_time_restrictions && tr("Time limits"),
  ];
  return names
    .filter((name) => typeof name === "string")
    .map((name) => h("span", { class: "flag" }, name));
}
