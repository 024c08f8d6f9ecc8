import { send } from "../call/call";
import { formatLength } from "../ui/format";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { reconcile } from "../ui/reconcile";
import { dayName } from "../site/dates";
import { narrate } from "../call/problem";
import { MODES, modeName, type Board, type Departure } from "./answers";
import { lineBadge } from "./badge";
import { importHelp } from "./help";
import { ago, clock, due, lateness, otherDay } from "./words";
import { tr } from "../ui/translate";

/** Between two questions while a board is open. */
const REFRESH_MS = 30_000;
/** Between two looks at the clock. */
const TICK_MS = 10_000;
/** A departure is shown for so long after its time, as clocks differ. */
const GONE_MS = 60_000;

const SHORT = { window_minutes: 60, limit: 10 };
const LONG = { window_minutes: 180, limit: 30 };

export interface BoardSetup {
  readonly apiKey: string | null;
  readonly close: () => void;
  /** Makes the stop the start or the destination of a journey. */
  readonly from: (board: Board) => void;
  readonly to: (board: Board) => void;
}

/** The departures from a stop, asked for again and again while they are shown. */
export class BoardCard {
  private readonly setup: BoardSetup;
  private readonly box: HTMLElement;
  private stop: string | null = null;
  private name = "";
  private board: Board | null = null;
  /** Why there is no board, or no newer one. */
  private failure: HTMLElement | null = null;
  private long = false;
  private running: AbortController | null = null;
  private refresh: ReturnType<typeof setTimeout> | undefined;
  private tick: ReturnType<typeof setInterval> | undefined;

  constructor(box: HTMLElement, setup: BoardSetup) {
    this.box = box;
    this.setup = setup;
    document.addEventListener("visibilitychange", () => {
      clearTimeout(this.refresh);
      if (!document.hidden && this.stop) void this.load();
    });
  }

  /** Opens the board of a stop, which is called so until it is known; null closes it. */
  show(stop: string | null, name = ""): void {
    if (stop === this.stop) return;
    this.stop = stop;
    this.name = name;
    this.board = null;
    this.failure = null;
    this.long = false;
    this.running?.abort();
    clearTimeout(this.refresh);
    clearInterval(this.tick);
    this.box.hidden = stop === null;
    this.render();
    if (!stop) return;
    this.tick = setInterval(() => this.render(), TICK_MS);
    void this.load();
  }

  private async load(): Promise<void> {
    this.running?.abort();
    const { signal } = (this.running = new AbortController());
    const query = { stop: this.stop!, ...(this.long ? LONG : SHORT), modes: MODES.join(",") };
    const answered = await send(
      { path: "v1/transit/departures", query },
      this.setup.apiKey,
      signal,
    );
    if (!answered) return;
    if (answered.kind === "ok") {
      this.board = answered.body as Board;
      this.failure = null;
    } else {
      const { failure } = answered;
      const status = failure.kind === "answer" ? failure.status : 0;
      const { title, text } = narrate(failure, 0);
      this.failure =
        status === 501
          ? importHelp()
          : h(
              "p",
              { class: "notice warning", role: "status" },
              this.board
                ? tr("Not brought up to date since {0}: {1}.", clock(this.board.at), title)
                : status === 404
                  ? tr("No timetable in service has this stop any more.")
                  : `${title}. ${text}`,
            );
      if (status === 404 || status === 501) this.board = null;
    }
    this.render();
    if (!document.hidden) this.refresh = setTimeout(() => void this.load(), REFRESH_MS);
  }

