import type { RouteAnswer } from "../route/answer";
import { h } from "../ui/dom";
import { formatLength, formatMoney, formatTime } from "../ui/format";
import { inputsOf, placedStops, type Plan } from "../plan/plan";
import { decodePolyline } from "../geo/polyline";
import { zonesNotice } from "../route/notices";
import { costed } from "../plan/request";
import type { Finding, Task } from "./task";
import { line, swatch, type Shape } from "../map/shape";
import { formatHours } from "../ui/hours";
import { tr } from "../ui/translate";

const WAY = "#2f5bea";
const COLOURS = { charge: "#d9730d", ban: "#c0262d", free: "#2c8a4b", unknown: "#6b7280" } as const;
const MEANINGS: Readonly<Record<keyof typeof COLOURS, string>> = {
  charge: tr("charges the vehicle"),
  ban: tr("bans the vehicle"),
  free: tr("lets it in free"),
  unknown: tr("rules not known here"),
};

const PERIODS: Readonly<Record<string, string>> = {
  day: tr("a day"),
  hour: tr("an hour"),
  entry: tr("for each entry"),
};

/** The answer of GET /v1/zones, as far as it is shown. */
interface Listed {
  readonly zones: readonly ListedZone[];
  readonly note: string;
}

export interface ListedZone {
  readonly name: string;
  readonly rules_known: boolean;
  readonly rules: readonly {
    readonly effect: "charge" | "ban" | "free";
    readonly vehicle_categories: readonly string[];
    readonly fuels: readonly string[];
    readonly minimum_euro: Readonly<Record<string, number>>;
    readonly hours: string | null;
    readonly amount: number | null;
    readonly currency: string | null;
    readonly per: string | null;
  }[];
  readonly sources: { readonly boundary: { readonly publisher: string } };
  readonly geometry?: GeoJSON.MultiPolygon;
}

interface Vehicle {
  readonly vehicle_category: string;
  readonly fuel: string;
  readonly euro_standard?: number;
}

function vehicleOf(plan: Plan): { vehicle: Vehicle; avoid: boolean } {
  const { vehicle = "car", fuel = "diesel", euro = "5", keepout } = inputsOf(plan, "zones");
  const burns = fuel !== "electric" && fuel !== "hydrogen";
  return {
    vehicle: {
      vehicle_category: String(vehicle),
      fuel: String(fuel),
      ...(burns ? { euro_standard: Number(euro) } : {}),
    },
    avoid: keepout === true || keepout === "1",
  };
}

/** The rule of a zone for a vehicle, at whatever time: the first that is for it. */
export function ruleFor(zone: ListedZone, vehicle: Vehicle): ListedZone["rules"][number] | null {
  return (
    zone.rules.find(
      ({ vehicle_categories: categories, fuels, minimum_euro: least }) =>
        categories.includes(vehicle.vehicle_category) &&
        (fuels.length === 0 || fuels.includes(vehicle.fuel)) &&
        !((vehicle.euro_standard ?? 0) >= (least[vehicle.fuel] ?? Infinity)),
    ) ?? null
  );
}

function effect(zone: ListedZone, vehicle: Vehicle): keyof typeof COLOURS {
  if (!zone.rules_known) return "unknown";
  return ruleFor(zone, vehicle)?.effect ?? "free";
}

function readList({ zones: all, note }: Listed, plan: Plan): Finding {
  const { vehicle } = vehicleOf(plan);
  const shapes: Shape[] = all.flatMap((zone) =>
    zone.geometry ? [{ geometry: zone.geometry, colour: COLOURS[effect(zone, vehicle)] }] : [],
  );
  return {
    shapes,
    summary: all.length === 1 ? all[0]!.name : tr("{0} {0|zone|zones}", all.length),
    content: h(
      "div",
      {},
      all.length === 0 && h("p", {}, tr("No clean-air zones are known here.")),
      h(
        "ul",
        { class: "legend" },
        all.map((zone) => {
          const does = effect(zone, vehicle);
          const rule = ruleFor(zone, vehicle);
          const amount =
            rule?.amount != null
              ? `: ${formatMoney(rule.amount, rule.currency ?? "")} ${PERIODS[rule.per ?? ""] ?? ""}`
              : "";
          return h(
            "li",
            {},
            swatch(COLOURS[does], "square"),
            h(
              "span",
              {},
              h("strong", {}, zone.name),
              ` ${MEANINGS[does]}${amount}`,
              rule?.hours && h("span", { class: "hint" }, ` (${formatHours(rule.hours)})`),
            ),
          );
        }),
      ),
      h("p", { class: "hint" }, `${note[0]!.toUpperCase()}${note.slice(1)}.`),
    ),
  };
}

