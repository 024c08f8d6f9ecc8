import { Marker, type Map as MapLibre, type MapMouseEvent } from "maplibre-gl";
import { unrolled, wrapped, type LonLat } from "../geo/coords";
import { nearestLeg } from "../geo/nearest";
import { h } from "../ui/dom";
import { stretch } from "./overlays";

/** A route whose line can be dragged. */
export interface Draggable {
  /** The lines of its legs. */
  readonly legs: readonly (readonly LonLat[])[];
  /** The points at the ends of the legs, one more than there are legs. */
  readonly points: readonly LonLat[];
  /** Takes a new point on the way of a leg. */
  readonly via: (leg: number, at: LonLat) => void;
}

/** How far from the line a pointer still takes hold of it, in pixels. */
const REACH_PX = { mouse: 9, touch: 22 };

/**
 * Lets one drag the line of a route to a new point on the way. A mouse over the line shows a
 * handle there; a finger taps the line first, since one that moves at once moves the map. The
 * escape key puts the line back.
 */
export class ViaDrag {
  private readonly map: MapLibre;
  /** Whether something else is under the pointer that a click is for. */
  private readonly taken: (event: MapMouseEvent) => boolean;
  private readonly marker: Marker;
  private route: Draggable | null = null;
  private leg = 0;
  private shown = false;
  private dragged = false;
  /** Whether the handle was put there by a tap, and so stays. */
  private kept = false;

  constructor(map: MapLibre, taken: (event: MapMouseEvent) => boolean) {
    this.map = map;
    this.taken = taken;
    const element = h("div", { class: "handle via", "aria-hidden": "true" });
    this.marker = new Marker({ element, draggable: true });
    this.marker.on("dragstart", () => (this.dragged = true));
    this.marker.on("drag", () => this.pull());
    this.marker.on("dragend", () => this.drop());
    map.on("mousemove", (event) => this.hover(event));
    map.on("mouseout", ({ originalEvent: { relatedTarget } }) => {
      // The pointer leaves the canvas for the handle too.
      const within = relatedTarget instanceof Node && map.getContainer().contains(relatedTarget);
      if (!within && !this.dragged && !this.kept) this.hide();
    });
    map.on("zoomstart", () => !this.dragged && this.hide());
    addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || !this.dragged) return;
      event.preventDefault();
      this.hide();
    });
    // A second finger moves the map, and a lost pointer moves nothing.
    addEventListener("touchstart", ({ touches }) => touches.length > 1 && this.hide());
    addEventListener("touchcancel", () => this.hide());
    addEventListener("blur", () => this.dragged && this.hide());
  }

  /** Sets the route that can be dragged; null for none. */
  set(route: Draggable | null): void {
    // A change of something else does not take the line out of the hand.
    const same = String(route?.points) === String(this.route?.points);
    if (same && this.dragged) return;
    this.route = route;
    this.hide();
  }

  /** Shows the handle where a finger tapped the line; reports whether it did. */
  tap(event: MapMouseEvent): boolean {
    const { originalEvent: click } = event;
    const touch = click instanceof PointerEvent && click.pointerType === "touch";
    this.kept = touch && this.show(event, REACH_PX.touch);
    if (touch && !this.kept) this.hide();
    return this.kept;
  }

  private hover(event: MapMouseEvent): void {
    if (this.dragged || this.kept) return;
    const { originalEvent: move } = event;
    const held = move.buttons !== 0;
    const onPin = move.target instanceof Element && move.target.closest(".pin, .handle:not(.via)");
    const shown = !held && !onPin && !this.taken(event) && this.show(event, REACH_PX.mouse);
    if (!shown && !held) this.hide();
  }

  /** Puts the handle on the line where a pointer is near enough to it. */
  private show({ point, lngLat }: MapMouseEvent, reach: number): boolean {
    const { route, map } = this;
    const nearest = route && nearestLeg(route.legs, [lngLat.lng, lngLat.lat]);
    if (!nearest) return false;
    const { x, y } = map.project([nearest.at[0], nearest.at[1]]);
    if (Math.hypot(x - point.x, y - point.y) > reach) return false;
    this.leg = nearest.leg;
    this.marker.setLngLat([nearest.at[0], nearest.at[1]]);
    if (!this.shown) this.marker.addTo(map);
    this.shown = true;
    return true;
  }

  /** Draws where the route will be led: from one point over the handle to the next. */
  private pull(): void {
    const [from, to] = [this.route?.points[this.leg], this.route?.points[this.leg + 1]];
    const { lng, lat } = this.marker.getLngLat();
    if (!from || !to || !this.shown) return;
    const line = unrolled([from, [lng, lat], to]);
    stretch(this.map, line);
  }

  private drop(): void {
    const { route, leg } = this;
    const { lng, lat } = this.marker.getLngLat();
    this.hide();
    route?.via(leg, wrapped(lng, lat));
  }

  private hide(): void {
    if (this.dragged) stretch(this.map, []);
    this.dragged = this.kept = false;
    if (!this.shown) return;
    this.shown = false;
    this.marker.remove();
    // A marker that is removed while it is dragged takes no pointer any more.
    this.marker.getElement().style.pointerEvents = "";
  }
}
