import { h } from "../ui/dom";
import { inputsOf, placedStops, type Plan } from "../plan/plan";
import { costed } from "../plan/request";
import type { Finding, Task } from "./task";
import { AREA_OPACITY, swatch, type Shape } from "../map/shape";
import { dateLanguage, tr } from "../ui/translate";

/** The colours of the outlines, the nearest first; they differ in lightness too. */
export const COLOURS = ["#7038c4", "#c9377c", "#ef7d05"];

/** So many outlines are drawn at once, up to so many minutes. */
const MOST_OUTLINES = COLOURS.length;
const MOST_MINUTES = 120;

/** The times of a text such as "5, 10, 15", the shortest first; null where it is none. */
export function minutesOf(text: string): number[] | null {
  if (!/^\d+([\s,;]+\d+)*$/.test(text.trim())) return null;
  const all = text
    .trim()
    .split(/[\s,;]+/)
    .map(Number);
  const list = [...new Set(all)].toSorted((a, b) => a - b);
  const fits = list.length <= MOST_OUTLINES && list[0]! >= 1 && list.at(-1)! <= MOST_MINUTES;
  return fits ? list : null;
}

const USUAL = "5, 10, 15";

/**
 * What is within reach, in minutes, whether towards the place rather than from it, and
 * whether by public transport.
 */
function reachOf(plan: Plan): { list: readonly number[]; toward: boolean; transit: boolean } {
  const { within = USUAL, toward = "0", means = "costing" } = inputsOf(plan, "reach");
  const list = minutesOf(String(within)) ?? minutesOf(USUAL)!;
  return { list, toward: toward === "1", transit: means === "transit" };
}

interface Answer {
  readonly features: readonly {
    readonly geometry: GeoJSON.Geometry;
    readonly properties: { readonly contour?: number };
  }[];
  readonly within?: readonly Within[];
}

/** What lies within an outline, or more than that. */
interface Within {
  readonly contour: number;
  readonly addresses: number;
  readonly places: number;
  readonly more: boolean;
}

/** "Addresses: 1,204 · places: 96"; null where nobody counted. */
function counted(within: Within | undefined): string | null {
  if (!within) return null;
  const number = (n: number): string => n.toLocaleString(dateLanguage());
  const { addresses, places, more } = within;
  return more
    ? tr("More than {0} addresses and {1} places", number(addresses), number(places))
    : tr("Addresses: {0} · places: {1}", number(addresses), number(places));
}

function read(answer: unknown, plan: Plan): Finding {
  const { list, toward } = reachOf(plan);
  const { features, within } = answer as Answer;
  const shapes: Shape[] = [...features]
    .toSorted((a, b) => (b.properties.contour ?? 0) - (a.properties.contour ?? 0))
    .map(({ geometry, properties }) => ({
      geometry,
      colour: COLOURS[list.indexOf(properties.contour ?? 0)] ?? COLOURS.at(-1)!,
    }));
  const where = toward ? tr("Point A is reached") : tr("Reached from point A");
  return {
    shapes,
    summary: tr("{0} within {1} min", where, list.join(", ")),
    content: h(
      "ul",
      { class: "legend" },
      list.map((minutes, index) => {
        const count = counted(within?.find(({ contour }) => contour === minutes));
        return h(
          "li",
          {},
          sample(index, list.length),
          h(
            "span",
            {},
            tr("{0} within {1} min", where, minutes),
            count && h("small", { class: "fine" }, count),
          ),
        );
      }),
    ),
  };
}

/** What a band looks like on the map: the wider ones lie below it. */
function sample(index: number, count: number): HTMLElement {
  const box = swatch(COLOURS[index]!, "square");
  const over = COLOURS.slice(index, count).map((colour) => {
    const veil = `color-mix(in srgb, ${colour} ${100 * AREA_OPACITY}%, transparent)`;
    return `linear-gradient(${veil}, ${veil})`;
  });
  box.style.backgroundImage = over.join(",");
  return box;
}

/** What is within reach of a place (or what reaches it), in minutes. */
export const isochrone: Task = {
  name: "reach",
  label: tr("Reach"),
  icon: "M12 12v.01M12 8.2a3.8 3.8 0 1 0 0 7.6 3.8 3.8 0 0 0 0-7.6M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17",
  stops: "",
  first: true,
  travel: true,
  fields: [
    {
      kind: "text",
      key: "within",
      label: tr("Minutes"),
      help: tr("One time or up to {0}, such as 10 or 5, 10, 15.", MOST_OUTLINES),
      default: USUAL,
      most: 40,
      accepts: (text) => minutesOf(text) !== null,
      wrong: tr(
        "Minutes are whole numbers from 1 to {0}, at most {1} of them.",
        MOST_MINUTES,
        MOST_OUTLINES,
      ),
    },
    {
      kind: "choice",
      key: "toward",
      label: tr("Direction"),
      help: "",
      default: "0",
      choices: [
        ["0", tr("from point A")],
        ["1", tr("to point A")],
      ],
    },
    {
      kind: "choice",
      key: "means",
      label: tr("By"),
      help: tr("Public transport sets out now, by the timetable; walks and waiting count."),
      default: "costing",
      choices: [
        ["costing", tr("the way of travel above")],
        ["transit", tr("public transport")],
      ],
    },
  ],
  waiting: tr("Drawing what is within reach…"),
  hint: tr("Click the map for a place: the area within reach is drawn around point A."),
  request(plan) {
    const [from] = placedStops(plan);
    if (!from) return null;
    const [lon, lat] = from.at;
    const { list, toward, transit } = reachOf(plan);
    return {
      path: "isochrone",
      body: {
        locations: [{ lat, lon }],
        ...(transit ? { costing: "transit" } : costed(plan)),
        contours: list.map((time) => ({ time })),
        polygons: true,
        count: true,
        ...(toward ? { reverse: true } : {}),
      },
    };
  },
  read,
};
