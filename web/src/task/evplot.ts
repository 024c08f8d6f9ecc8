import type { LonLat } from "../geo/coords";
import { h, svg } from "../ui/dom";
import type { Plan } from "../plan/plan";
import { lengthOf, pointAt, shortly } from "./ahead";
import { swatch } from "../map/shape";
import { tr } from "../ui/translate";

export interface ProfilePoint {
  readonly distance_m: number;
  readonly soc_pct: number;
  readonly height_m: number | null;
}

const WIDTH = 320;
const HEIGHT = 120;

/** The lines of a plot, in units of its picture: of the charge, and of the ground where it is known. */
export function plotted(profile: readonly ProfilePoint[]): {
  charge: string;
  ground: string | null;
} {
  const whole = lengthOfAll(profile);
  const x = (at: number): string => ((at / whole) * WIDTH).toFixed(1);
  const path = (y: (point: ProfilePoint) => number): string =>
    profile.map((point) => `${x(point.distance_m)} ${y(point).toFixed(1)}`).join("L");
  const heights = profile.flatMap(({ height_m }) => (height_m === null ? [] : [height_m]));
  const charge = `M${path(({ soc_pct }) => HEIGHT - (soc_pct / 100) * HEIGHT)}`;
  if (heights.length < profile.length || heights.length === 0) return { charge, ground: null };
  const low = Math.min(...heights);
  const span = Math.max(100, Math.max(...heights) - low);
  const ridge = path(({ height_m }) => HEIGHT - (((height_m ?? low) - low) / span) * HEIGHT * 0.6);
  return { charge, ground: `M0 ${HEIGHT}L${ridge}L${WIDTH} ${HEIGHT}Z` };
}

function lengthOfAll(profile: readonly ProfilePoint[]): number {
  return Math.max(1, profile.at(-1)?.distance_m ?? 1);
}

/** What is plotted: the profile, where it is on the map, and the stops by their metres. */
export interface Plotted {
  readonly profile: readonly ProfilePoint[];
  readonly way: readonly LonLat[];
  readonly stops: readonly number[];
}

/** The state of charge over the distance, above the ground; what one points at is marked on the map. */
export function plot(
  { profile, way, stops }: Plotted,
  plan: Plan,
  mark: (at: LonLat | null) => void,
): HTMLElement {
  const { charge, ground } = plotted(profile);
  const whole = lengthOfAll(profile);
  const socs = profile.map(({ soc_pct }) => soc_pct);
  const summary = tr(
    "{0} % at the start, {1} % at the end, {2} % at the least",
    socs[0] ?? 0,
    socs.at(-1) ?? 0,
    Math.min(...socs),
  );
  const readout = h("p", { class: "profile-told" }, summary);
  const upright = (at: number, name: string): SVGLineElement =>
    svg("line", { x1: at, x2: at, y1: 0, y2: HEIGHT, class: name });
  const needle = upright(0, "needle");
  needle.setAttribute("visibility", "hidden");
  const level = (percent: number): SVGLineElement => {
    const y = HEIGHT - (percent / 100) * HEIGHT;
    return svg("line", { x1: 0, x2: WIDTH, y1: y, y2: y, class: "grid" });
  };
  const picture = svg(
    "svg",
    {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
      preserveAspectRatio: "none",
      role: "img",
      "aria-label": tr("State of charge over {0}: {1}", lengthOf(plan, whole), summary),
    },
    ...[25, 50, 75].map(level),
    ...(ground ? [svg("path", { d: ground, class: "ground" })] : []),
    ...stops.map((metres) => upright((metres / whole) * WIDTH, "stop")),
    svg("path", { d: charge, class: "charge" }),
    needle,
  );
  const point = (event: PointerEvent): void => {
    const { left, width } = box.getBoundingClientRect();
    const at = Math.max(0, Math.min(1, (event.clientX - left) / width)) * whole;
    const next = profile.find(({ distance_m }) => distance_m >= at) ?? profile.at(-1)!;
    const { soc_pct: soc, height_m: height } = next;
    readout.textContent = shortly([
      lengthOf(plan, at),
      `${soc} %`,
      height !== null && tr("{0} m high", Math.round(height)),
    ]);
    needle.setAttribute("transform", `translate(${((at / whole) * WIDTH).toFixed(1)} 0)`);
    needle.setAttribute("visibility", "visible");
    mark(pointAt(way, at));
  };
  const clear = (): void => {
    readout.textContent = summary;
    needle.setAttribute("visibility", "hidden");
    mark(null);
  };
  const box = h(
    "div",
    { class: "ev-box", onpointermove: point, onpointerdown: point, onpointerleave: clear },
    picture,
    h("span", { class: "ev-top", "aria-hidden": "true" }, "100 %"),
    h("span", { class: "ev-bottom", "aria-hidden": "true" }, "0 %"),
  );
  return h(
    "figure",
    { class: "ev-plot" },
    box,
    readout,
    h(
      "figcaption",
      {},
      h("span", {}, swatch("var(--accent)", "bar"), tr("charge")),
      ground && h("span", {}, swatch("var(--muted)", "bar"), tr("height of the ground")),
      stops.length > 0 && h("span", {}, swatch("var(--muted)", "dots"), tr("stops")),
      h("span", {}, lengthOf(plan, whole)),
    ),
  );
}
