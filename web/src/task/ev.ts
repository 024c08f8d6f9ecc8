import { h, svg } from "../dom";
import { formatLength, formatTime } from "../format";
import { inputsOf, placedStops } from "../plan";
import { decodePolyline } from "../polyline";
import { costed } from "../request";
import { dot, line, swatch, type Finding, type Shape, type Task } from "./task";

const LEGS = ["#2f5bea", "#0d8a72"];
const STOP = "#b3467a";
const REACH = "#ef7d05";

/** The answer of POST /v1/ev/plan, as far as it is shown. */
interface Answer {
  readonly feasible: boolean;
  readonly reason?: { readonly code: string; readonly text: string };
  readonly furthest?: {
    readonly lat: number;
    readonly lon: number;
    readonly distance_m: number;
    readonly range_km: number;
    readonly area?: GeoJSON.MultiPolygon;
  };
  readonly summary?: {
    readonly distance_m: number;
    readonly duration_s: number;
    readonly driving_s: number;
    readonly charging_s: number;
    readonly stopping_s: number;
    readonly energy_kwh: number;
    readonly consumption_kwh_per_100km: number;
    readonly arrival_soc_pct: number;
  };
  readonly legs?: readonly { readonly shape: string }[];
  readonly stops?: readonly Stop[];
  readonly profile?: readonly ProfilePoint[];
  readonly vehicle: { readonly name: string | null; readonly battery_kwh: number };
  readonly attribution: readonly string[];
  readonly caveat: string;
}

interface Stop {
  /** Of a point between the start and the destination; null at a stop of the plan's own. */
  readonly location_index: number | null;
  readonly station: {
    readonly name: string | null;
    readonly operator: string | null;
    readonly lat: number;
    readonly lon: number;
  } | null;
  readonly distance_m: number;
  readonly arrival_soc_pct: number;
  readonly departure_soc_pct: number;
  readonly charged_kwh: number;
  readonly charging_s: number;
  readonly waiting_s: number;
  readonly mean_power_kw: number;
}

export interface ProfilePoint {
  readonly distance_m: number;
  readonly soc_pct: number;
  readonly height_m: number | null;
}

const WIDTH = 320;
const HEIGHT = 120;

/** The lines of a plot, in units of its picture: of the charge, and of the ground where it is known. */
export function plotted(profile: readonly ProfilePoint[]): {
  charge: string;
  ground: string | null;
} {
  const whole = Math.max(1, profile.at(-1)?.distance_m ?? 1);
  const x = (at: number): string => ((at / whole) * WIDTH).toFixed(1);
  const path = (y: (point: ProfilePoint) => number): string =>
    profile.map((point) => `${x(point.distance_m)} ${y(point).toFixed(1)}`).join("L");
  const heights = profile.flatMap(({ height_m }) => (height_m === null ? [] : [height_m]));
  const charge = `M${path(({ soc_pct }) => HEIGHT - (soc_pct / 100) * HEIGHT)}`;
  if (heights.length < profile.length || heights.length === 0) return { charge, ground: null };
  const low = Math.min(...heights);
  const span = Math.max(100, Math.max(...heights) - low);
  const ridge = path(({ height_m }) => HEIGHT - (((height_m ?? low) - low) / span) * HEIGHT * 0.6);
  return { charge, ground: `M0 ${HEIGHT}L${ridge}L${WIDTH} ${HEIGHT}Z` };
}

