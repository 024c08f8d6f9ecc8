import {
  Map as MapLibre,
  setWorkerUrl,
  type IControl,
  type MapOptions,
  type StyleSpecification,
} from "maplibre-gl";
import workerURL from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import "maplibre-gl/dist/maplibre-gl.css";
import { attributionLine } from "../plan/explorer";
import { h } from "../ui/dom";
import { drawnHere } from "./glyphs";
import { at } from "../call/root";
import { pageLanguage, tr } from "../ui/translate";
import { isTheme } from "./themes";

// A worker file of the same origin: a policy of worker-src 'self' is enough.
setWorkerUrl(workerURL);

const DARK = "(prefers-color-scheme: dark)";

export interface BaseMap {
  readonly territory: string;
  readonly apiKey: string | null;
  /** A built-in theme, or a published style with or without @version; "" is light or dark as the device is. */
  readonly theme: string;
}

/** Calls back when the device turns from day to night or back. */
export function onScheme(changed: () => void): void {
  matchMedia(DARK).addEventListener("change", changed);
}

/** The base map's style with whole addresses; null where the server gives none. */
export async function loadStyle({
  territory,
  apiKey,
  theme,
}: BaseMap): Promise<StyleSpecification | null> {
  const look = theme || (matchMedia(DARK).matches ? "dark" : "light");
  const url = new URL(
    at(isTheme(look) ? `tiles/${territory}/style.json` : `styles/${encodeURIComponent(look)}`),
  );
  if (!isTheme(look)) url.searchParams.set("territory", territory);
  else {
    if (look !== "light") url.searchParams.set("theme", look);
    // Names are those that a reader of the page expects; a published style has its own language.
    url.searchParams.set("language", pageLanguage());
  }
  try {
    const answer = await fetch(url, withKey(url.href, apiKey));
    return answer.ok ? absoluteURLs((await answer.json()) as StyleSpecification, url.href) : null;
  } catch {
    return null;
  }
}

/** Reports whether a style's background is dark, so that what is drawn on it must be light. */
export function isNight(style: StyleSpecification | null): boolean {
  const ground = style?.layers.find((layer) => layer.type === "background");
  const colour = ground?.paint?.["background-color"];
  if (typeof colour !== "string" || !/^#[0-9a-f]{6}$/i.test(colour)) {
    return matchMedia(DARK).matches;
  }
  const [r, g, b] = [1, 3, 5].map((i) => parseInt(colour.slice(i, i + 2), 16));
  return 0.299 * r! + 0.587 * g! + 0.114 * b! < 110;
}

/** Opens a map that sends the key with its calls; the caller adds attribution and controls. */
export function openMap(options: MapOptions & { readonly apiKey: string | null }): MapLibre {
  const { apiKey, ...rest } = options;
  const map = new MapLibre({
    attributionControl: false,
    // Every style is the server's own, and to check one takes as long as to load it.
    validateStyle: false,
    locale: {
      "NavigationControl.ZoomIn": tr("Zoom in"),
      "NavigationControl.ZoomOut": tr("Zoom out"),
      "GeolocateControl.FindMyLocation": tr("Find my location"),
      "GeolocateControl.LocationNotAvailable": tr("Location not available"),
      "FullscreenControl.Enter": tr("Enter full screen"),
      "FullscreenControl.Exit": tr("Leave full screen"),
      "Map.Title": tr("Map"),
    },
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    // Names that fade in move too, and keep the map drawing for a third of a second.
    ...(matchMedia("(prefers-reduced-motion: reduce)").matches ? { fadeDuration: 0 } : {}),
    transformRequest: (url) => ({ url, ...withKey(url, apiKey) }),
    ...rest,
  });
  if (!rest.dragRotate) {
    map.touchZoomRotate.disableRotation();
    map.keyboard.disableRotation();
  }
  tellIdle(map);
  coverUndrawn(map);
  return map;
}

/**
 * Hides the canvas until there is land on it: the styles have the colour of the sea below
 * everything, and a map that is not drawn yet must not look like open water.
 */
