import { readRoutes, type RouteAnswer } from "../route/answer";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { placedStops, stopLetter } from "../plan/plan";
import { costed } from "../plan/request";
import type { Task } from "./task";
import { dot, line } from "../map/shape";

const WAY = "#2f5bea";

/** Where travellers from all points meet at the least cost in all. */
export const centroid: Task = {
  name: "meet",
  label: "Meet",
  icon: "M4 4l5.5 5.5M20 4l-5.5 5.5M12 20v-6M12 9.5a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4",
  stops: "Somebody starts from each point.",
  travel: true,
  waiting: "Looking for a place to meet…",
  hint: "Give two points or more: travellers from all of them meet where it costs the least in all.",
  request(plan) {
    const points = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (points.length < 2) return null;
    return {
      path: "centroid",
      body: { locations: points, ...costed(plan), units: plan.units, directions_type: "none" },
    };
  },
  read(answer, plan) {
    const routes = readRoutes(answer as RouteAnswer);
    const end = routes[0]?.line.at(-1);
    if (!end) throw new RangeError("no way in the answer");
    const letters = placedStops(plan).map((s) => stopLetter(plan.stops.indexOf(s)));
    return {
      shapes: [...routes.map((route) => line(route.line, WAY)), dot(end, WAY)],
      content: h(
        "ul",
        { class: "legend" },
        routes.map(({ summary, miles }, index) =>
          h(
            "li",
            {},
            `From ${letters[index] ?? index + 1}: ${formatTime(summary.time)}, ${formatLength(summary.length, miles)}`,
          ),
        ),
      ),
    };
  },
};
