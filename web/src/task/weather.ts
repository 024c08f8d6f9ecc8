import { h } from "../ui/dom";
import { afterOf, sentence, shown, wayOf, type Ahead } from "./ahead";
import { inputsOf } from "../plan/plan";
import { timeOfDay } from "../site/dates";
import { withOffset } from "./errands";
import type { Task } from "./task";
import { decimal, tr } from "../ui/translate";

export interface Sample {
  readonly arc_m: number;
  readonly lat: number;
  readonly lon: number;
  readonly at: string | null;
  readonly temperature_c: number | null;
  readonly headwind_ms: number | null;
  readonly crosswind_ms: number | null;
  readonly gust_ms: number | null;
  readonly rain_mm_h: number | null;
  readonly snow_cm_h: number | null;
  readonly visibility_m: number | null;
  readonly ice_risk: "none" | "possible" | "likely" | null;
  readonly reason?: string;
}

/** The answer of POST /v1/weather/along, as far as it is shown. */
interface Answer extends Ahead {
  readonly samples: readonly Sample[];
}

const COLOUR = "#2a6f97";
const HARSH = "#b4371f";

/** The forecast for the time one comes to each place of the way. */
export const weather: Task = {
  name: "weather",
  label: tr("Weather"),
  icon: "M7 17a4 4 0 0 1 .5-8 5.5 5.5 0 0 1 10.6 1.6A3.3 3.3 0 0 1 17.5 17zM9 20l.8-1.5M13 20l.8-1.5",
  stops: tr("The route whose weather is shown for the time at which you come to each place."),
  journey: true,
  travel: true,
  fields: [
    {
      kind: "time",
      key: "leave",
      label: tr("Leave at"),
      help: tr("By your clock; now unless you say."),
      default: "",
    },
  ],
  waiting: tr("Asking for the forecast…"),
  hint: tr(
    "Give a start and a destination: the weather on the way is shown for the time at which you come to each place.",
  ),
  request(plan) {
    const way = wayOf(plan);
    if (!way) return null;
    const { leave } = inputsOf(plan, "weather");
    return {
      path: "v1/weather/along",
      body: { ...way, ...(leave ? { depart_at: withOffset(String(leave)) } : {}) },
    };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    return shown(
      answer,
      answer.samples.map((one) => ({
        at: [one.lon, one.lat],
        title: `${clock(one.at)} · ${one.temperature_c === null ? tr("not known") : `${decimal(one.temperature_c, 1)} °C`}`,
        colour: harsh(one) ? HARSH : COLOUR,
        details: [
          afterOf(plan, one.arc_m),
          words(one).join(", "),
          one.reason && `${sentence(one.reason)}.`,
        ],
      })),
      COLOUR,
      { context, none: tr("The weather on the way is not known."), summary: span(answer.samples) },
      strip(answer.samples),
    );
  },
};

/** From the coldest to the warmest of the way. */
function span(samples: readonly Sample[]): string {
  const known = samples.flatMap(({ temperature_c: t }) => (t === null ? [] : [Math.round(t)]));
  if (known.length === 0) return tr("The weather is not known");
  const [low, high] = [Math.min(...known), Math.max(...known)];
  const rain = samples.some(({ rain_mm_h: rain, snow_cm_h: snow }) => rain || snow);
  return `${low === high ? low : tr("{0} to {1}", low, high)} °C, ${rain ? tr("rain or snow") : tr("dry")}`;
}

function clock(at: string | null): string {
  return at ? timeOfDay(at) : "?";
}

function harsh({ ice_risk: ice, gust_ms: gust, visibility_m: far }: Sample): boolean {
  return ice === "likely" || (gust ?? 0) >= 20 || (far ?? Infinity) < 1000;
}

/** The facts of a place besides its temperature. */
export function words(one: Sample): string[] {
  const said: string[] = [];
  if (one.headwind_ms !== null) {
    const along = Math.round(Math.abs(one.headwind_ms));
    if (along > 0)
      said.push(`${along} m/s ${one.headwind_ms > 0 ? tr("against you") : tr("behind you")}`);
  }
  if (one.crosswind_ms !== null) {
    const across = Math.round(Math.abs(one.crosswind_ms));
    if (across > 0)
      said.push(
        tr("{0} m/s from the {1}", across, one.crosswind_ms > 0 ? tr("right") : tr("left")),
      );
  }
  if (one.gust_ms !== null) said.push(tr("gusts {0} m/s", Math.round(one.gust_ms)));
  if (one.rain_mm_h) said.push(tr("rain {0} mm/h", one.rain_mm_h));
  if (one.snow_cm_h) said.push(tr("snow {0} cm/h", one.snow_cm_h));
  if (one.visibility_m !== null && one.visibility_m < 5000)
    said.push(tr("you see {0} km far", Math.round(one.visibility_m / 100) / 10));
  if (one.ice_risk && one.ice_risk !== "none") said.push(tr("ice is {0}", one.ice_risk));
  return said;
}

/** The temperature and the rain along the way, in one line. */
function strip(samples: readonly Sample[]): HTMLElement | false {
  const known = samples.filter(({ temperature_c: t }) => t !== null);
  if (known.length < 2) return false;
  return h(
    "div",
    {
      class: "scroll weather-strip",
      role: "region",
      "aria-label": tr("Weather strip"),
      tabindex: 0,
    },
    h(
      "table",
      {},
      h("caption", { class: "offscreen" }, tr("Weather on the way")),
      h(
        "tbody",
        {},
        row(tr("At"), samples, ({ at }) => clock(at)),
        row("°C", samples, ({ temperature_c: t }) => (t === null ? "–" : String(Math.round(t)))),
        row(tr("Rain, mm/h"), samples, ({ rain_mm_h: rain, snow_cm_h: snow }) =>
          rain === null && snow === null ? "–" : rain || snow ? String(rain || `${snow}*`) : "0",
        ),
        row(tr("Gusts, m/s"), samples, ({ gust_ms: gust }) =>
          gust === null ? "–" : String(Math.round(gust)),
        ),
      ),
    ),
  );
}

function row(name: string, samples: readonly Sample[], cell: (one: Sample) => string): HTMLElement {
  return h(
    "tr",
    {},
    h("th", { scope: "row" }, name),
    samples.map((one) => h("td", {}, cell(one))),
  );
}