function coverUndrawn(map: MapLibre): void {
  const canvas = map.getCanvas();
  canvas.style.opacity = "0";
  const look = ({ sourceId, tile }: { sourceId: string; tile?: unknown }): void => {
    const first = map.getSource("globe") ? "globe" : "map";
    if (tile && sourceId === first && map.isSourceLoaded(first)) show();
  };
  const show = (): void => {
    canvas.style.opacity = "";
    map.off("sourcedata", look);
  };
  map.on("sourcedata", look);
  map.once("idle", show);
}

/** Writes on the map's container, as data-idle, that the map stands still and all of it is drawn. */
function tellIdle(map: MapLibre): void {
  const { dataset } = map.getContainer();
  const works = (): void => void delete dataset["idle"];
  for (const event of ["movestart", "dataloading", "render"] as const) map.on(event, works);
  map.on("idle", () => (dataset["idle"] = ""));
}

/**
 * Request settings with the key, for this server only, and not for fonts and
 * sprites, which are public and must be fetched without one.
 */
function withKey(url: string, apiKey: string | null): { headers?: Record<string, string> } {
  const { origin, pathname } = new URL(url, document.baseURI);
  const asset = /\/(fonts|sprite)\//.test(pathname);
  if (!apiKey || asset || origin !== location.origin) return {};
  return { headers: { Authorization: `Bearer ${apiKey}` } };
}

/** MapLibre's worker cannot resolve relative addresses, so they are resolved here. */
export function absoluteURLs(style: StyleSpecification, base: string): StyleSpecification {
  const absolute = (url: string): string =>
    // The placeholders' braces must survive.
    new URL(url, base).href.replaceAll("%7B", "{").replaceAll("%7D", "}");
  for (const source of Object.values(style.sources)) {
    if ("url" in source && typeof source.url === "string") source.url = absolute(source.url);
    if ("tiles" in source && source.tiles) source.tiles = source.tiles.map(absolute);
  }
  if (style.glyphs) style.glyphs = absolute(style.glyphs);
  if (typeof style.sprite === "string") style.sprite = absolute(style.sprite);
  return drawnHere(style);
}

/** A ground without a map. */
export function plainStyle(): StyleSpecification {
  const ground = matchMedia(DARK).matches ? "#1b1f24" : "#eeece6";
  return {
    version: 8,
    sources: {},
    layers: [{ id: "ground", type: "background", paint: { "background-color": ground } }],
  };
}

/** Whose data a style's map shows, in its own words. */
export function creditOf(style: StyleSpecification | null, region: string): string {
  const world = style?.sources["globe"];
  const around = world && "attribution" in world ? world.attribution : "";
  return [region, around].filter(Boolean).join(" · ");
}

/** Up to which width of a map its attribution is folded, in pixels. */
const NARROW = 560;

/**
 * The attribution: in full, or on narrow maps that of OpenStreetMap and a button for the rest.
 * MapLibre's own control folds all of it away and shows it twice when a source states it too.
 */
export class Attribution implements IControl {
  private readonly element: HTMLElement;
  private map: MapLibre | null = null;

  constructor(text: string) {
    const fold = h(
      "button",
      {
        type: "button",
        "aria-expanded": "false",
        onclick: () => {
          fold.setAttribute("aria-expanded", String(this.element.classList.toggle("open")));
        },
      },
      tr("Sources"),
    );
    const parts = attributionLine(text).map((part) =>
      typeof part === "string" ? h("span", { class: "more" }, part) : part,
    );
    this.element = h("div", { class: "maplibregl-ctrl attribution" }, parts, fold);
    fold.hidden = parts.length < 2;
  }

  onAdd(map: MapLibre): HTMLElement {
    this.map = map;
    map.on("resize", this.fit);
    this.fit();
    return this.element;
  }

  onRemove(): void {
    this.map?.off("resize", this.fit);
    this.element.remove();
  }

  private readonly fit = (): void => {
    const narrow = (this.map?.getContainer().clientWidth ?? 0) < NARROW;
    this.element.classList.toggle("narrow", narrow);
  };
}
