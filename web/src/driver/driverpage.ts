import { at } from "../call/root";
import { tokenHere } from "../call/link";
import { announce, h } from "../ui/dom";
import { reconcile } from "../ui/reconcile";
import { tr } from "../ui/translate";
import { KeptLinks } from "./kept";
import { LinkedRound } from "./linked";
import { dropPage, keepPage } from "./offline";
import type { StopState } from "./round";
import { ageWords, roundView } from "./view";

const EVERY_MS = 30_000;

const page = document.getElementById("page")!;
const kept = new KeptLinks(storageHere(), new URL(at("")).pathname);

function storageHere(): Storage | null {
  try {
    return localStorage;
  } catch {
    return null;
  }
}

/** The page of one link. */
class DriverPage {
  private readonly linked: LinkedRound;
  private readonly timer: number;
  private readonly ended = new AbortController();
  private first = true;

  constructor(token: string) {
    this.linked = new LinkedRound(token, kept);
    const again = (): void => void (document.hidden || this.bring());
    this.timer = window.setInterval(again, EVERY_MS);
    const { signal } = this.ended;
    document.addEventListener("visibilitychange", again, { signal });
    for (const type of ["online", "offline", "pageshow"]) {
      window.addEventListener(type, again, { signal });
    }
    this.draw();
    void this.bring();
  }

  end(): void {
    clearInterval(this.timer);
    this.ended.abort();
  }

  private async bring(): Promise<void> {
    const before = this.linked.reached;
    const open = await this.linked.bring();
    if (this.ended.signal.aborted) return;
    if (!open) {
      this.end();
      return closed();
    }
    const { reached, at: since } = this.linked;
    if (reached === false && before !== false && since > 0) announce(offlineWords(since));
    this.draw();
    if (!reached || !this.first) return;
    this.first = false;
    await keepPage();
    await settleOthers(this.linked.token);
  }

  private report(stop: string, state: StopState, note: string): void {
    const { linked } = this;
    linked.report({ stop, state, at: new Date().toISOString(), note });
    const name = linked.shown?.stops.find(({ id }) => id === stop)?.name || stop;
    linked.message = {
      done: tr("{0} is done.", name),
      failed: tr("{0} could not be done.", name),
      open: tr("{0} is open again.", name),
    }[state];
    announce(linked.message);
    this.draw();
    void this.bring();
  }

  private draw(): void {
    const { shown: round, reached, waiting, message, at: since } = this.linked;
    if (!round) {
      const text =
        reached === false ? tr("There is no connection. It is tried again.") : tr("Loading…");
      reconcile(page, h("p", { class: "hint" }, text));
      return;
    }
    document.getElementById("title")!.textContent = round.name;
    document.title = `${round.name} · Waygate`;
    reconcile(
      page,
      ...roundView(round, {
        waiting,
        fleeting: kept.fleeting,
        state: reached ? "" : reached === null ? olderWords(since) : offlineWords(since),
        message,
        report: (stop, state, note) => this.report(stop, state, note),
      }),
    );
  }
}

function offlineWords(since: number): string {
  return tr("Offline. The round is shown as it was at {0}.", ageWords(since));
}

function olderWords(since: number): string {
  return tr("Loading… The round is shown as it was at {0}.", ageWords(since));
}

/** Sends what waits of other links that this phone has opened, and forgets those that are closed. */
async function settleOthers(own: string): Promise<void> {
  for (const token of kept.tokens()) {
    if (token !== own) await new LinkedRound(token, kept).bring();
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
  if (kept.tokens().length === 0) void dropPage();
}

let shown: DriverPage | null = null;

function start(): void {
  shown?.end();
  shown = null;
  kept.expire();
  document.getElementById("title")!.textContent = tr("Round");
  const token = tokenHere();
  if (token) shown = new DriverPage(token);
  else closed();
}

addEventListener("hashchange", start);
start();
