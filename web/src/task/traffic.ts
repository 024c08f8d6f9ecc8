import { h } from "../ui/dom";
import type { LonLat } from "../geo/coords";
import type { Finding, Task } from "./task";
import { swatch, type Shape } from "../map/shape";
import { formatCount } from "../ui/format";
import { tr } from "../ui/translate";

/** Of roads by how fast traffic moves on them, the worst first, with what they mean. */
export const BANDS = [
  ["closed", "#7c4dff", tr("Closed")],
  ["jam", "#a3123a", tr("Below a third of free speed")],
  ["slow", "#e8590c", tr("Below two thirds")],
  ["some", "#e0a800", tr("Below nine tenths")],
  ["free", "#2b8a3e", tr("Free")],
] as const;

/** What sources report. */
const FEEDS: Readonly<Record<string, string>> = {
  traffic: tr("traffic"),
  incidents: tr("incidents"),
};

interface Source {
  readonly name: string;
  readonly kind: string;
  readonly age_s: number | null;
  readonly stale: boolean;
  readonly attribution: string | null;
}

export interface Answer {
  readonly features: readonly {
    readonly geometry: GeoJSON.LineString;
    readonly properties: { readonly ratio: number | null; readonly closed: boolean };
  }[];
  readonly more: boolean;
  readonly sources: readonly Source[];
  readonly caveat: string;
}

function colourOf({ ratio, closed }: Answer["features"][number]["properties"]): string {
  if (closed || ratio === null) return BANDS[0][1];
  if (ratio < 1 / 3) return BANDS[1][1];
  if (ratio < 2 / 3) return BANDS[2][1];
  return ratio < 0.9 ? BANDS[3][1] : BANDS[4][1];
}

/** How long ago something was, in words. */
export function ago(seconds: number | null): string {
  if (seconds === null) return tr("nothing received yet");
  if (seconds < 90) return tr("{0} s ago", Math.round(seconds));
  return seconds < 5400
    ? tr("{0} min ago", Math.round(seconds / 60))
    : tr("{0} h ago", Math.round(seconds / 3600));
}

/** The roads in their colours, the worst last, over the others; all, or those whose middle is on a way. */
export function drawn({ features }: Answer, on: (at: LonLat) => boolean = () => true): Shape[] {
  const order = BANDS.map(([, colour]) => colour as string);
  return features
    .filter(({ geometry: { coordinates: line } }) => {
      const [lon, lat] = line[Math.floor(line.length / 2)]!;
      return on([lon!, lat!]);
    })
    .map(({ geometry, properties }) => ({ geometry, colour: colourOf(properties) }))
    .toSorted((a, b) => order.indexOf(b.colour) - order.indexOf(a.colour));
}

function read(answer: unknown): Finding {
  const { more, sources, caveat } = answer as Answer;
  const shapes = drawn(answer as Answer);
  const count = (colour: string) => shapes.filter((shape) => shape.colour === colour).length;
  return {
    shapes,
    summary: tr(
      "{0} {0|road|roads} closed, {1} slow",
      count(BANDS[0][1]),
      count(BANDS[1][1]) + count(BANDS[2][1]),
    ),
    content: h(
      "div",
      {},
      h(
        "ul",
        { class: "legend" },
        BANDS.map(([, colour, meaning]) =>
          h(
            "li",
            {},
            swatch(colour, "bar"),
            tr("{0}: {1} road sections", meaning, formatCount(count(colour))),
          ),
        ),
      ),
      h(
        "ul",
        { class: "plain", "aria-label": tr("Sources") },
        sources.map(({ name, kind, age_s, stale, attribution }) =>
          h(
            "li",
            { class: "found-detail" },
            `${name} (${FEEDS[kind] ?? kind}): ${ago(age_s)}${stale ? tr(", out of date") : ""}`,
            attribution ? ` · ${attribution}` : false,
          ),
        ),
      ),
      h("p", { class: "hint" }, more ? tr("Not all roads of the map fit in. {0}", caveat) : caveat),
    ),
  };
}

/** Where traffic is known to be slow, on the part of the map in view. */
export const traffic: Task = {
  name: "traffic",
  label: tr("Traffic"),
  icon: "M9 3h6a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H9a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2M12 6.2v1.6M12 11.2v1.6M12 16.2v1.6",
  stops: null,
  travel: false,
  waiting: tr("Asking for traffic…"),
  hint: tr("Zoom in to see traffic: it is shown where the map is no wider than about 150 km."),
  controls: (_, { again }) =>
    h(
      "div",
      { class: "task-controls" },
      h(
        "button",
        { type: "button", class: "chip", "data-focus": "traffic-show", onclick: again },
        tr("Show what is in view"),
      ),
    ),
  request(_plan, around) {
    if (!around) return null;
    const [west, south, east, north] = around.bounds;
    if (east - west > 2 || north - south > 2) return null;
    return {
      path: "v1/traffic",
      query: { bbox: [west, south, east, north].map((v) => v.toFixed(4)).join(",") },
    };
  },
  read,
};
