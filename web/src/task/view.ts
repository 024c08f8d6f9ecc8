import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { formatLength } from "../ui/format";
import { inputsOf, moveStop, placedStops, withInput, type Plan } from "../plan/plan";
import { isRecord } from "../call/record";
import { readRecord } from "../search/feature";
import { bearing, destination, distance } from "../geo/sphere";
import { foundList } from "./found";
import type { Task } from "./task";
import { dot, line } from "../map/shape";
import { tr } from "../ui/translate";

const CONE = "#c98a1b";

/** The colours of the verdicts on a line of sight. */
export const COLOURS: Readonly<Record<string, string>> = {
  clear: "#006b78",
  occluded: "#c43c2c",
  unknown: "#a9a08c",
};

const VERDICTS: Readonly<Record<string, string>> = {
  clear: tr("Clear line of sight"),
  occluded: tr("Hidden"),
  unknown: tr("Not known"),
};

interface Sector {
  readonly from: LonLat;
  readonly bearing: number;
  readonly fov: number;
  readonly radius: number;
}

function sectorOf(plan: Plan): Sector | null {
  const [first] = placedStops(plan);
  if (!first) return null;
  const { bearing: to = 0, fov = 60, radius = 1000 } = inputsOf(plan, "view");
  return { from: first.at, bearing: Number(to), fov: Number(fov), radius: Number(radius) };
}

/** The outline of a sector, the observer first and last. */
export function outline({ from, bearing: to, fov, radius }: Sector): LonLat[] {
  const steps = Math.max(4, Math.ceil(fov / 5));
  const arc = Array.from({ length: steps + 1 }, (_, i) =>
    destination(from, to - fov / 2 + (fov * i) / steps, radius),
  );
  return fov >= 360 ? arc : [from, ...arc, from];
}

function set(plan: Plan, key: string, value: number, usual: number): Plan {
  return withInput(plan, "view", key, value === usual ? undefined : value);
}

