import { readRoutes, type RouteAnswer } from "../route/answer";
import type { Call } from "../call/call";
import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { planOf, type Explorer } from "../plan/explorer";
import { formatLength, formatTime } from "../ui/format";
import { writePermalink } from "../explorer/permalink";
import { emptyPlan, stop, withStops, type Plan } from "../plan/plan";
import { buildRequest } from "../plan/request";
import { readFeatures } from "../search/feature";
import { at } from "../call/root";
import { counted } from "../site/money";
import { FOUND } from "../task/found";
import { isochrone } from "../task/isochrone";
import { matrix } from "../task/matrix";
import type { TaskContext } from "../task/task";
import { dot, line, type Shape } from "../map/shape";
import { THEMES } from "../map/themes";

/** What came of a call, for the page. */
export interface Shown {
  readonly shapes: readonly Shape[];
  /** What to say of it. */
  readonly content: Node | string;
}

/** One thing that the server does, shown by a call of it. */
export interface Show {
  readonly name: string;
  readonly label: string;
  /** In a sentence. */
  readonly about: string;
  /** The call; null shows no answer of its own. */
  readonly call: (stage: Stage) => Call | null | Promise<Call | null>;
  readonly read: (answer: unknown, stage: Stage) => Shown;
  /** Where in the explorer one goes on: the fragment of its address. */
  readonly explorer?: (stage: Stage) => string;
  /** Another page where one goes on. */
  readonly page?: readonly [string, string];
}

/** What the shows are given on. */
export interface Stage {
  readonly explorer: Explorer;
  /** Draws the map in another theme. */
  readonly wear: (theme: string) => void;
  /** Asks the server something on the way to a call; undefined where it refuses. */
  readonly ask: (call: Call) => Promise<unknown>;
}

const ROUTE = "#2f5bea";

function lorry({ explorer }: Stage): Plan {
  const { examples } = explorer;
  const example = examples.find(({ costing, adr }) => costing === "truck" && !adr) ?? examples[0];
  return example ? planOf(example, emptyPlan()) : emptyPlan();
}

/** Places of the region that are on its roads: those of its examples. */
function places({ explorer }: Stage): LonLat[] {
  const all = explorer.examples.flatMap(({ points }) => points);
  const seen = new Map(all.map((point) => [point.join(), point]));
  return [...seen.values()];
}

function reachPlan(stage: Stage): Plan {
  const [first] = places(stage);
  return first ? withStops(emptyPlan(), [stop(first)]) : emptyPlan();
}

function tablePlan(stage: Stage): Plan {
  return withStops(
    emptyPlan(),
    places(stage)
      .slice(0, 4)
      .map((point) => stop(point)),
  );
}

/** Tasks of the explorer that only read answers need no context. */
const NO_DESK = {} as TaskContext;

export const SHOWS: readonly Show[] = [
  {
    name: "route",
    label: "A lorry’s way",
    about: "Round low bridges, within weights, with tunnels for dangerous goods.",
    call: (stage) => {
      const body = buildRequest(lorry(stage));
      return body && { path: "route", body };
    },
    read(answer) {
      const [route] = readRoutes(answer as RouteAnswer);
      if (!route) return { shapes: [], content: "No way was found." };
      const steps = route.legs.reduce((sum, leg) => sum + leg.steps.length, 0);
      const { time, length } = route.summary;
      const ends = [route.line[0]!, route.line.at(-1)!];
      return {
        shapes: [line(route.line, ROUTE), ...ends.map((end, i) => dot(end, ROUTE, "AB"[i]!))],
        content: `${formatTime(time)}, ${formatLength(length, route.miles)}, ${counted(steps, "instruction")} in 12 languages.`,
      };
    },
    explorer: (stage) => writePermalink(lorry(stage)),
  },
  {
    name: "reach",
    label: "What is in reach",
    about: "All roads within 15 minutes of a place, in bands.",
    call: (stage) => isochrone.request(reachPlan(stage), null),
    read: (answer, stage) => {
      const plan = reachPlan(stage);
      const call = isochrone.request(plan, null)!;
      return isochrone.read(answer, plan, NO_DESK, call);
    },
    explorer: (stage) => writePermalink({ ...reachPlan(stage), task: "reach" }),
  },
  {
    name: "matrix",
    label: "A table of times",
    about: "From every place to every other, in one call.",
    call: (stage) => matrix.request(tablePlan(stage), null),
    read(answer, stage) {
      const plan = tablePlan(stage);
      const { content } = matrix.read(answer, plan, NO_DESK, matrix.request(plan, null)!);
      const dots = plan.stops.flatMap(({ at: point }, i) =>
        point ? [dot(point, ROUTE, String.fromCharCode(65 + i))] : [],
      );
      return { shapes: dots, content };
    },
    explorer: (stage) => writePermalink({ ...tablePlan(stage), task: "matrix" }),
  },
  {
    name: "search",
    label: "Search",
    about: "Addresses, streets, towns, postcodes and what is there, with slips of the pen.",
    async call(stage) {
      const [first] = places(stage);
      if (!first) return null;
      const query = { lon: first[0], lat: first[1], limit: 1 };
      const [here] = readFeatures(await stage.ask({ path: "geocode/reverse", query }));
      const q = here?.name.replace(/^\d+\w?\s+/, "") ?? stage.explorer.name;
      return { path: "geocode", query: { q, limit: 5 } };
    },
    read(answer) {
      const found = readFeatures(answer);
      return {
        shapes: found.map(({ at: point }, i) => dot(point, FOUND, String(i + 1))),
        content: h(
          "ol",
          { class: "found-list" },
          found.map(({ name, address }) => h("li", {}, h("strong", {}, name), " ", address)),
        ),
      };
    },
    explorer: () => "do=search",
  },
  {
    name: "maps",
    label: "Maps",
    about: "Vector tiles of your extract over the whole world, in eleven themes and your own.",
    call: ({ explorer }) => ({ path: `tiles/${explorer.territory}/tiles.json` }),
    read: (_, stage) => ({
      shapes: [],
      content: h(
        "div",
        { class: "buttons", role: "group", "aria-label": "Themes" },
        THEMES.map(([name, label]) =>
          h(
            "button",
            { type: "button", class: "button second small", onclick: () => stage.wear(name) },
            label,
          ),
        ),
      ),
    }),
    page: ["themes", "Make a style of your own"],
  },
  {
    name: "keys",
    label: "Keys",
    about: "One call gives a key that works at once. Quotas, prices and usage are built in.",
    call: () => ({ path: "v1/limits" }),
    read(answer) {
      const { caller } = answer as { caller?: { lane?: string; rate_per_min?: number | null } };
      const rate = caller?.rate_per_min;
      return {
        shapes: [],
        content: h(
          "p",
          {},
          rate
            ? `Here you may make ${counted(rate, "call")} a minute ${caller?.lane === "demo" ? "without a key" : "with your key"}. `
            : "",
          h("a", { href: at("keys") }, "Get a key"),
          " or read your usage in the ",
          h("a", { href: at("console") }, "console"),
          ".",
        ),
      };
    },
    page: ["keys", "Get a key"],
  },
];
