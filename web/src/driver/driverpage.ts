import { h } from "../ui/dom";
import { reconcile } from "../ui/reconcile";
import { tr } from "../ui/translate";
import { Link, tokenHere } from "../call/link";
import {
  readMarks,
  withMarks,
  without,
  type DrivenRound,
  type Mark,
  type StopState,
} from "./round";
import { roundView } from "./view";

const EVERY_MS = 30_000;
/** Reports of one call. */
const MOST = 200;
const KEPT = "waygate.round.";

const page = document.getElementById("page")!;
const live = document.getElementById("live")!;

/** The page of one link: the round, and the reports that wait to be sent. */
class DriverPage {
  private readonly link: Link;
  private readonly stored: string;
  private round: DrivenRound | null = null;
  private marks: Mark[];
  private away = false;
  private sending = false;
  private message = "";

  constructor(token: string) {
    this.link = new Link(token);
    this.stored = KEPT + token;
    this.marks = readMarks(this.recall());
    const again = (): void => void (document.hidden || this.bring());
    this.timer = window.setInterval(again, EVERY_MS);
    for (const type of ["online", "visibilitychange", "pageshow"]) {
      (type === "visibilitychange" ? document : window).addEventListener(type, again, {
        signal: this.ended.signal,
      });
    }
    void this.bring();
  }

  private readonly timer: number;
  private readonly ended = new AbortController();

  end(): void {
    clearInterval(this.timer);
    this.ended.abort();
  }

  /** Sends what waits, then brings the round up to date. */
  private async bring(): Promise<void> {
    if (this.sending) return;
    this.sending = true;
    try {
      while (this.marks.length > 0 && (await this.flush()));
      if (this.marks.length === 0) await this.load();
    } finally {
      this.sending = false;
    }
    if (!this.ended.signal.aborted) this.draw();
  }

  private async load(): Promise<void> {
    const heard = await this.link.get<DrivenRound>("v1/driver");
    this.away = heard.kind === "away";
    if (heard.kind === "answer") this.round = heard.answer;
    if (heard.kind === "closed") this.close();
  }

  /** Sends reports; false where they have to wait. */
  private async flush(): Promise<boolean> {
    const sent = this.marks.slice(0, MOST);
    const heard = await this.link.post<DrivenRound>("v1/driver/marks", { marks: sent });
    this.away = heard.kind === "away";
    if (heard.kind === "closed") this.close();
    if (heard.kind !== "answer" && heard.kind !== "refused") return false;
    this.keep(without(this.marks, sent));
    if (heard.kind === "refused") this.message = tr("The server did not take a report.");
    if (heard.kind === "answer") {
      this.round = heard.answer;
      if (heard.answer.ignored) this.message = tr("A stop is on this round no more.");
    }
    return true;
  }

  private report(stop: string, state: StopState, note: string): void {
    const mark = { stop, state, at: new Date().toISOString(), note };
    this.keep([...this.marks, mark]);
    const name = this.round?.stops.find(({ id }) => id === stop)?.name || stop;
    this.message = {
      done: tr("{0} is done.", name),
      failed: tr("{0} could not be done.", name),
      open: tr("{0} is open again.", name),
    }[state];
    live.textContent = this.message;
    this.draw();
    void this.bring();
  }

  private draw(): void {
    if (!this.round) {
      const text = this.away ? tr("There is no connection. It is tried again.") : tr("Loading…");
      reconcile(page, h("p", { class: "hint" }, text));
      return;
    }
    const round = withMarks(this.round, this.marks);
    document.getElementById("title")!.textContent = round.name;
    document.title = `${round.name} · Waygate`;
    reconcile(
      page,
      ...roundView(round, {
        waiting: this.marks.length,
        away: this.away,
        message: this.message,
        report: (stop, state, note) => this.report(stop, state, note),
      }),
    );
  }

  private close(): void {
    this.keep([]);
    this.end();
    closed();
  }

  private keep(marks: Mark[]): void {
    this.marks = marks;
    try {
      if (marks.length) localStorage.setItem(this.stored, JSON.stringify(marks));
      else localStorage.removeItem(this.stored);
    } catch {
      // They then last for this page.
    }
  }

  private recall(): string | null {
    try {
      return localStorage.getItem(this.stored);
    } catch {
      return null;
    }
  }
}

function closed(): void {
  page.replaceChildren(
    h(
      "p",
      { class: "notice warning" },
      tr("This link opens no round, or no more. Ask your planner for a new one."),
    ),
  );
}

let shown: DriverPage | null = null;

function start(): void {
  shown?.end();
  shown = null;
  document.getElementById("title")!.textContent = tr("Round");
  const token = tokenHere();
  if (token) shown = new DriverPage(token);
  else closed();
}

addEventListener("hashchange", start);
start();
