import "../style/print.css";
import type { Planner } from "../explorer/planner";
import type { Overlays } from "../map/overlays";
import type { Drawn } from "../map/picture";
import { COSTING_NAMES } from "../plan/options";
import { attributionLine, type Explorer } from "../plan/explorer";
import { placedStops, stopLetter, stopName, type Plan } from "../plan/plan";
import type { RouteView } from "../route/answer";
import type { Piece } from "../route/stretches";
import { h } from "../ui/dom";
import { formatLength, formatTime } from "../ui/format";
import { manoeuvreIcon, uiIcon } from "../ui/icons";
import type { Loading } from "../ui/loading";
import { tr } from "../ui/translate";

export interface PrintSetup {
  readonly planner: Planner;
  readonly explorer: Explorer;
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** The parts of the route in colours of their own. */
  readonly painted: () => readonly Piece[];
}

/** The size of the map on paper, in CSS pixels. */
const SIZE = { width: 900, height: 560 };

/** A button that prints the directions with a map. */
export function printButton(setup: PrintSetup, route: RouteView): HTMLElement {
  return h(
    "button",
    {
      type: "button",
      class: "chip",
      "data-focus": "print",
      onclick: () => void print(setup, route),
    },
    uiIcon("print"),
    tr("Print"),
  );
}

async function print(setup: PrintSetup, route: RouteView): Promise<void> {
  const { planner, explorer, loading } = setup;
  const running = new AbortController();
  const done = loading.begin(tr("Drawing the map to print…"), () => running.abort());
  const picture = await mapOf(setup, route, running.signal).catch(() => null);
  done();
  if (running.signal.aborted) return;
  const sheet = sheetOf(explorer, planner.state.plan, route, picture);
  document.getElementById("print")?.remove();
  document.body.append(sheet);
  // The picture is decoded before the page is taken to paper.
  await sheet
    .querySelector("img")
    ?.decode()
    .catch(() => undefined);
  addEventListener("afterprint", () => sheet.remove(), { once: true });
  window.print();
}

async function mapOf(
  { planner, explorer, apiKey, painted }: PrintSetup,
  route: RouteView,
  signal: AbortSignal,
): Promise<Drawn> {
  const { pictureOf } = await import("../map/picture");
  const { plan } = planner.state;
  const overlays: Overlays = {
    routes: [route],
    chosen: 0,
    step: null,
    stale: false,
    shapes: [],
    apart: [],
    avoid: plan.avoid,
    paint: painted(),
    spot: null,
  };
  const points = plan.stops.flatMap(({ at }, index) =>
    at ? [{ at, letter: stopLetter(index) }] : [],
  );
  const { territory, attribution } = explorer;
  return pictureOf(
    { territory, attribution, apiKey, bounds: route.bounds, overlays, points, ...SIZE },
    signal,
  );
}

/** The directions as they stand on paper. */
function sheetOf(
  explorer: Explorer,
  plan: Plan,
  route: RouteView,
  picture: Drawn | null,
): HTMLElement {
  const names = placedStops(plan).map((s) => stopName(plan, plan.stops.indexOf(s)));
  const called = (index: number): string => names[index] ?? stopLetter(index);
  const { miles, summary, clockwise } = route;
  const title = tr("{0} to {1}", called(0), names.at(-1) ?? "");
  return h(
    "article",
    { id: "print" },
    h("h1", {}, title),
    h(
      "p",
      { class: "print-sum" },
      [
        COSTING_NAMES[plan.costing],
        formatTime(summary.time),
        formatLength(summary.length, miles),
        plan.when && `${plan.when.kind === "depart" ? "leaving" : "arriving"} ${plan.when.at.replace("T", " ")}`,
      ]
        .filter(Boolean)
        .join(" · "),
    ),
    picture
      ? h("img", { src: picture.source, alt: tr("Map of the way from {0}", title), ...SIZE })
      : h("p", {}, tr("The map could not be drawn.")),
    h("p", { class: "print-credit" }, attributionLine(picture?.credit ?? explorer.attribution)),
    route.legs.map((leg, index) => [
      h(
        "h2",
        {},
        `${stopLetter(index)} ${called(index)} to ${stopLetter(index + 1)} ${called(index + 1)}`,
        h("span", {}, `${formatTime(leg.summary.time)}, ${formatLength(leg.summary.length, miles)}`),
      ),
      h(
        "ol",
        {},
        leg.steps.map((step) =>
          h(
            "li",
            {},
            manoeuvreIcon(step.type, step.roundabout_exit_count, clockwise),
            h("span", {}, step.landmark_instruction ?? step.instruction),
            h("span", {}, step.length > 0 ? formatLength(step.length, miles) : ""),
          ),
        ),
      ),
    ]),
    h(
      "p",
      { class: "print-credit" },
      `${new Date().toLocaleDateString(plan.language, { dateStyle: "long" })} · ${location.href}`,
    ),
  ); // prettier-ignore
}
