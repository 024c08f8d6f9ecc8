import { h } from "../ui/dom";
import { inputsOf } from "../plan/plan";
import { decodePolyline } from "../geo/polyline";
import { isRecord } from "../call/record";
import { kindName } from "../search/kinds";
import { afterOf, detourOf, dotsOf, list, openOf, shortly, wayOf, type Item } from "./ahead";
import type { Task } from "./task";
import { line } from "../map/shape";
import { tr } from "../ui/translate";

/** The answer of POST /route/along, as far as it is shown. */
interface Answer {
  readonly route: { readonly shape: string };
  readonly places: readonly {
    readonly name?: string;
    readonly lat: number;
    readonly lon: number;
    readonly arc_m: number;
    readonly detour_s: number;
    readonly properties?: unknown;
  }[];
}

const WAY = "#2f5bea";
const FOUND = "#b3467a";
const MOST = 30;

/** Places of a kind along the way, the shortest detour first. */
export const onway: Task = {
  name: "onway",
  label: tr("Along"),
  icon: "M5 20c0-6 4-6 7-8s4-4 4-6M12 12h.01M16 3.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  stops: tr("The way that places are looked for along."),
  journey: true,
  travel: true,
  fields: [
    {
      kind: "text",
      key: "kind",
      label: tr("Look for"),
      help: tr("A kind of places, in your words: petrol station, Apotheke, boulangerie."),
      default: "",
      most: 100,
      placeholder: tr("petrol station"),
    },
    {
      kind: "check",
      key: "opennow",
      label: tr("Only what is not shut now"),
      help: "",
      default: false,
    },
    {
      kind: "number",
      key: "aside",
      main: false,
      label: tr("Aside from the way"),
      help: "",
      default: 5,
      min: 0.1,
      max: 50,
      step: 0.1,
      unit: "km",
    },
  ],
  waiting: tr("Measuring detours…"),
  hint: tr("Give a start and a destination, and say what you look for on the way."),
  request(plan) {
    const way = wayOf(plan);
    const { kind = "", opennow, aside = 5 } = inputsOf(plan, "onway");
    if (!way || String(kind).trim() === "") return null;
    const { language: _, ...asked } = way;
    return {
      path: "route/along",
      body: {
        ...asked,
        kind: String(kind).trim(),
        limit: MOST,
        corridor_m: Math.round(Number(aside) * 1000),
        ...(opennow ? { open_now: true } : {}),
      },
    };
  },
  read(body, plan, context) {
    const answer = body as Answer;
    const items = answer.places.map((one): Item => {
      const about = isRecord(one.properties) ? one.properties : {};
      const text = (key: string): string => (typeof about[key] === "string" ? about[key] : "");
      const categories: unknown = about["categories"];
      const kind = Array.isArray(categories) ? kindName(String(categories[0] ?? "")) : "";
      const street = [text("housenumber"), text("street")].filter(Boolean).join(" ");
      return {
        at: [one.lon, one.lat],
        title: one.name || kind,
        details: [
          shortly([one.name && kind, street, text("city")]),
          shortly([afterOf(plan, one.arc_m), detourOf(one.detour_s)]),
          about["open_now"] === true ? tr("Open now") : openOf(text("opening_hours")),
        ],
      };
    });
    const none = tr("Nothing of this kind is known near the way.");
    return {
      summary: items.length
        ? tr("{0} on the way, the first {1}", items.length, items[0]!.title)
        : none,
      shapes: [line(decodePolyline(answer.route.shape), WAY), ...dotsOf(items, FOUND)],
      content: items.length ? list(items, FOUND, context) : h("p", { class: "empty" }, none),
    };
  },
};
