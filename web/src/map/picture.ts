import { Map as MapLibre, type StyleSpecification } from "maplibre-gl";
import type { Bounds, LonLat } from "../geo/coords";
import { creditOf, loadStyle, openMap, plainStyle, type BaseMap } from "./basemap";
import { boxOf } from "./frame";
import { fillOverlays, withOverlays, type Overlays } from "./overlays";
import { dot } from "./shape";

/** A map as an image, and whose data it shows. */
export interface Drawn {
  /** A data address of a PNG. */
  readonly source: string;
  readonly credit: string;
}

export interface Picture extends Omit<BaseMap, "theme"> {
  readonly bounds: Bounds;
  readonly overlays: Overlays;
  /** Marked with their letters. */
  readonly points: readonly { readonly at: LonLat; readonly letter: string }[];
  /** Whose data the region's map shows. */
  readonly attribution: string;
  /** In CSS pixels; the picture has twice as many. */
  readonly width: number;
  readonly height: number;
}

/** The longest wait for a map to be drawn, in milliseconds. */
const MOST_WAIT_MS = 20_000;

/** The colour of the points' letters' ground. */
const POINT = "#1b1e23";

/** Draws a map for paper. */
export async function pictureOf(picture: Picture, signal: AbortSignal): Promise<Drawn> {
  const { bounds, overlays, points, width, height, territory, apiKey } = picture;
  const style: StyleSpecification =
    (await loadStyle({ territory, apiKey, theme: "print" })) ?? plainStyle();
  signal.throwIfAborted();
  const container = document.createElement("div");
  container.className = "picture-ground";
  container.style.width = `${width}px`;
  container.style.height = `${height}px`;
  document.body.append(container);
  const map = openMap({
    container,
    apiKey,
    style: withOverlays(style, false),
    bounds: boxOf(bounds),
    fitBoundsOptions: { padding: 40, maxZoom: 16 },
    interactive: false,
    fadeDuration: 0,
    pixelRatio: 2,
    canvasContextAttributes: { preserveDrawingBuffer: true },
  });
  try {
    await drawn(map, signal, () => {
      const shapes = points.map(({ at, letter }) => dot(at, POINT, letter));
      fillOverlays(map, { ...overlays, shapes, step: null, stale: false, spot: null });
    });
    const credit = creditOf(style, picture.attribution);
    return { source: map.getCanvas().toDataURL("image/png"), credit };
  } finally {
    map.remove();
    container.remove();
  }
}

/** Resolves once a map has drawn all of it. */
function drawn(map: MapLibre, signal: AbortSignal, styled: () => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error("the map was not drawn")), MOST_WAIT_MS);
    const end = (act: () => void) => () => {
      clearTimeout(late);
      act();
    };
    signal.addEventListener(
      "abort",
      end(() => reject(signal.reason as Error)),
      { once: true },
    );
    map.once("style.load", () => {
      styled();
      map.once("idle", end(resolve));
    });
  });
}
