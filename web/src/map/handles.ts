import { Marker, type Map as MapLibre } from "maplibre-gl";
import { wrapped, type LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import type { Handle } from "./shape";

/** Is called for each movement of a handle, the last time where it is released. */
export type Moved = (handle: Handle, at: LonLat, last: boolean) => void;

/** What a task lets one drag on the map. */
export class Handles {
  private readonly map: MapLibre;
  private readonly markers = new Map<string, Marker>();
  private handles: readonly Handle[] = [];
  private moved: Moved = () => {};
  private dragged: string | null = null;

  constructor(map: MapLibre) {
    this.map = map;
  }

  show(handles: readonly Handle[], moved: Moved): void {
    this.handles = handles;
    this.moved = moved;
    for (const [id, marker] of this.markers) {
      if (handles.some((handle) => handle.id === id)) continue;
      marker.remove();
      this.markers.delete(id);
    }
    for (const { id, at, label } of handles) {
      const marker = this.markers.get(id) ?? this.add(id, at);
      if (this.dragged !== id) marker.setLngLat([at[0], at[1]]);
      marker.getElement().setAttribute("aria-label", label);
    }
  }

  private add(id: string, at: LonLat): Marker {
    const element = h("div", { class: "handle", role: "img", "data-handle": id });
    const marker = new Marker({ element, draggable: true }).setLngLat([at[0], at[1]]);
    const tell = (last: boolean): void => {
      const handle = this.handles.find((other) => other.id === id);
      const { lng, lat } = marker.getLngLat();
      this.dragged = last ? null : id;
      if (handle) this.moved(handle, wrapped(lng, lat), last);
    };
    marker.on("drag", () => tell(false));
    marker.on("dragend", () => tell(true));
    marker.addTo(this.map);
    this.markers.set(id, marker);
    return marker;
  }
}
