import { decodePolyline } from "../geo/polyline";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { placedStops, type Plan } from "../plan/plan";
import { costed } from "../plan/request";
import type { LonLat } from "../geo/coords";
import { moment } from "../site/dates";
import { distance } from "../geo/sphere";
import type { TaskContext, Finding } from "./task";
import { dot, line, type Shape } from "../map/shape";
import { formatHours } from "../ui/hours";
import { tr } from "../ui/translate";

/** What the answers about the way ahead have in common. */
export interface Ahead {
  readonly route?: { readonly shape: string };
  readonly coverage: readonly Coverage[];
  readonly attribution: readonly string[];
  readonly caveat: string;
  readonly say?: string;
}

export interface Coverage {
  readonly source: string;
  readonly name: string;
  readonly area: string;
  readonly state: "waiting" | "ok" | "failing" | "stale" | "down";
  readonly updated_at: string | null;
  readonly age_s: number | null;
}

/** One thing on the way, as the list and the map show it. */
export interface Item {
  readonly at: LonLat;
  readonly title: string;
  readonly details: readonly (string | false | null | undefined)[];
  readonly colour?: string;
}

const WAY = "#2f5bea";

/** The body of a request about the way through the stops; null without two of them. */
export function wayOf(plan: Plan): Record<string, unknown> | null {
  const stops = placedStops(plan);
  if (stops.length < 2) return null;
  return {
    locations: stops.map(({ at: [lon, lat] }) => ({ lat, lon })),
    ...costed(plan),
    language: plan.language,
  };
}

/** The way, and what lies on it: numbered on the map as in the list. */
export function shown(
  answer: Ahead,
  items: readonly Item[],
  colour: string,
  { context, none, summary }: { context: TaskContext; none: string; summary: string },
  above: HTMLElement | false = false,
): Finding {
  return {
    summary: items.length === 0 ? none : summary,
    shapes: [
      ...(answer.route ? [line(decodePolyline(answer.route.shape), WAY)] : []),
      ...dotsOf(items, colour),
    ],
    content: h(
      "div",
      {},
      answer.say && h("p", { class: "hint" }, answer.say),
      above,
      items.length === 0 ? h("p", { class: "empty" }, none) : list(items, colour, context),
      sources(answer),
      h("p", { class: "hint" }, answer.caveat),
      answer.attribution.length > 0 &&
        h("p", { class: "found-detail" }, answer.attribution.join(" · ")),
    ),
  };
}

/** The points of a list, numbered as there. */
export function dotsOf(items: readonly Item[], usual: string): Shape[] {
  return items.map(({ at, colour = usual }, index) =>
    dot(at, colour, String(index + 1), String(index + 1)),
  );
}

/** A list tied to the map: what one points at in it is marked there. */
export function list(
  items: readonly Item[],
  usual: string,
  { look, open, mark }: TaskContext,
): HTMLElement {
  return h(
    "ol",
    { class: "found" },
    items.map(({ at, title, details, colour = usual }, index) =>
      h(
        "li",
        {
          "data-item": index + 1,
          onmouseenter: () => mark(at),
          onmouseleave: () => mark(null),
          onfocusin: () => mark(at),
          onfocusout: () => mark(null),
        },
        numbered(index, colour),
        h(
          "div",
          {},
          h(
            "button",
            {
              type: "button",
              class: "found-name",
              onclick: () => {
                look([at]);
                open({ at, id: null, name: title });
              },
            },
            title,
          ),
          details
            .filter(Boolean)
            .map((detail) => h("p", { class: "found-detail" }, detail as string)),
        ),
      ),
    ),
  );
}

/** A number as on the map. */
function numbered(index: number, colour: string): HTMLElement {
  const span = h("span", { class: "found-number", "aria-hidden": "true" }, index + 1);
  // Through the object model: the page's policy allows no style attributes.
  span.style.background = colour;
  return span;
}

/** How a source is, where it is not well. */
export const STATES = {
  waiting: tr("says nothing yet"),
  ok: "",
  failing: tr("could not be read again lately"),
  stale: tr("is out of date"),
  down: "says nothing at the moment",
} as const;

/** Where it is from, and how old that is. */
function sources({ coverage }: Ahead): HTMLElement | false {
  return (
    coverage.length > 0 &&
    h(
      "ul",
      { class: "match", "aria-label": tr("Sources") },
      coverage.map(({ name, state, updated_at: at }) =>
        h(
          "li",
          { class: state === "ok" ? "exact" : "close" },
          name,
          at ? [", ", moment(at)] : "",
          STATES[state] && ` (${STATES[state]})`,
        ),
      ),
    )
  );
}

/** The point of a line so many metres along it. */
export function pointAt(way: readonly LonLat[], arc: number): LonLat {
  let left = arc;
  for (let i = 1; i < way.length; i++) {
    const [a, b] = [way[i - 1]!, way[i]!];
    const metres = distance(a, b);
    if (metres >= left && metres > 0) {
      const part = left / metres;
      return [a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part];
    }
    left -= metres;
  }
  return way.at(-1)!;
}

/** Where on the way something is. */
export function afterOf(plan: Plan, metres: number): string {
  return metres < 50 ? tr("at the start") : tr("after {0}", lengthOf(plan, metres));
}

/** A speed in the plan's units. */
export function speedOf(plan: Plan, kph: number): string {
  return plan.units === "miles" ? tr("{0} mph", Math.round(kph / 1.609344)) : tr("{0} km/h", kph);
}

/** What a detour takes, where it is worth a word. */
export function detourOf(seconds: number): string {
  return seconds >= 30 ? tr("{0} detour", formatTime(seconds)) : tr("on the way");
}

/** When a place is open, as OpenStreetMap writes it; null is not known. */
export function openOf(hours: string | null | undefined): string | null {
  if (!hours) return null;
  return hours === "24/7" ? tr("Open day and night") : tr("Open {0}", formatHours(hours));
}

/** Some facts in one line. */
export function shortly(parts: readonly (string | false | null | undefined)[]): string {
  return parts.filter(Boolean).join(" · ");
}

/** A text with its first letter large. */
export function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A length in the plan's units. */
export function lengthOf(plan: Plan, metres: number): string {
  const miles = plan.units === "miles";
  return formatLength(metres / (miles ? 1609.344 : 1000), miles);
}
