import { pathOf, methodOf, send, type Call } from "../call/call";
import { codeBlock } from "../ui/code";
import { curlCommand } from "../call/curl";
import { h } from "../ui/dom";
import type { Explorer } from "../plan/explorer";
import { apiKey as storedKey } from "../call/secrets";
import { call as get, Refused } from "../site/client";
import { announce, page, refusal } from "../site/page";
import type { PageMap } from "../site/pagemap";
import { at } from "../call/root";
import type { Shape } from "../map/shape";
import { SHOWS, type Show, type Stage } from "../welcome/shows";

const apiKey = storedKey.get();

/** The page: things to show, what this server answers to each, and the map of it. */
class Welcome {
  private map: PageMap | null = null;
  private shapes: readonly Shape[] = [];
  private stage: Stage | null = null;
  private running = new AbortController();
  private readonly answer = h("div", { class: "card answered", "aria-live": "polite" });
  private readonly tabs = SHOWS.map((show) => {
    const input = h("input", {
      type: "radio",
      name: "show",
      value: show.name,
      onchange: () => void this.give(show),
    });
    return { show, input, row: h("label", { class: "show" }, input, show.label) };
  });

  async open(): Promise<void> {
    page.replaceChildren(
      h(
        "fieldset",
        { class: "shows" },
        h("legend", { class: "offscreen" }, "What to show"),
        this.tabs.map(({ row }) => row),
      ),
      this.answer,
    );
    const map = import("../site/pagemap");
    const explorer = await get<Explorer>({ path: "explorer.json", token: apiKey });
    this.stage = {
      explorer,
      wear: (theme) => void this.map?.wear(theme),
      ask: async (call) => {
        const answered = await send(call, apiKey, this.running.signal);
        return answered?.kind === "ok" ? answered.body : undefined;
      },
    };
    const wanted = location.hash.slice(1);
    const first = this.tabs.find(({ show }) => show.name === wanted) ?? this.tabs[0]!;
    first.input.checked = true;
    const given = this.give(first.show);
    const container = document.getElementById("map")!;
    const { PageMap } = await map;
    this.map = await PageMap.open({ container, apiKey });
    await given;
    this.draw(this.shapes);
  }

  private draw(shapes: readonly Shape[]): void {
    this.shapes = shapes;
    this.map?.draw(shapes);
    this.map?.fit();
  }

  /** Makes the call of a show, and shows what the server said and how fast. */
  private async give(show: Show): Promise<void> {
    const { stage } = this;
    if (!stage) return;
    this.running.abort();
    const running = new AbortController();
    this.running = running;
    history.replaceState(null, "", `${location.pathname}#${show.name}`);
    const about = h("p", {}, show.about);
    const body = h("div", { class: "answer-body" }, h("p", { class: "muted" }, "Asking…"));
    this.answer.replaceChildren(about, body);
    const call = await show.call(stage);
    if (running.signal.aborted) return;
    if (!call) {
      body.replaceChildren(h("p", {}, "There is nothing here to show it on."));
      return;
    }
    const answered = await send(call, apiKey, running.signal);
    if (!answered || running.signal.aborted) return;
    if (answered.kind === "failed") {
      body.replaceChildren(refusal(new Refused(answered.failure)));
    } else {
      const { shapes, content } = show.read(answered.body, stage);
      body.replaceChildren(content, took(call, answered.tookMS), further(show, stage));
      this.draw(shapes);
      announce(`${show.label}: answered.`);
    }
    this.answer.append(
      h(
        "details",
        { class: "fold" },
        h("summary", {}, "The same with curl"),
        codeBlock("Copy the command", command(call)),
      ),
    );
  }
}

function took(call: Call, ms: number): HTMLElement {
  const path = call.path.replace(/^/, "/");
  return h(
    "p",
    { class: "hint" },
    h("code", {}, `${methodOf(call)} ${path}`),
    ` answered in ${Math.max(1, Math.round(ms))} ms, seen from this browser.`,
  );
}

function further(show: Show, stage: Stage): HTMLElement {
  const fragment = show.explorer?.(stage);
  const [path, label] = show.page ?? [`#${fragment}`, "Go on in the explorer"];
  return h("a", { class: "button second small", href: at(path) }, label);
}

function command(call: Call): string {
  const { body } = call;
  const method = methodOf(call);
  const url = at(pathOf(call));
  return curlCommand({ method, url, keyed: apiKey !== null, ...(body ? { body } : {}) });
}

void new Welcome().open().catch((error: unknown) => page.replaceChildren(refusal(error)));
