import {
  NavigationControl,
  ScaleControl,
  type Map as MapLibre,
  type StyleSpecification,
} from "maplibre-gl";
import { Attribution, creditOf, isNight, loadStyle, openMap, plainStyle } from "../map/basemap";
import type { Explorer } from "../plan/explorer";
import { groundOf } from "../map/ground";
import { h } from "../ui/dom";
import { tr } from "../ui/translate";
import { fillOverlays, withOverlays, type Overlays } from "../map/overlays";
import { boundsOf } from "../geo/polyline";
import { positionsOf, type Shape } from "../map/shape";
import { call } from "./client";

export interface PageMapSetup {
  readonly container: HTMLElement;
  readonly apiKey: string | null;
  /** A theme or a published style; "" is as the device is. */
  readonly theme?: string;
  /** Whether the map can be turned and tilted. */
  readonly turns?: boolean;
}

const NOTHING: Overlays = {
  routes: [],
  chosen: 0,
  step: null,
  stale: false,
  shapes: [],
  apart: [],
  avoid: [],
  paint: [],
  spot: null,
};

/** A map of the first region on a page that is no explorer, with shapes over it. */
export class PageMap {
  readonly map: MapLibre;
  readonly explorer: Explorer;
  private readonly apiKey: string | null;
  private shapes: readonly Shape[] = [];
  private ready = false;
  private theme: string;

  /** Opens a map; null where the browser cannot draw one, which the container then says. */
  static async open(setup: PageMapSetup): Promise<PageMap | null> {
    const { container, apiKey, theme = "" } = setup;
    const explorer = await call<Explorer>({ path: "explorer.json", token: apiKey });
    const style = await loadStyle({ territory: explorer.territory, apiKey, theme });
    try {
      return new PageMap(setup, explorer, style);
    } catch {
      container.replaceChildren(
        h("p", { class: "no-map" }, tr("The map cannot be drawn: this browser has no WebGL.")),
      );
      return null;
    }
  }

  private constructor(setup: PageMapSetup, explorer: Explorer, style: StyleSpecification | null) {
    const { container, apiKey, theme = "", turns = false } = setup;
    this.explorer = explorer;
    this.apiKey = apiKey;
    this.theme = theme;
    const [lon, lat, zoom] = explorer.center;
    this.map = openMap({
      container,
      apiKey,
      center: [lon, lat],
      zoom,
      dragRotate: turns,
      pitchWithRotate: turns,
      touchPitch: turns,
    });
    this.map.addControl(new NavigationControl({ showCompass: turns }), "top-right");
    this.map.addControl(new Attribution(creditOf(style, explorer.attribution)), "bottom-right");
    this.map.addControl(new ScaleControl({ maxWidth: 90 }), "top-left");
    this.map.on("style.load", () => {
      this.ready = true;
      this.draw(this.shapes);
    });
    this.dress(style ?? plainStyle());
    const view = groundOf(style, explorer.bounds ?? null)?.view;
    if (view) {
      const [west, south, east, north] = view;
      this.map.fitBounds([west, south, east, north], { padding: 20, duration: 0 });
    }
  }

  /** Draws the map by another style; what lies over it stays. */
  dress(style: StyleSpecification): void {
    this.ready = false;
    this.map.setStyle(withOverlays(style, isNight(style)), { diff: false });
  }

  /** Draws the map in another theme or published style. */
  async wear(theme: string): Promise<void> {
    this.theme = theme;
    const { territory } = this.explorer;
    const style = await loadStyle({ territory, apiKey: this.apiKey, theme });
    if (style && theme === this.theme) this.dress(style);
  }

  /** Draws shapes over the map as the explorer draws what a task found. */
  draw(shapes: readonly Shape[]): void {
    this.shapes = shapes;
    if (this.ready) fillOverlays(this.map, { ...NOTHING, shapes });
  }

  /**
   * Draws shapes alone and gives a picture of them in view, as an address of the data; null
   * where the map is not complete in time.
   */
  async picture(shapes: readonly Shape[], patienceMS: number): Promise<string | null> {
    const { map } = this;
    const once = (event: "idle" | "render" | "style.load") =>
      new Promise<boolean>((resolve) => {
        const timer = setTimeout(() => resolve(false), patienceMS);
        void map.once(event).then(() => {
          clearTimeout(timer);
          resolve(true);
        });
      });
    if (!this.ready && !(await once("style.load"))) return null;
    this.draw(shapes);
    this.fit(true);
    if (!(await once("idle"))) return null;
    // What is drawn can be read only while it is.
    return new Promise((resolve) => {
      map.once("render", () => resolve(map.getCanvas().toDataURL("image/png")));
      map.triggerRepaint();
    });
  }

  /** Brings all that is drawn into view. */
  fit(atOnce = false): void {
    const bounds = boundsOf(this.shapes.flatMap(positionsOf));
    if (!bounds) return;
    const [west, south, east, north] = bounds;
    const still = atOnce || matchMedia("(prefers-reduced-motion: reduce)").matches;
    const duration = still ? 0 : 500;
    this.map.resize(); // what stands beside it may just have come
    this.map.fitBounds([west, south, east, north], { padding: 60, maxZoom: 15, duration });
  }
}
