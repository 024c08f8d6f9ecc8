import { decimal, tr } from "../ui/translate";
import { h, svg } from "../ui/dom";
import { decodePolyline } from "../geo/polyline";
import { placedStops, type Plan } from "../plan/plan";
import { costed } from "../plan/request";
import { distance } from "../geo/sphere";
import type { LonLat } from "../geo/coords";
import { afterOf, dotsOf, lengthOf, list, sentence, shortly, type Item } from "./ahead";
import { line, swatch, type Shape } from "../map/shape";
import type { Task } from "./task";

/** A part of a cross-section, in metres from the line, to the right. */
export interface Across {
  readonly from_m: number;
  readonly to_m: number;
  readonly headroom_m: number | null;
  readonly surface: string;
  readonly carriageway: boolean;
  readonly obstacle: boolean;
}

interface Station {
  readonly arc_m: number;
  readonly lat: number;
  readonly lon: number;
  readonly headroom_m: number;
  readonly safe_headroom_m: number;
  readonly lift_m: number;
  readonly surface: string;
  readonly dataset: string;
  readonly survey_dates: string;
  readonly cross_section?: readonly Across[];
}

interface Section {
  readonly from_arc_m: number;
  readonly to_arc_m: number;
}

interface Axis {
  readonly verdict: "pass" | "fail" | "indeterminate" | "no_verdict" | "not_assessed";
  readonly required_m: number | null;
  readonly limiting: Station | null;
  readonly all_failures: readonly (Section & { readonly worst: Station })[];
  readonly doubts: readonly (Section & {
    readonly reason: string;
    readonly worst: Station | null;
  })[];
  readonly coverage: {
    readonly assessed_m: number;
    readonly not_surveyed?: readonly Section[];
    readonly insufficient_data?: readonly Section[];
  } | null;
  readonly resolution_hint: string | null;
}

/** The clearance block of a route, as far as it is shown. */
export interface Report {
  readonly route_m: number;
  readonly vehicle: { readonly height_m: number; readonly width_m: number | null };
  readonly height: Axis;
  readonly width: Axis;
  readonly enforcement: { readonly caveat: string };
  readonly datasets: readonly {
    readonly dataset: string;
    readonly survey_dates: string;
    readonly stale: boolean;
  }[];
}

interface Answer {
  readonly trip: { readonly legs: readonly { readonly shape: string }[] };
  readonly clearance?: Report;
}

const CLEAR = "#1d7a46";
const DOUBT = "#c27a00";
const FAIL = "#b4371f";
const UNKNOWN = "#7b7f87";

const VERDICTS: Readonly<Record<Axis["verdict"], string>> = {
  pass: tr("clears all that was measured"),
  fail: tr("does not clear"),
  indeterminate: tr("clears, but not beyond doubt"),
  no_verdict: tr("no verdict: parts of the way are not known"),
  not_assessed: tr("not assessed"),
};

const REASONS: Readonly<Record<string, string>> = {
  within_uncertainty: tr("by less than the survey is sure of"),
  depends_on_lane: tr("in a part of the road's width only"),
  foliage_survey_too_old: tr("leaves have grown since the survey"),
  sources_unconfirmed: tr("the survey is not confirmed"),
};

/** The way in colours: what is not known, what clears, what is in doubt, what does not clear. */
export function coloured(way: readonly LonLat[], axis: Axis): Shape[] {
  const gaps = [
    ...(axis.coverage?.not_surveyed ?? []),
    ...(axis.coverage?.insufficient_data ?? []),
  ];
  const parts = (sections: readonly Section[], colour: string): Shape[] =>
    sections.map(({ from_arc_m, to_arc_m }) => line(cut(way, from_arc_m, to_arc_m), colour));
  return [
    line(way, axis.coverage ? CLEAR : UNKNOWN),
    ...parts(gaps, UNKNOWN),
    ...parts(axis.doubts, DOUBT),
    ...parts(axis.all_failures, FAIL),
  ];
}