/** What can be seen from point A in a direction. */
export const view: Task = {
  name: "view",
  label: tr("In view"),
  icon: "M4 12 19 5v14zM4 12h.01",
  stops: tr("Where you stand."),
  first: true,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "what",
      label: tr("Look for"),
      help: tr(
        "Kinds of places in your words, such as castle, église, Bahnhof; or the name of one.",
      ),
      default: "",
      most: 120,
      placeholder: "building",
    },
    {
      kind: "number",
      key: "bearing",
      label: tr("Direction"),
      help: "",
      default: 0,
      min: 0,
      max: 359,
      step: 1,
      unit: tr("° from north"),
    },
    {
      kind: "number",
      key: "fov",
      label: tr("Width"),
      help: "",
      default: 60,
      min: 1,
      max: 360,
      step: 1,
      unit: "°",
    },
    {
      kind: "number",
      key: "radius",
      label: tr("As far as"),
      help: "",
      default: 1000,
      min: 50,
      max: 5000,
      step: 50,
      unit: "m",
    },
    {
      kind: "number",
      key: "eye",
      main: false,
      label: tr("Eye above the ground"),
      help: "",
      default: 1.6,
      min: 0,
      max: 500,
      step: 0.1,
      unit: "m",
    },
    {
      kind: "check",
      key: "clear",
      label: tr("Only what has a clear line of sight"),
      help: "",
      default: false,
    },
    {
      kind: "check",
      key: "byname",
      main: false,
      label: tr("What I look for is a name"),
      help: "",
      default: false,
    },
  ],
  waiting: tr("Looking along the ground…"),
  hint: tr(
    "Click the map for where you stand: point A. Drag the two handles of the cone to turn it and to open it.",
  ),
  request(plan) {
    const sector = sectorOf(plan);
    if (!sector) return null;
    const { what = "building", eye, clear, byname } = inputsOf(plan, "view");
    const [lon, lat] = sector.from;
    const asked = String(what).trim();
    return {
      path: "v1/places/in-view",
      query: {
        lat,
        lon,
        bearing_deg: sector.bearing,
        ...(byname ? { name: asked } : { categories: asked }),
        fov_deg: sector.fov,
        radius_m: sector.radius,
        limit: 25,
        eye_height_m: eye === undefined ? undefined : Number(eye),
        visible_only: clear === true ? true : undefined,
      },
    };
  },
  read(answer, plan, context) {
    const sector = sectorOf(plan);
    const results = isRecord(answer) ? answer["results"] : null;
    if (!Array.isArray(results)) throw new TypeError("no results in the answer");
    const miles = plan.units === "miles";
    const seen = results.flatMap((result) => {
      const found = readRecord(result);
      return found ? [{ found, ...verdictOf(result) }] : [];
    });
    const excluded = isRecord(answer) && isRecord(answer["excluded"]) ? answer["excluded"] : {};
    const caveat = isRecord(answer) ? answer["caveat"] : null;
    return {
      shapes: seen.flatMap(({ found, verdict }, index) => {
        const colour = COLOURS[verdict] ?? COLOURS["unknown"]!;
        const sight = sector ? { ...line([sector.from, found.at], colour), dotted: true } : null;
        return [...(sight ? [sight] : []), dot(found.at, colour, String(index + 1))];
      }),
      content: h(
        "div",
        {},
        seen.length
          ? foundList(
              seen.map(({ found }) => found),
              context,
              miles,
              (index) => {
                const { verdict, why } = seen[index]!;
                return h(
                  "p",
                  { class: `verdict ${verdict}` },
                  [VERDICTS[verdict] ?? verdict, why].filter(Boolean).join(": "),
                );
              },
            )
          : h("p", { class: "welcome" }, tr("Nothing of this kind in the cone.")),
        leftOut(excluded),
        typeof caveat === "string" && h("p", { class: "hint" }, caveat),
      ),
    };
  },
  sketch(plan) {
    const sector = sectorOf(plan);
    if (!sector) return [];
    const ring = outline(sector).map(([lon, lat]) => [lon, lat]);
    return [{ geometry: { type: "Polygon", coordinates: [ring] }, colour: CONE }];
  },
  handles(plan) {
    const sector = sectorOf(plan);
    if (!sector) return [];
    const { from, bearing: to, fov, radius } = sector;
    return [
      {
        id: "ahead",
        at: destination(from, to, radius),
        label: tr("Direction and distance of the cone"),
        move(next, at) {
          const turned = set(next, "bearing", Math.round(bearing(from, at)) % 360, 0);
          const far = Math.round(distance(from, at) / 10) * 10;
          return set(turned, "radius", Math.max(50, Math.min(5000, far)), 1000);
        },
      },
      {
        id: "edge",
        at: destination(from, to + fov / 2, radius),
        label: tr("Width of the cone"),
        move(next, at) {
          const off = ((bearing(from, at) - to + 540) % 360) - 180;
          return set(next, "fov", Math.max(1, Math.min(360, Math.round(Math.abs(off) * 2))), 60);
        },
      },
    ];
  },
  controls(plan, { change }) {
    const [first] = placedStops(plan);
    if (!first) return h("div");
    const turn = (by: number) => () => {
      const { bearing: to = 0 } = inputsOf(plan, "view");
      change(set(plan, "bearing", (Number(to) + by + 360) % 360, 0));
    };
    return h(
      "div",
      { class: "task-controls" },
      h(
        "button",
        { type: "button", class: "chip", "data-focus": "turn-left", onclick: turn(-15) },
        tr("Turn left"),
      ),
      h(
        "button",
        { type: "button", class: "chip", "data-focus": "turn-right", onclick: turn(15) },
        tr("Turn right"),
      ),
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "data-focus": "step-ahead",
          onclick: () => {
            const { bearing: to = 0 } = inputsOf(plan, "view");
            change(moveStop(plan, first.id, destination(first.at, Number(to), 100)));
          },
        },
        tr("100 m ahead"),
      ),
    );
  },
};

function verdictOf(result: unknown): { verdict: string; why: string } {
  const sight = isRecord(result) && isRecord(result["visibility"]) ? result["visibility"] : {};
  const verdict = typeof sight["verdict"] === "string" ? sight["verdict"] : "unknown";
  const block = sight["obstruction"];
  if (isRecord(block) && typeof block["distance_m"] === "number") {
    const kind = block["kind"] === "building" ? tr("a building") : tr("the ground");
    const over = block["height_above_sightline_m"];
    const by =
      typeof over === "number" ? tr(", {0} m above the line", over.toFixed(over < 10 ? 1 : 0)) : "";
    return {
      verdict,
      why: tr("by {0} after {1}{2}", kind, formatLength(block["distance_m"] / 1000, false), by),
    };
  }
  const reasons = isRecord(sight["checks"])
    ? Object.values(sight["checks"]).flatMap((check) =>
        isRecord(check) && typeof check["reason"] === "string" ? [check["reason"]] : [],
      )
    : [];
  const listed = verdict === "clear" ? [] : reasons;
  return { verdict, why: listed.map((reason) => reason.replaceAll("-", " ")).join(", ") };
}

/** What the answer left out, and why, so that nothing goes without a word. */
function leftOut(excluded: Record<string, unknown>): HTMLElement | false {
  const number = (key: string): number => Number(excluded[key]) || 0;
  const parts = [
    [number("out_of_sector"), tr("outside the cone")],
    [number("beyond_visibility_check"), tr("further away, not checked")],
    [number("occluded"), "hidden"],
    [number("unknown"), tr("not known")],
  ] as const;
  const listed = parts.filter(([n]) => n > 0).map(([n, what]) => `${n} ${what}`);
  return listed.length > 0 && h("p", { class: "hint" }, tr("Left out: {0}.", listed.join(", ")));
}
