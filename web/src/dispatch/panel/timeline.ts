import { decimal, tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { announce } from "../../site/page";
import type { PlanStore } from "../plan/store";
import { differs, type Plan } from "../plan/plan";
import { colourOf, DAY_SPAN, type Window } from "../problem/model";
import { costWords, difference, placeAt } from "../day/orders";
import type { Rest, Route } from "../day/route";
import { partnerOf } from "../problem/shipments";
import { clock, lasting, spanWords } from "../problem/times";

/** Pixels before a press is a drag. */
const SLOP_PX = 5;

/** Pixels of the rows: at least, and at most. */
const LEAST_PX = 560;
const MOST_PX = 6400;
/** By how much a step of the zoom makes the rows wider. */
const STEP = 1.5;
/** Pixels left of the first departure. */
const MARGIN_PX = 20;

interface Drag {
  readonly stop: string;
  readonly from: { readonly x: number; readonly y: number };
  readonly block: HTMLElement;
  readonly width: number;
  going: boolean;
  vehicle: string | null;
  index: number;
}

/** The rounds side by side along the day; stops are dragged, or moved with the arrows, to other vehicles and times. */
export class Timeline {
  private readonly box: HTMLElement;
  private readonly store: PlanStore;
  private readonly status = h("p", { class: "timeline-line", role: "status" });
  private readonly rows = h("div", { class: "rows" });
  private readonly zoomButtons = h(
    "div",
    { class: "timeline-buttons", role: "group", "aria-label": tr("Zoom of the timeline") },
    this.button("−", tr("Show more hours"), () => this.zoomBy(1 / STEP)),
    this.button("+", tr("Show fewer hours"), () => this.zoomBy(STEP)),
    this.button(tr("Fit"), tr("Fit the whole day"), () => this.zoomBy(0)),
  );
  /** What moves the chosen stop without dragging it (WCAG 2.5.7). */
  private readonly moveButtons = h(
    "div",
    { class: "timeline-buttons", role: "group", hidden: true },
    this.button("←", tr("Earlier in its round"), () => this.nudge("ArrowLeft")),
    this.button("→", tr("Later in its round"), () => this.nudge("ArrowRight")),
    this.button("↑", tr("To the vehicle above"), () => this.nudge("ArrowUp")),
    this.button("↓", tr("To the vehicle below"), () => this.nudge("ArrowDown")),
  );
  /** How much wider than the box the rows are. */
  private zoom = 1;
  private span: readonly [number, number] = [0, 86_400];
  private drag: Drag | null = null;
  /** What the last move by hand cost. */
  private cost = "";

  constructor(box: HTMLElement, store: PlanStore) {
    this.box = box;
    this.store = store;
    const head = h(
      "div",
      { class: "timeline-head" },
      this.status,
      this.moveButtons,
      this.zoomButtons,
    );
    box.append(head, this.rows);
    store.subscribe((state, before) => {
      if (state === before || differs(state.plan, before.plan) || state.stop !== before.stop) {
        this.draw();
      }
    });
    this.rows.addEventListener("pointermove", (event) => this.follow(event));
    this.rows.addEventListener("pointerup", () => this.drop());
    this.rows.addEventListener("pointercancel", () => this.letGo());
    this.rows.addEventListener("keydown", (event) => this.step(event));
  }

  private button(text: string, label: string, act: () => void): HTMLElement {
    return h(
      "button",
      { type: "button", class: "button second small", "aria-label": label, onclick: act },
      text,
    );
  }

  /** Makes the rows wider about the middle of what is seen; 0 fits them into the box. */
  private zoomBy(factor: number): void {
    const { box, rows } = this;
    const middle = (box.scrollLeft + box.clientWidth / 2) / Math.max(1, rows.scrollWidth);
    const most = MOST_PX / Math.max(1, box.clientWidth);
    this.zoom = Math.min(most, Math.max(1, this.zoom * factor));
    this.stretch();
    box.scrollLeft = middle * rows.scrollWidth - box.clientWidth / 2;
  }

  private stretch(): void {
    this.rows.style.minWidth = `max(${LEAST_PX}px, ${Math.round(this.zoom * 100)}%)`;
  }

  private draw(): void {
    const { plan, stop } = this.store.state;
    const appears = this.box.hidden;
    this.box.hidden = plan === null;
    document.body.classList.toggle("planned", plan !== null);
    if (!plan) return;
    this.span = spanOf(plan);
    this.stretch();
    const chosen = plan.problem.stops.find(({ id }) => id === stop);
    this.moveButtons.hidden =
      !chosen || !plan.routes.some(({ visits }) => visits.some((one) => one.stop === stop));
    if (chosen) this.moveButtons.ariaLabel = tr("Move {0}", chosen.name);
    if (plan.touched.length === 0) this.cost = "";
    this.status.textContent = this.cost
      ? this.cost
      : this.store.ways
        ? tr(
            "Drag a stop to another place or vehicle, here or on the map, or choose it and move it with the arrows.",
          )
        : tr("Ways between the stops are being measured…");
    reconcile(
      this.rows,
      hours(this.span),
      plan.problem.vehicles.map((vehicle, index) => {
        const route = plan.routes.find((one) => one.vehicle === vehicle.id);
        const lane = h("div", { class: "lane", "data-vehicle": vehicle.id });
        const shifts = vehicle.shifts.length ? vehicle.shifts : [this.span];
        lane.append(
          ...shifts.map((span) => this.bar("shift", span)),
          ...(route?.rests ?? []).map((rest) => this.rest(rest)),
          ...this.blocks(plan, route, index, stop),
        );
        return h(
          "div",
          { class: "row", "data-key": vehicle.id, "data-vehicle": vehicle.id },
          h(
            "div",
            { class: "row-name" },
            h("strong", {}, vehicle.name),
            h("span", {}, route ? aboutRoute(route) : tr("stays")),
            route?.broken.map((text) => h("span", { class: "broken" }, text)),
          ),
          lane,
        );
      }),
    );
    if (appears) this.lookAtStart(plan);
  }

  /** Scrolls to where the first round begins, which is late in an hour on a narrow screen. */
  private lookAtStart({ routes }: Plan): void {
    const departures = routes.filter(({ visits }) => visits.length).map((one) => one.departure);
    if (departures.length === 0) return;
    const [begin, end] = this.span;
    const share = (Math.min(...departures) - begin) / (end - begin);
    const lane = this.rows.querySelector<HTMLElement>(".lane");
    this.box.scrollLeft = share * (lane?.clientWidth ?? 0) - MARGIN_PX;
  }

  /** Says something above the rows, until they are drawn again. */
  say(text: string): void {
    this.status.textContent = text;
  }

  /** Called once the ways are known. */
  ready(): void {
    this.draw();
  }

  private blocks(
    plan: Plan,
    route: Route | undefined,
    vehicle: number,
    chosen: string | null,
  ): HTMLElement[] {
    if (!route) return [];
    return route.visits.flatMap((visit, index) => {
      const stop = plan.problem.stops.find(({ id }) => id === visit.stop);
      if (!stop) return [];
      const colour = colourOf(vehicle);
      const windows = stop.windows.map((span) => {
        const band = this.bar("band", span);
        band.hidden = stop.id !== chosen;
        return band;
      });
      const wait = this.bar("wait", [visit.arrival, visit.begin]);
      const open = stop.windows.map(spanWords).join(tr(" or "));
      const name = plan.problem.vehicles[vehicle]!.name;
      const block = h(
        "button",
        {
          type: "button",
          class: "block",
          "data-stop": stop.id,
          "data-focus": `block-${stop.id}`,
          "aria-pressed": String(stop.id === chosen),
          "aria-label": [
            tr(
              "{0}. {1}, {2}, {3} to {4}",
              index + 1,
              stop.name,
              name,
              clock(visit.begin),
              clock(visit.end),
            ),
            open && tr("open {0}", open),
            visit.late > 0 && tr("late"),
          ]
            .filter(Boolean)
            .join(", "),
          title: `${stop.name}\n${clock(visit.begin)}–${clock(visit.end)}${open ? `\n${open}` : ""}`,
          onclick: () => this.store.look(stop.id === chosen ? null : stop.id),
          onpointerdown: (event: PointerEvent) => this.press(event, stop.id),
        },
        String(index + 1),
      );
      block.classList.toggle("late", visit.late > 0);
      block.style.background = colour;
      this.place(block, visit.begin, visit.end);
      return [...windows, wait, block];
    });
  }

  private bar(name: string, [from, to]: Window): HTMLElement {
    const bar = h("div", { class: name });
    this.place(bar, from, to);
    return bar;
  }

  /** A break, or the time at which a vehicle is loaded anew. */
  private rest({ name, begin, end }: Rest): HTMLElement {
    const bar = this.bar("rest", [begin, end]);
    bar.title = `${name} ${clock(begin)}–${clock(end)}`;
    bar.append(h("span", { class: "offscreen" }, bar.title));
    return bar;
  }

  private place(element: HTMLElement, from: number, to: number): void {
    const [begin, end] = this.span;
    const share = (time: number): number => ((time - begin) / (end - begin)) * 100;
    element.style.left = `${share(Math.max(begin, from))}%`;
    element.style.width = `${Math.max(0, share(Math.min(end, to)) - share(Math.max(begin, from)))}%`;
  }

  private press(event: PointerEvent, stop: string): void {
    if (event.button !== 0) return;
    const block = event.currentTarget as HTMLElement;
    const width = block.getBoundingClientRect().width;
    const from = { x: event.clientX, y: event.clientY };
    this.drag = { stop, from, block, width, going: false, vehicle: null, index: 0 };
  }

  private follow(event: PointerEvent): void {
    const { drag } = this;
    const { plan } = this.store.state;
    if (!drag || !plan) return;
    const x = event.clientX - drag.from.x;
    const y = event.clientY - drag.from.y;
    if (!drag.going && Math.hypot(x, y) < SLOP_PX) return;
    if (!drag.going) {
      drag.going = true;
      this.rows.setPointerCapture(event.pointerId);
      drag.block.classList.add("dragged");
    }
    event.preventDefault();
    drag.block.style.transform = `translate(${x}px, ${y}px)`;
    const lane = [...this.rows.querySelectorAll<HTMLElement>(".lane")].find((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return event.clientY >= top && event.clientY < bottom;
    });
    for (const one of this.rows.querySelectorAll(".lane"))
      one.classList.toggle("over", one === lane);
    drag.vehicle = lane?.dataset["vehicle"] ?? null;
    if (!lane || !drag.vehicle) return;
    const { left, width } = lane.getBoundingClientRect();
    const [begin, end] = this.span;
    const time = begin + ((event.clientX - left) / width) * (end - begin);
    const route = plan.routes.find((one) => one.vehicle === drag.vehicle);
    drag.index = placeAt(route, time, drag.stop);
    this.tell(drag.stop, drag.vehicle, drag.index);
  }

  private drop(): void {
    const { drag } = this;
    if (drag?.going && drag.vehicle) this.move(drag.stop, drag.vehicle, drag.index);
    this.letGo();
  }

  private letGo(): void {
    const { drag } = this;
    this.drag = null;
    if (!drag?.going) return;
    drag.block.classList.remove("dragged");
    drag.block.style.transform = "";
    // The click that ends a drag chooses nothing.
    this.rows.addEventListener("click", (event) => event.stopPropagation(), {
      capture: true,
      once: true,
    });
    setTimeout(() => this.draw());
  }

  /** Left and right change the order, up and down the vehicle. */
  private step(event: KeyboardEvent): void {
    const stop = event.target instanceof HTMLElement ? event.target.dataset["stop"] : undefined;
    if (!stop || event.ctrlKey || event.metaKey || event.altKey) return;
    if (this.nudge(event.key, stop)) event.preventDefault();
  }

  /** Moves a stop by an arrow; false where the key is none. */
  private nudge(key: string, stop = this.store.state.stop): boolean {
    const { plan } = this.store.state;
    const route = plan?.routes.find(({ visits }) => visits.some((visit) => visit.stop === stop));
    if (!plan || !stop || !route) return false;
    const index = route.visits.findIndex((visit) => visit.stop === stop);
    const { vehicles } = plan.problem;
    const row = vehicles.findIndex(({ id }) => id === route.vehicle);
    const begin = route.visits[index]!.begin;
    const other = (by: number): void => {
      const to = vehicles[row + by];
      if (!to) return;
      const there = plan.routes.find(({ vehicle }) => vehicle === to.id);
      this.move(stop, to.id, placeAt(there, begin, stop));
    };
    switch (key) {
      case "ArrowLeft":
        if (index > 0) this.move(stop, route.vehicle, index - 1);
        return true;
      case "ArrowRight":
        if (index < route.visits.length - 1) this.move(stop, route.vehicle, index + 1);
        return true;
      case "ArrowUp":
        other(-1);
        return true;
      case "ArrowDown":
        other(1);
        return true;
      default:
        return false;
    }
  }

  /** Moves a stop, and says what that costs. */
  move(stop: string, vehicle: string, index: number): void {
    this.cost = this.tell(stop, vehicle, index) ?? "";
    this.store.move(stop, vehicle, index);
    if (this.cost) announce(this.cost);
  }

  /** Says what a move would cost; null while the ways are not known. */
  tell(stop: string, vehicle: string, index: number): string | null {
    const { plan } = this.store.state;
    const after = this.store.tried(stop, vehicle, index);
    if (!plan || !after) return null;
    const name = plan.problem.stops.find(({ id }) => id === stop)?.name ?? stop;
    const to = plan.problem.vehicles.find(({ id }) => id === vehicle)?.name ?? vehicle;
    const other = partnerOf(plan.problem, stop);
    const along = other && !holds(plan, vehicle, other.id) ? tr(", {0} with it", other.name) : "";
    const cost = costWords(difference(after, plan.routes));
    const words = tr("{0} as number {1} of {2}{3}: {4}", name, index + 1, to, along, cost);
    this.status.textContent = words;
    return words;
  }
}

/** Whether a vehicle serves a stop. */
function holds({ routes }: Plan, vehicle: string, stop: string): boolean {
  const route = routes.find((one) => one.vehicle === vehicle);
  return route?.visits.some((visit) => visit.stop === stop) ?? false;
}

function aboutRoute({ visits, driving, distance, departure, finish }: Route): string {
  const km = decimal(distance / 1000, 1);
  return tr(
    "{0} {0|stop|stops}, {1}–{2}, {3} driving, {4} km",
    visits.length,
    clock(departure),
    clock(finish),
    lasting(driving),
    km,
  );
}

/** What the timeline shows: whole hours round the rounds, however long the shifts are. */
function spanOf({ problem, routes }: Plan): readonly [number, number] {
  const driven = routes.filter(({ visits }) => visits.length > 0);
  const shifts = problem.vehicles.flatMap((one) => (one.shifts.length ? one.shifts : [DAY_SPAN]));
  const begins = driven.length ? driven.map((r) => r.departure) : shifts.map(([from]) => from);
  const ends = driven.length ? driven.map((r) => r.finish) : shifts.map(([, to]) => to);
  const begin = Math.floor(Math.min(...begins) / 3600) * 3600;
  return [begin, Math.max(begin + 3600, Math.ceil((Math.max(...ends) + 600) / 3600) * 3600)];
}

function hours([begin, end]: readonly [number, number]): HTMLElement {
  const count = (end - begin) / 3600;
  const every = Math.ceil(count / 12);
  const marks = Array.from({ length: Math.floor(count / every) + 1 }, (_, i) => {
    const mark = h("span", {}, clock(begin + i * every * 3600));
    mark.style.left = `${((i * every) / count) * 100}%`;
    return mark;
  });
  return h(
    "div",
    { class: "row hours", "aria-hidden": "true" },
    h("div", { class: "row-name" }),
    h("div", { class: "lane" }, marks),
  );
}
