import type { CoverageBlock, ZonesBlock } from "./answer";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";

/** How a verdict is worded. */
export const VERDICTS: Readonly<Record<string, string>> = {
  free: "free",
  unknown: "not known",
  charged: "charged",
  banned: "banned",
};

/** A text with its first letter large. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** The clean-air zones that a route runs through. */
export function zonesNotice({ zones, caveat, daily_charges: charges }: ZonesBlock): HTMLElement {
  const here = zones.filter(({ route }) => route === 0);
  const list = here.length > 0 ? here : zones;
  const bad = list.some(({ verdict }) => verdict === "charged" || verdict === "banned");
  return h(
    "div",
    { class: `notice ${bad ? "warning" : "calm"}` },
    h("h2", {}, uiIcon(bad ? "warning" : "shield"), "Clean-air zones"),
    h(
      "ul",
      { class: "zones" },
      list.map((zone) => {
        const [first] = zone.passages;
        return h(
          "li",
          {},
          h("strong", {}, zone.name),
          " ",
          h("span", { class: "code" }, VERDICTS[zone.verdict] ?? zone.verdict),
          h("p", {}, `${sentence(zone.text)}.`),
          first &&
            h(
              "p",
              { class: "caveat" },
              `From kilometre ${(first.enter_arc_m / 1000).toFixed(1)}, at ${first.enters_at.slice(11, 16)}${zone.hours ? `; hours ${zone.hours}` : ""}.`,
            ),
          zone.sources.charges?.checked &&
            h(
              "p",
              { class: "caveat" },
              `${zone.sources.charges.publisher}, checked ${zone.sources.charges.checked}.`,
            ),
        );
      }),
    ),
    charges.map(({ amount, currency }) =>
      h("p", {}, `${amount.toFixed(2)} ${currency} for the day together.`),
    ),
    h("p", { class: "caveat" }, `${sentence(caveat)}.`),
  );
}

const GRADES = [
  ["well_tagged", "well tagged"],
  ["partial", "partly"],
  ["sparse", "sparsely"],
  ["none", "not at all"],
] as const;

/** How densely restrictions are tagged where a lorry's route leads. */
export function coverageNotice(block: CoverageBlock): HTMLElement {
  const { cells_traversed: cells, by_grade: grades, caveat } = block;
  return h(
    "div",
    { class: "notice calm coverage" },
    h("h2", {}, uiIcon("shield"), "How well restrictions are tagged"),
    h(
      "div",
      { class: "coverage-bar", role: "img", "aria-label": told(block) },
      GRADES.map(([grade]) => {
        const part = h("span", { class: grade });
        part.style.flexGrow = String(grades[grade]);
        part.hidden = grades[grade] === 0;
        return part;
      }),
    ),
    h("p", {}, `Of ${cells} ${cells === 1 ? "cell" : "cells"} on the way: ${told(block)}.`),
    h("p", { class: "caveat" }, `${sentence(caveat)}.`),
  );
}

function told({ by_grade: grades }: CoverageBlock): string {
  return GRADES.filter(([grade]) => grades[grade] > 0)
    .map(([grade, word]) => `${grades[grade]} ${word}`)
    .join(", ");
}
