import type { CoverageBlock, ScenicBlock, ZonesBlock } from "./answer";
import { h } from "../ui/dom";
import { formatLength } from "../ui/format";
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

/** How the kinds of scenery are worded. */
const SCENERY: Readonly<Record<string, string>> = {
  coast: "near the sea",
  protected_landscape: "in a protected landscape",
  open_water: "near open water",
  woodland: "by woodland",
  watercourse: "near a river or canal",
  park: "in a park",
  viewpoint: "near a viewpoint",
  mountain_pass: "over a pass",
};

/** The lines about scenery: what is along the chosen route, each with its length. */
export function sceneryLines({ features = [] }: ScenicBlock, miles: boolean): string[] {
  return features.map(({ kind, metres, name }) => {
    const length = formatLength(metres / (miles ? 1609.344 : 1000), miles);
    return `${length} ${SCENERY[kind] ?? kind.replaceAll("_", " ")}${name ? `: ${name}` : ""}`;
  });
}

/** Why a route is called scenic, or that none is. */
export function scenicNotice(block: ScenicBlock, miles: boolean): HTMLElement {
  const { chosen, comparison, note, caveats = [], coverage } = block;
  const lines = sceneryLines(block, miles);
  const measured = coverage?.route_share_measured ?? 1;
  return h(
    "div",
    { class: "notice calm scenic" },
    h("h2", {}, chosen === "scenic" ? "Why one is scenic" : "No more scenic route"),
    comparison && h("p", {}, comparison.spoken),
    lines.length > 0 &&
      h(
        "ul",
        {
          "aria-label": chosen === "scenic" ? "Along the scenic route" : "Along the fastest route",
        },
        lines.map((line) => h("li", {}, line)),
      ),
    note && h("p", {}, `${sentence(note)}.`),
    measured < 1 &&
      h("p", { class: "caveat" }, `The map shows ${Math.floor(measured * 100)}% of this route.`),
    caveats.map((caveat) => h("p", { class: "caveat" }, caveat)),
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
