import { tr } from "../../ui/translate";
import { Marker, type Map as MapLibre, type MapMouseEvent, type MapTouchEvent } from "maplibre-gl";
import type { PlanStore } from "../plan/store";
import { difference } from "../day/orders";
import type { Timeline } from "./timeline";

/** The distance in pixels within which a press takes a stop, and within which a drop is beside one. */
const TAKE_PX = 14;
const BESIDE_PX = 44;
/** Pixels before a press is a drag. */
const SLOP_PX = 5;

interface Pixels {
  readonly x: number;
  readonly y: number;
}

interface Drag {
  readonly stop: string;
  readonly from: Pixels;
  marker: Marker | null;
  to: { readonly vehicle: string; readonly index: number } | null;
}

export interface DragSetup {
  readonly map: MapLibre;
  readonly store: PlanStore;
  /** The timeline shows the cost of a move, and makes it. */
  readonly timeline: Timeline;
  /** Reports whether the map is free for dragging, and not drawn on. */
  readonly free: () => boolean;
}

/**
 * Lets somebody click a plan's stop on the map to choose it, and drag it beside another
 * stop, to be visited before or after that one, whichever is the shorter way. The timeline
 * does the same by keyboard.
 */
export class DragOnMap {
  private readonly setup: DragSetup;
  private drag: Drag | null = null;

  constructor(setup: DragSetup) {
    this.setup = setup;
    const { map } = setup;
    map.on("mousedown", (event) => this.press(event));
    map.on("touchstart", (event) => event.points.length === 1 && this.press(event));
    map.on("mousemove", (event) => this.follow(event));
    map.on("touchmove", (event) => this.follow(event));
    map.on("touchcancel", () => this.letGo());
    // The mouse may be released outside the map.
    addEventListener("mouseup", () => this.drop());
    map.on("touchend", () => this.drop());
  }

  private press(event: MapMouseEvent | MapTouchEvent): void {
    if (!this.setup.free() || ("button" in event.originalEvent && event.originalEvent.button > 0)) {
      return;
    }
    const stop = this.near(event.point, TAKE_PX);
    if (!stop) return;
    event.preventDefault(); // the map stays where it is
    this.drag = { stop, from: event.point, marker: null, to: null };
  }

  /** The stop of the plan that is nearest to a place on the map within so many pixels. */
  private near(at: Pixels, most: number, without?: string): string | null {
    const { map, store } = this.setup;
    let [found, least]: [string | null, number] = [null, most];
    for (const { id, at: place } of store.state.plan?.problem.stops ?? []) {
      if (!place || id === without) continue;
      const { x, y } = map.project([place[0], place[1]]);
      const away = Math.hypot(x - at.x, y - at.y);
      if (away <= least) [found, least] = [id, away];
    }
    return found;
  }

  private follow({ point, lngLat }: MapMouseEvent | MapTouchEvent): void {
    const { map, timeline, free } = this.setup;
    const { drag } = this;
    if (!drag) {
      if (free()) map.getCanvas().style.cursor = this.near(point, TAKE_PX) ? "grab" : "";
      return;
    }
    if (!drag.marker) {
      if (Math.hypot(point.x - drag.from.x, point.y - drag.from.y) < SLOP_PX) return;
      drag.marker = new Marker({ color: "#b3467a" }).setLngLat(lngLat).addTo(map);
    }
    drag.marker.setLngLat(lngLat);
    const beside = this.near(point, BESIDE_PX, drag.stop);
    drag.to = beside === null ? null : this.placeBeside(drag.stop, beside);
    if (drag.to) timeline.tell(drag.stop, drag.to.vehicle, drag.to.index);
    else timeline.say(tr("Drop it beside a stop of a round."));
  }

  /** Before or after another stop of a round; null where that is in none. */
  private placeBeside(stop: string, other: string): Drag["to"] {
    const { store } = this.setup;
    const { plan } = store.state;
    const route = plan?.routes.find(({ visits }) => visits.some((visit) => visit.stop === other));
    if (!plan || !route) return null;
    const rest = route.visits.filter((visit) => visit.stop !== stop);
    const at = rest.findIndex((visit) => visit.stop === other);
    const cost = (index: number): number => {
      const after = store.tried(stop, route.vehicle, index);
      return after ? difference(after, plan.routes).driving : 0;
    };
    return { vehicle: route.vehicle, index: cost(at + 1) < cost(at) ? at + 1 : at };
  }

  private drop(): void {
    const { drag } = this;
    if (!drag) return;
    const { store, timeline } = this.setup;
    this.letGo();
    if (!drag.marker) store.look(store.state.stop === drag.stop ? null : drag.stop);
    else if (drag.to) timeline.move(drag.stop, drag.to.vehicle, drag.to.index);
  }

  private letGo(): void {
    this.drag?.marker?.remove();
    this.drag = null;
    this.setup.timeline.ready();
  }
}
