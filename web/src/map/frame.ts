import type { CameraOptions, Map as MapLibre, PaddingOptions } from "maplibre-gl";
import { wrapped, type Bounds, type LonLat } from "../geo/coords";
import type { Around } from "./shape";

/** Gives the pixels of the map that the panel covers. */
export type Covered = () => PaddingOptions;

/** The pixels of the map that the panel covers, and extra ones on each side. */
export function padded(covered: Covered, extra: number): Required<PaddingOptions> {
  const { left = 0, right = 0, top = 0, bottom = 0 } = covered();
  return { left: left + extra, right: right + extra, top: top + extra, bottom: bottom + extra };
}

export function boxOf([west, south, east, north]: Bounds): [[number, number], [number, number]] {
  return [
    [west, south],
    [east, north],
  ];
}

/** The part of a map that the panel does not cover. */
export class Frame {
  private readonly map: MapLibre;
  private readonly container: HTMLElement;
  private readonly covered: Covered;

  constructor(map: MapLibre, container: HTMLElement, covered: Covered) {
    this.map = map;
    this.container = container;
    this.covered = covered;
  }

  /** The camera that shows bounds in the frame, with extra pixels around them. */
  cameraFor(bounds: Bounds, extra: number): Pick<CameraOptions, "center" | "zoom"> {
    const { center, zoom } =
      this.map.cameraForBounds(boxOf(bounds), { padding: padded(this.covered, extra) }) ?? {};
    return { ...(center ? { center } : {}), ...(zoom === undefined ? {} : { zoom }) };
  }

  fit(bounds: Bounds, maxZoom: number): void {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map.fitBounds(boxOf(bounds), {
      padding: padded(this.covered, 48),
      maxZoom,
      duration: still ? 0 : 600,
    });
  }

  /** Moves the map so that a place is in the frame's middle. */
  centreOn(at: LonLat): void {
    const { left, right, top, bottom } = padded(this.covered, 0);
    const { x, y } = this.map.project([at[0], at[1]]);
    const middle = this.map.unproject([x - (left - right) / 2, y - (top - bottom) / 2]);
    this.map.jumpTo({ center: middle });
  }

  /** The middle of the frame. */
  centre(): LonLat {
    const { left, right, top, bottom } = this.edges();
    const { lng, lat } = this.map.unproject([(left + right) / 2, (top + bottom) / 2]);
    return wrapped(lng, lat);
  }

  /** What the frame shows. */
  around(): Around {
    const { left, right, top, bottom } = this.edges();
    const west = this.map.unproject([left, bottom]);
    const east = this.map.unproject([right, top]);
    const all = east.lng - west.lng >= 360;
    const [from] = all ? [-180] : wrapped(west.lng, west.lat);
    const [to] = all ? [180] : wrapped(east.lng, east.lat);
    return { centre: this.centre(), bounds: [from, west.lat, to, east.lat] };
  }

  /** Reports whether all of bounds is in the frame, and at least so many pixels across. */
  sees(bounds: Bounds, pixels = 0): boolean {
    const { left, right, top, bottom } = this.edges();
    const [southWest, northEast] = boxOf(bounds);
    const [a, b] = [this.map.project(southWest), this.map.project(northEast)];
    const inside = [a, b].every(({ x, y }) => x >= left && x <= right && y >= top && y <= bottom);
    return inside && Math.hypot(a.x - b.x, a.y - b.y) >= pixels;
  }

  /** The frame's edges, in pixels from the map's upper left corner. */
  private edges(): { left: number; right: number; top: number; bottom: number } {
    const { clientWidth, clientHeight } = this.container;
    const { left, right, top, bottom } = padded(this.covered, 0);
    return { left, right: clientWidth - right, top, bottom: clientHeight - bottom };
  }
}
