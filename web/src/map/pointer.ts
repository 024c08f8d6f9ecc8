import type { Map as MapLibre, MapMouseEvent } from "maplibre-gl";
import { wrapped, type LonLat } from "../geo/coords";

export interface PointerEvents {
  /** A click or tap on open map: the place of the base map's label there, else the point. */
  onPick(place: Labelled): void;
  /** Right click or long press; x and y are page pixels. */
  onMenu(at: LonLat, x: number, y: number): void;
  /** A click on a route that is not the chosen one. */
  onChoose(index: number): void;
  /** The pointer is over something of a list, or no more; a click chooses it. */
  onItem(item: string | null, chosen: boolean): void;
}

/** A place of the map; name is "" where no label names it. */
export interface Labelled {
  readonly at: LonLat;
  readonly name: string;
}

export interface PointerSetup {
  readonly map: MapLibre;
  readonly events: PointerEvents;
  /** The item of a list under the pointer; null for none. */
  readonly itemAt: (event: MapMouseEvent) => string | null;
  /** What a click on something laid over the map does; null where it is none. */
  readonly overlayAt: (event: MapMouseEvent) => (() => void) | null;
  /** Takes hold of the route's line by a finger; reports whether it did. */
  readonly hold: (event: MapMouseEvent) => boolean;
  /** The index of an alternative under the pointer; null for none. */
  readonly routeAt: (event: MapMouseEvent) => number | null;
  /** The place whose label of the base map is under the pointer; null for none. */
  readonly labelAt: (event: MapMouseEvent) => Labelled | null;
  /** The middle of the map that can be seen. */
  readonly centre: () => LonLat;
}

/** How long a click on open map waits for a second one. */
const DOUBLE_MS = 280;

const LONG_PRESS_MS = 550;
const LONG_PRESS_SLOP_PX = 10;

/** Turns clicks, presses and keys on the map into its events. */
export class Pointer {
  private readonly setup: PointerSetup;
  /** A long press opened the menu; the click that ends it is not a pick. */
  private pressed = false;
  /** The item of a list that the pointer is over. */
  private pointed: string | null = null;
  /** A click on open map that may become a double click, which enlarges the map. */
  private pending: { readonly timer: number; readonly act: () => void } | null = null;

  constructor(setup: PointerSetup) {
    this.setup = setup;
    const { map } = setup;
    map.on("click", (event) => this.click(event));
    // The second tap of a double tap is no click.
    map.on("zoomstart", ({ originalEvent }) => originalEvent?.type === "touchend" && this.forget());
    map.on("mousemove", (event) => this.move(event));
    map.on("contextmenu", (event) => this.menu(event));
    this.listenForLongPress();
    this.listenForMenuKey();
  }

  private click(event: MapMouseEvent): void {
    if (this.pressed || onPin(event)) return;
    // The second click of a double click takes the first one back; a click elsewhere does not.
    if (event.originalEvent.detail > 1) return this.forget();
    this.settle();
    const { events, itemAt, overlayAt, routeAt, labelAt, hold } = this.setup;
    const item = itemAt(event);
    if (item) return events.onItem(item, true);
    const act = overlayAt(event);
    if (act) return act();
    if (hold(event)) return;
    const index = routeAt(event);
    if (index !== null) events.onChoose(index);
    else {
      const at = wrapped(event.lngLat.lng, event.lngLat.lat);
      const place = labelAt(event) ?? { at, name: "" };
      const act = (): void => events.onPick(place);
      this.pending = { act, timer: window.setTimeout(() => this.settle(), DOUBLE_MS) };
    }
  }

  /** Does what the last click on open map is for. */
  private settle(): void {
    const { pending } = this;
    this.forget();
    pending?.act();
  }

  private forget(): void {
    if (this.pending) clearTimeout(this.pending.timer);
    this.pending = null;
  }

  private move(event: MapMouseEvent): void {
    const { map, events, itemAt, overlayAt, routeAt } = this.setup;
    const item = itemAt(event);
    if (item !== this.pointed) events.onItem((this.pointed = item), false);
    const hit = item !== null || overlayAt(event) !== null || routeAt(event) !== null;
    map.getCanvas().style.cursor = hit ? "pointer" : "crosshair";
  }

  private menu(event: MapMouseEvent): void {
    // The menu key and long presses have listeners of their own, and open no second menu.
    if (this.pressed || onPin(event) || event.originalEvent.button !== 2) return;
    event.preventDefault();
    const { clientX, clientY } = event.originalEvent;
    this.setup.events.onMenu(wrapped(event.lngLat.lng, event.lngLat.lat), clientX, clientY);
  }

  /** The menu key and Shift+F10 open the menu of the map's middle. */
  private listenForMenuKey(): void {
    const { map, events, centre } = this.setup;
    map.getCanvas().addEventListener("keydown", (event) => {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      event.preventDefault();
      const at = centre();
      const { x, y } = map.project([at[0], at[1]]);
      const { left, top } = map.getCanvas().getBoundingClientRect();
      events.onMenu(at, left + x, top + y);
    });
  }

  /** Safari on iOS sends no contextmenu event, so presses are timed here. */
  private listenForLongPress(): void {
    const { map, events } = this.setup;
    const ground = map.getCanvasContainer();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let from = { x: 0, y: 0 };
    const cancel = () => clearTimeout(timer);
    ground.addEventListener("pointerdown", (event) => {
      cancel();
      this.pressed = false;
      if (event.pointerType !== "touch" || !event.isPrimary || onPinElement(event.target)) return;
      from = { x: event.clientX, y: event.clientY };
      timer = setTimeout(() => {
        this.pressed = true;
        const { left, top } = ground.getBoundingClientRect();
        const { lng, lat } = map.unproject([from.x - left, from.y - top]);
        events.onMenu(wrapped(lng, lat), from.x, from.y);
      }, LONG_PRESS_MS);
    });
    ground.addEventListener("pointermove", (event) => {
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > LONG_PRESS_SLOP_PX;
      if (far || !event.isPrimary) cancel();
    });
    ground.addEventListener("pointerup", cancel);
    ground.addEventListener("pointercancel", cancel);
  }
}

function onPin(event: MapMouseEvent): boolean {
  return onPinElement(event.originalEvent.target);
}

function onPinElement(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".pin, .handle") !== null;
}
