import { send, type Answered, type Call } from "../call/call";
import { narrate } from "../call/problem";
import type { LonLat } from "../geo/coords";
import { encodePolyline } from "../geo/polyline";
import { dot, type Shape } from "../map/shape";
import type { RouteView } from "../route/answer";
import { passedOf, type Heritage, type Observations, type Passed } from "../route/passing";
import { h } from "../ui/dom";
import { formatLength } from "../ui/format";
import { uiIcon } from "../ui/icons";
import type { Loading } from "../ui/loading";
import { refill } from "../ui/reconcile";
import { tr } from "../ui/translate";

export interface PassingSetup {
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** Marks a place on the map; null clears the mark. */
  readonly mark: (at: LonLat | null) => void;
  readonly look: (line: readonly LonLat[]) => void;
  readonly draw: (shapes: readonly Shape[]) => void;
  /** Says a text in the route's language; null where nothing speaks. */
  readonly say: ((text: string) => void) | null;
  /** What is to be said when the route is played. */
  readonly play: (passed: readonly Passed[]) => void;
}

const COLOURS = { observation: "#2f7d4f", heritage: "#8a4b9c" } as const;

/** What a route passes, as a strip, a list and on the map; asked for once it is opened. */
export class PassingPanel {
  readonly element: HTMLDetailsElement;
  private readonly setup: PassingSetup;
  private readonly body = h("div", { class: "passing-body" });
  private route: RouteView | null = null;
  private asked: RouteView | null = null;
  private running: AbortController | null = null;
  private passed: readonly Passed[] = [];

  constructor(setup: PassingSetup) {
    this.setup = setup;
    this.element = h(
      "details",
      { class: "profile passing", hidden: true },
      h("summary", { "data-focus": "passing" }, tr("What you pass")),
      this.body,
    );
    this.element.addEventListener("toggle", () => this.update());
  }

  /** Takes another route, or none. */
  load(route: RouteView | null): void {
    if (route === this.route) return;
    this.route = route;
    this.running?.abort();
    this.asked = null;
    this.body.replaceChildren();
    this.keep([]);
    this.element.hidden = (route?.line.length ?? 0) < 2;
    this.update();
  }

  /** Draws what is passed again, after the map showed something else. */
  draw(): void {
    this.setup.draw(
      this.passed.map(({ at, kind }, index) =>
        dot(at, COLOURS[kind], String(index + 1), `passed-${index + 1}`),
      ),
    );
  }

  /** Marks what is being said; null marks nothing. */
  light(index: number | null): void {
    for (const old of this.body.querySelectorAll("[aria-current]")) {
      old.removeAttribute("aria-current");
    }
    if (index === null) return;
    this.body
      .querySelectorAll(`[data-item="passed-${index + 1}"]`)
      .forEach((one) => one.setAttribute("aria-current", "true"));
  }

  private keep(passed: readonly Passed[]): void {
    const drawn = this.passed.length > 0;
    this.passed = passed;
    this.setup.play(passed);
    if (drawn || passed.length > 0) this.draw();
  }

  private update(): void {
    if (!this.element.open || !this.route || this.asked === this.route) return;
    void this.ask(this.route);
  }

  private async ask(route: RouteView): Promise<void> {
    this.asked = route;
    this.running?.abort();
    const running = (this.running = new AbortController());
    const done = this.setup.loading.begin(tr("Looking at what is passed…"), () => running.abort());
    refill(this.body, h("div", { class: "profile-wait", "aria-hidden": "true" }));
    const shape = encodePolyline(route.line);
    const calls: Call[] = [
      {
        path: "v1/route/observations",
        query: { lang: route.language },
        body: { geometry_polyline6: shape, units: route.miles ? "miles" : "kilometers" },
      },
      {
        path: "v1/route/heritage",
        body: { geometry_polyline6: shape, duration_s: route.summary.time, min_gap_s: 60 },
      },
    ];
    const answers = await Promise.all(
      calls.map((call) => send(call, this.setup.apiKey, running.signal)),
    );
    done();
    if (this.asked !== route) return;
    if (running.signal.aborted) {
      this.asked = null;
      refill(this.body, this.again(tr("Cancelled."), route));
      return;
    }
    const [seen, spoken] = answers as [Answered, Answered];
    const observations = seen.kind === "ok" ? (seen.body as Observations) : null;
    const heritage = spoken.kind === "ok" ? (spoken.body as Heritage) : null;
    this.keep(passedOf(route.line, observations, heritage));
    refill(this.body, ...this.show(route, observations, heritage), ...this.failed(route, answers));
  }