/** The part of a line between two of its metres, with some length also where they are near. */
export function cut(way: readonly LonLat[], from: number, to: number): LonLat[] {
  const out: LonLat[] = [];
  let arc = 0;
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const metres = distance(a, b);
    const between = (at: number): LonLat => {
      const t = metres > 0 ? Math.max(0, Math.min(1, (at - arc) / metres)) : 0;
      return [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t];
    };
    if (arc + metres >= from && arc <= to) {
      if (out.length === 0) out.push(between(from));
      out.push(between(to));
    }
    arc += metres;
  }
  return out.length > 0 ? out : [way[0]!, way[0]!];
}

const WIDTH = 320;
const HEIGHT = 190;
/** Metres that the picture shows to either side, and up. */
const ASIDE = 8;
const UP = 9;

/** The limiting station from behind: the road, what is above it, and the vehicle's outline. */
export function crossSection(
  across: readonly Across[],
  { height, width }: { height: number; width: number },
  description: string,
): SVGSVGElement {
  const x = (metres: number): number => ((metres + ASIDE) / (2 * ASIDE)) * WIDTH;
  const y = (metres: number): number => HEIGHT - 14 - (metres / UP) * (HEIGHT - 20);
  const part = (one: Across, top: number, low: number, name: string): SVGRectElement =>
    svg("rect", {
      x: x(one.from_m).toFixed(1),
      width: (x(one.to_m) - x(one.from_m) + 0.3).toFixed(1),
      y: y(top).toFixed(1),
      height: Math.max(0, y(low) - y(top)).toFixed(1),
      class: name,
    });
  const seen = across.filter(({ from_m, to_m }) => to_m > -ASIDE && from_m < ASIDE);
  // The vehicle stands in the middle of the carriageway about the line.
  const lanes = seen.filter(({ carriageway }) => carriageway);
  const middle =
    lanes.length > 0
      ? (Math.max(-ASIDE, lanes[0]!.from_m) + Math.min(ASIDE, lanes.at(-1)!.to_m)) / 2
      : 0;
  return svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      role: "img",
      "aria-label": description,
      class: "cross-section",
    },
    ...seen.map((one) => part(one, 0, -0.35, one.carriageway ? "road" : "verge")),
    ...seen.flatMap((one) =>
      one.surface === "unseen"
        ? [part(one, UP, 0, "unseen")]
        : one.headroom_m === null
          ? []
          : [part(one, UP, Math.min(UP, one.headroom_m), one.surface)],
    ),
    ...seen.filter(({ obstacle }) => obstacle).map((one) => part(one, 1, 0, "structure")),
    svg("rect", {
      x: x(middle - width / 2).toFixed(1),
      width: ((width / (2 * ASIDE)) * WIDTH).toFixed(1),
      y: y(height).toFixed(1),
      height: (y(0) - y(height)).toFixed(1),
      class: "vehicle",
    }),
  );
}

function metres(value: number): string {
  return `${decimal(value, 2)} m`;
}

function itemsOf(plan: Plan, { height }: Report): Item[] {
  const at = (one: Station): LonLat => [one.lon, one.lat];
  const over = ({ from_arc_m, to_arc_m }: Section): string =>
    to_arc_m - from_arc_m < 100
      ? tr("over {0} m", Math.max(1, Math.round(to_arc_m - from_arc_m)))
      : tr("over {0}", lengthOf(plan, to_arc_m - from_arc_m));
  const failures = height.all_failures.map((one) => ({
    arc: one.from_arc_m,
    at: at(one.worst),
    colour: FAIL,
    title: tr("{0} measured", metres(one.worst.headroom_m)),
    details: [
      shortly([tr("does not clear"), one.worst.surface, over(one)]),
      afterOf(plan, one.from_arc_m),
    ],
  }));
  const doubts = height.doubts.flatMap((one) =>
    one.worst
      ? {
          arc: one.from_arc_m,
          at: at(one.worst),
          colour: DOUBT,
          title: tr(
            "{0} measured, {1} sure",
            metres(one.worst.headroom_m),
            metres(one.worst.safe_headroom_m),
          ),
          details: [
            shortly([REASONS[one.reason] ?? one.reason, one.worst.surface, over(one)]),
            afterOf(plan, one.from_arc_m),
          ],
        }
      : [],
  );
  return [...failures, ...doubts].toSorted((a, b) => a.arc - b.arc);
}

