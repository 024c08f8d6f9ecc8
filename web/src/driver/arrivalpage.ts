import { announce, h } from "../ui/dom";
import { clockTime } from "../ui/format";
import { tr } from "../ui/translate";
import { Link, tokenHere } from "../call/link";
import { clockOf, dayWords, spanOf } from "./round";

/** The answer of GET /v1/arrival. */
interface Arrival {
  readonly state: "open" | "done" | "failed";
  readonly eta: string;
  readonly time_windows: readonly (readonly [string, string])[];
}

const EVERY_MS = 60_000;

const page = document.getElementById("page")!;

function show({ state, eta, time_windows }: Arrival): void {
  const words = {
    open: tr("Expected at about"),
    done: tr("Done at"),
    failed: tr("This could not be done. It was tried at"),
  }[state];
  const clock = clockTime(clockOf(eta));
  const spans = time_windows
    .map(([from, to]) => spanOf(clockOf(from), clockOf(to)))
    .filter(Boolean);
  announce(`${words} ${clock}`);
  page.replaceChildren(
    h(
      "section",
      { class: "stop-card" },
      h("p", {}, words),
      h("p", { class: "clock" }, clock),
      h("p", {}, dayWords(eta)),
      state === "open" &&
        spans.length > 0 &&
        h("p", { class: "muted" }, tr("Window {0}", spans.join(", "))),
    ),
    h(
      "p",
      { class: "hint" },
      tr("This page follows the vehicle, and is brought up to date every minute."),
    ),
  );
}

function closed(): void {
  page.replaceChildren(
    h("p", { class: "notice warning" }, tr("This link shows nothing, or no more.")),
  );
}

let stopped = 0;

function start(): void {
  clearInterval(stopped);
  const title = tr("Arrival");
  document.getElementById("title")!.textContent = title;
  document.title = `${title} · Waygate`;
  const link = new Link(tokenHere());
  const load = async (): Promise<void> => {
    const heard = await link.get<Arrival>("v1/arrival");
    if (heard.kind === "answer") show(heard.answer);
    else if (heard.kind === "closed") {
      clearInterval(stopped);
      closed();
    } else if (!page.hasChildNodes()) {
      page.append(h("p", { class: "hint" }, tr("There is no connection. It is tried again.")));
    }
  };
  if (!link.token) return closed();
  stopped = window.setInterval(() => document.hidden || void load(), EVERY_MS);
  document.onvisibilitychange = () => document.hidden || void load();
  void load();
}

addEventListener("hashchange", start);
start();
