import {
  LngLat,
  NavigationControl,
  ScaleControl,
  type LngLatLike,
  type Map as MapLibre,
  type MapMouseEvent,
  type PaddingOptions,
  type StyleSpecification,
} from "maplibre-gl";
import {
  Attribution,
  creditOf,
  isNight,
  loadStyle,
  onScheme,
  openMap,
  plainStyle,
} from "./basemap";
import type { Explorer } from "./explorer";
import type { Bounds, LonLat } from "./coords";
import { groundOf, heldCentre, type Ground } from "./ground";
import type { Camera } from "./permalink";
import { showLayers } from "./layers";
import {
  addOverlays,
  DOT_LAYER,
  fillHere,
  fillOverlays,
  HIT_LAYER,
  type Overlays,
} from "./overlays";
import type { Layer } from "./panel/state";
import type { Around } from "./task/task";

export interface MapEvents {
  /** A click or tap on open map. */
  onPick(at: LonLat): void;
  /** Right click or long press; x and y are page pixels. */
  onMenu(at: LonLat, x: number, y: number): void;
  /** A click on a route that is not the chosen one. */
  onChoose(index: number): void;
  /** The pointer is over something of a list, or no more; a click chooses it. */
  onItem(item: string | null, chosen: boolean): void;
  onMove(camera: Camera): void;
}

export interface MapSetup {
  readonly container: HTMLElement;
  readonly explorer: Explorer;
  readonly camera: Camera | null;
  readonly apiKey: string | null;
  /** A theme or a published style; "" is as the device is. */
  readonly theme: string;
  /** Pixels of the map that the panel covers. */
  readonly covered: () => PaddingOptions;
  readonly events: MapEvents;
}

/** How many zooms farther out than the whole map one may go. */
const FARTHER_OUT = 0.6;

/** From how near a played route is looked at. */
const FOLLOW_ZOOM = 14;
const LONG_PRESS_MS = 550;
const LONG_PRESS_SLOP_PX = 10;