  private render(): void {
    if (!this.stop) return this.box.replaceChildren();
    const { board } = this;
    const stop = board?.stop;
    const place = [stop?.indicator, stop?.locality].filter(Boolean).join(" · ");
    reconcile(
      this.box,
      h(
        "header",
        { class: "card-head" },
        h(
          "div",
          {},
          h("h2", {}, stop?.name ?? (this.name || tr("Departures"))),
          place && h("p", { class: "card-kind" }, place),
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": tr("Close the departures"),
            "data-focus": "close-board",
            onclick: () => this.setup.close(),
          },
          uiIcon("close"),
        ),
      ),
      this.failure,
      board
        ? this.content(board)
        : !this.failure && h("p", { class: "hint" }, tr("Looking it up…")),
    );
  }

  private content(board: Board): HTMLElement {
    const now = Date.now();
    const { coverage, window_minutes: window } = board;
    const list = board.departures.filter((one) => timeOf(one) > now - GONE_MS);
    const over = coverage.expired
      ? tr(
          "This timetable ended on {0}: it is out of date, and its buses and trains are not known any more.",
          dayName(coverage.last_day ?? ""),
        )
      : "";
    return h(
      "div",
      {},
      over && h("p", { class: "notice warning" }, over),
      list.length > 0
        ? h(
            "ul",
            { class: "board" },
            list.map((one) => row(one, board, now)),
          )
        : !over &&
            h(
              "p",
              { class: "empty" },
              tr("Nothing departs from here within {0} {0|hour|hours}.", window / 60),
            ),
      h(
        "div",
        { class: "card-actions" },
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "data-focus": "board-from",
            onclick: () => this.setup.from(board),
          },
          tr("From here"),
        ),
        h(
          "button",
          {
            type: "button",
            class: "chip",
            "data-focus": "board-to",
            onclick: () => this.setup.to(board),
          },
          tr("To here"),
        ),
        !this.long &&
          !over &&
          h(
            "button",
            {
              type: "button",
              class: "chip",
              "data-focus": "board-more",
              onclick: () => {
                this.long = true;
                void this.load();
              },
            },
            tr("Later ones"),
          ),
      ),
      h("p", { class: "transit-label" }, board.label),
      h("p", { class: "transit-label" }, board.attribution.join(" · ")),
    );
  }
}

/** When a departure is expected, else when the timetable has it. */
function timeOf({ scheduled_at: scheduled, expected_at: expected }: Departure): number {
  return Date.parse(expected ?? scheduled);
}

/** A departure in words. */
export interface DepartureText {
  /** What stands out: when it goes, or that it does not. */
  readonly main: string;
  /** The timetable's time, where it does not hold. */
  readonly struck: string;
  /** The time of day, where main has another form of it. */
  readonly time: string;
  readonly notes: readonly string[];
  readonly off: boolean;
}

/** What is said of a departure on a board of a time, at a moment in milliseconds. */
export function departureText(one: Departure, from: string, now: number): DepartureText {
  const { scheduled_at: scheduled, live, every_s: every, continues_as: next } = one;
  const off = one.cancelled ? tr("Cancelled") : one.skipped ? tr("Not here") : "";
  const expected = off ? null : one.expected_at;
  const at = expected ?? scheduled;
  const soon = off ? "" : due(at, now);
  const moved = off !== "" || clock(at) !== clock(scheduled);
  const age = one.expected_age_s;
  const notes = [
    one.skipped && !one.cancelled && tr("it does not call at this stop"),
    expected && lateness(scheduled, expected),
    (expected || off) && typeof age === "number" && tr("said {0}", ago(age)),
    every && tr("about every {0} min", Math.round(every / 60)),
    live &&
      tr("seen {0} from here, {1}", formatLength(live.distance_m / 1000, false), ago(live.age_s)),
    one.booking === "phone" && tr("only if booked by phone"),
    one.booking === "driver" && tr("arrange with the driver"),
    next && tr("goes on as {0} to {1}", next.line, next.destination),
    otherDay(at, from),
  ].filter((note): note is string => typeof note === "string" && note !== "");
  return {
    main: off || soon || clock(at),
    struck: moved ? clock(scheduled) : "",
    time: soon ? clock(at) : "",
    notes,
    off: off !== "",
  };
}

function row(one: Departure, board: Board, now: number): HTMLElement {
  const { main, struck, time, notes, off } = departureText(one, board.at, now);
  return h(
    "li",
    { class: off ? "cancelled" : "", "data-key": `${one.trip} ${one.scheduled_at}` },
    lineBadge(one),
    h(
      "div",
      { class: "board-where" },
      h("span", { class: "offscreen" }, tr("to ")),
      h("span", { class: "board-sign" }, one.destination || modeName(one.mode)),
      notes.length > 0 && h("span", { class: "board-note" }, notes.join(" · ")),
    ),
    h(
      "div",
      { class: "board-when" },
      h("strong", { class: off ? "board-off" : "" }, main),
      h(
        "span",
        { class: "board-clock" },
        struck && h("s", {}, struck),
        struck && time && " ",
        time,
      ),
    ),
  );
}
