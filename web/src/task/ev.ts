import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { formatTime } from "../ui/format";
import { control } from "../plan/field";
import {
  inputsOf,
  MOST_STAY,
  placedStops,
  stopLetter,
  withStay,
  type Plan,
  type Stay,
} from "../plan/plan";
import { decodePolyline } from "../geo/polyline";
import { costed } from "../plan/request";
import { afterOf, dotsOf, lengthOf, list, sentence, shortly, type Item } from "./ahead";
import { cars, heard } from "./evcars";
import { plot, type ProfilePoint } from "./evplot";
import type { TaskContext, Finding, Task } from "./task";
import { dot, line, swatch, type Shape } from "../map/shape";
import { decimal, tr } from "../ui/translate";

const LEGS = ["#2f5bea", "#0d8a72"];
const STOP = "#b3467a";
const REACH = "#ef7d05";

/** What can be asked of a call; a default below the least stands for none. */
const STAY = [
  { key: "minutes", label: tr("Stay"), help: "", unit: "min", step: 5 },
  {
    key: "least",
    label: tr("Left on arrival"),
    help: tr("As at any stop unless you say."),
    unit: "%",
    step: 1,
  },
  {
    key: "charger",
    label: tr("Charger there"),
    help: tr("Of the nearest known station unless you say; 0 is none."),
    unit: "kW",
    step: 1,
  },
].map(({ key, ...rest }) => ({
  ...rest,
  key: key as keyof Stay,
  kind: "number" as const,
  default: -1,
  min: 0,
  max: MOST_STAY[key as keyof Stay],
}));

