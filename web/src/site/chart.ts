import { h, svg } from "../ui/dom";
import { dayName } from "./dates";
import { grouped } from "./money";
import { bars, marks, pieces, shortCount } from "./scale";
import { totals, type Stacks } from "./usage";

/** Colours that site.css has for the parts of a stack. */
export const SERIES = 6;

const HEIGHT = 220;
const ROOM = { left: 46, right: 4, top: 10, bottom: 24 };

/**
 * Units by day as stacked bars, drawn anew for every width. The table beside it
 * has the same figures; for a screen reader the drawing is one sentence.
 */
export function usageChart(title: string, stacks: Stacks): HTMLElement {
  const holder = h("div", { class: "chart" });
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry?.contentRect.width ?? 0);
    if (width < 60 || width === drawn) return;
    drawn = width;
    holder.replaceChildren(draw(title, stacks, width));
  }).observe(holder);
  return h("figure", { class: "usage-chart" }, holder, legend(stacks));
}

/** What the chart shows, in one sentence. */
export function summary(title: string, stacks: Stacks): string {
  const { units } = totals(stacks);
  if (units === 0) return `${title}: nothing charged.`;
  const peak = stacks.days.reduce((best, day) => (day.total > best.total ? day : best));
  return `${title}: ${grouped(units)} in all, most on ${dayName(peak.date)} with ${grouped(peak.total)}.`;
}

function draw(title: string, stacks: Stacks, width: number): SVGSVGElement {
  const inner = { width: width - ROOM.left - ROOM.right, height: HEIGHT - ROOM.top - ROOM.bottom };
  const peak = Math.max(0, ...stacks.days.map((day) => day.total));
  const lines = marks(peak);
  const top = lines.at(-1)!;
  const { lefts, wide } = bars(stacks.days.length, inner.width);
  const plot = svg("g", { transform: `translate(${ROOM.left} ${ROOM.top})` });
  for (const mark of lines) {
    const y = Math.round(inner.height - (mark / top) * inner.height) + 0.5;
    plot.append(
      svg("line", { class: mark ? "rule" : "rule ground", x1: 0, x2: inner.width, y1: y, y2: y }),
      svg("text", { class: "mark end", x: -8, y: y + 4 }, shortCount(mark)),
    );
  }
  stacks.days.forEach((day, i) => {
    const x = lefts[i]!;
    const bar = svg("g", {}, svg("title", {}, `${dayName(day.date)}: ${grouped(day.total)}`));
    for (const { series, y, height } of pieces(day.parts, top, inner.height)) {
      bar.append(svg("rect", { class: `s${series}`, x, y, width: wide, height }));
    }
    plot.append(bar);
    const number = Number(day.date.slice(8));
    if (number === 1 || number % 5 === 0) {
      const at = { class: "mark middle", x: x + wide / 2, y: inner.height + 17 };
      plot.append(svg("text", at, String(number)));
    }
  });
  const size = { width, height: HEIGHT, viewBox: `0 0 ${width} ${HEIGHT}` };
  return svg("svg", { ...size, role: "img", "aria-label": summary(title, stacks) }, plot);
}

function legend({ names }: Stacks): HTMLElement {
  return h(
    "figcaption",
    {},
    h(
      "ul",
      { class: "legend" },
      names.map((name, series) =>
        h(
          "li",
          {},
          svg(
            "svg",
            { width: 11, height: 11, "aria-hidden": "true" },
            svg("rect", { class: `s${series}`, width: 11, height: 11, rx: 2 }),
          ),
          name,
        ),
      ),
    ),
  );
}
