import {
  changedOptions,
  FIELDS,
  NO_TUNNEL_CODE,
  type Costing,
  type OptionValue,
  type Options,
} from "./options";
import { inputsOf, placedStops, type Plan } from "./plan";
import { WORDS } from "./words";
import { tr } from "../ui/translate";

/** The ADR vehicle profile of the contract: lengths in metres, masses in tonnes. */
export interface AdrProfile {
  dimensions: {
    height_m: number;
    width_m: number;
    length_m: number;
    gross_weight_t: number;
    axle_load_t: number | null;
    axle_count: number | null;
  };
  tunnel_code: string | null;
  hazmat: boolean;
}

/** The body of POST /route. */
export interface RouteRequest {
  locations: { lat: number; lon: number; type: "break" }[];
  costing: Costing;
  costing_options?: Record<string, Record<string, OptionValue>>;
  adr?: AdrProfile;
  units: string;
  language: string;
  landmarks: true;
  turn_lanes: true;
  alternates?: number;
  scenic?: true;
  /** Of type 1 for a departure, 2 for an arrival; in local time. */
  date_time?: { type: 1 | 2; value: string };
  exclude_locations?: Place[];
}

interface Place {
  lat: number;
  lon: number;
}

/** What the ADR profile carries; the gateway refuses it in costing_options too. */
const ADR_KEYS = new Set([
  "height",
  "width",
  "length",
  "weight",
  "axle_load",
  "axle_count",
  "hazmat",
  "tunnel_code",
]);

/** Alternatives exist between two locations only. */
const ALTERNATES = 2;

/** The request for the plan; null while fewer than two stops have a place. */
export function buildRequest(plan: Plan): RouteRequest | null {
  const stops = placedStops(plan);
  if (stops.length < 2 || plan.task !== "route") return null;
  const { costing } = plan;
  const request: RouteRequest = {
    locations: stops.map(({ at: [lon, lat] }) => ({
      lat,
      lon,
      type: "break",
    })),
    costing,
    units: plan.units,
    language: plan.language,
    landmarks: true,
    turn_lanes: true,
  };
  if (stops.length === 2) request.alternates = ALTERNATES;
  if (wantsScenic(plan)) request.scenic = true;
  Object.assign(request, conditions(plan));

  const all = plan.options[costing] ?? {};
  const options = changedOptions(costing, all);
  const adr = costing === "truck" ? adrProfile(all) : null;
  if (adr) request.adr = adr;
  for (const key of Object.keys(options)) {
    if (key === "tunnel_code" || (adr && ADR_KEYS.has(key))) delete options[key];
  }
  // The form keeps choices as text; this one is a number on the wire.
  if (options["max_hiking_difficulty"] !== undefined) {
    options["max_hiking_difficulty"] = Number(options["max_hiking_difficulty"]);
  }
  if (Object.keys(options).length > 0) request.costing_options = { [costing]: options };
  return request;
}

/** Whether the plan asks for a scenic route, which there is by car only. */
function wantsScenic(plan: Plan): boolean {
  return plan.costing === "auto" && inputsOf(plan, "route")["scenic"] === true;
}

/** When one travels, and what is kept out of the way. */
export function conditions({
  when,
  avoid,
}: Plan): Pick<RouteRequest, "date_time" | "exclude_locations"> {
  return {
    ...(when ? { date_time: { type: when.kind === "depart" ? 1 : 2, value: when.at } } : {}),
    ...(avoid.length ? { exclude_locations: avoid.map(([lon, lat]) => ({ lat, lon })) } : {}),
  };
}

/** The costing and its changed options, for requests without an ADR profile of their own. */
export function costed(plan: Plan): {
  costing: Costing;
  costing_options?: Record<string, Record<string, OptionValue>>;
} {
  const { costing } = plan;
  const { tunnel_code: code, ...options } = changedOptions(costing, plan.options[costing] ?? {});
  if (code !== undefined && code !== NO_TUNNEL_CODE) options["adr_tunnel_code"] = code;
  if (options["max_hiking_difficulty"] !== undefined) {
    options["max_hiking_difficulty"] = Number(options["max_hiking_difficulty"]);
  }
  if (Object.keys(options).length === 0) return { costing };
  return { costing, costing_options: { [costing]: options } };
}

function adrProfile(options: Options): AdrProfile | null {
  const code = options["tunnel_code"];
  if (code === undefined || code === NO_TUNNEL_CODE) return null;
  const metres = (key: string): number => {
    const value = options[key] ?? FIELDS.truck.find((field) => field.key === key)?.default;
    return Number(value);
  };
  return {
    dimensions: {
      height_m: metres("height"),
      width_m: metres("width"),
      length_m: metres("length"),
      gross_weight_t: metres("weight"),
      axle_load_t: metres("axle_load"),
      axle_count: metres("axle_count"),
    },
    tunnel_code: String(code),
    hazmat: options["hazmat"] === true,
  };
}

const PROFILES: Record<Costing, string> = {
  auto: "driving",
  truck: "truck",
  bus: "bus",
  motor_scooter: "scooter",
  motorcycle: "motorcycle",
  bicycle: "bicycle",
  pedestrian: "walking",
};

export interface CompatibleRequest {
  /** Path and query of the compatible endpoint, without the leading slash. */
  readonly path: string;
  /** What the compatible endpoint has no parameter for, in words. */
  readonly missing: readonly string[];
}

const AVOID_PARAMETERS: Record<string, string> = {
  use_tolls: "avoid_tolls",
  use_highways: "avoid_motorways",
  use_ferry: "avoid_ferries",
};
const TRUCK_PARAMETERS = new Set(["height", "width", "length", "weight", "hazmat", "tunnel_code"]);

/** The same question to GET /route/v1; null while fewer than two stops have a place. */
export function compatibleRequest(plan: Plan): CompatibleRequest | null {
  const stops = placedStops(plan);
  if (stops.length < 2) return null;
  const query = ["overview=full", "steps=true"];
  if (stops.length === 2) query.push("alternatives=true");
  if (plan.language !== "en-GB") query.push(`language=${plan.language}`);
  const missing: string[] = [];
  if (plan.when) missing.push(tr("time of travel"));
  if (plan.avoid.length) missing.push(tr("roads to avoid"));
  if (wantsScenic(plan)) missing.push(tr("scenic route"));
  const options = changedOptions(plan.costing, plan.options[plan.costing] ?? {});
  for (const [key, value] of Object.entries(options)) {
    const avoid = AVOID_PARAMETERS[key];
    if (avoid && value === 0) query.push(`${avoid}=true`);
    else if (key === "shortest") query.push("shortest=true");
    else if (plan.costing === "truck" && TRUCK_PARAMETERS.has(key)) {
      query.push(`${key}=${encodeURIComponent(String(value))}`);
    } else missing.push(WORDS[key]?.label ?? key);
  }
  const pairs = stops.map(({ at }) => at.join(",")).join(";");
  return { path: `route/v1/${PROFILES[plan.costing]}/${pairs}?${query.join("&")}`, missing };
}
