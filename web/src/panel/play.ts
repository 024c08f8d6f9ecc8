import type { RouteView } from "../route/answer";
import { h } from "../ui/dom";
import { Drive, type Place } from "../route/drive";
import { formatLength, formatTime } from "../ui/format";
import { manoeuvreIcon, uiIcon } from "../ui/icons";
import { cuesOf, type Passed } from "../route/passing";
import { refill } from "../ui/reconcile";
import { voiceName } from "../route/clips";
import type { Speech } from "../route/speech";
import { tr } from "../ui/translate";

export interface PlaySetup {
  /** Shows the traveller on the map; null takes them off it. */
  readonly travel: (place: Place | null) => void;
  /** Marks a step of the list; null marks none. */
  readonly mark: (step: number | null) => void;
  readonly speech: Speech;
  /** Marks what is passed and being said; null marks none. */
  readonly passed: (index: number | null) => void;
}

const RATES = [1, 5, 20] as const;

/** Plays a route: moves a traveller along it, and shows and speaks the instructions. */
export class Player {
  readonly element = h("div", { class: "player" });
  private readonly setup: PlaySetup;
  private readonly speech: Speech;
  private passing: ReturnType<typeof cuesOf> = [];
  private drive: Drive | null = null;
  private route: RouteView | null = null;
  private rate: number = 5;
  private aloud = false;
  private at = 0;
  private last = 0;
  private frame = 0;
  private readonly instructionText = h("span", { class: "player-text", "aria-live": "polite" });
  private readonly left = h("span", { class: "player-left" });
  private readonly icon = h("span", { class: "player-icon" });
  private readonly slider = h("input", {
    type: "range",
    class: "player-slider",
    min: 0,
    value: "0",
    "aria-label": tr("Place on the route"),
    "data-focus": "player-place",
    oninput: () => this.jump(Number(this.slider.value)),
  });
  private shown = -1;

  constructor(setup: PlaySetup) {
    this.setup = setup;
    this.speech = setup.speech;
  }

  get playing(): boolean {
    return this.frame !== 0;
  }

  /** Takes another route, or none; what was played of the former is forgotten. */
  load(route: RouteView | null): void {
    if (route === this.route) return;
    this.stop();
    this.route = route;
    this.drive = route && new Drive(route);
    this.passing = [];
    this.at = 0;
    this.slider.max = String(Math.ceil(this.drive?.seconds ?? 0));
    this.render();
  }

  /** Takes what the route passes, to be said between the instructions. */
  pass(passed: readonly Passed[]): void {
    this.passing = this.drive ? cuesOf(passed, this.drive) : [];
  }

  /** Says one step aloud, in the route's language. */
  say(text: string): void {
    if (this.route) this.speech.say(text, this.route.language);
  }

  get canSpeak(): boolean {
    return this.speech.available;
  }

  /** Ends the journey and clears the map of it. */
  stop(): void {
    this.pause();
    this.at = 0;
    this.shown = -1;
    this.setup.travel(null);
    this.setup.mark(null);
    this.setup.passed(null);
  }

  private play(): void {
    const { drive } = this;
    if (!drive || this.playing) return;
    if (this.at >= drive.seconds) this.at = 0;
    this.last = performance.now();
    const tick = (now: number): void => {
      const from = this.at;
      this.at = Math.min(drive.seconds, from + ((now - this.last) / 1000) * this.rate);
      this.last = now;
      this.speakBetween(from, this.at);
      this.show();
      if (this.at < drive.seconds) this.frame = requestAnimationFrame(tick);
      else {
        this.frame = 0;
        this.render();
      }
    };
    this.speakBetween(this.at - 1e-9, this.at);
    this.frame = requestAnimationFrame(tick);
    this.render();
  }

  private pause(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.speech.stop();
    this.render();
  }

  private jump(seconds: number): void {
    this.at = seconds;
    this.show();
  }

