import { LngLat, type Map as MapLibre } from "maplibre-gl";
import type { Camera } from "./camera";
import { boxOf, padded, type Covered } from "./frame";
import { heldCentre, type Ground } from "./ground";

/** How many zooms farther out than the whole ground the map may go. */
const FARTHER_OUT = 0.6;

/** Keeps a map on its ground; without one it may go anywhere. */
export class Limits {
  private readonly ground: Ground | null;
  private readonly container: HTMLElement;
  private readonly covered: Covered;

  constructor(ground: Ground | null, container: HTMLElement, covered: Covered) {
    this.ground = ground;
    this.container = container;
    this.covered = covered;
  }

  /** The centre nearest to another one that the map may have at a zoom. */
  centre(centre: LngLat, zoom: number): LngLat {
    if (!this.ground) return centre;
    const { clientWidth: width, clientHeight: height } = this.container;
    const screen = { ...padded(this.covered, 0), width, height };
    const [lon, lat] = heldCentre([centre.lng, centre.lat], zoom, this.ground, screen);
    return new LngLat(lon, lat);
  }

  /** Sets how far out the map may go, by its size on the screen. */
  setMinZoom(map: MapLibre): void {
    if (!this.ground) return;
    const padding = padded(this.covered, 0);
    const whole = map.cameraForBounds(boxOf(this.ground.extent), { padding });
    map.setMinZoom(Math.max(0, (whole?.zoom ?? 0) - FARTHER_OUT));
  }

  /** Reports whether a camera looks at the ground, from no farther out than is allowed. */
  allows(map: MapLibre, { lon, lat, zoom }: Camera): boolean {
    if (!this.ground) return true;
    if (zoom < map.getMinZoom() - 0.5) return false;
    const [west, south, east, north] = this.ground.extent;
    // A panel may have covered half of the map that the link was made on.
    const [wide, high] = [(east - west) / 2, (north - south) / 2];
    return lon > west - wide && lon < east + wide && lat > south - high && lat < north + high;
  }
}
