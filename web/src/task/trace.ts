import { readRoutes, type RouteAnswer } from "../route/answer";
import type { LonLat } from "../geo/coords";
import { nearestOn } from "../geo/nearest";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { costed } from "../plan/request";
import { placedStops, type Plan } from "../plan/plan";
import { distance } from "../geo/sphere";
import type { TaskContext, Task } from "./task";
import { dot, line, swatch } from "../map/shape";
import { tr } from "../ui/translate";

export const WAY = "#2f5bea";
export const RAW = "#d1477a";

/** More positions than this are not drawn one by one. */
const MOST_DOTS = 2000;

/** Positions nearer to their road are not joined to it. */
const WORTH_M = 5;

/** A position of a trace; when is in seconds since 1970, if the file has times. */
export interface Position {
  readonly at: LonLat;
  readonly when?: number;
}

/** Reads the positions of a GPX track or route, or of the first line of KML or GeoJSON; else none. */
export function readTrace(text: string): Position[] {
  if (text.trimStart().startsWith("{")) return readGeoJSON(text);
  const file = new DOMParser().parseFromString(text, "application/xml");
  const all = (name: string) => [...file.getElementsByTagNameNS("*", name)];
  const track = readGPX(all("trkpt"));
  if (track.length) return track;
  const route = readGPX(all("rtept"));
  return route.length ? route : readKML(all("LineString")[0]);
}

/** The positions of a line of KML, "lon,lat,height" with spaces between them. */
function readKML(line: Element | undefined): Position[] {
  const text = line?.getElementsByTagNameNS("*", "coordinates")[0]?.textContent ?? "";
  return text
    .trim()
    .split(/\s+/)
    .flatMap((position) => {
      const [lon = Number.NaN, lat = Number.NaN] = position.split(",").map(Number);
      return Number.isFinite(lon) && Number.isFinite(lat) ? [{ at: [lon, lat] as const }] : [];
    });
}

function readGPX(points: readonly Element[]): Position[] {
  return points.flatMap((point) => {
    const lat = Number.parseFloat(point.getAttribute("lat") ?? "");
    const lon = Number.parseFloat(point.getAttribute("lon") ?? "");
    if (!Number.isFinite(lat) || !Number.isFinite(lon)) return [];
    const time = [...point.children].find(({ localName }) => localName === "time")?.textContent;
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

/** How far apart points that were placed by hand may be, and how far from a road; the server's most. */
const BY_HAND = { breakage_distance: 20_000, search_radius: 100 };

/**
 * The way that a trace of positions was taken: those of a file, which live as long
 * as the page, or the points of the plan.
 */
function traceTask(): Task {
  let file: { readonly name: string; readonly positions: readonly Position[] } | null = null;
  let refused = "";
  const load = async (chosen: File, context: TaskContext): Promise<void> => {
    let positions: Position[] = [];
    try {
      positions = readTrace(await chosen.text());
    } catch {
      // Told below.
    }
    file = positions.length > 1 ? { name: chosen.name, positions } : null;
    await new Promise((resolve) => setTimeout(resolve)); // reading took its time
    refused = file
      ? ""
      : tr("{0} holds no track: GPX, KML and GeoJSON lines are read.", chosen.name);
    context.again();
  };
  const positionsOf = (plan: Plan): readonly Position[] =>
    file?.positions ?? placedStops(plan).map(({ at }) => ({ at }));
  return {
    name: "trace",
    label: tr("Trace"),
    icon: "M4 17.5l4-5 4 3 4-7 4 2M4 17.5v.01M8 12.5v.01M12 15.5v.01M16 8.5v.01M20 10.5v.01",
    stops: tr("The points are the trace, where no file is."),
    journey: true,
    drawn: true,
    travel: true,
    waiting: tr("Matching the trace to the roads…"),
    hint: tr(
      "Click along the way on the map, type its points, or open a file of GPX, KML or GeoJSON: the roads it was taken on are drawn over it.",
    ),
    request(plan: Plan) {
      const positions = positionsOf(plan);
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
          ...(file ? {} : { trace_options: BY_HAND }),
          units: plan.units,
          directions_type: "none",
        },
      };
    },
    read(answer, plan) {
      const routes = readRoutes(answer as RouteAnswer);
      const best = routes[0];
      if (!best) throw new RangeError("no way in the answer");
      const { miles, summary } = best;
      const raw = positionsOf(plan).map(({ at }) => at);
      const few = raw.length <= MOST_DOTS;
      const moved = few
        ? raw.map((at) => {
            const to = nearestOn(best.line, at)?.at ?? at;
            return { at, to, metres: distance(at, to) };
          })
        : [];
      const farthest = Math.max(0, ...moved.map(({ metres }) => metres));
      const length = (metres: number): string =>
        formatLength(metres / (miles ? 1609.344 : 1000), miles);
      return {
        shapes: [
          line(best.line, WAY),
          ...moved
            .filter(({ metres }) => metres > WORTH_M)
            .map(({ at, to }) => ({ ...line([at, to], RAW), dotted: true })),
          ...(few ? raw.map((at) => dot(at, RAW)) : [line(raw, RAW)]),
        ],
        content: h(
          "div",
          {},
          h(
            "p",
            {},
            tr("Matched: {0}, {1}.", formatLength(summary.length, miles), formatTime(summary.time)),
          ),
          h(
            "ul",
            { class: "legend" },
            h(
              "li",
              {},
              swatch(RAW, "round"),
              `${raw.length} ${file ? tr("positions of the file") : tr("points of yours")}`,
            ),
            h("li", {}, swatch(WAY, "bar"), tr("The roads they were matched to")),
            few &&
              h(
                "li",
                {},
                swatch(RAW, "dots"),
                tr("How far they were moved: {0} at most", length(farthest)),
              ),
          ),
        ),
      };
    },
    controls(plan, context) {
      const input = h("input", {
        type: "file",
        id: "trace-file",
        class: "offscreen",
        "data-focus": "trace-file",
        accept: ".gpx,.kml,.json,.geojson",
        onchange: () => {
          const chosen = input.files?.[0];
          if (chosen) void load(chosen, context);
        },
      });
      const placed = placedStops(plan).length;
      const message = file
        ? tr(
            "{0}: {1} {1|position|positions}. Points on the map have no part in it.",
            file.name,
            file.positions.length,
          )
        : refused || (placed === 1 ? tr("One point so far: give another.") : "");
      return h(
        "div",
        { class: "task-controls" },
        h("label", { for: "trace-file", class: "tool file" }, tr("Open a trace…")),
        input,
        file &&
          h(
            "button",
            {
              type: "button",
              class: "tool",
              "data-focus": "trace-close",
              onclick: () => {
                file = null;
                context.again();
              },
            },
            tr("Close the file"),
          ),
        message && h("p", { class: "hint" }, message),
      );
    },
  };
}

export const trace = traceTask();