/** The map with the routes on it. Points are in pins.ts. */
export class MapView {
  readonly map: MapLibre;
  private readonly setup: MapSetup;
  private readonly ground: Ground | null;
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
    spot: null,
  };
  private shown: (layer: Layer) => boolean = () => true;
  /** A long press opened the menu; the click that ends it is not a pick. */
  private pressed = false;
  private travelling = false;
  /** What of a list the pointer is over. */
  private pointed: string | null = null;
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
    const { explorer, apiKey } = setup;
    const [lon, lat, zoom] = explorer.center;
    this.ground = groundOf(style, explorer.bounds ?? null);
    this.map = openMap({
      container: setup.container,
      apiKey,
      center: [lon, lat],
      zoom,
      doubleClickZoom: false,
      transformCameraUpdate: ({ center, zoom: at }) => ({ center: this.hold(center, at) }),
    });
    const credit = new Attribution(creditOf(style, explorer.attribution));
    this.map.addControl(credit, "bottom-right");
    this.map.addControl(new ScaleControl({ maxWidth: 90 }), "bottom-right");
    this.map.addControl(new NavigationControl({ showCompass: false }), "top-right");
    this.holdZoom();
    this.go(setup.camera);
    this.listen();
    this.draw(style);
    onScheme(() => this.theme === "" && void this.dress());
  }

  /** Draws the map in another theme or published style; tells whether the server gave it. */
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

  /**
   * Looks at a place of the map; where the place is not on it, at the whole. Tells
   * whether the place was.
   */
  go(camera: Camera | null): boolean {
    const known = camera !== null && this.holds(camera);
    if (known) this.map.jumpTo({ center: [camera.lon, camera.lat], zoom: camera.zoom });
    else if (this.ground) {
      const narrow = this.setup.container.clientWidth < 720;
      this.map.jumpTo(this.camera(this.ground.view, narrow ? 20 : 56));
    }
    return known || camera === null;
  }

  private holds({ lon, lat, zoom }: Camera): boolean {
    if (!this.ground) return true;
    if (zoom < this.map.getMinZoom() - 0.5) return false;
    const [west, south, east, north] = this.ground.extent;
    // A panel may have covered half of the map that the link was made on.
    const [wide, high] = [(east - west) / 2, (north - south) / 2];
    return lon > west - wide && lon < east + wide && lat > south - high && lat < north + high;
  }

  private hold(centre: LngLat, zoom: number): LngLat {
    const { lng, lat } = centre;
    if (!this.ground) return centre;
    const { clientWidth: width, clientHeight: height } = this.setup.container;
    const screen = { ...this.padding(0), width, height };
    const [lon, held] = heldCentre([lng, lat], zoom, this.ground, screen);
    return new LngLat(lon, held);
  }

  private holdZoom(): void {
    if (!this.ground) return;
    const whole = this.map.cameraForBounds(box(this.ground.extent), { padding: this.padding(0) });
    const zoom = whole?.zoom ?? 0;
    this.map.setMinZoom(Math.max(0, zoom - FARTHER_OUT));
  }

  private camera(bounds: Bounds, extra: number): { center?: LngLatLike; zoom?: number } {
    const { center, zoom } =
      this.map.cameraForBounds(box(bounds), { padding: this.padding(extra) }) ?? {};
    return { ...(center ? { center } : {}), ...(zoom === undefined ? {} : { zoom }) };
  }

  show(overlays: Partial<Overlays>): void {
    this.overlays = { ...this.overlays, ...overlays };
    fillOverlays(this.map, this.overlays);
  }

  /** Shows a traveller and keeps them in view; null takes them off the map. */
  travel(at: LonLat | null): void {
    this.mark(at);
    const begins = at !== null && !this.travelling;
    this.travelling = at !== null;
    if (!at || (!begins && this.sees([at[0], at[1], at[0], at[1]]))) return;
    const { left, right, top, bottom } = this.padding(0);
    this.map.jumpTo({ zoom: Math.max(this.map.getZoom(), begins ? FOLLOW_ZOOM : 0) });
    const middle = this.map.project([at[0], at[1]]);
    this.map.jumpTo({
      center: this.map.unproject([middle.x - (left - right) / 2, middle.y - (top - bottom) / 2]),
    });
  }

  /** Shows and hides layers of the base map. */
  layers(shown: (layer: Layer) => boolean): void {
    this.shown = shown;
    showLayers(this.map, shown);
  }

  /** What the map shows beside the panel. */
  around(): Around {
    const { clientWidth, clientHeight } = this.setup.container;
    const { left, right, top, bottom } = this.padding(0);
    const west = this.map.unproject([left, clientHeight - bottom]);
    const east = this.map.unproject([clientWidth - right, top]);
    return { centre: this.centre(), bounds: [west.lng, west.lat, east.lng, east.lat] };
  }

  /** Marks a place; null clears the mark. */
  mark(at: LonLat | null): void {
    this.here = at;
    fillHere(this.map, at);
  }

  fit(bounds: Bounds, maxZoom = 16): void {
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.map.fitBounds(box(bounds), {
      padding: this.padding(48),
      maxZoom,
      duration: still ? 0 : 600,
    });
  }

  /** Whether all of bounds can be seen beside the panel, and is some pixels across. */
  sees(bounds: Bounds, pixels = 0): boolean {
    const { clientWidth, clientHeight } = this.setup.container;
    const covered = this.padding(0);
    const a = this.map.project([bounds[0], bounds[1]]);
    const b = this.map.project([bounds[2], bounds[3]]);
    const inside = [a, b].every(
      ({ x, y }) =>
        x >= covered.left &&
        x <= clientWidth - covered.right &&
        y >= covered.top &&
        y <= clientHeight - covered.bottom,
    );
    return inside && Math.hypot(a.x - b.x, a.y - b.y) >= pixels;
  }

  /** The middle of the map beside the panel. */
  centre(): LonLat {
    const { clientWidth, clientHeight } = this.setup.container;
    const covered = this.padding(0);
    const { lng, lat } = this.map.unproject([
      (covered.left + clientWidth - covered.right) / 2,
      (covered.top + clientHeight - covered.bottom) / 2,
    ]);
    return [lng, lat];
  }

  private padding(extra: number): Required<PaddingOptions> {
    const { left = 0, right = 0, top = 0, bottom = 0 } = this.setup.covered();
    return { left: left + extra, right: right + extra, top: top + extra, bottom: bottom + extra };
  }

  private draw(style: StyleSpecification | null): void {
    // Routes still work on a plain ground, so the page goes on without a base map.
    this.night = isNight(style);
    this.map.setStyle(style ?? plainStyle(), { diff: false });
  }

  private listen(): void {
    const { map } = this;
    const { events } = this.setup;
    map.on("style.load", () => {
      addOverlays(map, this.night);
      fillOverlays(map, this.overlays);
      fillHere(map, this.here);
      showLayers(map, this.shown);
    });
    const moved = (): void => {
      const { lng, lat } = map.getCenter();
      events.onMove({ zoom: map.getZoom(), lat, lon: lng });
    };
    map.on("moveend", moved);
    map.on("resize", () => this.holdZoom());
    moved();
    map.on("click", (event) => {
      if (this.pressed || onPin(event) || event.originalEvent.detail > 1) return;
      const item = this.itemAt(event);
      if (item) return events.onItem(item, true);
      const index = this.routeAt(event);
      if (index !== null) events.onChoose(index);
      else events.onPick([event.lngLat.lng, event.lngLat.lat]);
    });
    map.on("mousemove", (event) => {
      const item = this.itemAt(event);
      if (item !== this.pointed) events.onItem((this.pointed = item), false);
      const route = this.routeAt(event);
      map.getCanvas().style.cursor = item || route !== null ? "pointer" : "crosshair";
    });
    map.on("contextmenu", (event) => {
      // Pressed keys have been heard above, and open no other menu.
      if (this.pressed || onPin(event) || event.originalEvent.button !== 2) return;
      event.preventDefault();
      const { clientX, clientY } = event.originalEvent;
      events.onMenu([event.lngLat.lng, event.lngLat.lat], clientX, clientY);
    });
    this.listenForLongPress();
    // The keyboard's way to the menu is of the map's middle.
    map.getCanvas().addEventListener("keydown", (event) => {
      if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return;
      event.preventDefault();
      const at = this.centre();
      const { x, y } = map.project([at[0], at[1]]);
      const { left, top } = map.getCanvas().getBoundingClientRect();
      events.onMenu(at, left + x, top + y);
    });
  }

  /** Safari on iOS sends no contextmenu event, so presses are timed here. */
  private listenForLongPress(): void {
    const ground = this.map.getCanvasContainer();
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
        const { lng, lat } = this.map.unproject([from.x - left, from.y - top]);
        this.setup.events.onMenu([lng, lat], from.x, from.y);
      }, LONG_PRESS_MS);
    });
    ground.addEventListener("pointermove", (event) => {
      const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > LONG_PRESS_SLOP_PX;
      if (far || !event.isPrimary) cancel();
    });
    ground.addEventListener("pointerup", cancel);
    ground.addEventListener("pointercancel", cancel);
  }

  /** What of a list is under the pointer; null for nothing. */
  private itemAt(event: MapMouseEvent): string | null {
    const listed = this.overlays.shapes.some(({ item }) => item);
    if (!listed || !this.map.getLayer(DOT_LAYER)) return null;
    const [feature] = this.map.queryRenderedFeatures(event.point, { layers: [DOT_LAYER] });
    return (feature?.properties["item"] as string | undefined) || null;
  }

  /** The index of an alternative under the pointer; null for none. */
  private routeAt(event: MapMouseEvent): number | null {
    if (this.overlays.routes.length < 2 || !this.map.getLayer(HIT_LAYER)) return null;
    const [feature] = this.map.queryRenderedFeatures(event.point, { layers: [HIT_LAYER] });
    const index: unknown = feature?.properties["index"];
    return typeof index === "number" && index !== this.overlays.chosen ? index : null;
  }
}

function box([west, south, east, north]: Bounds): [[number, number], [number, number]] {
  return [
    [west, south],
    [east, north],
  ];
}

function onPin(event: MapMouseEvent): boolean {
  return onPinElement(event.originalEvent.target);
}

function onPinElement(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(".pin, .handle") !== null;
}
