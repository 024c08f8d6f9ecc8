import type { RouteView } from "../route/answer";
import { send } from "../call/call";
import type { LonLat } from "../geo/coords";
import { h, svg } from "../ui/dom";
import type { Explorer } from "../plan/explorer";
import { formatLength } from "../ui/format";
import {
  alongs,
  placeAt,
  pointAt,
  profileOf,
  ticks,
  type HeightAnswer,
  type Profile,
} from "../route/heights";
import type { Loading } from "../ui/loading";
import type { Costing } from "../plan/options";
import { refill } from "../ui/reconcile";
import { RAMP, type Stretch } from "../route/stretches";
import { tr } from "../ui/translate";

export interface ProfileSetup {
  readonly explorer: Explorer;
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** Marks a place on the map; null clears the mark. */
  readonly mark: (at: LonLat | null) => void;
  /** Hears of the heights along a route; null where too little is known. */
  readonly known: (route: RouteView, profile: Profile | null) => void;
}

/** Draws stretches of a route of so many metres in their colours. */
type Painter = (stretches: readonly Stretch[], metres: number) => void;

/** Lines of more points are not asked about. */
const MOST_POINTS = 20_000;

const WIDTH = 340;
const HEIGHT = 72;

/** The costings for which it matters at once how steep the way is. */
const STEEP: ReadonlySet<Costing> = new Set(["bicycle", "pedestrian"]);

/** The heights along a route, where the region has heights: asked for once it is open. */
export function profilePanel(setup: ProfileSetup): {
  readonly element: HTMLElement;
  readonly load: (route: RouteView | null, costing: Costing) => void;
  /** Opens the fold, which looks up the heights. */
  readonly open: () => void;
  /** Draws stretches of a route of so many metres in their colours. */
  readonly paint: (stretches: readonly Stretch[], metres: number) => void;
} {
  const body = h("div", { class: "profile-body" });
  const summary = h("summary", { "data-focus": "heights" }, tr("Height profile"));
  const element = h("details", { class: "profile", hidden: true }, summary, body);
  let route: RouteView | null = null;
  let asked: RouteView | null = null;
  let running: AbortController | null = null;
  /** What the user last did; null: nothing yet. */
  let wanted: boolean | null = null;
  let painted: Parameters<Painter> = [[], 1];
  let painter: Painter | null = null;
  summary.addEventListener("click", () => (wanted = !element.open));

  const ask = async (of: RouteView): Promise<void> => {
    asked = of;
    const controller = (running = new AbortController());
    const done = setup.loading.begin(tr("Looking up heights…"), () => controller.abort());
    refill(body, h("div", { class: "profile-wait", "aria-hidden": "true" }));
    const shape = of.line.map(([lon, lat]) => ({ lat, lon }));
    const call = { path: "elevation/along", body: { shape } };
    const answered = await send(call, setup.apiKey, controller.signal);
    done();
    if (asked !== of) return;
    if (answered?.kind !== "ok") {
      asked = null;
      const again = () => void ask(of);
      refill(
        body,
        h(
          "p",
          { class: "hint" },
          answered ? tr("The heights could not be had.") : tr("Cancelled."),
        ),
        h("button", { type: "button", class: "tool", onclick: again }, tr("Try again")),
      );
      return;
    }
    const profile = profileOf(answered.body as HeightAnswer);
    const drawn = profile ? chart(profile, of.line, of.miles, setup.mark) : null;
    refill(
      body,
      drawn?.content ??
        h("p", { class: "hint" }, tr("Too little is known of the heights along this route.")),
    );
    painter = drawn?.paint ?? null;
    painter?.(...painted);
    setup.known(of, profile);
  };

  const update = (): void => {
    if (!element.open || !route || asked === route) return;
    running?.abort();
    void ask(route);
  };
  element.addEventListener("toggle", update);

  return {
    element,
    open() {
      element.open = !element.hidden;
      update();
    },
    paint(...stretches) {
      painted = stretches;
      painter?.(...stretches);
    },
    load(next, costing) {
      if (next === route) return;
      route = next;
      running?.abort();
      asked = null;
      painter = null;
      body.replaceChildren();
      setup.mark(null);
      // A way from a place to itself has one point.
      const points = next?.line.length ?? 0;
      element.hidden = !setup.explorer.heights || points < 2 || points > MOST_POINTS;
      element.open = !element.hidden && (wanted ?? STEEP.has(costing));
      update();
    },
  };
}

