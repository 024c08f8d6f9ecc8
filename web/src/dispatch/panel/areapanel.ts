import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import type { LonLat } from "../../geo/coords";
import { reconcile } from "../../ui/reconcile";
import { MOST_TERRITORIES, unlike } from "../problem/areas";
import type { PlanStore } from "../plan/store";
import type { Vehicle } from "../problem/model";
import { PolygonTool } from "./polygontool";
import type { View } from "./view";

/** The areas of a problem: drawn by hand, what the map shows, or polygons of a file. */
export function areaPanel(store: PlanStore, view: View): HTMLElement {
  const box = h("div", { class: "areas" });
  const take = (ring: readonly LonLat[]): void => {
    const { problem } = store.state;
    const name = unlike(tr("Area"), new Set(problem.areas.map((area) => area.name)));
    store.change({ ...problem, areas: [...problem.areas, { name, polygons: [[ring]] }] });
    box.querySelector<HTMLInputElement>(`[data-focus="area-${name}"]`)?.select();
  };
  const add = (): void => {
    const bounds = view.bounds();
    if (!bounds) return;
    const [west, south, east, north] = bounds;
    take(
      [west, east, east, west, west].map(
        (lon, i) => [lon, i < 2 || i === 4 ? south : north] as const,
      ),
    );
  };
  const polygonTool = new PolygonTool(view, take);
  const more = h(
    "div",
    { class: "more-areas" },
    polygonTool.element,
    h(
      "button",
      { type: "button", class: "button second small", "data-focus": "add-area", onclick: add },
      tr("Add what the map shows"),
    ),
  );
  const draw = (): void => {
    const { areas } = store.state.problem;
    reconcile(
      box,
      areas.length > 0 &&
        h(
          "ul",
          {},
          areas.map(({ name }) => h("li", {}, nameInput(store, name), takeOut(store, name))),
        ),
    );
    more.hidden = areas.flatMap(({ polygons }) => polygons).length >= MOST_TERRITORIES;
  };
  const fold = h(
    "details",
    { class: "fold" },
    h("summary", {}, tr("Areas")),
    h(
      "p",
      { class: "hint" },
      tr(
        "A vehicle that is bound to areas serves stops in these alone. Polygons of GeoJSON are taken where stops are dropped.",
      ),
    ),
    box,
    more,
  );
  store.subscribe((state, before) => {
    const { areas } = state.problem;
    if (state !== before && areas === before.problem.areas) return;
    if (areas.length > 0) fold.open = true;
    draw();
  });
  return fold;
}

function nameInput(store: PlanStore, name: string): HTMLElement {
  return h("input", {
    type: "text",
    value: name,
    "aria-label": tr("Name of {0}", name),
    "data-focus": `area-${name}`,
    onchange: ({ currentTarget }: Event) =>
      rename(store, name, (currentTarget as HTMLInputElement).value.trim()),
  });
}

function rename(store: PlanStore, name: string, wanted: string): void {
  const { problem } = store.state;
  const others = problem.areas.filter((area) => area.name !== name).map((area) => area.name);
  const next = unlike(wanted || name, new Set(others));
  store.change({
    ...problem,
    areas: problem.areas.map((area) => (area.name === name ? { ...area, name: next } : area)),
    vehicles: problem.vehicles.map((vehicle) => ({
      ...vehicle,
      areas: vehicle.areas.map((one) => (one === name ? next : one)),
    })),
  });
}

function takeOut(store: PlanStore, name: string): HTMLElement {
  const act = (): void => {
    const { problem } = store.state;
    store.change({
      ...problem,
      areas: problem.areas.filter((area) => area.name !== name),
      vehicles: problem.vehicles.map((vehicle) => ({
        ...vehicle,
        areas: vehicle.areas.filter((one) => one !== name),
      })),
    });
  };
  return h(
    "button",
    { type: "button", class: "link", "data-focus": "add-area", onclick: act },
    tr("Take {0} out", name),
  );
}

/** The areas to which a vehicle may be bound; nothing where there are none. */
export function areaTicks(store: PlanStore, { id, areas }: Vehicle): HTMLElement | null {
  const { problem } = store.state;
  if (problem.areas.length === 0) return null;
  const put = (name: string, on: boolean): void => {
    const next = on ? [...areas, name] : areas.filter((one) => one !== name);
    const vehicles = store.state.problem.vehicles.map((one) =>
      one.id === id ? { ...one, areas: next } : one,
    );
    store.change({ ...store.state.problem, vehicles });
  };
  return h(
    "fieldset",
    { class: "ticks" },
    h("legend", {}, tr("Only in")),
    problem.areas.map(({ name }) => {
      const box = h("input", {
        type: "checkbox",
        checked: areas.includes(name),
        "data-focus": `${id}-area-${name}`,
        onchange: ({ currentTarget }: Event) =>
          put(name, (currentTarget as HTMLInputElement).checked),
      });
      return h("label", { class: "tick" }, box, name);
    }),
  );
}
