import { afterOf, lengthOf, shown, speedOf, wayOf, type Ahead } from "./ahead";
import type { Task } from "./task";
import { tr } from "../ui/translate";

/** The answer of POST /v1/cameras/along, as far as it is shown. */
interface Answer extends Ahead {
  readonly cameras: readonly {
    readonly arc_m: number;
    readonly lat: number;
    readonly lon: number;
    readonly kind: string;
    readonly limit_kph: number | null;
    readonly to_arc_m?: number;
  }[];
  readonly policy: { readonly country: string; readonly mode: "exact" | "omitted" };
}

const COLOUR = "#b4371f";

const KINDS: Readonly<Record<string, string>> = {
  fixed: tr("Speed camera"),
  average: tr("Average speed"),
  redlight: tr("Red light camera"),
  mobile_site: tr("Mobile camera at times"),
  unknown: tr("Camera"),
};

/** Cameras that face the traveller, in countries whose law allows to show them. */
export const cameras: Task = {
  name: "cameras",
  label: tr("Cameras"),
  icon: "M4 8h10l2-2h3v9h-3l-2-2H4zM9 13v6M6 19h6",
  stops: tr("The route whose cameras are shown."),
  journey: true,
  travel: true,
  waiting: tr("Looking for cameras…"),
  hint: tr("Give a start and a destination: cameras that face you on the way are listed."),
  request(plan) {
    const way = wayOf(plan);
    return way && { path: "v1/cameras/along", body: way };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    return shown(
      answer,
      answer.cameras.map((one) => ({
        at: [one.lon, one.lat],
        title: `${KINDS[one.kind] ?? one.kind}${one.limit_kph === null ? "" : ` · ${speedOf(plan, one.limit_kph)}`}`,
        details: [
          afterOf(plan, one.arc_m),
          one.to_arc_m !== undefined && tr("over {0}", lengthOf(plan, one.to_arc_m - one.arc_m)),
        ],
      })),
      COLOUR,
      {
        context,
        summary: tr("Cameras on the way: {0}", answer.cameras.length),
        none:
          answer.policy.mode === "omitted" && answer.policy.country !== "ZZ"
            ? tr("Cameras are not shown in {0}.", answer.policy.country)
            : tr("No camera is known on the way."),
      },
    );
  },
};
