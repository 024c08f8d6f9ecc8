import { at } from "../call/root";
import { h, type Child } from "../ui/dom";
import { clockTime } from "../ui/format";
import { dateLanguage, tr } from "../ui/translate";
import { lasting } from "../dispatch/problem/times";
import {
  clockAt,
  clockOf,
  dayWords,
  nextStop,
  onItsDay,
  spanOf,
  wayTo,
  type DrivenRound,
  type RoundStop,
  type StopState,
} from "./round";

export interface RoundSetup {
  /** Reports that are not sent yet. */
  readonly waiting: number;
  /** Whether they are lost when the page is closed. */
  readonly fleeting: boolean;
  /** How old the round is, where it may be another one by now. */
  readonly state: string;
  /** What was done last. */
  readonly message: string;
  readonly report: (stop: string, state: StopState, note: string) => void;
}

/** Seconds from which a round is called late. */
const LATE = 300;
const MOST_NOTE = 500;
const LOCATING_MS = 6000;

/** A round as its driver works through it. */
export function roundView(round: DrivenRound, setup: RoundSetup): Child[] {
  const { stops, plan, delay_s } = round;
  const next = nextStop(round);
  const today = onItsDay(round.begins_at, stops);
  const reported = stops.filter(({ state }) => state !== "open").length;
  const bar = h("progress", { max: stops.length, "aria-label": tr("Progress") });
  bar.value = reported;
  return [
    setup.state && h("p", { class: "notice warning", "data-key": "state" }, setup.state),
    h(
      "div",
      { class: "progress" },
      h("p", {}, plan, " · ", tr("{0} of {1} {1|stop|stops}", reported, stops.length)),
      bar,
      !today && h("p", { class: "late" }, tr("Planned for {0}", dayWords(round.begins_at))),
      today &&
        delay_s >= LATE &&
        h("p", { class: "late" }, tr("{0} behind the plan", lasting(delay_s))),
      setup.waiting > 0 &&
        h("p", { class: "waits" }, tr("Reports that wait for a connection: {0}", setup.waiting)),
      setup.fleeting &&
        h("p", { class: "waits" }, tr("This browser keeps nothing: leave this page open until they are sent.")), // prettier-ignore
      setup.message && h("p", { class: "said" }, setup.message),
    ),
    next
      ? h(
          "section",
          { class: "stop-card", "data-key": "next", "aria-labelledby": "next-stop" },
          h("p", { class: "muted" }, tr("Next stop, number {0}", stops.indexOf(next) + 1)),
          h("h2", { id: "next-stop" }, titleOf(next)),
          stopFacts(round, next),
          h("div", { class: "acts" }, navigation(round, next), reportButtons(next, setup, true)),
        )
      : h("p", { class: "notice calm" }, tr("All stops are reported. Thank you.")),
    h("h2", {}, tr("All stops")),
    h(
      "ol",
      { class: "stops" },
      stops.map((stop, index) => stopLine(round, stop, index, setup)),
    ),
  ];
}

/** When something was, in milliseconds since 1970: "14:05, 12 min ago", "1 December, 14:05". */
export function ageWords(since: number, now = Date.now()): string {
  const then = new Date(since);
  const clock = clockTime(then.toTimeString().slice(0, 5));
  if (then.toDateString() === new Date(now).toDateString())
    return `${clock}, ${tr("{0} ago", lasting(Math.max(0, (now - since) / 1000)))}`;
  const day = then.toLocaleDateString(dateLanguage(), { day: "numeric", month: "long" });
  return `${day}, ${clock}`;
}

function titleOf({ name, address, id }: RoundStop): string {
  return name || address || id;
}

function stopFacts({ begins_at }: DrivenRound, stop: RoundStop): Child[] {
  const windows = (stop.time_windows ?? [])
    .map(([from, to]) => spanOf(clockAt(begins_at, from), clockAt(begins_at, to)))
    .filter(Boolean);
  const eta = clockTime(clockOf(stop.eta));
  return [
    stop.address && stop.address !== titleOf(stop) && h("p", { class: "address" }, stop.address),
    h(
      "p",
      {},
      stop.state === "open" ? tr("Expected at {0}", eta) : tr("Reported at {0}", eta),
      windows.length > 0 && ` · ${tr("Window {0}", windows.join(", "))}`,
    ),
    stop.note && h("p", { class: "note" }, stop.note),
    stop.report && h("p", { class: "note" }, tr("Your note: {0}", stop.report)),
  ];
}

/** A link to the way in the explorer, from where the driver is if the phone says so. */
function navigation({ costing }: DrivenRound, stop: RoundStop): HTMLElement {
  const go = (from: readonly [number, number] | null): void =>
    location.assign(at("") + wayTo(stop, costing, from));
  return h(
    "a",
    {
      class: "button",
      href: at("") + wayTo(stop, costing, null),
      "data-focus": `way-${stop.id}`,
      onclick: (event: MouseEvent) => {
        if (!navigator.geolocation || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        navigator.geolocation.getCurrentPosition(
          ({ coords }) => go([coords.longitude, coords.latitude]),
          () => go(null),
          { timeout: LOCATING_MS, maximumAge: 60_000, enableHighAccuracy: true },
        );
      },
    },
    tr("Navigate"),
  );
}

function reportButtons(stop: RoundStop, { report }: RoundSetup, primary: boolean): Child[] {
  const note = h("textarea", {
    rows: 2,
    maxLength: MOST_NOTE,
    id: `note-${primary ? "next" : "of"}-${stop.id}`,
    "data-focus": `note-${primary}-${stop.id}`,
  });
  const act = (label: string, state: StopState, look: string): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: `button ${look}`,
        "data-focus": `${state}-${primary}-${stop.id}`,
        onclick: ({ currentTarget }: Event) => {
          // The note stands in the page that is shown, which may not be the one made here.
          const box = (currentTarget as HTMLElement).parentElement?.querySelector("textarea");
          report(stop.id, state, box?.value.trim() ?? "");
          if (box) box.value = "";
        },
      },
      label,
    );
  if (stop.state !== "open") return [act(tr("Take it back"), "open", "second")];
  return [
    act(tr("Done"), "done", "good"),
    act(tr("Could not be done"), "failed", "second"),
    h(
      "div",
      { class: "control", "data-key": note.id }, // the label of another stop's note would stay
      h("label", { for: note.id }, tr("Note for the planner")),
      note,
    ),
  ];
}

const MARKS: Readonly<Record<StopState, string>> = { open: "", done: "✓", failed: "✕" };

function stopLine(
  round: DrivenRound,
  stop: RoundStop,
  index: number,
  setup: RoundSetup,
): HTMLElement {
  const said = { open: "", done: tr("done"), failed: tr("not done") }[stop.state];
  return h(
    "li",
    { "data-key": stop.id },
    h(
      "details",
      { class: `stop ${stop.state}` },
      h(
        "summary",
        { "data-focus": `stop-${stop.id}` },
        h("span", { class: "stop-mark", "aria-hidden": "true" }, MARKS[stop.state] || index + 1),
        h("span", { class: "stop-name" }, titleOf(stop)),
        h("span", { class: "muted" }, said ? `${said}, ` : "", clockTime(clockOf(stop.eta))),
      ),
      stopFacts(round, stop),
      h("div", { class: "acts" }, navigation(round, stop), reportButtons(stop, setup, false)),
    ),
  );
}
