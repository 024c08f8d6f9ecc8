import { inputsOf } from "../plan/plan";
import { afterOf, detourOf, openOf, shortly, shown, wayOf, type Ahead } from "./ahead";
import type { Task } from "./task";
import { formatMoney } from "../ui/format";
import { decimal, tr } from "../ui/translate";

/** The answer of POST /v1/fuel/along, as far as it is shown. */
interface Answer extends Ahead {
  readonly stations: readonly {
    readonly name: string;
    readonly brand: string | null;
    readonly lat: number;
    readonly lon: number;
    readonly arc_m: number;
    readonly detour_s: number;
    readonly price_per_litre: number;
    readonly currency: string;
    readonly stale: boolean | null;
    readonly opening_hours: string | null;
    readonly amenities: readonly string[];
    readonly cost?: { readonly total: number };
  }[];
}

const COLOUR = "#1f7a54";
const STALE = "#8a6d1a";

/** Filling stations on the way, the cheapest first. */
export const fuel: Task = {
  name: "fuel",
  label: tr("Fuel"),
  icon: "M5 20V5a1 1 0 0 1 1-1h7a1 1 0 0 1 1 1v15M3.5 20h12M7 8h5M14 11h2a2 2 0 0 1 2 2v3a1.5 1.5 0 0 0 3 0V9l-3-3",
  stops: tr("The way whose filling stations are looked for."),
  journey: true,
  travel: true,
  fields: [
    {
      kind: "choice",
      key: "grade",
      label: tr("Fuel"),
      help: "",
      default: "e10",
      choices: [
        ["e10", tr("Petrol E10")],
        ["e5", tr("Petrol E5")],
        ["b7", tr("Diesel B7")],
        ["b7_premium", tr("Premium diesel")],
        ["lpg", "LPG"],
      ],
    },
    {
      kind: "number",
      key: "litres",
      label: tr("Litres"),
      help: tr("With what a detour costs, this decides which is cheapest."),
      default: 40,
      min: 1,
      max: 2000,
      step: 1,
      unit: "l",
    },
  ],
  waiting: tr("Comparing prices…"),
  hint: tr(
    "Give a start and a destination: filling stations on the way are listed, the cheapest first.",
  ),
  request(plan) {
    const way = wayOf(plan);
    if (!way) return null;
    const { grade = "e10", litres = 40 } = inputsOf(plan, "fuel");
    return { path: "v1/fuel/along", body: { ...way, fuel: grade, litres: Number(litres) } };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    const money = (hundredths: number, currency: string, digits: number): string => {
      if (digits === 0) return formatMoney(hundredths / 100, currency);
      return currency === "GBP"
        ? `${decimal(hundredths, 1)}p`
        : `${decimal(hundredths / 100, digits)} ${currency}`;
    };
    const [first] = answer.stations;
    return shown(
      answer,
      answer.stations.map((one) => ({
        at: [one.lon, one.lat],
        title: `${money(one.price_per_litre, one.currency, 3)} · ${one.name}`,
        colour: one.stale ? STALE : COLOUR,
        details: [
          shortly([
            afterOf(plan, one.arc_m),
            detourOf(one.detour_s),
            one.cost && tr("{0} in all", money(one.cost.total, one.currency, 0)),
          ]),
          openOf(one.opening_hours),
          one.amenities.map((word) => word.replaceAll("_", " ")).join(", "),
          one.stale && tr("This price is more than a day old."),
        ],
      })),
      COLOUR,
      {
        context,
        none: tr("No station with a price for this fuel is known near the way."),
        summary: tr(
          "{0} {0|station|stations}, the first at {1}",
          answer.stations.length,
          first ? money(first.price_per_litre, first.currency, 3) : "",
        ),
      },
    );
  },
};
