import { readRoutes, type RouteAnswer } from "../answer";
import type { LonLat } from "../coords";
import { h } from "../dom";
import { formatLength, formatTime } from "../format";
import { costed } from "../request";
import type { Plan } from "../plan";
import { dot, line, type Task } from "./task";

const WAY = "#2f5bea";
const RAW = "#d1477a";

/** More positions than this are not drawn one by one. */
const MOST_DOTS = 2000;

/** A position of a trace; when is in seconds since 1970 where the file tells. */
export interface Position {
  readonly at: LonLat;
  readonly when?: number;
}

/** Reads the positions of a GPX track or a GeoJSON line; empty where it is neither. */
export function readTrace(text: string): Position[] {
  return text.trimStart().startsWith("{") ? readGeoJSON(text) : readGPX(text);
}

function readGPX(text: string): Position[] {
  const file = new DOMParser().parseFromString(text, "application/xml");
  return [...file.getElementsByTagNameNS("*", "trkpt")].flatMap((point) => {
    const lat = Number.parseFloat(point.getAttribute("lat") ?? "");
    const lon = Number.parseFloat(point.getAttribute("lon") ?? "");
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) return [];
    const time = point.getElementsByTagNameNS("*", "time")[0]?.textContent;
    const when = time ? Date.parse(time) / 1000 : Number.NaN;
    return [Number.isFinite(when) ? { at: [lon, lat], when } : { at: [lon, lat] }];
  });
}

function readGeoJSON(text: string): Position[] {
  const file = JSON.parse(text) as {
    features?: { geometry?: GeoJSON.Geometry }[];
    geometry?: GeoJSON.Geometry;
  };
  const geometries = [file.geometry, ...(file.features ?? []).map((f) => f.geometry), file];
  for (const geometry of geometries as (GeoJSON.Geometry | undefined)[]) {
    if (geometry?.type !== "LineString") continue;
    return geometry.coordinates.flatMap(([lon, lat]) =>
      lon === undefined || lat === undefined ? [] : [{ at: [lon, lat] as const }],
    );
  }
  return [];
}

/** The way that a trace of positions was taken. The positions live as long as the page. */
export function traceTask(changed: () => void): Task {
  let positions: readonly Position[] = [];
  let note = "";
  const load = async (file: File): Promise<void> => {
    try {
      positions = readTrace(await file.text());
      note = positions.length ? `${file.name}: ${positions.length} positions` : "";
    } catch {
      positions = [];
    }
    if (!positions.length) note = `${file.name} holds no GPX track and no GeoJSON line.`;
    changed();
  };
  return {
    hint: "Open a GPX track or a GeoJSON line: the roads it was taken on are drawn over it.",
    request(plan: Plan) {
      if (positions.length < 2) return null;
      const timed = positions.every(({ when }) => when !== undefined);
      return {
        path: "trace_route",
        body: {
          shape: positions.map(({ at: [lon, lat], when }) =>
            timed ? { lat, lon, time: when } : { lat, lon },
          ),
          ...costed(plan),
          shape_match: "map_snap",
          units: plan.units,
          directions_type: "none",
        },
      };
    },
    read(answer) {
      const routes = readRoutes(answer as RouteAnswer);
      const best = routes[0];
      if (!best) throw new RangeError("no way in the answer");
      const raw = positions.map(({ at }) => at);
      return {
        shapes: [
          line(best.line, WAY),
          ...(raw.length > MOST_DOTS ? [line(raw, RAW)] : raw.map((at) => dot(at, RAW))),
        ],
        content: h(
          "p",
          {},
          `Matched: ${formatLength(best.summary.length, best.miles)}, ${formatTime(best.summary.time)}.`,
        ),
      };
    },
    controls() {
      const input = h("input", {
        type: "file",
        id: "trace-file",
        accept: ".gpx,.json,.geojson",
        onchange: () => {
          const file = input.files?.[0];
          if (file) void load(file);
        },
      });
      return h(
        "div",
        { class: "task-controls" },
        h("label", { for: "trace-file" }, "Trace"),
        input,
        note && h("p", { class: "hint" }, note),
      );
    },
  };
}