  /** At speed, what is due at once is cut to the newest. */
  private speakBetween(from: number, to: number): void {
    const { drive, route } = this;
    if (!this.aloud || !drive || !route) return;
    const due = drive.cues.findLast(({ when }) => when > from && when <= to);
    const passed = this.passing.findLast(({ when }) => when > from && when <= to);
    if (due) this.say(due.text);
    else if (passed) this.say(passed.text);
    if (due || passed) {
      this.setup.passed(due ? null : passed!.of);
      const next = [...drive.cues, ...this.passing].filter(({ when }) => when > to);
      for (const { text } of next.toSorted((a, b) => a.when - b.when).slice(0, 2)) {
        this.speech.prepare(text, route.language);
      }
    }
  }

  private show(): void {
    const { drive, route } = this;
    const place = drive?.place(this.at);
    if (!drive || !route || !place) return;
    this.setup.travel(place);
    this.slider.value = String(this.at);
    const next = drive.steps[place.step + 1] ?? drive.steps[place.step]!;
    const length = place.toNext / (route.miles ? 1609.344 : 1000);
    this.left.textContent = tr(
      "{0} · {1} left",
      formatLength(length, route.miles),
      formatTime(place.left),
    );
    if (this.shown === place.step) return;
    this.shown = place.step;
    this.setup.mark(place.step);
    this.instructionText.textContent = next.instruction;
    this.icon.replaceChildren(
      manoeuvreIcon(next.type, next.roundabout_exit_count, this.route?.clockwise),
    );
  }

  private render(): void {
    if (!this.drive || this.drive.seconds <= 0) {
      this.element.replaceChildren();
      return;
    }
    const begun = this.at > 0 || this.playing;
    refill(
      this.element,
      h(
        "div",
        { class: "player-row" },
        h(
          "button",
          {
            type: "button",
            class: "tool",
            "data-focus": "player",
            onclick: () => (this.playing ? this.pause() : this.play()),
          },
          uiIcon(this.playing ? "pause" : "play"),
          this.playing ? tr("Pause") : tr("Play the route"),
        ),
        begun &&
          h(
            "button",
            {
              type: "button",
              class: "tool",
              // It goes when it is pressed; the focus goes to the button before it.
              "data-focus": "player",
              onclick: () => {
                this.stop();
                this.render();
              },
            },
            tr("End"),
          ),
        h(
          "select",
          {
            "aria-label": tr("Speed of playing"),
            "data-focus": "player-rate",
            onchange: (event: Event) => {
              this.rate = Number((event.target as HTMLSelectElement).value);
            },
          },
          RATES.map((rate) =>
            h("option", { value: String(rate), selected: rate === this.rate }, `${rate} ×`),
          ),
        ),
        this.canSpeak &&
          h(
            "label",
            { class: "player-aloud" },
            h("input", {
              type: "checkbox",
              checked: this.aloud,
              "data-focus": "player-aloud",
              onchange: (event: Event) => {
                this.aloud = (event.target as HTMLInputElement).checked;
                if (!this.aloud) this.speech.stop();
              },
            }),
            tr("Aloud"),
          ),
        this.voices(),
      ),
      ...(begun
        ? [
            h("div", { class: "player-now" }, this.icon, this.instructionText, this.left),
            this.slider,
          ]
        : []),
    );
  }

  /** The choice of who speaks, where the server has voices of the language. */
  private voices(): HTMLElement | null {
    const { speech, route } = this;
    const offered = route ? speech.offered(route.language) : [];
    if (!route || offered.length === 0) return null;
    // One voice alone is no choice.
    if (offered.length === 1 && !speech.own) return null;
    const chosen = speech.voice(route.language);
    const option = (id: string, label: string) =>
      h("option", { value: id, selected: id === chosen }, label);
    return h(
      "select",
      {
        "aria-label": tr("Voice"),
        "data-focus": "player-voice",
        class: "player-voice",
        onchange: (event: Event) => {
          speech.stop();
          speech.choose(route.language, (event.target as HTMLSelectElement).value);
        },
      },
      speech.own && option("", tr("Browser's voice")),
      offered.map((voice) => option(voice.id, voiceName(voice, offered))),
    );
  }
}
