import { decimal, dateLanguage, tr } from "../ui/translate";
import type { Cloud, State } from "../cloud/overlay";
import { CLASSES, COLOURINGS, GREYS, RAMP, type Colouring } from "../cloud/colours";
import { isRecord } from "../call/record";
import { inputsOf, type Plan } from "../plan/plan";
import { h } from "../ui/dom";
import { refill } from "../ui/reconcile";
import type { Finding, Task, TaskContext } from "./task";
import { line, swatch } from "../map/shape";

const OUTLINE = "#d9730d";
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/;
const MB = 1e6;

/** The sidecar of a hosted cloud, as far as it is shown. */
interface Sidecar {
  readonly points: number;
  readonly file: { readonly bytes: number };
  readonly survey_dates: string | null;
  readonly classes: Readonly<Record<string, number>>;
  readonly crs: {
    readonly wkt: string | null;
    readonly horizontal: { readonly name: string } | null;
    readonly vertical: { readonly name: string } | null;
  };
}

function isSidecar(value: unknown): value is Sidecar {
  return isRecord(value) && isRecord(value["file"]) && isRecord(value["crs"]);
}

function named(plan: Plan): { dataset: string; cloud: string } | null {
  const { dataset = "", cloud = "" } = inputsOf(plan, "cloud");
  const both = { dataset: String(dataset).trim(), cloud: String(cloud).trim() };
  return NAME.test(both.dataset) && NAME.test(both.cloud) ? both : null;
}

function coloured(plan: Plan): Colouring {
  const { colour } = inputsOf(plan, "cloud");
  return COLOURINGS.find((one) => one === colour) ?? "height";
}

/** The most points that are drawn. */
function budgetOf(plan: Plan): number {
  const { most } = inputsOf(plan, "cloud");
  const given = Number(most);
  if (given > 0) return given * MB;
  return matchMedia("(max-width: 720px)").matches ? 0.5 * MB : 2 * MB;
}

function number(n: number): string {
  return n.toLocaleString(dateLanguage());
}

