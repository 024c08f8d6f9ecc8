import type { Answered } from "../call/call";
import { formatCoordinates, rounded, type LonLat } from "../geo/coords";
import { readRoutes, type RouteAnswer } from "../route/answer";
import { addressesCall, readAddresses } from "../search/address";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { placedStops, stop, stopName, withStops, type Stop } from "../plan/plan";
import { costed } from "../plan/request";
import type { Task } from "./task";
import { dot, line } from "../map/shape";
import { tr } from "../ui/translate";

const WAY = "#2f5bea";

/** Where everybody comes together: the end of every way. */
function meetingPlace(answer: unknown): LonLat {
  const end = readRoutes(answer as RouteAnswer)[0]?.line.at(-1);
  if (!end) throw new RangeError("no way in the answer");
  return rounded(end);
}

/** The name that the call beside the answer found for the meeting place. */
function nameOf(beside: readonly Answered[]): string {
  const [answered] = beside;
  return answered?.kind === "ok" ? (readAddresses(answered.body)[0] ?? "") : "";
}

/** Where travellers from all points meet at the least cost in all. */
export const centroid: Task = {
  name: "meet",
  label: tr("Meet"),
  icon: "M4 4l5.5 5.5M20 4l-5.5 5.5M12 20v-6M12 9.5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4",
  stops: tr("Somebody starts from each point."),
  travel: true,
  named: true,
  waiting: tr("Looking for a place to meet…"),
  hint: tr(
    "Give two points or more: travellers from all of them meet where it costs the least in all.",
  ),
  request(plan) {
    const points = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (points.length < 2) return null;
    return {
      path: "centroid",
      body: { locations: points, ...costed(plan), units: plan.units, directions_type: "none" },
    };
  },
  beside: (answer, plan) => [addressesCall([meetingPlace(answer)], plan.language)],
  read(answer, plan, { open, change, look }, _, beside = []) {
    const routes = readRoutes(answer as RouteAnswer);
    const at = meetingPlace(answer);
    const name = nameOf(beside);
    const called = name || formatCoordinates(at);
    const points = placedStops(plan);
    const lead = (from: Stop): void =>
      change({ ...withStops(plan, [from, stop(at, called)]), task: "route" });
    return {
      summary: tr("Meet at {0}", called),
      shapes: [...routes.map((route) => line(route.line, WAY)), dot(at, WAY)],
      content: h(
        "div",
        { class: "meeting" },
        h(
          "p",
          { class: "meeting-place" },
          tr("Meet at "),
          h(
            "button",
            {
              type: "button",
              class: "link",
              "data-focus": "meeting",
              onclick: () => {
                look([at]);
                open({ at, id: null, name });
              },
            },
            called,
          ),
        ),
        h(
          "ul",
          { class: "legend" },
          routes.map(({ summary, miles }, index) => {
            const from = points[index]!;
            const whence = stopName(plan, plan.stops.indexOf(from));
            return h(
              "li",
              {},
              h(
                "span",
                {},
                tr(
                  "From {0}: {1}, {2}",
                  whence,
                  formatTime(summary.time),
                  formatLength(summary.length, miles),
                ),
              ),
              h(
                "button",
                {
                  type: "button",
                  class: "chip",
                  "aria-label": tr("Directions from {0} to the meeting place", whence),
                  "data-focus": `lead-${from.id}`,
                  onclick: () => lead(from),
                },
                tr("Directions"),
              ),
            );
          }),
        ),
      ),
    };
  },
};
