import { h } from "../ui/dom";
import { inputsOf } from "../plan/plan";
import { readRecord } from "../search/feature";
import { words } from "../search/kinds";
import { FOUND } from "./found";
import type { TaskContext, Task } from "./task";
import { dot } from "../map/shape";
import { tr } from "../ui/translate";

/** The answer of POST /api/verify, as far as it is shown. */
interface Answer {
  readonly summary?: string;
  readonly results: readonly Result[];
}

interface Result {
  readonly id: string;
  readonly claim: { readonly name: string; readonly locality?: string | null };
  readonly verdict: string;
  readonly match?: unknown;
  readonly evidence?: readonly { readonly source?: string; readonly detail?: string }[];
  readonly feasibility?: {
    readonly status: string;
    readonly from_name?: string;
    readonly available_minutes?: number | null;
    readonly travel_time_minutes?: number | null;
  } | null;
}

/** Whether the places that a text names are there. */
export const verify: Task = {
  name: "verify",
  label: tr("Verify"),
  icon: "M6 3.5h9l3.5 3.5v13.5H6zM9 12.5l2.2 2.2 4-4.4",
  stops: null,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "text",
      label: tr("Text"),
      help: "",
      default: "",
      most: 8000,
      lines: 6,
      placeholder: tr("Start at the Guildhall in Stannerford, then lunch at the Ferry Inn…"),
    },
  ],
  waiting: tr("Looking up what the text names…"),
  hint: tr(
    "Put in a text that names places, such as an itinerary: each name is looked up in the index. A place that is not found may still exist.",
  ),
  request(plan) {
    const text = String(inputsOf(plan, "verify")["text"] ?? "").trim();
    return text ? { path: "api/verify", body: { text } } : null;
  },
  read(answer, _, context) {
    const { summary, results } = answer as Answer;
    const found = results.flatMap(({ match }, index) => {
      const place = readRecord(match);
      return place ? [dot(place.at, FOUND, String(index + 1))] : [];
    });
    return {
      shapes: found,
      content: h(
        "div",
        {},
        summary && h("p", { class: "summary" }, summary),
        h(
          "ol",
          { class: "found" },
          results.map((result, index) => row(result, index, context)),
        ),
      ),
    };
  },
  controls: () =>
    h(
      "div",
      { class: "task-controls" },
      // To press it the text box is left, and that asks.
      h(
        "button",
        { type: "button", class: "chip", "data-focus": "verify-check" },
        tr("Check the text"),
      ),
    ),
};

function row(result: Result, index: number, { look, open }: TaskContext): HTMLElement {
  const { claim, verdict, match, evidence = [], feasibility } = result;
  const place = readRecord(match);
  const name = [claim.name, claim.locality].filter(Boolean).join(", ");
  const clear = /^(verified|confirmed|exists|found)/.test(verdict);
  const tone = clear ? "clear" : verdict === "contradicted" ? "occluded" : "unknown";
  return h(
    "li",
    {},
    h("span", { class: "found-number", "aria-hidden": "true" }, index + 1),
    h(
      "div",
      {},
      place
        ? h(
            "button",
            {
              type: "button",
              class: "found-name",
              onclick: () => {
                look([place.at]);
                open({ at: place.at, id: place.id, name: place.name });
              },
            },
            name,
          )
        : h("span", { class: "found-name" }, name),
      h("p", { class: `verdict ${tone}` }, words(verdict)),
      place && place.name !== claim.name && h("p", { class: "found-detail" }, place.name),
      evidence.map(({ detail }) => detail && h("p", { class: "found-detail" }, detail)),
      feasibility &&
        h(
          "p",
          { class: "found-detail" },
          tr(
            "From {0}: {1}",
            feasibility.from_name ?? tr("the place before"),
            words(feasibility.status).toLowerCase(),
          ) +
            (typeof feasibility.travel_time_minutes === "number"
              ? tr(
                  ", {0} min of driving in {1} min",
                  Math.round(feasibility.travel_time_minutes),
                  Math.round(feasibility.available_minutes ?? 0),
                )
              : ""),
        ),
    ),
  );
}