  private show(
    route: RouteView,
    observations: Observations | null,
    heritage: Heritage | null,
  ): (HTMLElement | false)[] {
    const metres = observations?.route.length_m ?? heritage?.route.length_m ?? 0;
    const given = [observations, heritage].filter((one) => one !== null);
    const credits = new Set(given.flatMap(({ attribution }) => attribution));
    return [
      this.passed.length > 0 && this.strip(metres),
      this.passed.length > 0 && this.list(route),
      this.passed.length === 0 &&
        given.length > 0 &&
        h("p", { class: "hint" }, tr("Nothing is known that this route passes.")),
      this.passed.length > 0 &&
        h(
          "details",
          { class: "found-detail" },
          h("summary", {}, tr("What this rests on")),
          given.map(({ caveat }) => h("p", {}, caveat)),
        ),
      credits.size > 0 && h("p", { class: "found-detail" }, [...credits].join(" · ")),
    ];
  }

  /** The way as a line from its start to its end, with a button for each thing that is passed. */
  private strip(metres: number): HTMLElement {
    return h(
      "div",
      { class: "passing-strip", role: "group", "aria-label": tr("Along the route") },
      this.passed.map((one, index) => {
        const button = h("button", {
          type: "button",
          class: "passing-dot",
          title: one.subject,
          "aria-label": one.subject,
          "data-item": `passed-${index + 1}`,
          ...this.pointing(one),
          onclick: () => this.setup.look([one.at]),
        });
        // Through the object model: the page's policy allows no style attributes.
        button.style.left = `${metres > 0 ? Math.min(100, (100 * one.metres) / metres) : 0}%`;
        button.style.background = COLOURS[one.kind];
        return button;
      }),
    );
  }

  private list(route: RouteView): HTMLElement {
    const { look, say } = this.setup;
    return h(
      "ol",
      { class: "found" },
      this.passed.map((one, index) => {
        const number = h("span", { class: "found-number", "aria-hidden": "true" }, index + 1);
        number.style.background = COLOURS[one.kind];
        const after = formatLength(one.metres / (route.miles ? 1609.344 : 1000), route.miles);
        return h(
          "li",
          { "data-item": `passed-${index + 1}`, ...this.pointing(one) },
          number,
          h(
            "div",
            {},
            h(
              "button",
              { type: "button", class: "found-name", onclick: () => look([one.at]) },
              one.subject,
            ),
            h("p", { class: "found-detail" }, tr("{0} · after {1}", one.note, after)),
            h("p", {}, one.say),
          ),
          say &&
            h(
              "button",
              {
                type: "button",
                class: "speak",
                title: tr("Say it"),
                "aria-label": tr("Say: {0}", one.say),
                onclick: () => say(one.say),
              },
              uiIcon("sound"),
            ),
        );
      }),
    );
  }

  private pointing({ at }: Passed) {
    const { mark } = this.setup;
    return {
      onmouseenter: () => mark(at),
      onmouseleave: () => mark(null),
      onfocusin: () => mark(at),
      onfocusout: () => mark(null),
    };
  }

  /** What could not be had: what the deployment lacks in a line, the rest with another try. */
  private failed(route: RouteView, answers: readonly (Answered | null)[]): HTMLElement[] {
    return answers.flatMap((answered, index) => {
      if (answered?.kind !== "failed") return [];
      const { failure } = answered;
      const what = index === 0 ? tr("What the map shows") : tr("Heritage lines");
      if (failure.kind === "answer" && failure.status === 501) {
        return [h("p", { class: "found-detail" }, tr("{0}: not on this server.", what))];
      }
      return [this.again(`${what}: ${narrate(failure, 0).title}`, route)];
    });
  }

  private again(text: string, route: RouteView): HTMLElement {
    return h(
      "p",
      { class: "hint" },
      text,
      " ",
      h(
        "button",
        { type: "button", class: "tool", onclick: () => void this.ask(route) },
        tr("Try again"),
      ),
    );
  }
}
