import { Map as MapLibre, setWorkerUrl, type ErrorEvent } from "maplibre-gl";
import workerURL from "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";
import { drawnHere } from "../map/glyphs";
import type { Job } from "./job";
import { legible } from "./legible";
import { skyOf, withOverlays } from "./overlay";
import { drawPin } from "./pin";

// The page in which the server has static maps drawn. It calls draw with one
// job after the other; the map stays, so that tiles, letters and shaders of the
// last image serve the next. A job that nobody waits for any more ends by itself
// once the server refuses what it asks for.

setWorkerUrl(workerURL);

const FONT = "Notice";
const FONT_STACK = `${FONT}, sans-serif`;
const NOTICE_FONT_PX = 10;
const NOTICE_PADDING_PX = 4;

const container = document.getElementById("map")!;
const letters = new FontFace(FONT, "url(notice.ttf)");
let map: MapLibre | null = null;
let last: Promise<unknown> = Promise.resolve();

function draw(job: Job): Promise<string> {
  const next = last.then(() => image(job));
  last = next.catch(() => {
    // A tile that failed once would stay away from later images.
    map?.remove();
    map = null;
  });
  return next;
}

async function image(job: Job): Promise<string> {
  document.fonts.add(await letters.load());
  const canvas = await painted(job);
  const out = new OffscreenCanvas(
    Math.round(job.width * job.ratio),
    Math.round(job.height * job.ratio),
  );
  const to = out.getContext("2d", { willReadFrequently: true, alpha: false })!;
  to.fillStyle = skyOf(job.style);
  to.fillRect(0, 0, out.width, out.height);
  to.drawImage(canvas, 0, 0, out.width, out.height);
  to.scale(job.ratio, job.ratio);
  drawMarkers(to, job);
  drawNotice(to, job);
  return encoded(await out.convertToBlob({ type: job.type, quality: job.quality }));
}

/** Draws the map of a job; when it settles all tiles and names are there. */
async function painted(job: Job): Promise<HTMLCanvasElement> {
  const style = drawnHere(withOverlays(await legible(job.style), job.overlays));
  container.style.width = `${job.width}px`;
  container.style.height = `${job.height}px`;
  const camera = {
    center: [...job.center] as [number, number],
    zoom: job.zoom,
    bearing: job.bearing,
    pitch: job.pitch,
  };
  if (map === null) {
    map = new MapLibre({
      container,
      style,
      ...camera,
      maxPitch: 85,
      maxZoom: 22,
      pixelRatio: job.ratio,
      interactive: false,
      attributionControl: false,
      fadeDuration: 0,
      trackResize: false,
      canvasContextAttributes: { preserveDrawingBuffer: true },
    });
  } else {
    map.setPixelRatio(job.ratio);
    map.resize();
    map.setStyle(style);
    map.jumpTo(camera);
  }
  const to = map;
  return new Promise((resolve, reject) => {
    let failure: string | null = null;
    const failed = ({ error }: ErrorEvent): void => {
      failure ??= error.message;
    };
    to.on("error", failed);
    void to.once("idle", () => {
      to.off("error", failed);
      if (failure === null) resolve(to.getCanvas());
      else reject(new Error(failure));
    });
    to.triggerRepaint();
  });
}

function drawMarkers(to: OffscreenCanvasRenderingContext2D, job: Job): void {
  const placed = job.markers.map((marker) => ({
    ...marker,
    ...map!.project([...marker.at] as [number, number]),
  }));
  placed.sort((a, b) => a.y - b.y);
  for (const { at, x, y, label, colour } of placed) {
    // Beyond the horizon of a pitched map a projection means nothing.
    const back = map!.unproject([x, y]);
    const off = Math.hypot(((back.lng - at[0] + 540) % 360) - 180, back.lat - at[1]);
    if (off < 0.5) drawPin(to, x, y, label, colour, FONT_STACK);
  }
}

function drawNotice(to: OffscreenCanvasRenderingContext2D, job: Job): void {
  const { text, width, height } = job.notice;
  to.save();
  to.translate(job.width - width, job.height - height);
  to.fillStyle = "rgba(255, 255, 255, 0.82)";
  to.beginPath();
  to.roundRect(0, 0, width, height, [3, 0, 0, 0]);
  to.fill();
  to.fillStyle = "#2b2f33";
  to.font = `${NOTICE_FONT_PX}px ${FONT_STACK}`;
  to.textAlign = "right";
  to.textBaseline = "middle";
  to.fillText(text, width - NOTICE_PADDING_PX, height / 2 + 0.5, width - 2 * NOTICE_PADDING_PX + 1);
  to.restore();
}

/** The image as text. */
function encoded(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve((reader.result as string).replace(/^[^,]*,/, ""));
    reader.onerror = () => reject(reader.error ?? new Error("the image cannot be read"));
    reader.readAsDataURL(blob);
  });
}

Object.assign(globalThis, { draw });
