import { decimal, tr } from "../../ui/translate";
import { creditOf } from "../../map/basemap";
import { h, type Child } from "../../ui/dom";
import { attributionLine } from "../../plan/explorer";
import { dayName } from "../../site/dates";
import { PageMap } from "../../site/pagemap";
import type { Plan } from "../plan/plan";
import { colourOf, named, type Vehicle } from "../problem/model";
import type { Rest, Route, Visit } from "../day/route";
import { depotsOf, stopsOn, wayOf } from "../plan/shapes";
import { aboutStop } from "./stoplist";
import { clock, lasting } from "../problem/times";

/** A map of which nothing comes in as much time is left out. */
const PATIENCE_MS = 20_000;

/** The pages of a plan on paper: what the dispatcher keeps, and one for each driver. */
export class Printed {
  private readonly box = h("div", { class: "printed", lang: "en-GB" });
  private plan: Plan | null = null;

  constructor(current: () => Plan | null) {
    document.body.append(this.box);
    // Printed by the browser's own menu: without maps, which take their time.
    addEventListener("beforeprint", () => {
      const plan = current();
      if (plan !== this.plan) this.fill(plan, new Map(), "");
    });
  }

  /** Prints a plan with a map of each round. */
  async print(plan: Plan, apiKey: string | null): Promise<void> {
    if (plan !== this.plan) {
      const { maps, credit } = await mapsOf(plan, apiKey);
      this.fill(plan, maps, credit);
    }
    print();
  }

  private fill(plan: Plan | null, maps: ReadonlyMap<string, string>, credit: string): void {
    this.plan = maps.size > 0 ? plan : null;
    if (!plan) {
      this.box.replaceChildren();
      return;
    }
    this.box.replaceChildren(
      overview(plan),
      ...plan.routes.flatMap((route) => {
        const vehicle = named(plan.problem.vehicles, route.vehicle);
        return vehicle ? [driverPage(plan, vehicle, route, pictured(vehicle, maps, credit))] : [];
      }),
    );
  }
}

/** Pictures of all rounds by vehicle, none where no map can be drawn. */
async function mapsOf(
  plan: Plan,
  apiKey: string | null,
): Promise<{ maps: ReadonlyMap<string, string>; credit: string }> {
  const maps = new Map<string, string>();
  const container = h("div", { class: "printed-map", "aria-hidden": "true" });
  document.body.append(container);
  try {
    const view = await PageMap.open({ container, apiKey, theme: "light" });
    for (const vehicle of plan.problem.vehicles) {
      if (!view || !plan.routes.some((route) => route.vehicle === vehicle.id)) continue;
      const shapes = [...wayOf(plan, vehicle), ...stopsOn(plan, vehicle), ...depotsOf([vehicle])];
      const picture = await view.picture(shapes, PATIENCE_MS);
      if (picture) maps.set(vehicle.id, picture);
    }
    await Promise.all([...maps.values()].map(loaded));
    const credit = view ? creditOf(view.map.getStyle(), view.explorer.attribution) : "";
    view?.map.remove();
    return { maps, credit };
  } finally {
    container.remove();
  }
}

/** Resolves once a picture can be printed. */
async function loaded(source: string): Promise<void> {
  const image = new Image();
  image.src = source;
  await image.decode();
}

function pictured({ id, name }: Vehicle, maps: ReadonlyMap<string, string>, credit: string): Child {
  const source = maps.get(id);
  if (!source) return null;
  return h(
    "figure",
    {},
    h("img", { src: source, alt: tr("Map of the round of {0}", name) }),
    h("figcaption", {}, attributionLine(credit)),
  );
}

const row = (cells: readonly Child[], tag: "td" | "th" = "td"): HTMLElement =>
  h(
    "tr",
    {},
    cells.map((cell) => h(tag, tag === "th" ? { scope: "col" } : {}, cell)),
  );

const kilometres = (metres: number): string => decimal(metres / 1000, 1);

