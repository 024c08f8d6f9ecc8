import type { CoverageBlock, ScenicBlock, ZonesBlock } from "./answer";
import { h } from "../ui/dom";
import { clockTime, formatLength, formatMoney } from "../ui/format";
import { formatHours } from "../ui/hours";
import { uiIcon } from "../ui/icons";
import { tr } from "../ui/translate";

/** How a verdict is worded. */
export const VERDICTS: Readonly<Record<string, string>> = {
  free: tr("free"),
  unknown: tr("not known"),
  charged: tr("charged"),
  banned: tr("banned"),
};

/** A text with its first letter large. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** What is to be done where the request did not say what the vehicle is. */
const ASK_ZONES = tr(
  "Choose your vehicle under Zones to see whether it may enter and what it pays.",
);

/** The clean-air zones that a route runs through. */
export function zonesNotice(
  { zones, caveat, daily_charges: charges }: ZonesBlock,
  miles: boolean,
): HTMLElement {
  const here = zones.filter(({ route }) => route === 0);
  const list = here.length > 0 ? here : zones;
  const bad = list.some(({ verdict }) => verdict === "charged" || verdict === "banned");
  return h(
    "div",
    { class: `notice ${bad ? "warning" : "calm"}` },
    h("h2", {}, uiIcon(bad ? "warning" : "shield"), tr("Clean-air zones")),
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
          h("p", {}, zone.reason === "vehicle_not_told" ? ASK_ZONES : `${sentence(zone.text)}.`),
          first &&
            h(
              "p",
              { class: "caveat" },
              tr(
                "After {0}, at {1}{2}.",
                formatLength(first.enter_arc_m / (miles ? 1609.344 : 1000), miles),
                clockTime(first.enters_at.slice(11, 16)),
                zone.hours ? tr("; hours {0}", formatHours(zone.hours)) : "",
              ),
            ),
          zone.sources.charges?.checked &&
            h(
              "p",
              { class: "caveat" },
              tr("{0}, checked {1}.", zone.sources.charges.publisher, zone.sources.charges.checked),
            ),
        );
      }),
    ),
    charges.map(({ amount, currency }) =>
      h("p", {}, tr("{0} for the day together.", formatMoney(amount, currency))),
    ),
    h("p", { class: "caveat" }, `${sentence(caveat)}.`),
  );
}

/** How the kinds of scenery are worded. */
const SCENERY: Readonly<Record<string, string>> = {
  coast: tr("near the sea"),
  protected_landscape: tr("in a protected landscape"),
  open_water: tr("near open water"),
  woodland: tr("by woodland"),
  watercourse: tr("near a river or canal"),
  park: tr("in a park"),
  viewpoint: tr("near a viewpoint"),
  mountain_pass: tr("over a pass"),
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
    h("h2", {}, chosen === "scenic" ? tr("Why one is scenic") : tr("No more scenic route")),
    comparison && h("p", {}, comparison.spoken),
    lines.length > 0 &&
      h(
        "ul",
        {
          "aria-label":
            chosen === "scenic" ? tr("Along the scenic route") : tr("Along the fastest route"),
        },
        lines.map((line) => h("li", {}, line)),
      ),
    note && h("p", {}, `${sentence(note)}.`),
    measured < 1 &&
      h(
        "p",
        { class: "caveat" },
        tr("The map shows {0}% of this route.", Math.floor(measured * 100)),
      ),
    caveats.map((caveat) => h("p", { class: "caveat" }, caveat)),
  );
}

const GRADES = [
  ["well_tagged", tr("well tagged")],
  ["partial", tr("partly")],
  ["sparse", tr("sparsely")],
  ["none", tr("not at all")],
] as const;

/** How densely restrictions are tagged where a lorry's route leads. */
export function coverageNotice(block: CoverageBlock): HTMLElement {
  const { cells_traversed: cells, by_grade: grades, caveat } = block;
  return h(
    "div",
    { class: "notice calm coverage" },
    h("h2", {}, uiIcon("shield"), tr("How well restrictions are tagged")),
    h(
      "div",
      { class: "coverage-bar", role: "img", "aria-label": gradeCounts(block) },
      GRADES.map(([grade]) => {
        const part = h("span", { class: grade });
        part.style.flexGrow = String(grades[grade]);
        part.hidden = grades[grade] === 0;
        return part;
      }),
    ),
    h("p", {}, tr("Of {0} {0|cell|cells} on the way: {1}.", cells, gradeCounts(block))),
    h("p", { class: "caveat" }, `${sentence(caveat)}.`),
  );
}

function gradeCounts({ by_grade: grades }: CoverageBlock): string {
  return GRADES.filter(([grade]) => grades[grade] > 0)
    .map(([grade, word]) => `${grades[grade]} ${word}`)
    .join(", ");
}