/** The answer of POST /v1/ev/plan, as far as it is shown. */
interface Answer {
  readonly feasible: boolean;
  readonly reason?: { readonly code: string; readonly text: string };
  readonly furthest?: {
    readonly lat: number;
    readonly lon: number;
    readonly distance_m: number;
    readonly after_station: string | null;
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
  readonly vehicle: {
    readonly id: string | null;
    readonly name: string | null;
    readonly battery_kwh: number;
  };
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
  readonly dwell_s: number;
  readonly arrival_soc_pct: number;
  readonly departure_soc_pct: number;
  readonly charged_kwh: number;
  readonly charging_s: number;
  readonly waiting_s: number;
  readonly mean_power_kw: number;
}

/** The way as the map draws it. */
function wayOf(legs: Answer["legs"] = []): LonLat[] {
  return legs.flatMap(({ shape }) => decodePolyline(shape));
}

function planned(answer: Answer, plan: Plan, context: TaskContext): (HTMLElement | false)[] {
  const { summary, legs, stops = [], profile = [] } = answer;
  if (!summary) return [];
  const items = stops.map((stop): Item => itemOf(stop, plan));
  const along = stops.map(({ distance_m }) => distance_m);
  return [
    h(
      "p",
      { class: "ev-sum" },
      h("strong", {}, formatTime(summary.duration_s)),
      tr(", {0}: driving {1}", lengthOf(plan, summary.distance_m), formatTime(summary.driving_s)),
      stops.length > 0 &&
        tr(
          ", charging {0}, stopping {1}",
          formatTime(summary.charging_s),
          formatTime(summary.stopping_s),
        ),
    ),
    h(
      "p",
      {},
      tr(
        "{0} kWh ({1} kWh for 100 km); {2} % are left.",
        decimal(summary.energy_kwh, 1),
        summary.consumption_kwh_per_100km,
        summary.arrival_soc_pct,
      ),
    ),
    profile.length > 1 && plot({ profile, way: wayOf(legs), stops: along }, plan, context.mark),
    items.length > 0
      ? list(items, STOP, context)
      : h("p", { class: "notice calm" }, tr("No stop is needed.")),
  ];
}

/** A stop as the list and the map show it. */
function itemOf(stop: Stop, plan: Plan): Item {
  const at = placeOf(stop, plan);
  const charges = stop.charged_kwh > 0;
  return {
    at,
    title: nameOf(stop, plan),
    details: [
      shortly([
        afterOf(plan, stop.distance_m),
        charges
          ? tr("{0} % to {1} %", stop.arrival_soc_pct, stop.departure_soc_pct)
          : tr("{0} % are left, without charging", stop.arrival_soc_pct),
        stop.dwell_s > 0 && tr("{0} there in any case", formatTime(stop.dwell_s)),
      ]),
      charges &&
        shortly([
          tr("charging {0}", formatTime(stop.charging_s)),
          tr("{0} kWh", decimal(stop.charged_kwh, 1)),
          tr("{0} kW on average", stop.mean_power_kw),
        ]),
      stop.waiting_s > 0 && tr("{0} of waiting is reckoned with", formatTime(stop.waiting_s)),
    ],
  };
}

/** The station of a stop, or the point of the plan. */
function nameOf({ station, location_index: index }: Stop, plan: Plan): string {
  const name = station?.name ?? station?.operator ?? tr("Charging station");
  if (index === null) return name;
  const letter = stopLetter(plan.stops.findIndex(({ id }) => id === placedStops(plan)[index]!.id));
  return shortly([tr("Point {0}", letter), station && name]);
}

function placeOf({ station, location_index: index }: Stop, plan: Plan): LonLat {
  return station ? [station.lon, station.lat] : placedStops(plan)[index!]!.at;
}

function shapesOf({ legs = [], stops = [], furthest }: Answer, plan: Plan): Shape[] {
  return [
    ...(furthest?.area ? [{ geometry: furthest.area, colour: REACH }] : []),
    ...legs.map(({ shape }, index) => line(decodePolyline(shape), LEGS[index % LEGS.length]!)),
    ...dotsOf(
      stops.map((stop) => itemOf(stop, plan)),
      STOP,
    ),
    ...(furthest ? [dot([furthest.lon, furthest.lat], REACH, "!")] : []),
  ];
}

function refused({ reason, furthest }: Answer, plan: Plan): HTMLElement {
  const after = furthest?.after_station;
  return h(
    "div",
    {},
    h(
      "div",
      { class: "notice warning", role: "status" },
      h("h2", {}, tr("There is no plan")),
      h("p", {}, `${sentence(reason?.text ?? tr("the destination is not within reach"))}.`),
    ),
    furthest &&
      h(
        "ul",
        { class: "legend" },
        h(
          "li",
          {},
          swatch(REACH, "round"),
          h(
            "span",
            {},
            tr("The furthest point on the way, {0}", afterOf(plan, furthest.distance_m)),
            after && tr(" and charged last at {0}", after),
          ),
        ),
        furthest.area !== undefined &&
          h(
            "li",
            {},
            swatch(REACH, "square"),
            tr("Within {0} of driving from there", lengthOf(plan, furthest.range_km * 1000)),
          ),
      ),
  );
}

/** The demands on each call between the start and the destination. */
function stays(plan: Plan, { change }: TaskContext): HTMLElement {
  const between = plan.stops.slice(1, -1).filter(({ at }) => at !== null);
  return h(
    "div",
    {},
    between.map(({ id, name, stay = {} }) => {
      const letter = stopLetter(plan.stops.findIndex((stop) => stop.id === id));
      return h(
        "details",
        { class: "more", open: true },
        h(
          "summary",
          { "data-focus": `stay-${id}` },
          tr("At {0}{1}", letter, name ? `, ${name}` : ""),
        ),
        h(
          "div",
          { class: "fields inputs" },
          STAY.map((field) =>
            control({ ...field, key: `${field.key}-${id}` }, stay[field.key], (value) => {
              const { [field.key]: _, ...rest } = stay;
              const none = Number(value) === field.default;
              change(withStay(plan, id, none ? rest : { ...rest, [field.key]: Number(value) }));
            }),
          ),
        ),
      );
    }),
  );
}

/** A journey of an electric vehicle with its stops, from the first stop to the last. */
export const ev: Task = {
  name: "ev",
  label: tr("Electric"),
  icon: "M13 3 6 13.5h5L10 21l8-11h-5.5z",
  stops: tr(
    "From the first point to the last, by those between; the stops to charge are found on the way.",
  ),
  journey: true,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "car",
      label: tr("Vehicle"),
      help: tr("Without one, a usual car with the battery below."),
      default: "",
      most: 200,
      placeholder: tr("Any car: type a make or a model"),
      from: cars,
    },
    {
      kind: "number",
      key: "battery",
      label: tr("Battery"),
      help: tr("What of it can be used."),
      without: "car",
      default: 60,
      min: 1,
      max: 1000,
      step: 1,
      unit: "kWh",
    },
    {
      kind: "number",
      key: "soc",
      label: tr("Charge at the start"),
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
      label: tr("Left at the end"),
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
      label: tr("Left at stops"),
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
      label: tr("Temperature"),
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
      label: tr("Stations from"),
      help: "",
      default: 0,
      min: 0,
      max: 1000,
      step: 10,
      unit: "kW",
    },
  ],
  waiting: tr("Looking for stops that pay…"),
  hint: tr("Give a start and a destination: the stops to charge are found."),
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
        locations: stops.map(({ at: [lon, lat], stay = {} }, index) => ({
          lat,
          lon,
          // Demands on calls count only between start and destination.
          ...(index > 0 && index < stops.length - 1
            ? {
                ...number("dwell_s", stay.minutes && stay.minutes * 60),
                ...number("min_soc_pct", stay.least),
                ...number("charger_kw", stay.charger),
              }
            : {}),
        })),
        vehicle: car ? { id: String(car).trim() } : { battery_kwh: Number(battery ?? 60) },
        ...number("departure_soc_pct", soc),
        ...number("min_destination_soc_pct", left),
        ...number("min_stop_soc_pct", reserve),
        ...number("temperature_c", celsius),
        ...number("min_kw", kw),
        ...(options ? { costing_options: options } : {}),
      },
    };
  },
  controls: (plan, context) => stays(plan, context),
  read(body, plan, context): Finding {
    const answer = body as Answer;
    const { id, name, battery_kwh: battery } = answer.vehicle;
    if (id && name) heard(id, name);
    const { summary, stops = [] } = answer;
    const charges = stops.filter(({ charged_kwh: charged }) => charged > 0).length;
    return {
      shapes: shapesOf(answer, plan),
      summary: summary
        ? tr(
            "{0} · {1} · {2} % left",
            formatTime(summary.duration_s),
            tr("{0} {0|charge|charges}", charges),
            summary.arrival_soc_pct,
          )
        : tr("There is no plan"),
      content: h(
        "div",
        {},
        h("p", { class: "hint" }, tr("{0}, {1} kWh", name ?? tr("A car"), battery)),
        answer.feasible ? planned(answer, plan, context) : refused(answer, plan),
        h("p", { class: "hint" }, `${sentence(answer.caveat)}.`),
        answer.attribution.length > 0 && h("p", { class: "hint" }, answer.attribution.join(" · ")),
      ),
    };
  },
};
