import type { Camera } from "../map/camera";
import {
  acceptValue,
  changedOptions,
  FIELDS,
  isCosting,
  isLocalTime,
  type Field,
  type OptionValue,
} from "../plan/options";
import type { LonLat } from "../geo/coords";
import {
  emptyPlan,
  isLanguage,
  inputsOf,
  MOST_AVOIDED,
  MOST_STAY,
  MOST_STOPS,
  stop,
  usualLanguage,
  usualUnits,
  withSpot,
  withStay,
  withStops,
  type Plan,
  type Stay,
  type When,
} from "../plan/plan";
import { isTab, type Panel } from "./state";
import { isLayer } from "../map/layers";
import { taskOf } from "../task/tasks";
import { isLook } from "../map/themes";
import { isColouring } from "../route/stretches";

/** The longest name that a link gives to a place, in characters. */
const MOST_NAME = 200;

/** The demands on calls, in the order of links. */
const STAYS = ["minutes", "least", "charger"] as const;

/**
 * The plan as the fragment of an address (without #):
 * p=lon,lat;lon,lat&by=truck&units=miles&in=fr-FR&height=4.2&do=reach&within=30
 * &depart=2026-11-23T08:30&avoid=lon,lat;lon,lat&here=lon,lat&place=id&called=name.
 * Rows without a place stay as empty entries; names of rows, and what is asked of calls
 * there (stays=;30,20,50;), are as many as the rows. The fields of the task that is on go by their keys. The API key is never
 * part of it.
 */
export function writePermalink(plan: Plan): string {
  const parts: string[] = [];
  if (plan.stops.some((s) => s.at)) {
    const entries = plan.stops.map((s) => s.at?.join(",") ?? "");
    parts.push(`p=${entries.join(";")}`);
    if (plan.stops.some((s) => s.name)) {
      const names = plan.stops.map((s) => encoded((s.name ?? "").replaceAll(";", ",")));
      parts.push(`names=${names.join(";")}`);
    }
    if (plan.stops.some((s) => s.stay)) {
      const stays = plan.stops.map(({ stay }) => STAYS.map((of) => stay?.[of] ?? "").join(","));
      parts.push(`stays=${stays.map((text) => (text === ",," ? "" : text)).join(";")}`);
    }
  }
  if (plan.costing !== "auto") parts.push(`by=${plan.costing}`);
  if (plan.units !== usualUnits()) parts.push(`units=${plan.units}`);
  if (plan.language !== usualLanguage()) parts.push(`in=${plan.language}`);
  const options = changedOptions(plan.costing, plan.options[plan.costing] ?? {});
  for (const [key, value] of Object.entries(options)) {
    parts.push(`${key}=${encoded(String(value))}`);
  }
  if (plan.task !== "route") parts.push(`do=${plan.task}`);
  const inputs = inputsOf(plan, plan.task);
  for (const { key, default: usual } of taskOf(plan.task).fields ?? []) {
    const value = inputs[key] ?? usual;
    if (value !== usual) parts.push(`${key}=${encoded(String(value))}`);
  }
  if (plan.when) parts.push(`${plan.when.kind}=${plan.when.at}`);
  if (plan.avoid.length) parts.push(`avoid=${plan.avoid.map((at) => at.join(",")).join(";")}`);
  if (plan.spot) {
    const { at, id, name } = plan.spot;
    parts.push(`here=${at.join(",")}`);
    if (id) parts.push(`place=${encoded(id)}`);
    if (name) parts.push(`called=${encoded(name)}`);
  }
  return parts.join("&");
}

/** A value with as much of it readable as a fragment allows. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll("%2F", "/").replaceAll("%2C", ",");
}

/**
 * What the page shows of a plan, as the rest of the fragment:
 * alt=2&tab=request&open=options&layers=own,labels&theme=fleet&colour=surface&map=zoom/lat/lon; the
 * layers are those that are not as usual.
 */
export function writeView(
  { alternative, tab, options, layers, theme, colouring }: Panel,
  camera: Camera | null,
): string {
  const parts: string[] = [];
  if (alternative) parts.push(`alt=${alternative}`);
  if (tab !== "directions") parts.push(`tab=${tab}`);
  if (options) parts.push("open=options");
  if (layers.length) parts.push(`layers=${layers.join(",")}`);
  if (theme) parts.push(`theme=${theme}`);
  if (colouring) parts.push(`colour=${colouring}`);
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
    const stops = points.split(";").slice(0, MOST_STOPS);
    const names = (parameters.get("names") ?? "").split(";");
    plan = withStops(
      plan,
      stops.map((entry, index) => stop(readPoint(entry), names[index]?.slice(0, MOST_NAME))),
    );
    const stays = (parameters.get("stays") ?? "").split(";");
    plan.stops.forEach(({ id }, index) => {
      plan = withStay(plan, id, readStay(stays[index] ?? ""));
    });
  }
  const costing = parameters.get("by");
  if (isCosting(costing)) plan = { ...plan, costing };
  const units = parameters.get("units");
  if (units === "miles" || units === "kilometers") plan = { ...plan, units };
  const language = parameters.get("in");
  if (isLanguage(language)) plan = { ...plan, language };

  const { name: task, fields = [] } = taskOf(parameters.get("do"));
  plan = { ...plan, task };
  const inputs = readFields(parameters, fields);
  if (Object.keys(inputs).length) plan = { ...plan, inputs: { [task]: inputs } };
  const options = readFields(parameters, FIELDS[plan.costing]);
  if (Object.keys(options).length) plan = { ...plan, options: { [plan.costing]: options } };

  const here = readPoint(parameters.get("here") ?? "");
  if (here) {
    const id = parameters.get("place") || null;
    const name = (parameters.get("called") ?? "").slice(0, MOST_NAME);
    plan = withSpot(plan, { at: here, id, name });
  }

  const avoid = (parameters.get("avoid") ?? "").split(";").slice(0, MOST_AVOIDED);
  plan = {
    ...plan,
    when: readWhen(parameters),
    avoid: avoid.map(readPoint).filter((at) => at !== null),
  };

  const tab = parameters.get("tab");
  const theme = parameters.get("theme") ?? "";
  const colouring = parameters.get("colour");
  const alternative = Number(parameters.get("alt"));
  const panel: Panel = {
    tab: isTab(tab) ? tab : "directions",
    options: parameters.get("open") === "options",
    alternative: Number.isInteger(alternative) && alternative > 0 ? alternative : 0,
    layers: (parameters.get("layers") ?? "").split(",").filter(isLayer),
    theme: isLook(theme) ? theme : "",
    colouring: isColouring(colouring) ? colouring : null,
  };
  return { plan, panel, camera: readCamera(parameters.get("map")) };
}

/** The values of fields in a link; what a field does not take is left out. */
function readFields(
  parameters: URLSearchParams,
  fields: readonly Field[],
): Record<string, OptionValue> {
  const values: Record<string, OptionValue> = {};
  for (const field of fields) {
    const text = parameters.get(field.key);
    const value = text === null ? null : acceptValue(field, text);
    if (value !== null) values[field.key] = value;
  }
  return values;
}

function readWhen(parameters: URLSearchParams): When | null {
  for (const kind of ["depart", "arrive"] as const) {
    const at = parameters.get(kind);
    if (at && isLocalTime(at)) return { kind, at };
  }
  return null;
}

function readStay(entry: string): Stay {
  const texts = entry.split(",");
  return Object.fromEntries(
    STAYS.flatMap((of, index) => {
      const value = Number(texts[index]);
      return texts[index] && value >= 0 && value <= MOST_STAY[of] ? [[of, value]] : [];
    }),
  );
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
