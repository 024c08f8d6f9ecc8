import { h } from "../dom";
import { placedStops, REACHES, type Plan } from "../plan";
import { costed } from "../request";
import { AREA_OPACITY, swatch, type Finding, type Shape, type Task } from "./task";

/** Of the outlines, the nearest first: told apart by their lightness too. */
const COLOURS = ["#7038c4", "#c9377c", "#ef7d05"];

/** The bands of a reach, the nearest first: thirds of it. */
export function bands(minutes: number): number[] {
  return [1, 2, 3].map((third) => Math.round((minutes * third) / 3));
}

interface Answer {
  readonly features: readonly {
    readonly geometry: GeoJSON.Geometry;
    readonly properties: { readonly contour?: number };
  }[];
}

function read(answer: unknown, plan: Plan): Finding {
  const list = bands(plan.reach.minutes);
  const shapes: Shape[] = [...(answer as Answer).features]
    .toSorted((a, b) => (b.properties.contour ?? 0) - (a.properties.contour ?? 0))
    .map(({ geometry, properties }) => ({
      geometry,
      colour: COLOURS[list.indexOf(properties.contour ?? 0)] ?? COLOURS[2]!,
    }));
  const where = plan.reach.toward ? "Point A is reached" : "Reached from point A";
  return {
    shapes,
    content: h(
      "ul",
      { class: "legend" },
      list.map((minutes, index) => h("li", {}, sample(index), `${where} within ${minutes} min`)),
    ),
  };
}

/** What a band looks like on the map: the wider ones lie below it. */
function sample(index: number): HTMLElement {
  const box = swatch(COLOURS[index]!, "square");
  const over = COLOURS.slice(index).map((colour) => {
    const veil = `color-mix(in srgb, ${colour} ${100 * AREA_OPACITY}%, transparent)`;
    return `linear-gradient(${veil}, ${veil})`;
  });
  box.style.backgroundImage = over.join(",");
  return box;
}

/** What is within reach of a place (or what reaches it), in minutes. */
export const isochrone: Task = {
  waiting: "Drawing what is within reach…",
  hint: "Click the map for a place: the area within reach is drawn around point A.",
  request(plan) {
    const [from] = placedStops(plan);
    if (!from) return null;
    const [lon, lat] = from.at;
    return {
      path: "isochrone",
      body: {
        locations: [{ lat, lon }],
        ...costed(plan),
        contours: bands(plan.reach.minutes).map((time) => ({ time })),
        polygons: true,
        ...(plan.reach.toward ? { reverse: true } : {}),
      },
    };
  },
  read,
  controls(plan, change) {
    const minutes = h(
      "select",
      {
        id: "reach-minutes",
        "data-focus": "reach-minutes",
        onchange: () =>
          change({ ...plan, reach: { ...plan.reach, minutes: Number(minutes.value) } }),
      },
      REACHES.map((n) =>
        h("option", { value: String(n), selected: n === plan.reach.minutes }, `${n} minutes`),
      ),
    );
    const toward = h(
      "select",
      {
        id: "reach-toward",
        "data-focus": "reach-toward",
        onchange: () =>
          change({ ...plan, reach: { ...plan.reach, toward: toward.value === "to" } }),
      },
      h("option", { value: "from", selected: !plan.reach.toward }, "from point A"),
      h("option", { value: "to", selected: plan.reach.toward }, "to point A"),
    );
    return h(
      "div",
      { class: "task-controls" },
      h("label", { for: "reach-minutes" }, "Within"),
      minutes,
      h("label", { for: "reach-toward", class: "offscreen" }, "Direction"),
      toward,
    );
  },
};
