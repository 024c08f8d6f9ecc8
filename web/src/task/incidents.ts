import { placedStops } from "../plan/plan";
import { costed } from "../plan/request";
import { momentText } from "../site/dates";
import { afterOf, lengthOf, sentence, shortly, shown, type Ahead } from "./ahead";
import type { Task } from "./task";
import { tr } from "../ui/translate";

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

/** The answer of POST /v1/incidents/along, as far as it is shown. */
interface Answer extends Ahead {
  readonly incidents: readonly Incident[];
  readonly closures_on_route: number;
}

function colourOf({ closes_route, severity }: Incident): string {
  if (closes_route) return CLOSED;
  return severity === "high" || severity === "highest" ? GRAVE : OTHER;
}

/** What has happened on the way, in the order of the way. */
export const incidents: Task = {
  name: "incidents",
  label: tr("Incidents"),
  icon: "M12 4l9 15.5H3zM12 10v4.5M12 17v.01",
  stops: tr("The way through the points is looked along."),
  journey: true,
  travel: true,
  waiting: tr("Looking along the way…"),
  hint: tr(
    "Give a start and a destination: the reports of feeds on the way between them are listed.",
  ),
  request(plan) {
    const locations = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (locations.length < 2) return null;
    return { path: "v1/incidents/along", body: { locations, ...costed(plan) } };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    const closed = answer.closures_on_route > 0;
    return shown(
      answer,
      answer.incidents.map((one) => ({
        at: [one.lon, one.lat],
        title: sentence(shortly([one.kind.replaceAll("_", " "), one.road])),
        colour: colourOf(one),
        details: [
          shortly([
            afterOf(plan, one.arc_m),
            one.to_arc_m > one.arc_m && tr("for {0}", lengthOf(plan, one.to_arc_m - one.arc_m)),
            one.closes_route && tr("closes the way"),
            !one.on_route && tr("beside the way"),
          ]),
          shortly([
            one.severity !== "unknown" && tr("severity {0}", one.severity),
            one.lanes_closed !== null &&
              one.lanes_closed > 0 &&
              tr("lanes closed: {0}", one.lanes_closed),
            one.until && tr("until {0}", momentText(one.until)),
          ]),
          one.description,
        ],
      })),
      OTHER,
      {
        context,
        none: tr("Nothing is reported of this way."),
        summary: tr(
          "Incidents: {0}{1}",
          answer.incidents.length,
          closed ? tr(", the way is closed") : "",
        ),
      },
    );
  },
};