/** Whether a lorry clears what was measured over the way. */
export const clearance: Task = {
  name: "clearance",
  label: tr("Clearance"),
  icon: "M3 8h18M5 8v13M19 8v13M8 21v-8h8v8M3 8l3-4h12l3 4",
  stops: tr("The lorry's route whose measured clearances are shown."),
  journey: true,
  travel: true,
  waiting: tr("Measuring…"),
  hint: tr(
    "Choose the truck with its height and width, a start and a destination: the clearances that surveys measured over the way are shown.",
  ),
  request(plan) {
    const locations = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (locations.length < 2 || plan.costing !== "truck") return null;
    return {
      path: "route",
      body: { locations, ...costed(plan), language: plan.language, clearance: true },
    };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    const way = answer.trip.legs.flatMap(({ shape }) => decodePolyline(shape));
    const report = answer.clearance;
    if (!report) {
      return {
        shapes: [line(way, UNKNOWN)],
        summary: tr("No survey covers the way"),
        content: h(
          "p",
          { class: "empty" },
          tr("No survey covers any of the way: nothing is known of clearances on it."),
        ),
      };
    }
    const { height, width, vehicle } = report;
    const items = itemsOf(plan, report);
    const limiting = height.limiting;
    const description = limiting
      ? shortly([
          tr(
            "Least: {0} measured, {1} sure",
            metres(limiting.headroom_m),
            metres(limiting.safe_headroom_m),
          ),
          tr("the vehicle needs {0}", metres(height.required_m ?? vehicle.height_m)),
        ])
      : tr("Nothing was measured above the way.");
    return {
      shapes: [...coloured(way, height), ...dotsOf(items, FAIL)],
      summary: `${tr("{0} high", metres(vehicle.height_m))}: ${VERDICTS[height.verdict]}`,
      content: h(
        "div",
        {},
        h(
          "p",
          {},
          h("strong", {}, tr("{0} high", metres(vehicle.height_m))),
          ` ${VERDICTS[height.verdict]}.`,
        ),
        height.resolution_hint && h("p", { class: "hint" }, height.resolution_hint),
        vehicle.width_m !== null &&
          h(
            "p",
            {},
            h("strong", {}, tr("{0} wide", metres(vehicle.width_m))),
            ` ${VERDICTS[width.verdict]}.`,
          ),
        height.coverage &&
          h(
            "p",
            { class: "found-detail" },
            tr(
              "{0} of {1} are measured.",
              lengthOf(plan, height.coverage.assessed_m),
              lengthOf(plan, report.route_m),
            ),
          ),
        h(
          "ul",
          { class: "chips found-detail", "aria-label": tr("Colours of the way") },
          (
            [
              [CLEAR, tr("Clears")],
              [DOUBT, tr("In doubt")],
              [FAIL, tr("Does not clear")],
              [UNKNOWN, tr("Not known")],
            ] as const
          ).map(([colour, meaning]) =>
            h("li", { class: "sample" }, swatch(colour, "bar"), meaning),
          ),
        ),
        limiting?.cross_section &&
          h(
            "figure",
            { class: "cross-figure" },
            crossSection(
              limiting.cross_section,
              { height: vehicle.height_m, width: vehicle.width_m ?? 2.6 },
              description,
            ),
            h(
              "figcaption",
              {},
              h(
                "button",
                {
                  type: "button",
                  class: "found-name",
                  onclick: () => context.look([[limiting.lon, limiting.lat]]),
                },
                `${sentence(afterOf(plan, limiting.arc_m))}: ${limiting.surface}`,
              ),
              h("p", { class: "found-detail" }, `${description}.`),
            ),
          ),
        items.length > 0 && list(items, FAIL, context),
        h(
          "ul",
          { class: "match", "aria-label": tr("Surveys") },
          report.datasets.map(({ dataset, survey_dates: dates, stale }) =>
            h(
              "li",
              { class: stale ? "close" : "exact" },
              `${dataset}, ${dates.replace("/", tr(" to "))}`,
              stale && tr(" (not confirmed: nothing passes on it)"),
            ),
          ),
        ),
        h("p", { class: "hint" }, report.enforcement.caveat),
      ),
    };
  },
};
