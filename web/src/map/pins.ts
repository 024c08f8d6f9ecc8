import { Marker, type Map as MapLibre } from "maplibre-gl";
import { wrapped, type LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { Room } from "./room";
import { pixelOf, spread } from "./spread";
import { stopLetter, type Stop } from "../plan/plan";
import { tr } from "../ui/translate";

/** How far apart in pixels pins are at the least. */
const PINS_APART = 24;

interface Pin {
  readonly marker: Marker;
  readonly element: HTMLElement;
}

const ROLES = { start: tr("start"), via: tr("via"), destination: tr("destination") } as const;

/** The stops on the map, as pins to drag. */
export class Pins {
  /** The room that they take, to be laid over the map. */
  readonly room = new Room();
  private readonly map: MapLibre;
  private readonly onMove: (id: number, at: LonLat) => void;
  private readonly pins = new Map<number, Pin>();

  constructor(map: MapLibre, onMove: (id: number, at: LonLat) => void) {
    this.map = map;
    this.onMove = onMove;
    map.on("zoomend", () => this.spread());
  }

  /** Shows the stops that have a place, and marks those in bad as refused. */
  show(stops: readonly Stop[], bad: ReadonlySet<number>): void {
    const placed = new Set(stops.filter((s) => s.at).map((s) => s.id));
    for (const [id, pin] of this.pins) {
      if (placed.has(id)) continue;
      pin.marker.remove();
      this.pins.delete(id);
    }
    stops.forEach((stop, index) => {
      if (!stop.at) return;
      const pin = this.pins.get(stop.id) ?? this.add(stop.id, stop.at);
      const letter = stopLetter(index);
      const role = index === 0 ? "start" : index === stops.length - 1 ? "destination" : "via";
      const { lng, lat } = pin.marker.getLngLat();
      if (lng !== stop.at[0] || lat !== stop.at[1]) pin.marker.setLngLat([stop.at[0], stop.at[1]]);
      pin.element.dataset["role"] = role;
      pin.element.classList.toggle("bad", bad.has(stop.id));
      pin.element.setAttribute("aria-label", tr("Point {0}, {1}", letter, ROLES[role]));
      pin.element.firstElementChild!.textContent = letter;
    });
    this.spread();
  }

  /** Moves pins aside that would hide each other at this zoom. */
  private spread(): void {
    const pins = [...this.pins.values()];
    const zoom = this.map.getZoom();
    const moves = spread(
      pins.map(({ marker }) => {
        const { lng, lat } = marker.getLngLat();
        return pixelOf([lng, lat], zoom);
      }),
      PINS_APART,
    );
    pins.forEach(({ marker }, index) => {
      const [dx, dy] = moves[index]!;
      marker.setOffset([dx, dy]);
    });
    this.room.take(
      pins.map(({ marker }, index) => {
        const { lng, lat } = marker.getLngLat();
        return { at: [lng, lat], offset: moves[index]! };
      }),
    );
  }

  private add(id: number, at: LonLat): Pin {
    const element = h("div", { class: "pin", role: "img" }, h("span", { class: "pin-head" }));
    const marker = new Marker({ element, draggable: true, anchor: "bottom" })
      .setLngLat([at[0], at[1]])
      .addTo(this.map);
    marker.on("dragend", () => {
      const { lng, lat } = marker.getLngLat();
      this.onMove(id, wrapped(lng, lat));
    });
    const pin = { marker, element };
    this.pins.set(id, pin);
    return pin;
  }
}
