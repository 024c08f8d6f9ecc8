import { placedStops, stopName, type Plan } from "../plan/plan";
import type { RouteView } from "../route/answer";
import { FORMATS } from "../route/export";
import { h, saveText } from "../ui/dom";
import { tr } from "../ui/translate";

/** Buttons that save a route as a file, in the formats of other programs, and others beside them. */
export function exportButtons(
  plan: Plan,
  route: RouteView,
  ...others: readonly HTMLElement[]
): HTMLElement {
  const points = placedStops(plan).map((s) => ({
    at: s.at,
    name: stopName(plan, plan.stops.indexOf(s)),
  }));
  const title = [points[0]?.name, points.at(-1)?.name].filter(Boolean).join(tr(" to "));
  return h(
    "p",
    { class: "export" },
    h("span", {}, tr("Save as")),
    FORMATS.map(({ label, ending, type, write }) =>
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "data-focus": `save-${ending}`,
          "aria-label": tr("Save the route as {0}", label),
          onclick: () => saveText(`route.${ending}`, type, write(title, route, points)),
        },
        label,
      ),
    ),
    ...others,
  );
}
