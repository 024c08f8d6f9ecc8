import { acceptValue, changedOptions, FIELDS, isCosting, type OptionValue } from "./options";
import type { LonLat } from "./coords";
import {
  emptyPlan,
  isLanguage,
  isLocalTime,
  isTask,
  MOST_AVOIDED,
  REACHES,
  stop,
  withStops,
  type Plan,
  type When,
} from "./plan";
import { isTab, type Panel } from "./panel/state";

/** Where the map looks. */
export interface Camera {
  readonly zoom: number;
  readonly lat: number;
  readonly lon: number;
}

/**
 * The plan as the fragment of an address (without #):
 * p=lon,lat;lon,lat&by=truck&units=miles&in=fr-FR&height=4.2&do=reach&within=30
 * &depart=2026-11-23T08:30&avoid=lon,lat;lon,lat.
 * Rows without a place stay as empty entries. The key is never part of it.
 */
export function writePermalink(plan: Plan): string {
  const parts: string[] = [];
  if (plan.stops.some((s) => s.at)) {
    const entries = plan.stops.map((s) => s.at?.join(",") ?? "");
    parts.push(`p=${entries.join(";")}`);
  }
  if (plan.costing !== "auto") parts.push(`by=${plan.costing}`);
  if (plan.units !== "kilometers") parts.push(`units=${plan.units}`);
  if (plan.language !== "en-GB") parts.push(`in=${plan.language}`);
  const options = changedOptions(plan.costing, plan.options[plan.costing] ?? {});
  for (const [key, value] of Object.entries(options)) {
    parts.push(`${key}=${encodeURIComponent(String(value)).replaceAll("%2F", "/")}`);
  }
  if (plan.task !== "route") parts.push(`do=${plan.task}`);
  if (plan.reach.minutes !== 15) parts.push(`within=${plan.reach.minutes}`);
  if (plan.reach.toward) parts.push("toward=1");
  if (plan.when) parts.push(`${plan.when.kind}=${plan.when.at}`);
  if (plan.avoid.length) parts.push(`avoid=${plan.avoid.map((at) => at.join(",")).join(";")}`);
  return parts.join("&");
}

/** What the page shows of a plan, as the rest of the fragment: alt=2&tab=request&open=options&map=zoom/lat/lon. */
export function writeView({ alternative, tab, options }: Panel, camera: Camera | null): string {
  const parts: string[] = [];
  if (alternative) parts.push(`alt=${alternative}`);
  if (tab !== "directions") parts.push(`tab=${tab}`);
  if (options) parts.push("open=options");
  if (camera) {
    parts.push(`map=${camera.zoom.toFixed(2)}/${camera.lat.toFixed(5)}/${camera.lon.toFixed(5)}`);
  }
  return parts.join("&");
}

/** Reads what writePermalink and writeView wrote; what is malformed is left at its default. */
export function readPermalink(fragment: string): {
  plan: Plan;
  panel: Panel;
  camera: Camera | null;
} {
  const parameters = new URLSearchParams(fragment.replace(/^#/, "").replaceAll("+", "%2B"));
  let plan = emptyPlan();

  const points = parameters.get("p");
  if (points) {
    const stops = points.split(";").slice(0, 50);
    plan = withStops(
      plan,
      stops.map((entry) => stop(readPoint(entry))),
    );
  }
  const costing = parameters.get("by");
  if (isCosting(costing)) plan = { ...plan, costing };
  if (parameters.get("units") === "miles") plan = { ...plan, units: "miles" };
  const language = parameters.get("in");
  if (isLanguage(language)) plan = { ...plan, language };

  const task = parameters.get("do");
  if (isTask(task)) plan = { ...plan, task };
  const minutes = Number(parameters.get("within"));
  const toward = parameters.get("toward") === "1";
  plan = { ...plan, reach: { minutes: REACHES.includes(minutes) ? minutes : 15, toward } };

  const options: Record<string, OptionValue> = {};
  for (const field of FIELDS[plan.costing]) {
    const text = parameters.get(field.key);
    const value = text === null ? null : acceptValue(field, text);
    if (value !== null) options[field.key] = value;
  }
  if (Object.keys(options).length) plan = { ...plan, options: { [plan.costing]: options } };

  const avoid = (parameters.get("avoid") ?? "").split(";").slice(0, MOST_AVOIDED);
  plan = {
    ...plan,
    when: readWhen(parameters),
    avoid: avoid.map(readPoint).filter((at) => at !== null),
  };

  const tab = parameters.get("tab");
  const alternative = Number(parameters.get("alt"));
  const panel: Panel = {
    tab: isTab(tab) ? tab : "directions",
    options: parameters.get("open") === "options",
    alternative: Number.isInteger(alternative) && alternative > 0 ? alternative : 0,
  };
  return { plan, panel, camera: readCamera(parameters.get("map")) };
}

function readWhen(parameters: URLSearchParams): When | null {
  for (const kind of ["depart", "arrive"] as const) {
    const at = parameters.get(kind);
    if (at && isLocalTime(at)) return { kind, at };
  }
  return null;
}

function readPoint(entry: string): LonLat | null {
  const [lon, lat, ...rest] = entry.split(",").map(Number);
  if (entry === "" || lon === undefined || lat === undefined || rest.length) return null;
  return Math.abs(lon) <= 180 && Math.abs(lat) <= 90 ? [lon, lat] : null;
}

function readCamera(text: string | null): Camera | null {
  const [zoom, lat, lon] = (text ?? "").split("/").map(Number);
  if (!text || zoom === undefined || lat === undefined || lon === undefined) return null;
  if (!(zoom >= 0 && zoom <= 24 && Math.abs(lat) <= 90 && Math.abs(lon) <= 180)) return null;
  return { zoom, lat, lon };
}