/** What is known of the cloud in lines. */
function facts({ points, file, survey_dates, crs }: Sidecar, heights: [number, number]) {
  const rows: [string, string][] = [
    [tr("Points"), tr("{0} in {1} MB", number(points), decimal(file.bytes / MB, 1))],
    [tr("Surveyed"), survey_dates?.replace("/", tr(" to ")) ?? tr("unknown")],
    [tr("Heights"), tr("{0} m to {1} m", decimal(heights[0], 1), decimal(heights[1], 1))],
    [tr("System"), crs.horizontal?.name ?? tr("unknown")],
    [tr("Heights in"), crs.vertical?.name ?? tr("a system that the file does not name")],
  ];
  return h(
    "dl",
    { class: "facts" },
    rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

/** What the colours mean. */
function legend(colouring: Colouring, sidecar: Sidecar, heights: [number, number]): HTMLElement {
  if (colouring === "class") {
    const known = CLASSES.filter(([code]) => sidecar.classes[code] !== undefined);
    return h(
      "ul",
      { class: "legend" },
      known.map(([code, name, colour]) =>
        h("li", {}, swatch(colour, "round"), `${name} (${number(sidecar.classes[code]!)})`),
      ),
    );
  }
  const [low, high] =
    colouring === "height" ? heights.map((m) => `${decimal(m, 1)} m`) : [tr("dark"), tr("bright")];
  const colours = colouring === "height" ? RAMP : GREYS;
  return h(
    "ul",
    { class: "legend" },
    h("li", {}, swatch(colours[0], "round"), `${low}`),
    colouring === "height" && h("li", {}, swatch(RAMP[2], "round"), tr("between")),
    h("li", {}, swatch(colours.at(-1)!, "round"), `${high}`),
  );
}

function progress({ points, bytes, waiting, full, error }: State): string {
  if (error) return tr("Drawing stopped: {0}.", error);
  const read = tr(
    "{0} {0|point|points} drawn, {1} MB read",
    number(points),
    decimal(bytes / MB, 1),
  );
  if (waiting > 0) return tr("{0}; {1} more {1|part is|parts are} loading…", read, waiting);
  return full ? tr("{0}. Look closer for finer points.", read) : `${read}.`;
}

/** Opens a cloud and draws it; what comes of it is output in the elements. */
async function show(
  { dataset, cloud }: { dataset: string; cloud: string },
  sidecar: Sidecar,
  context: TaskContext,
  output: { readonly state: HTMLElement; readonly about: HTMLElement },
): Promise<void> {
  const { wkt } = sidecar.crs;
  if (!wkt) {
    output.state.textContent = tr(
      "The cloud names no reference system as text, so where it is cannot be drawn: add it again with --crs.",
    );
    return;
  }
  const { Cloud } = await import("../cloud/overlay");
  const path = `pointclouds/${encodeURIComponent(dataset)}/${encodeURIComponent(cloud)}.bin`;
  let opened: Cloud;
  try {
    opened = await Cloud.open({
      address: new URL(path, document.baseURI).href,
      wkt,
      apiKey: context.apiKey,
      changed: (state) => (output.state.textContent = progress(state)),
    });
  } catch (error) {
    output.state.textContent = tr(
      "The cloud cannot be drawn: {0}.",
      error instanceof Error ? error.message : String(error),
    );
    return;
  }
  const paint = (): void => {
    const plan = context.plan();
    const colouring = coloured(plan);
    opened.draw({ colouring, budget: budgetOf(plan) });
    refill(
      output.about,
      facts(sidecar, opened.heights),
      legend(colouring, sidecar, opened.heights),
      h("p", { class: "fine" }, tr("© the owner of the dataset {0}, hosted here.", dataset)),
    );
  };
  if (!context.over(opened, paint)) return opened.end();
  const { outline } = opened;
  context.draw([line([...outline, outline[0]!], OUTLINE)]);
  context.look(outline);
  paint();
}

/** A hosted point cloud over the map. */
export const cloud: Task = {
  name: "cloud",
  label: tr("Point cloud"),
  icon: "M5 17h.01M9 18h.01M13 17h.01M17 18h.01M20 16h.01M7 13h.01M11 13.5h.01M15 13h.01M18 12h.01M9 9h.01M13 9.5h.01M16 8h.01M11 5.5h.01M14 5h.01",
  stops: null,
  travel: false,
  key: true,
  fields: [
    {
      kind: "text",
      key: "dataset",
      label: tr("Dataset"),
      help: "",
      default: "",
      most: 100,
      placeholder: "bridges-2026",
    },
    {
      kind: "text",
      key: "cloud",
      label: tr("Cloud"),
      help: "",
      default: "",
      most: 100,
      placeholder: "a470",
    },
    {
      kind: "choice",
      key: "colour",
      label: tr("Colour by"),
      help: "",
      default: "height",
      choices: [
        ["height", tr("Height")],
        ["class", tr("Class")],
        ["intensity", tr("Intensity")],
      ],
    },
    {
      kind: "choice",
      key: "most",
      label: tr("Points at once"),
      help: tr("More need a better graphics processor, and more of the quota."),
      default: "",
      main: false,
      choices: [
        ["", tr("As this device can")],
        ["0.25", tr("250,000")],
        ["1", tr("1 million")],
        ["3", tr("3 million")],
        ["6", tr("6 million")],
      ],
    },
  ],
  waiting: tr("Looking for the cloud…"),
  hint: tr(
    "Points that a laser measured are drawn over the map in three dimensions. Name a dataset that this key may read, and a cloud in it. A unit is used for each megabyte that is looked at.",
  ),
  request(plan) {
    const of = named(plan);
    return of && { path: `pointclouds/${of.dataset}/${of.cloud}.json` };
  },
  read(answer, plan, context): Finding {
    const of = named(plan);
    if (!of || !isSidecar(answer)) throw new TypeError("no sidecar");
    const state = h("p", { role: "status" }, tr("Loading the points…"));
    const about = h("div");
    void show(of, answer, context, { state, about });
    return {
      shapes: [],
      summary: tr("{0}: {1} {1|point|points}", `${of.dataset}/${of.cloud}`, number(answer.points)),
      content: h("div", {}, state, about),
    };
  },
};
