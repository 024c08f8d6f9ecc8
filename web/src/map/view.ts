import {
  FullscreenControl,
  GeolocateControl,
  NavigationControl,
  ScaleControl,
  type Map as MapLibre,
  type MapMouseEvent,
  type StyleSpecification,
} from "maplibre-gl";
import { wrapped, type Bounds, type LonLat } from "../geo/coords";
import type { Explorer } from "../plan/explorer";
import {
  Attribution,
  creditOf,
  isNight,
  loadStyle,
  onScheme,
  openMap,
  plainStyle,
} from "./basemap";
import type { Camera } from "./camera";
import { Frame, type Covered } from "./frame";
import { groundOf, type Ground } from "./ground";
import { showLayers, type Layer } from "./layers";
import { labelAt } from "./labels";
import { Limits } from "./limits";
import {
  DOT_LAYER,
  fillHere,
  fillOverlays,
  HIT_LAYER,
  withOverlays,
  type Overlays,
} from "./overlays";
import type { Overlay } from "./overlay";
import { ViaDrag, type Draggable } from "./viadrag";
import { Pointer, type PointerEvents } from "./pointer";
import type { Around } from "./shape";

export interface MapEvents extends PointerEvents {
  onMove(camera: Camera): void;
}

export interface MapSetup {
  readonly container: HTMLElement;
  readonly explorer: Explorer;
  readonly camera: Camera | null;
  readonly apiKey: string | null;
  /** A theme or a published style; "" is as the device is. */
  readonly theme: string;
  readonly covered: Covered;
  readonly events: MapEvents;
}

/** From how near a played route is looked at. */
const FOLLOW_ZOOM = 14;

