import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { placedStops, stopLetter, stopName, type Plan } from "../plan/plan";
import { costed } from "../plan/request";
import type { Finding, Task } from "./task";
import { tr } from "../ui/translate";

interface Answer {
  /** Seconds and metres by source and target; null where there is no way. */
  readonly durations: readonly (readonly (number | null)[])[];
  readonly distances: readonly (readonly (number | null)[])[];
  readonly unreachable?: readonly {
    readonly source: number;
    readonly target: number;
    readonly reason?: string;
  }[];
}

/** How far a time is between the shortest and the longest, 0 to 1; 0 where they are one. */
export function warmth(seconds: number, least: number, most: number): number {
  return most > least ? (seconds - least) / (most - least) : 0;
}

function read(answer: unknown, plan: Plan): Finding {
  const { durations, distances, unreachable = [] } = answer as Answer;
  const points = placedStops(plan).map((s) => plan.stops.indexOf(s));
  const letter = (point: number): HTMLElement =>
    h("th", { scope: "col", title: stopName(plan, point) }, stopLetter(point));
  const miles = plan.units === "miles";
  const times = durations.flatMap((row, i) =>
    row.filter((cell, j): cell is number => cell !== null && i !== j),
  );
  const least = Math.min(...times);
  const most = Math.max(...times);
  const cell = (i: number, j: number): HTMLElement => {
    const seconds = durations[i]?.[j] ?? null;
    const metres = distances[i]?.[j] ?? null;
    if (i === j) return h("td", { class: "same" });
    if (seconds === null || metres === null) {
      const why = unreachable.find(({ source, target }) => source === i && target === j)?.reason;
      return h("td", { class: "none", title: why ?? tr("no way") }, "none");
    }
    const box = h(
      "td",
      { class: "way" },
      h("strong", {}, formatTime(seconds)),
      h("span", {}, formatLength(metres / (miles ? 1609.344 : 1000), miles)),
    );
    box.style.setProperty("--warmth", warmth(seconds, least, most).toFixed(2));
    return box;
  };
  const content = h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "matrix" },
      h("caption", {}, tr("From the row’s point to the column’s")),
      h("thead", {}, h("tr", {}, h("td"), ...points.map(letter))),
      h(
        "tbody",
        {},
        points.map((from, i) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, rowName(plan, from)),
            ...points.map((_, j) => cell(i, j)),
          ),
        ),
      ),
    ),
  );
  return { shapes: [], content };
}

/** A row's letter, with the name of its point. */
function rowName(plan: Plan, index: number): HTMLElement[] {
  const { name } = plan.stops[index]!;
  return [
    h("span", { class: "matrix-letter" }, stopLetter(index)),
    ...(name ? [h("span", { class: "matrix-name" }, name)] : []),
  ];
}

/** Times and lengths from every point to every other. */
export const matrix: Task = {
  name: "matrix",
  label: tr("Matrix"),
  icon: "M4.5 4.5h15v15h-15zM4.5 9.5h15M4.5 14.5h15M9.5 4.5v15M14.5 4.5v15",
  stops: tr("From every point to every other."),
  travel: true,
  named: true,
  waiting: tr("Measuring the ways…"),
  hint: tr("Give two points or more: the table holds the way from each to each other."),
  request(plan) {
    const points = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (points.length < 2) return null;
    return { path: "matrix", body: { sources: points, targets: points, ...costed(plan) } };
  },
  read,
};
