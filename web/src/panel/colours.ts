import { send } from "../call/call";
import type { Planner } from "../explorer/planner";
import { swatch } from "../map/shape";
import type { Explorer } from "../plan/explorer";
import type { RouteView } from "../route/answer";
import type { Profile } from "../route/heights";
import {
  byEdges,
  bySteepness,
  classNames,
  COLOURINGS,
  edgesCall,
  isColouring,
  lengthsOf,
  piecesOf,
  RAMP,
  type Colouring,
  type Piece,
  type Stretch,
} from "../route/stretches";
import { h } from "../ui/dom";
import { formatLength } from "../ui/format";
import type { Loading } from "../ui/loading";
import { refill } from "../ui/reconcile";
import { tr } from "../ui/translate";

/** Lines of more points are not asked about. */
const MOST_POINTS = 16_000;

const NAMES: Readonly<Record<Colouring, string>> = {
  steepness: tr("Steepness"),
  surface: tr("Surface"),
  speed: tr("Speed"),
};

export interface ColoursSetup {
  readonly planner: Planner;
  readonly explorer: Explorer;
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** Draws parts of the route in colours of their own. */
  readonly paint: (pieces: readonly Piece[]) => void;
  /** Draws the height profile in the same colours. */
  readonly profile: {
    readonly open: () => void;
    readonly paint: (stretches: readonly Stretch[], metres: number) => void;
  };
}

/** The choice of what the route's line is coloured by, and what its colours mean. */
export class ColoursPanel {
  readonly element = h("div", { class: "colours" });
  private readonly setup: ColoursSetup;
  private readonly legend = h("div", {});
  private readonly select = h("select", {
    id: "colour-by",
    "data-focus": "colour-by",
    onchange: () => this.choose(this.select.value),
  });
  private route: RouteView | null = null;
  private profile: Profile | null = null;
  /** The answer about the edges of the route, once it is there. */
  private edges: { readonly body: unknown } | null = null;
  private running: AbortController | null = null;

  constructor(setup: ColoursSetup) {
    this.setup = setup;
    const offered = COLOURINGS.filter((kind) => kind !== "steepness" || setup.explorer.heights);
    this.select.append(
      h("option", { value: "" }, tr("One colour")),
      ...offered.map((kind) => h("option", { value: kind }, NAMES[kind])),
    );
    this.element.append(
      h("p", {}, h("label", { for: "colour-by" }, tr("Colour the line by")), this.select),
      this.legend,
    );
    setup.planner.subscribe(({ panel }, before) => {
      this.select.value = panel.colouring ?? "";
      if (panel.colouring !== before.panel.colouring) this.update();
    });
  }

  private get kind(): Colouring | null {
    return this.setup.planner.state.panel.colouring;
  }

  private choose(name: string): void {
    this.setup.planner.show({ colouring: isColouring(name) ? name : null });
  }

  load(route: RouteView | null): void {
    if (route === this.route) return;
    this.route = route;
    this.profile = this.edges = null;
    this.element.hidden = !route || route.line.length < 2 || route.line.length > MOST_POINTS;
    this.update();
  }

  /** Takes the heights along a route, where they are known. */
  know(route: RouteView, profile: Profile | null): void {
    if (route !== this.route) return;
    this.profile = profile;
    this.update();
  }

  private update(): void {
    const { kind, route } = this;
    const { profile, paint } = this.setup;
    this.running?.abort();
    this.running = null;
    if (!kind || !route || this.element.hidden) return this.clear();
    if (kind === "steepness") {
      if (this.profile) {
        return this.show(kind, bySteepness(this.profile), this.profile.metres);
      }
      this.clear();
      return profile.open();
    }
    if (!this.edges) {
      this.clear();
      return void this.ask(route);
    }
    try {
      const { stretches, metres } = byEdges(this.edges.body, kind, route.miles);
      this.show(kind, stretches, metres);
    } catch {
      paint([]);
      refill(this.legend, h("p", { class: "hint" }, tr("This could not be read.")));
    }
  }

  private clear(): void {
    const { profile, paint } = this.setup;
    paint([]);
    profile.paint([], 1);
    refill(this.legend);
  }

  private async ask(route: RouteView): Promise<void> {
    const { loading, apiKey, planner } = this.setup;
    const running = (this.running = new AbortController());
    const done = loading.begin(tr("Looking up the roads…"), () => running.abort());
    const answered = await send(edgesCall(planner.state.plan, route), apiKey, running.signal);
    done();
    if (this.running !== running) return;
    if (answered?.kind === "ok") {
      this.edges = { body: answered.body };
      return this.update();
    }
    refill(
      this.legend,
      h(
        "p",
        { class: "hint" },
        answered ? tr("The roads could not be looked up.") : tr("Cancelled."),
      ),
      h(
        "button",
        { type: "button", class: "tool", onclick: () => void this.ask(route) },
        tr("Try again"),
      ),
    );
  }

  private show(kind: Colouring, stretches: readonly Stretch[], metres: number): void {
    const { route } = this;
    const { profile, paint } = this.setup;
    if (!route) return;
    paint(piecesOf(route.line, stretches, metres));
    profile.paint(stretches, metres);
    const names = classNames(kind, route.miles);
    const lengths = lengthsOf(stretches, names.length);
    const long = (length: number) =>
      formatLength(length / (route.miles ? 1609.344 : 1000), route.miles);
    const known = lengths.reduce((sum, length) => sum + length, 0);
    refill(
      this.legend,
      h(
        "ul",
        { class: "legend colour-legend", "aria-label": tr("What the colours mean") },
        names.flatMap((name, index) =>
          lengths[index]! > 0
            ? [
                h(
                  "li",
                  {},
                  swatch(RAMP[index]!, "square"),
                  h("span", {}, name),
                  h("span", { class: "colour-length" }, long(lengths[index]!)),
                ),
              ]
            : [],
        ),
      ),
      metres - known > metres / 100 &&
        h("p", { class: "hint" }, tr("Not known for {0}.", long(metres - known))),
    );
  }
}