function overview({ problem, routes, left }: Plan): HTMLElement {
  const today = new Date();
  const day = [today.getFullYear(), today.getMonth() + 1, today.getDate()]
    .map((part) => String(part).padStart(2, "0"))
    .join("-");
  return h(
    "section",
    {},
    h("h1", {}, tr("Rounds")),
    h("p", { class: "muted" }, tr("Printed on {0}.", dayName(day))),
    h(
      "table",
      {},
      h(
        "thead",
        {},
        row(
          ["", tr("Vehicle"), tr("Stops"), tr("Leaves"), tr("Is back"), tr("Driving"), "km"],
          "th",
        ),
      ),
      h(
        "tbody",
        {},
        routes.map((route) => {
          const { visits, departure, finish, driving, distance } = route;
          const name = named(problem.vehicles, route.vehicle)?.name ?? route.vehicle;
          return row([
            markOf(problem.vehicles.findIndex(({ id }) => id === route.vehicle)),
            name,
            visits.length,
            clock(departure),
            clock(finish),
            lasting(driving),
            kilometres(distance),
          ]);
        }),
      ),
    ),
    left.length > 0 && h("h2", {}, tr("Left out")),
    left.length > 0 &&
      h(
        "ul",
        {},
        left.map(({ stop, reason }) => {
          const { name, address } = named(problem.stops, stop) ?? { name: stop, address: "" };
          const where = address && address !== name ? `, ${address}` : "";
          return h("li", {}, h("strong", {}, name), `${where}: ${reason}`);
        }),
      ),
  );
}

function markOf(index: number): HTMLElement {
  const mark = h("span", { class: "vehicle-mark" }, String(index + 1));
  mark.style.background = colourOf(index);
  return mark;
}

function driverPage(plan: Plan, vehicle: Vehicle, route: Route, map: Child): HTMLElement {
  const { vehicles } = plan.problem;
  const { visits, rests, departure, finish, driving, distance, broken } = route;
  let number = 0;
  const parts = [...visits, ...rests].toSorted((a, b) => a.begin - b.begin);
  return h(
    "section",
    {},
    h("h2", {}, markOf(vehicles.findIndex(({ id }) => id === vehicle.id)), vehicle.name),
    h(
      "p",
      {},
      tr(
        "{0} {0|stop|stops}, {1}–{2}, {3} of driving, {4} km.",
        visits.length,
        clock(departure),
        clock(finish),
        lasting(driving),
        kilometres(distance),
      ),
      broken.length > 0 && tr(" Moved by hand: {0}.", broken.join("; ")),
    ),
    map,
    h(
      "table",
      {},
      h(
        "thead",
        {},
        row(["", tr("Arrives"), tr("Leaves"), tr("Name"), tr("What is to be done")], "th"),
      ),
      h(
        "tbody",
        {},
        vehicle.start && row(["⌂", "", clock(departure), placeText(vehicle.start), ""]),
        parts.map((part) => ("stop" in part ? visitRow(plan, part, ++number) : restRow(part))),
        vehicle.end && row(["⌂", clock(finish), "", placeText(vehicle.end), ""]),
      ),
    ),
  );
}

const placeText = ([lon, lat]: readonly [number, number]): string =>
  `${lat.toFixed(5)}, ${lon.toFixed(5)}`;

function visitRow({ problem }: Plan, { stop: id, arrival, begin, end }: Visit, number: number) {
  const stop = named(problem.stops, id);
  const waits = begin > arrival ? tr(" waits until {0}", clock(begin)) : "";
  const where = stop?.address || (stop?.at ? placeText(stop.at) : "");
  return row([
    number,
    [clock(arrival), h("span", { class: "muted" }, waits)],
    clock(end),
    [h("strong", {}, stop?.name ?? id), stop?.name !== where && h("div", {}, where)],
    stop && aboutStop(stop, problem.loads),
  ]);
}

function restRow({ name, begin, end }: Rest): HTMLElement {
  return row(["", clock(begin), clock(end), name, ""]);
}