function readRoute(answer: RouteAnswer, plan: Plan): Finding {
  const miles = plan.units === "miles";
  const trip = answer.trip;
  if (!trip) throw new Error("no trip");
  return {
    shapes: trip.legs.map(({ shape }) => line(decodePolyline(shape), WAY)),
    summary: answer.zones
      ? tr("Zones on the way: {0}", answer.zones.zones.length)
      : tr("No zone that is known on the way"),
    content: h(
      "div",
      {},
      h("p", {}, `${formatLength(trip.summary.length, miles)}, ${formatTime(trip.summary.time)}`),
      (answer.warnings ?? []).map(({ text }) => h("p", { class: "notice warning" }, text ?? "")),
      answer.zones
        ? zonesNotice(answer.zones, miles)
        : h("p", { class: "notice calm" }, tr("This way runs through no zone that is known here.")),
    ),
  };
}

/** Clean-air zones for a vehicle: all of them, or those on the way. */
export const zones: Task = {
  name: "zones",
  label: tr("Zones"),
  icon: "M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18M7.5 14.5c2-4 6-6 9-6-.2 4.3-3 7.5-6.6 7.5-1 0-1.8-.4-2.4-1.5M7 17l3.5-4",
  stops: tr("Without points all zones are shown; with two or more, those on the way."),
  journey: true,
  travel: false,
  fields: [
    {
      kind: "choice",
      key: "vehicle",
      label: tr("Vehicle"),
      help: "",
      default: "car",
      choices: [
        ["car", tr("Car")],
        ["van", tr("Van")],
        ["minibus", tr("Minibus")],
        ["hgv", tr("Lorry")],
        ["bus", tr("Bus")],
        ["coach", tr("Coach")],
        ["taxi", tr("Taxi")],
        ["phv", tr("Private hire")],
        ["motorcycle", tr("Motorcycle")],
        ["motorhome", tr("Motorhome")],
      ],
    },
    {
      kind: "choice",
      key: "fuel",
      label: tr("Fuel"),
      help: "",
      default: "diesel",
      choices: [
        ["diesel", tr("diesel")],
        ["petrol", tr("petrol")],
        ["gas", tr("gas")],
        ["electric", tr("electric")],
        ["hydrogen", tr("hydrogen")],
      ],
    },
    {
      kind: "choice",
      key: "euro",
      label: tr("Euro standard"),
      help: tr("Of a fuel that burns."),
      default: "5",
      choices: ["1", "2", "3", "4", "5", "6"].map((n) => [n, tr("Euro {0}", n)] as const),
    },
    {
      kind: "check",
      key: "keepout",
      label: tr("Keep out of zones that charge or ban it"),
      help: "",
      default: false,
    },
  ],
  waiting: tr("Looking at the zones…"),
  hint: "",
  request(plan) {
    const { vehicle, avoid } = vehicleOf(plan);
    const stops = placedStops(plan);
    if (stops.length < 2) return { path: "v1/zones", query: { geometry: true } };
    return {
      path: "route",
      body: {
        locations: stops.map(({ at: [lon, lat] }) => ({ lat, lon })),
        ...costed({ ...plan, costing: vehicle.vehicle_category === "hgv" ? "truck" : "auto" }),
        directions_type: "none",
        emissions: vehicle,
        ...(avoid ? { avoid_zones: true } : {}),
      },
    };
  },
  read(answer, plan) {
    return "zones" in (answer as object) && Array.isArray((answer as Listed).zones)
      ? readList(answer as Listed, plan)
      : readRoute(answer as RouteAnswer, plan);
  },
};
