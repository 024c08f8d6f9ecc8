import { h } from "../dom";
import { formatLength } from "../format";
import { decodePolyline } from "../polyline";
import { placedStops } from "../plan";
import { costed } from "../request";
import { ago } from "./traffic";
import { dot, line, type Desk, type Finding, type Task } from "./task";

const WAY = "#2f5bea";
const CLOSED = "#7c4dff";
const GRAVE = "#a3123a";
const OTHER = "#b35c00";

interface Incident {
  readonly kind: string;
  readonly severity: string;
  readonly road: string | null;
  readonly description: string | null;
  readonly until: string | null;
  readonly arc_m: number;
  readonly to_arc_m: number;
  readonly lat: number;
  readonly lon: number;
  readonly on_route: boolean;
  readonly closes_route: boolean;
  readonly lanes_closed: number | null;
}

interface Answer {
  readonly route: { readonly shape: string };
  readonly incidents: readonly Incident[];
  readonly coverage: readonly { readonly name: string; readonly age_s: number | null }[];
  readonly attribution: readonly string[];
  readonly caveat: string;
}

function colourOf({ closes_route, severity }: Incident): string {
  if (closes_route) return CLOSED;
  return severity === "high" || severity === "highest" ? GRAVE : OTHER;
}

/** What is told of an incident, in one line. */
function detail(i: Incident, miles: boolean): string {
  const metres = (m: number) => formatLength(m / (miles ? 1609.344 : 1000), miles);
  return [
    i.severity === "unknown" ? "" : `severity ${i.severity}`,
    i.lanes_closed ? `lanes closed: ${i.lanes_closed}` : "",
    `after ${metres(i.arc_m)}`,
    i.to_arc_m > i.arc_m ? `for ${metres(i.to_arc_m - i.arc_m)}` : "",
    i.on_route ? "" : "beside the route",
    i.closes_route ? "closes the route" : "",
    i.until ? `until ${new Date(i.until).toLocaleString()}` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

function list(all: readonly Incident[], miles: boolean, { look }: Desk): HTMLElement {
  return h(
    "ol",
    { class: "found" },
    all.map((i, index) =>
      h(
        "li",
        {},
        h("span", { class: "found-number", "aria-hidden": "true" }, index + 1),
        h(
          "div",
          {},
          h(
            "button",
            { type: "button", class: "found-name", onclick: () => look([[i.lon, i.lat]]) },
            [i.kind.replaceAll("_", " "), i.road].filter(Boolean).join(", "),
          ),
          h("p", { class: "found-detail" }, detail(i, miles)),
          i.description ? h("p", { class: "found-detail" }, i.description) : false,
        ),
      ),
    ),
  );
}

/** What has happened on the way, in the order of the way. */
export const incidents: Task = {
  name: "incidents",
  label: "Incidents",
  icon: "M12 4l9 15.5H3zM12 10v4.5M12 17v.01",
  stops: "The way through the points is looked along.",
  journey: true,
  travel: true,
  waiting: "Looking along the way…",
  hint: "Give a start and a destination: what feeds tell of the way between them is listed.",
  request(plan) {
    const locations = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (locations.length < 2) return null;
    return { path: "v1/incidents/along", body: { locations, ...costed(plan) } };
  },
  read(answer, plan, desk): Finding {
    const { route, incidents: all, coverage, attribution, caveat } = answer as Answer;
    return {
      shapes: [
        line(decodePolyline(route.shape), WAY),
        ...all.map((i, index) => dot([i.lon, i.lat], colourOf(i), String(index + 1))),
      ],
      content: h(
        "div",
        {},
        all.length
          ? list(all, plan.units === "miles", desk)
          : h("p", {}, "Nothing is told of this way."),
        h(
          "p",
          {},
          [
            ...coverage.map(({ name, age_s }) => `${name}: ${ago(age_s)}`),
            ...attribution,
            caveat,
          ].join(" · "),
        ),
      ),
    };
  },
};