/** The state of charge over the distance, above the ground. */
function plot(profile: readonly ProfilePoint[], stops: readonly Stop[]): HTMLElement {
  const { charge, ground } = plotted(profile);
  const whole = Math.max(1, profile.at(-1)?.distance_m ?? 1);
  const least = Math.min(...profile.map(({ soc_pct }) => soc_pct));
  return h(
    "figure",
    { class: "ev-plot" },
    svg(
      "svg",
      {
        viewBox: `0 0 ${WIDTH} ${HEIGHT}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": `State of charge from ${profile[0]!.soc_pct} to ${profile.at(-1)!.soc_pct} per cent over ${formatLength(whole / 1000, false)}, at the least ${least}`,
      },
      ...[25, 50, 75].map((percent) =>
        svg("line", {
          x1: 0,
          x2: WIDTH,
          y1: HEIGHT - (percent / 100) * HEIGHT,
          y2: HEIGHT - (percent / 100) * HEIGHT,
          class: "grid",
        }),
      ),
      ...(ground ? [svg("path", { d: ground, class: "ground" })] : []),
      ...stops.map(({ distance_m }) =>
        svg("line", {
          x1: (distance_m / whole) * WIDTH,
          x2: (distance_m / whole) * WIDTH,
          y1: 0,
          y2: HEIGHT,
          class: "stop",
        }),
      ),
      svg("path", { d: charge, class: "charge" }),
    ),
    h(
      "figcaption",
      {},
      h("span", {}, swatch("var(--accent)", "bar"), "charge, 0 to 100 %"),
      ground && h("span", {}, swatch("var(--muted)", "bar"), "height of the ground"),
      h("span", {}, formatLength(whole / 1000, false)),
    ),
  );
}

function planned(answer: Answer): HTMLElement[] {
  const { summary, stops = [], profile = [] } = answer;
  if (!summary) return [];
  return [
    h(
      "p",
      { class: "ev-sum" },
      h("strong", {}, formatTime(summary.duration_s)),
      `, ${formatLength(summary.distance_m / 1000, false)}: driving ${formatTime(summary.driving_s)}`,
      stops.length > 0 &&
        `, charging ${formatTime(summary.charging_s)}, stopping ${formatTime(summary.stopping_s)}`,
    ),
    h(
      "p",
      {},
      `${summary.energy_kwh.toFixed(1)} kWh (${summary.consumption_kwh_per_100km} kWh for 100 km); ${summary.arrival_soc_pct} % are left.`,
    ),
    ...(profile.length > 1 ? [plot(profile, stops)] : []),
    stops.length > 0
      ? h(
          "ol",
          { class: "ev-stops" },
          stops.map((stop) =>
            h(
              "li",
              {},
              h("strong", {}, nameOf(stop)),
              h(
                "p",
                {},
                `at ${formatLength(stop.distance_m / 1000, false)}: `,
                stop.charged_kwh > 0
                  ? `${stop.arrival_soc_pct} % to ${stop.departure_soc_pct} % in ${formatTime(stop.charging_s)}, ${stop.charged_kwh.toFixed(1)} kWh at ${stop.mean_power_kw} kW`
                  : `${stop.arrival_soc_pct} % are left, without charging`,
                stop.waiting_s > 0 && `; waiting ${formatTime(stop.waiting_s)} is reckoned with`,
              ),
            ),
          ),
        )
      : h("p", { class: "notice calm" }, "No stop is needed."),
  ];
}

/** The station of a stop, or the point of the plan. */
function nameOf({ station, location_index: index }: Stop): string {
  const name = station?.name ?? station?.operator ?? "Charging station";
  return index === null
    ? name
    : `Point ${String.fromCharCode(65 + index)}${station ? `, ${name}` : ""}`;
}

function shapesOf({ legs = [], stops = [], furthest }: Answer): Shape[] {
  return [
    ...(furthest?.area ? [{ geometry: furthest.area, colour: REACH }] : []),
    ...legs.map(({ shape }, index) => line(decodePolyline(shape), LEGS[index % LEGS.length]!)),
    ...stops.flatMap(({ station }, index) =>
      station ? [dot([station.lon, station.lat], STOP, String(index + 1))] : [],
    ),
    ...(furthest ? [dot([furthest.lon, furthest.lat], REACH)] : []),
  ];
}

function refused({ reason, furthest }: Answer): HTMLElement {
  return h(
    "div",
    { class: "notice warning", role: "status" },
    h("h2", {}, "There is no plan"),
    h("p", {}, `${sentence(reason?.text ?? "the destination is not within reach")}.`),
    furthest &&
      h(
        "p",
        {},
        `The furthest point on the way and what is within ${furthest.range_km} km are on the map.`,
      ),
  );
}

/** A text with its first letter large. */
function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}

/** A journey of an electric vehicle with its stops, from the first stop to the last. */
export const ev: Task = {
  name: "ev",
  label: "Electric",
  icon: "M13 3 6 13.5h5L10 21l8-11h-5.5z",
  stops:
    "From the first point to the last, by those between; the stops to charge are found on the way.",
  journey: true,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "car",
      label: "Vehicle",
      help: "An id of GET /v1/ev/vehicles, such as bmw-i3-60-ah-2013; else the battery below counts.",
      default: "",
      most: 200,
      placeholder: "bmw-i3-60-ah-2013",
    },
    {
      kind: "number",
      key: "battery",
      label: "Battery",
      help: "Usable; counts without a vehicle, or once you change it.",
      default: 60,
      min: 1,
      max: 1000,
      step: 1,
      unit: "kWh",
    },
    {
      kind: "number",
      key: "soc",
      label: "Charge at the start",
      help: "",
      default: 90,
      min: 1,
      max: 100,
      step: 1,
      unit: "%",
    },
    {
      kind: "number",
      key: "left",
      label: "Left at the end",
      help: "",
      default: 10,
      min: 0,
      max: 100,
      step: 1,
      unit: "%",
    },
    {
      kind: "number",
      key: "reserve",
      main: false,
      label: "Left at stops",
      help: "",
      default: 10,
      min: 0,
      max: 90,
      step: 1,
      unit: "%",
    },
    {
      kind: "number",
      key: "celsius",
      main: false,
      label: "Temperature",
      help: "",
      default: 15,
      min: -40,
      max: 50,
      step: 1,
      unit: "°C",
    },
    {
      kind: "number",
      key: "kw",
      main: false,
      label: "Stations from",
      help: "",
      default: 0,
      min: 0,
      max: 1000,
      step: 10,
      unit: "kW",
    },
  ],
  waiting: "Looking for stops that pay…",
  hint: "Give a start and a destination: the stops to charge are found.",
  request(plan) {
    const stops = placedStops(plan);
    if (stops.length < 2) return null;
    const { car = "", battery, soc, left, reserve, celsius, kw } = inputsOf(plan, "ev");
    const { costing_options: options } = costed({ ...plan, costing: "auto" });
    const number = (name: string, value: unknown): Record<string, number> =>
      value === undefined || value === "" ? {} : { [name]: Number(value) };
    return {
      path: "v1/ev/plan",
      body: {
        locations: stops.map(({ at: [lon, lat] }) => ({ lat, lon })),
        vehicle: {
          ...(car ? { id: String(car).trim() } : {}),
          ...number("battery_kwh", battery ?? (car ? undefined : 60)),
        },
        ...number("departure_soc_pct", soc),
        ...number("min_destination_soc_pct", left),
        ...number("min_stop_soc_pct", reserve),
        ...number("temperature_c", celsius),
        ...number("min_kw", kw),
        ...(options ? { costing_options: options } : {}),
      },
    };
  },
  read(body): Finding {
    const answer = body as Answer;
    return {
      shapes: shapesOf(answer),
      content: h(
        "div",
        {},
        answer.feasible ? planned(answer) : refused(answer),
        h("p", { class: "hint" }, `${sentence(answer.caveat)}.`),
        answer.attribution.length > 0 && h("p", { class: "hint" }, answer.attribution.join(" · ")),
      ),
    };
  },
};
