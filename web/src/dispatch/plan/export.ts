import type { LonLat } from "../../geo/coords";
import { curlCommand } from "../../call/curl";
import { writeCSV } from "../../ui/csv";
import type { Plan } from "./plan";
import type { Stop, Vehicle } from "../problem/model";
import type { Route } from "../day/route";
import { clock } from "../problem/times";

/** The plan as a table: a line for each visit in order, then what is left out. */
export function planCSV({ problem, routes, left }: Plan): string {
  const stops = new Map(problem.stops.map((stop) => [stop.id, stop]));
  const names = new Map(problem.vehicles.map(({ id, name }) => [id, name]));
  const head = [
    "vehicle",
    "position",
    "id",
    "name",
    "address",
    "lat",
    "lon",
    "arrival",
    "begin",
    "end",
    "does",
    "shipment",
    ...problem.loads,
    "note",
  ];
  const rows = routes.flatMap(({ vehicle, visits }) =>
    visits.map(({ stop: id, arrival, begin, end, late }, index) => {
      const stop = stops.get(id);
      return [
        names.get(vehicle) ?? vehicle,
        index + 1,
        id,
        ...about(stop),
        clock(arrival),
        clock(begin),
        clock(end),
        ...carried(stop, problem.loads),
        late > 0 ? `${Math.ceil(late / 60)} min late` : "",
      ];
    }),
  );
  const rest = left.map(({ stop: id, reason }) => {
    const stop = stops.get(id);
    return ["", "", id, ...about(stop), "", "", "", ...carried(stop, problem.loads), reason];
  });
  return writeCSV([head, ...rows, ...rest]);
}

function about(stop: Stop | undefined): (string | number)[] {
  const [lon, lat] = stop?.at ?? ["", ""];
  return [stop?.name ?? "", stop?.address ?? "", lat, lon];
}

function carried(stop: Stop | undefined, loads: readonly string[]): (string | number)[] {
  const { collects = false, shipment = "", amounts = [] } = stop ?? {};
  return [collects ? "collect" : "bring", shipment, ...loads.map((_, i) => amounts[i] ?? 0)];
}

/** A driver's day as GPX 1.1: its stops as waypoints and as a route, and the way as a track. */
export function routeGPX(plan: Plan, vehicle: Vehicle, route: Route): string {
  const stops = new Map(plan.problem.stops.map((stop) => [stop.id, stop]));
  const points = route.visits.flatMap(({ stop: id, begin, end }, index) => {
    const stop = stops.get(id);
    if (!stop?.at) return [];
    const name = `${index + 1} ${stop.name}`;
    const desc = [stop.address, `${clock(begin)} to ${clock(end)}`].filter(Boolean).join(", ");
    return [{ at: stop.at, inner: `<name>${xml(name)}</name><desc>${xml(desc)}</desc>` }];
  });
  const point = (tag: string, [lon, lat]: LonLat, inner = ""): string =>
    `<${tag} lat="${lat}" lon="${lon}"${inner ? `>${inner}</${tag}>` : "/>"}`;
  const track = (plan.lines[vehicle.id] ?? []).map((at) => point("trkpt", at)).join("\n");
  return [
    `<?xml version="1.0" encoding="UTF-8"?>`,
    `<gpx version="1.1" creator="Waygate" xmlns="http://www.topografix.com/GPX/1/1">`,
    `<metadata><name>${xml(vehicle.name)}</name></metadata>`,
    ...points.map(({ at, inner }) => point("wpt", at, inner)),
    `<rte><name>${xml(vehicle.name)}</name>`,
    ...points.map(({ at, inner }) => point("rtept", at, inner)),
    `</rte>`,
    track && `<trk><name>${xml(vehicle.name)}</name><trkseg>\n${track}\n</trkseg></trk>`,
    `</gpx>`,
    "",
  ]
    .filter((line, i, all) => line !== "" || i === all.length - 1)
    .join("\n");
}

function xml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** A call of the planner as a command. */
export function planCurl(url: string, body: unknown, keyed: boolean): string {
  return curlCommand({ method: "POST", url, body, keyed });
}
