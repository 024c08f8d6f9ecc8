import type { AdrBlock, RouteView } from "../route/answer";
import { tunnelLocation } from "../route/answer";
import type { Bounds, LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { titleOf, type Explorer } from "../plan/explorer";
import { formatLength } from "../ui/format";
import type { Place } from "../route/drive";
import { uiIcon } from "../ui/icons";
import { placedStops, stopLetter } from "../plan/plan";
import type { Loading } from "../ui/loading";
import { offRoad } from "../route/offroad";
import type { Outcome, Planner, State } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import type { Shape } from "../map/shape";
import { Speech } from "../route/speech";
import { exportButtons } from "./export";
import { printButton } from "./print";
import { shareButton } from "./share";
import { legs } from "./legs";
import { PassingPanel } from "./passing";
import { Player } from "./play";
import { routeChoice } from "./choice";
import { reasons } from "./reasons";
import { profilePanel } from "./profile";
import { ColoursPanel } from "./colours";
import type { Piece } from "../route/stretches";
import { coverageNotice, scenicNotice, zonesNotice } from "../route/notices";
import { tr } from "../ui/translate";

export interface ResultSetup {
  readonly planner: Planner;
  readonly explorer: Explorer;
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** Marks a stretch of the route on the map; null clears the mark. */
  readonly highlight: (line: readonly LonLat[] | null) => void;
  readonly look: (line: readonly LonLat[]) => void;
  /** Marks a place on the map; null clears the mark. */
  readonly mark: (at: LonLat | null) => void;
  /** Shows the traveller of a played route; null takes them off the map. */
  readonly travel: (place: Place | null) => void;
  /** Draws what the route passes. */
  readonly draw: (shapes: readonly Shape[]) => void;
  /** Draws parts of the route in colours of their own. */
  readonly paint: (pieces: readonly Piece[]) => void;
  readonly painted: () => readonly Piece[];
  readonly fit: (bounds: Bounds) => void;
  readonly startExample: (index: number) => void;
}

/** The result of the request: routes or a failure, and the exchange behind it. */
export function resultPanel(setup: ResultSetup): HTMLElement {
  const { planner } = setup;
  const box = h("section", { class: "result", "aria-label": tr("Result") });
  const speech = new Speech(setup.explorer.voices ?? [], setup.apiKey);
  const player: Player = new Player({
    travel: setup.travel,
    mark: (step) => markStep(box, step),
    speech,
    passed: (index) => passing.light(index),
  });
  const passing = new PassingPanel({
    ...setup,
    say: speech.available ? (text) => player.say(text) : null,
    play: (passed) => player.pass(passed),
  });

  const profile = profilePanel({
    ...setup,
    known: (route, heights) => colours.know(route, heights),
  });
  const colours: ColoursPanel = new ColoursPanel({ ...setup, profile });

  const render = (state: State): void => {
    const { outcome } = state;
    const route = outcome.kind === "routes" ? (outcome.routes[state.chosen] ?? null) : null;
    player.load(route);
    profile.load(route, state.plan.costing);
    colours.load(state.plan.task === "route" ? route : null);
    passing.load(route);
    box.hidden = state.plan.task !== "route";
    box.classList.toggle("stale", state.busy);
    if (outcome.kind === "none") {
      refill(box, state.busy ? skeleton() : state.stopped ? stopped(planner) : welcome(setup));
      return;
    }
    refill(
      box,
      state.stopped && stopped(planner),
      outcome.kind === "routes"
        ? directions(
            setup,
            {
              player,
              colours: colours.element,
              profile: profile.element,
              passing: passing.element,
            },
            outcome,
            state,
          )
        : failure(setup, outcome),
    );
  };

  planner.subscribe((state, before) => {
    const changed =
      state === before ||
      state.outcome !== before.outcome ||
      state.chosen !== before.chosen ||
      state.busy !== before.busy ||
      state.stopped !== before.stopped ||
      state.plan.stops !== before.plan.stops ||
      state.plan.task !== before.plan.task;
    if (changed) render(state);
    // The other tasks draw in the same place.
    if (state.plan.task === "route" && before.plan.task !== "route") passing.draw();
  });
  return box;
}

function welcome({ explorer, startExample }: ResultSetup): HTMLElement {
  return h(
    "div",
    { class: "welcome" },
    h(
      "p",
      {},
      matchMedia("(pointer: coarse)").matches
        ? tr("Tap the map for a start and a destination, or press and hold for more.")
        : tr(
            "Click the map for a start and a destination, search for them, or right-click for what is here.",
          ),
    ),
    explorer.examples.length > 0 &&
      h(
        "div",
        { class: "examples" },
        h("h2", {}, tr("Try one of these")),
        explorer.examples.map((example, index) =>
          h(
            "button",
            { type: "button", class: "example", onclick: () => startExample(index) },
            titleOf(example),
          ),
        ),
      ),
  );
}

function skeleton(): HTMLElement {
  return h(
    "div",
    { class: "skeleton", "aria-hidden": "true" },
    [1, 2, 3, 4].map(() => h("div", {})),
  );
}

/** What stands where a request was given up. */
function stopped(planner: Planner): HTMLElement {
  return h(
    "p",
    { class: "notice calm stopped" },
    tr("Cancelled."),
    h(
      "button",
      { type: "button", class: "tool", onclick: () => planner.ask(true) },
      tr("Try again"),
    ),
  );
}

function failure(setup: ResultSetup, outcome: Outcome & { kind: "failed" }): HTMLElement {
  const { narration, status } = outcome;
  const marked = placedStops(setup.planner.state.plan).filter((s) => outcome.bad.has(s.id));
  return h(
    "div",
    { class: "notice danger", role: "alert" },
    h("h2", {}, uiIcon("warning"), narration.title),
    narration.text && h("p", {}, narration.text),
    narration.notes.length > 0 &&
      h(
        "ul",
        {},
        narration.notes.map((note) => h("li", {}, note)),
      ),
    h(
      "p",
      { class: "actions" },
      marked.map((s) =>
        h(
          "button",
          { type: "button", class: "tool", onclick: () => setup.look([s.at]) },
          uiIcon("centre"),
          tr(
            "Show point {0}",
            stopLetter(setup.planner.state.plan.stops.findIndex((t) => t.id === s.id)),
          ),
        ),
      ),
      narration.places.map(({ label, at }) =>
        h(
          "button",
          {
            type: "button",
            class: "tool",
            onclick: () => {
              setup.mark(at);
              setup.look([at]);
            },
          },
          uiIcon("centre"),
          label,
        ),
      ),
      (status === null || status === 429 || status >= 500) &&
        h(
          "button",
          { type: "button", class: "tool", onclick: () => setup.planner.ask(true) },
          tr("Try again"),
        ),
    ),
  );
}

/** Marks the step of the list that is being played, and brings it into view. */
function markStep(box: HTMLElement, step: number | null): void {
  box.querySelector("[aria-current]")?.removeAttribute("aria-current");
  if (step === null) return;
  const row = box.querySelectorAll(".steps > li")[step];
  row?.setAttribute("aria-current", "step");
  const leg = row?.closest("details");
  if (leg) leg.open = true;
  row?.scrollIntoView({ block: "nearest" });
}

function directions(
  setup: ResultSetup,
  {
    player,
    colours,
    profile,
    passing,
  }: {
    readonly player: Player;
    readonly colours: HTMLElement;
    readonly profile: HTMLElement;
    readonly passing: HTMLElement;
  },
  outcome: Outcome & { kind: "routes" },
  state: State,
): HTMLElement[] {
  const route = outcome.routes[state.chosen] ?? outcome.routes[0]!;
  const { warnings = [], adr, zones, restriction_coverage: coverage, scenic } = outcome.answer;
  return [
    routeChoice(setup, outcome.routes, state.chosen),
    ...warnings.map((warning) =>
      h(
        "div",
        { class: "notice warning" },
        h(
          "p",
          {},
          uiIcon("warning"),
          h("span", {}, warning.text ?? tr("Warning {0}", warning.code ?? "")),
          warning.text !== undefined &&
            warning.code !== undefined &&
            h("span", { class: "code" }, String(warning.code)),
        ),
      ),
    ),
    ...(scenic ? [scenicNotice(scenic, route.miles)] : []),
    ...(adr ? [adrNotice(adr, setup)] : []),
    ...(zones ? [zonesNotice(zones, route.miles)] : []),
    ...(coverage ? [coverageNotice(coverage)] : []),
    reasons(setup, outcome),
    ...apart(setup, route),
    colours,
    profile,
    passing,
    player.element,
    exportButtons(state.plan, route, shareButton(setup.planner), printButton(setup, route)),
    ...legs(setup, player, state.plan, route),
    h(
      "p",
      { class: "fine" },
      tr("Answered in {0} ms, network included.", Math.round(outcome.tookMS)),
    ),
  ];
}

/** Where the route begins, turns or ends away from its points. */
function apart({ planner, look }: ResultSetup, route: RouteView): HTMLElement[] {
  return offRoad(planner.state.plan, route).map(({ letter, line, metres }) =>
    h(
      "p",
      { class: "apart" },
      h("span", { class: "dotted", "aria-hidden": "true" }),
      h(
        "button",
        { type: "button", class: "link", onclick: () => look(line) },
        tr(
          "Point {0} is {1} from the road",
          letter,
          formatLength(metres / (route.miles ? 1609.344 : 1000), route.miles),
        ),
      ),
    ),
  );
}

const ENFORCED: Record<string, string> = {
  engine: tr("Enforced: the routing engine kept this load out of forbidden tunnels."),
  gateway: tr("Checked by the gateway after routing."),
  none: tr("Not enforced: nothing kept this route out of forbidden tunnels."),
};

function adrNotice(adr: AdrBlock, { look }: ResultSetup): HTMLElement {
  const enforced = adr.enforced_by ?? "none";
  const tunnels = adr.tunnels ?? [];
  const blocked = tunnels.some((tunnel) => decision(tunnel.decision).status === "blocked");
  const safe = enforced !== "none" && !blocked;
  return h(
    "div",
    { class: `notice ${safe ? "calm" : "warning"}` },
    h(
      "h2",
      {},
      uiIcon(safe ? "shield" : "warning"),
      tr("Dangerous goods"),
      adr.tunnel_code && h("span", { class: "code" }, adr.tunnel_code),
      adr.hazmat && h("span", { class: "code" }, "hazmat"),
    ),
    h("p", {}, ENFORCED[enforced] ?? tr("Enforced by: {0}.", enforced)),
    tunnels.length > 0
      ? h(
          "ul",
          { class: "tunnels" },
          tunnels.map((tunnel) => {
            const at = tunnelLocation(tunnel);
            const { status, reason } = decision(tunnel.decision);
            const label = [
              tunnel.category ? tr("Category {0}", tunnel.category) : tr("Category unknown"),
              status,
            ];
            return h(
              "li",
              {},
              at
                ? h(
                    "button",
                    { type: "button", class: "link", onclick: () => look([at]) },
                    label.filter(Boolean).join(": "),
                  )
                : label.filter(Boolean).join(": "),
              tunnel.way_id !== undefined &&
                h("span", { class: "code" }, tr("way {0}", tunnel.way_id)),
              reason && h("p", {}, reason),
            );
          }),
        )
      : adr.tunnels && h("p", {}, tr("No tunnel with a known category on this route.")),
    (adr.caveats ?? []).map((caveat) => h("p", { class: "caveat" }, caveat)),
  );
}

function decision(value: unknown): { status: string; reason: string } {
  if (typeof value === "string") return { status: value, reason: "" };
  const { status = "", reason = "" } = (value ?? {}) as { status?: string; reason?: string };
  return { status, reason };
}