/** The map with the routes on it. Points are in pins.ts. */
export class MapView {
  readonly map: MapLibre;
  private readonly setup: MapSetup;
  private readonly ground: Ground | null;
  private readonly limits: Limits;
  private readonly frame: Frame;
  private theme: string;
  /** Whether the server gave the theme. */
  private worn: boolean;
  private night: boolean;
  private overlays: Overlays = {
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
  private shown: (layer: Layer) => boolean = () => true;
  private laid: Overlay[] = [];
  private readonly viaDrag: ViaDrag;
  /** Whether the style is there, so that layers can be added. */
  private styled = false;
  private travelling = false;
  private here: LonLat | null = null;

  /** Loads the base map's style and shows the map. */
  static async open(setup: MapSetup): Promise<MapView> {
    const style = await loadStyle({ ...setup, territory: setup.explorer.territory });
    return new MapView(setup, style);
  }

  private constructor(setup: MapSetup, style: StyleSpecification | null) {
    this.setup = setup;
    this.theme = setup.theme;
    this.worn = style !== null;
    this.night = isNight(style);
    const { explorer, apiKey, container, covered } = setup;
    const [lon, lat, zoom] = explorer.center;
    this.ground = groundOf(style, explorer.bounds ?? null);
    this.limits = new Limits(this.ground, container, covered);
    this.map = openMap({
      container,
      apiKey,
      center: [lon, lat],
      zoom,
      transformCameraUpdate: ({ center, zoom: at }) => ({ center: this.limits.centre(center, at) }),
    });
    this.frame = new Frame(this.map, container, covered);
    const credit = new Attribution(creditOf(style, explorer.attribution));
    this.map.addControl(credit, "bottom-right");
    this.map.addControl(new ScaleControl({ maxWidth: 90 }), "bottom-right");
    this.map.addControl(new NavigationControl({ showCompass: false }), "top-right");
    // The position stays in the browser: nothing of it is sent until it is clicked.
    // Only one that follows shows that it was refused.
    const positionOptions = { enableHighAccuracy: true };
    const own = new GeolocateControl({ positionOptions, trackUserLocation: true });
    this.map.addControl(own, "top-right");
    // The whole page, as the panel belongs to the map.
    const whole = { container: document.documentElement };
    this.map.addControl(new FullscreenControl(whole), "top-right");
    this.limits.setMinZoom(this.map);
    this.go(setup.camera);
    this.viaDrag = new ViaDrag(
      this.map,
      (event) => this.itemAt(event) !== null || this.overlayAt(event) !== null,
    );
    this.listen();
    this.draw(style);
    onScheme(() => this.theme === "" && void this.dress());
  }

  /** Draws the map in another theme or published style; reports whether the server gave it. */
  async wear(theme: string): Promise<boolean> {
    if (theme === this.theme) return this.worn;
    this.theme = theme;
    return this.dress();
  }

  private async dress(): Promise<boolean> {
    const { theme } = this;
    const { explorer, apiKey } = this.setup;
    const style = await loadStyle({ territory: explorer.territory, apiKey, theme });
    // Another one may have been asked for meanwhile.
    if (theme !== this.theme) return true;
    this.worn = style !== null;
    if (style) this.draw(style);
    return this.worn;
  }

  private draw(style: StyleSpecification | null): void {
    // Routes still work on a plain ground, so the page goes on without a base map.
    this.night = isNight(style);
    this.styled = false;
    this.map.setStyle(withOverlays(style ?? plainStyle(), this.night), { diff: false });
  }

  /** Looks at a place of the map; where the place is not on it, at the whole. */
  go(camera: Camera | null): void {
    if (camera && this.limits.allows(this.map, camera)) {
      this.map.jumpTo({ center: [camera.lon, camera.lat], zoom: camera.zoom });
    } else if (this.ground) {
      const narrow = this.setup.container.clientWidth < 720;
      this.map.jumpTo(this.frame.cameraFor(this.ground.view, narrow ? 20 : 56));
    }
  }

  /** Moves the map so that a place is in its middle. */
  centreOn(at: LonLat): void {
    this.frame.centreOn(at);
  }

  show(overlays: Partial<Overlays>): void {
    const before = this.overlays;
    this.overlays = { ...before, ...overlays };
    fillOverlays(this.map, this.overlays, before);
  }

  /** Sets the route whose line can be dragged; null for none. */
  drag(route: Draggable | null): void {
    this.viaDrag.set(route);
  }

  /** Shows a traveller and keeps them in view; null takes them off the map. */
  travel(at: LonLat | null): void {
    this.mark(at);
    const begins = at !== null && !this.travelling;
    this.travelling = at !== null;
    if (!at || (!begins && this.sees([at[0], at[1], at[0], at[1]]))) return;
    this.map.jumpTo({ zoom: Math.max(this.map.getZoom(), begins ? FOLLOW_ZOOM : 0) });
    this.frame.centreOn(at);
  }

  /** Shows and hides layers of the base map. */
  layers(shown: (layer: Layer) => boolean): void {
    this.shown = shown;
    showLayers(this.map, shown);
  }

  /** Draws something of its own over the map, in this style and those that follow. */
  lay(overlay: Overlay): void {
    this.laid.push(overlay);
    if (this.styled) overlay.add(this.map, this.night);
  }

  /** Adds something to styles that follow no longer. */
  unlay(overlay: Overlay): void {
    this.laid = this.laid.filter((one) => one !== overlay);
  }

  /** Marks a place; null clears the mark. */
  mark(at: LonLat | null): void {
    this.here = at;
    fillHere(this.map, at);
  }

  fit(bounds: Bounds, maxZoom = 16): void {
    this.frame.fit(bounds, maxZoom);
  }

  /** Reports whether all of bounds is seen beside the panel, at least so many pixels across. */
  sees(bounds: Bounds, pixels = 0): boolean {
    return this.frame.sees(bounds, pixels);
  }

  /** The middle of the map beside the panel. */
  centre(): LonLat {
    return this.frame.centre();
  }

  /** What the map shows beside the panel. */
  around(): Around {
    return this.frame.around();
  }

  private listen(): void {
    const { map } = this;
    const { events } = this.setup;
    map.on("style.load", () => {
      fillOverlays(map, this.overlays);
      fillHere(map, this.here);
      showLayers(map, this.shown);
      this.styled = true;
      for (const overlay of this.laid) overlay.add(map, this.night);
    });
    const moved = (): void => {
      const { lng, lat } = map.getCenter();
      events.onMove({ zoom: map.getZoom(), lat, lon: wrapped(lng, lat)[0] });
    };
    map.on("moveend", moved);
    // Marks that lie on each other at one zoom do not at another.
    map.on("zoomend", () => this.show({ shapes: [...this.overlays.shapes] }));
    map.on("resize", () => this.limits.setMinZoom(map));
    moved();
    new Pointer({
      map,
      events,
      itemAt: (event) => this.itemAt(event),
      overlayAt: (event) => this.overlayAt(event),
      hold: (event) => this.viaDrag.tap(event),
      routeAt: (event) => this.routeAt(event),
      labelAt: (event) => (this.styled ? labelAt(map, event) : null),
      centre: () => this.centre(),
    });
  }

  private overlayAt(event: MapMouseEvent): (() => void) | null {
    for (const overlay of this.styled ? this.laid : []) {
      const act = overlay.at(event);
      if (act) return act;
    }
    return null;
  }

  private itemAt(event: MapMouseEvent): string | null {
    const listed = this.overlays.shapes.some(({ item }) => item);
    if (!listed || !this.map.getLayer(DOT_LAYER)) return null;
    const [feature] = this.map.queryRenderedFeatures(event.point, { layers: [DOT_LAYER] });
    return (feature?.properties["item"] as string | undefined) || null;
  }

  private routeAt(event: MapMouseEvent): number | null {
    if (this.overlays.routes.length < 2 || !this.map.getLayer(HIT_LAYER)) return null;
    const [feature] = this.map.queryRenderedFeatures(event.point, { layers: [HIT_LAYER] });
    const index: unknown = feature?.properties["index"];
    return typeof index === "number" && index !== this.overlays.chosen ? index : null;
  }
}