function chart(
  profile: Profile,
  line: readonly LonLat[],
  miles: boolean,
  mark: (at: LonLat | null) => void,
): { readonly content: HTMLElement[]; readonly paint: Painter } {
  const { points, metres, low, high, up, down } = profile;
  // Flat country is not drawn as if it were the Alps.
  const span = Math.max(40, high - low);
  const base = low - (span - (high - low)) / 2;
  const x = (along: number): number => (along / metres) * WIDTH;
  const y = (height: number): number => HEIGHT - 6 - ((height - base) / span) * (HEIGHT - 14);
  const path = points
    .map(({ along, height }) => `${x(along).toFixed(1)} ${y(height).toFixed(1)}`)
    .join("L");
  const grid = axes(profile, miles);
  const bands = svg("g");
  const paint: Painter = (stretches, of) => {
    const scale = metres / of; // both measure the way for themselves
    bands.replaceChildren(
      ...stretches.map(({ from, to, grade }) => {
        const [start, end] = [from * scale, to * scale];
        const within = points.filter(({ along: at }) => at > start && at < end);
        const top = [pointAt(profile, start), ...within, pointAt(profile, end)]
          .map(({ along: at, height }) => `${x(at).toFixed(1)} ${y(height).toFixed(1)}`)
          .join("L");
        const d = `M${x(start).toFixed(1)} ${HEIGHT}L${top}L${x(end).toFixed(1)} ${HEIGHT}Z`;
        return svg("path", { d, fill: RAMP[grade]! });
      }),
    );
  };
  const needle = svg("line", { y1: 0, y2: HEIGHT, class: "needle" });
  const dot = svg("circle", { r: 4, class: "needle-dot" });
  const cursor = svg("g", { visibility: "hidden" }, needle, dot);
  const picture = svg(
    "svg",
    { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none" },
    ...grid.up.map(({ value }) =>
      svg("line", { x2: WIDTH, y1: y(value), y2: y(value), class: "grid" }),
    ),
    ...grid.along.map(({ value }) =>
      svg("line", { x1: x(value), x2: x(value), y2: HEIGHT, class: "grid" }),
    ),
    svg("path", { d: `M0 ${HEIGHT}L${path}L${WIDTH} ${HEIGHT}Z`, class: "hill" }),
    bands,
    svg("path", { d: `M${path}`, class: "ridge" }),
    cursor,
  );
  const along = alongs(line);
  const scale = (along.at(-1) ?? 0) / metres; // both measure the earth in their own way
  const whole = tr(
    "Climbs {0}, falls {1}; from {2} to {3} above the sea",
    tall(up, miles),
    tall(down, miles),
    tall(low, miles),
    tall(high, miles),
  );
  const readout = h("p", { class: "profile-told" });
  let at = 0;
  const box = h(
    "div",
    {
      class: "profile-chart",
      role: "slider",
      tabindex: 0,
      "data-focus": "profile",
      "aria-label": tr("Place on the height profile"),
      "aria-valuemin": 0,
      "aria-valuemax": Math.round(metres),
      "aria-valuenow": 0,
      onpointermove: (event: PointerEvent) => {
        const { left, width } = box.getBoundingClientRect();
        show(((event.clientX - left) / width) * metres);
      },
      onpointerdown: (event: PointerEvent) => {
        const { left, width } = box.getBoundingClientRect();
        show(((event.clientX - left) / width) * metres);
      },
      onpointerleave: () => clear(),
      onblur: () => clear(),
      onkeydown: (event: KeyboardEvent) => {
        const to = stepped(event.key, at, metres);
        if (to === null) return;
        event.preventDefault();
        show(to);
      },
    },
    picture,
  );
  const show = (to: number): void => {
    at = Math.max(0, Math.min(metres, to));
    const { height, grade } = pointAt(profile, at);
    const steep = `${Math.abs(Math.round(grade))} % ${grade < 0 ? "down" : "up"}`;
    const text = tr(
      "{0} along: {1}, {2}",
      formatLength(at / (miles ? 1609.344 : 1000), miles),
      tall(height, miles),
      steep,
    );
    cursor.setAttribute("visibility", "visible");
    cursor.setAttribute("transform", `translate(${x(at).toFixed(1)} 0)`);
    dot.setAttribute("cy", y(height).toFixed(1));
    readout.textContent = text;
    box.setAttribute("aria-valuenow", String(Math.round(at)));
    box.setAttribute("aria-valuetext", text);
    mark(placeAt(line, along, at * scale));
  };
  const clear = (): void => {
    cursor.setAttribute("visibility", "hidden");
    readout.textContent = whole;
    mark(null);
  };
  readout.textContent = whole;
  box.setAttribute("aria-valuetext", whole);
  const content = [
    h(
      "div",
      { class: "profile-axes" },
      h(
        "div",
        { class: "axis up", "aria-hidden": "true" },
        grid.up.map(({ value, label }) => axisLabel(label, "top", y(value) / HEIGHT)),
      ),
      box,
      h(
        "div",
        { class: "axis along", "aria-hidden": "true" },
        grid.along.map(({ value, label }) => axisLabel(label, "left", value / metres)),
      ),
    ),
    readout,
  ];
  return { content, paint };
}

/** The marks of both axes, at metres and with labels in the reader's units. */
function axes({ metres, low, high }: Profile, miles: boolean) {
  const far = miles ? 1609.344 : 1000;
  const height = miles ? 0.3048 : 1;
  const flat = Math.max(0, 40 - (high - low)) / 2;
  return {
    up: ticks((low - flat) / height, (high + flat) / height, 3).map((value) => ({
      value: value * height,
      label: `${value} ${miles ? "ft" : "m"}`,
    })),
    along: ticks(0, metres / far, 4).map((value) => ({
      value: value * far,
      label: `${Number(value.toFixed(2))} ${miles ? "mi" : "km"}`,
    })),
  };
}

/** A label of an axis, at a share of its length from the upper or left end. */
function axisLabel(text: string, side: "top" | "left", share: number): HTMLElement {
  const label = h("span", {}, text);
  label.style[side] = `${(share * 100).toFixed(1)}%`;
  return label;
}

function stepped(key: string, at: number, metres: number): number | null {
  switch (key) {
    case "ArrowRight":
    case "ArrowUp":
      return at + metres / 50;
    case "ArrowLeft":
    case "ArrowDown":
      return at - metres / 50;
    case "Home":
      return 0;
    case "End":
      return metres;
    default:
      return null;
  }
}

/** A height in metres or feet. */
function tall(metres: number, miles: boolean): string {
  return miles ? tr("{0} ft", Math.round(metres / 0.3048)) : `${Math.round(metres)} m`;
}
