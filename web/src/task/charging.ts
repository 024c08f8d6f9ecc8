import { inputsOf } from "../plan/plan";
import { afterOf, detourOf, shortly, shown, wayOf, type Ahead } from "./ahead";
import type { Task } from "./task";
import { tr } from "../ui/translate";

/** The answer of POST /v1/charging/along, as far as it is shown. */
interface Answer extends Ahead {
  readonly stations: readonly {
    readonly name: string;
    readonly operator: string | null;
    readonly lat: number;
    readonly lon: number;
    readonly arc_m: number;
    readonly detour_s: number;
    readonly power_kw: number | null;
    readonly connectors: readonly {
      readonly standard: string;
      readonly power_kw: number | null;
      readonly count: number;
    }[];
    readonly availability?: {
      readonly available: number;
      readonly occupied: number;
      readonly out_of_order: number;
      readonly unknown: number;
      readonly stale: boolean;
    };
  }[];
}

const COLOUR = "#6d4bd8";

/** Connectors as drivers know them. */
export const PLUGS: Readonly<Record<string, string>> = {
  type1: "Type 1",
  type2: "Type 2",
  type3: "Type 3",
  ccs1: tr("CCS (Combo 1)"),
  ccs2: tr("CCS (Combo 2)"),
  chademo: "CHAdeMO",
  nacs: "NACS",
  tesla: tr("Tesla"),
  schuko: tr("Schuko"),
  bs1363: tr("UK socket"),
};

/** Charging stations on the way, the most powerful first. */
export const charging: Task = {
  name: "charging",
  label: tr("Charging"),
  icon: "M13 3 5 13.5h5.5L10 21l8-10.5h-5.5z",
  stops: tr("The way whose charging stations are looked for."),
  journey: true,
  travel: true,
  fields: [
    {
      kind: "choice",
      key: "plug",
      label: tr("Connector"),
      help: "",
      default: "any",
      choices: [
        ["any", tr("any")],
        ...["ccs2", "type2", "chademo"].map((plug) => [plug, PLUGS[plug]!] as const),
      ],
    },
    {
      kind: "number",
      key: "power",
      label: tr("At least"),
      help: "",
      default: 0,
      min: 0,
      max: 400,
      step: 1,
      unit: "kW",
    },
  ],
  waiting: tr("Looking for chargers…"),
  hint: tr(
    "Give a start and a destination: chargers on the way are listed, the most powerful first.",
  ),
  request(plan) {
    const way = wayOf(plan);
    if (!way) return null;
    const { plug = "any", power = 0 } = inputsOf(plan, "charging");
    return {
      path: "v1/charging/along",
      body: { ...way, ...(plug === "any" ? {} : { connectors: [plug] }), min_kw: Number(power) },
    };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    return shown(
      answer,
      answer.stations.map((one) => {
        const free = one.availability;
        const points = free ? free.available + free.occupied + free.out_of_order + free.unknown : 0;
        return {
          at: [one.lon, one.lat],
          title: `${one.power_kw === null ? tr("? kW") : tr("{0} kW", one.power_kw)} · ${one.name}`,
          details: [
            shortly([afterOf(plan, one.arc_m), detourOf(one.detour_s), one.operator]),
            one.connectors
              .map(
                ({ standard, power_kw: power, count }) =>
                  `${count || ""}${count ? " × " : ""}${PLUGS[standard] ?? standard}${power === null ? "" : tr(" {0} kW", power)}`,
              )
              .join(", "),
            free
              ? tr(
                  "{0} of {1} free{2}",
                  free.available,
                  points,
                  free.stale ? tr(", some time ago") : "",
                )
              : tr("Whether it is free is not known."),
          ],
        };
      }),
      COLOUR,
      {
        context,
        none: tr("No suitable charging station is known near the way."),
        summary: tr(
          "{0} {0|station|stations}, {1} kW the first",
          answer.stations.length,
          answer.stations[0]?.power_kw ?? "?",
        ),
      },
    );
  },
};
