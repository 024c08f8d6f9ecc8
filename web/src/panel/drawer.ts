import { methodOf, pathOf, type Call } from "../call/call";
import { codeBlock } from "../ui/code";
import { curlCommand, prettyJSON, type CurlRequest } from "../call/curl";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import type { Planner } from "../explorer/planner";
import { buildRequest, compatibleRequest } from "../plan/request";
import { refill } from "../ui/reconcile";
import { taskOf } from "../task/tasks";
import { TABS, type Tab } from "../explorer/state";
import { SNIPPETS, type SnippetLanguage } from "../call/snippets";
import { tr } from "../ui/translate";

/** A call, and what came of it; status is null where nothing did. */
export interface Exchange {
  readonly call: Call;
  readonly status: number | null;
  readonly body: unknown;
  /** Milliseconds until the answer was there, seen from the browser. */
  readonly tookMS?: number;
  /** What the answer costs; null where the server does not say. */
  readonly units?: number | null;
}

/**
 * The drawer at the panel's lower edge: the exchange behind what is shown, as the
 * request, as a command for a shell, and as the raw answer.
 */
export class Drawer {
  readonly element = h("section", { class: "drawer", "aria-label": tr("Exchange") });
  private readonly planner: Planner;
  private readonly keyed: boolean;
  /** Of the task that is on, where that is not the route. */
  private exchange: Exchange | null = null;

  constructor(planner: Planner, keyed: boolean) {
    this.planner = planner;
    this.keyed = keyed;
    planner.subscribe(() => this.render());
  }

  /** Takes the exchange of a task; null where it has made no call. */
  show(exchange: Exchange | null): void {
    this.exchange = exchange;
    this.render();
  }

  private current(): Exchange | null {
    const { plan, outcome } = this.planner.state;
    if ("request" in taskOf(plan.task)) return this.exchange;
    if (outcome.kind === "none") return null;
    const call = { path: "route", body: buildRequest(plan) ?? outcome.request };
    return outcome.kind === "routes"
      ? { call, status: 200, body: outcome.answer, tookMS: outcome.tookMS, units: outcome.units }
      : { call, status: outcome.status, body: outcome.body };
  }

  private render(): void {
    const exchange = this.current();
    this.element.hidden = exchange === null;
    if (!exchange) return this.element.replaceChildren();
    const { plan, panel } = this.planner.state;
    const route = !("request" in taskOf(plan.task));
    const tabs = TABS.filter(([name]) => name !== "compatible" || route);
    const open = tabs.find(([name]) => name === panel.tab)?.[0] ?? null;
    const pick = (tab: Tab): void => this.planner.show({ tab });
    refill(
      this.element,
      h(
        "div",
        { class: "tabs" },
        h(
          "div",
          {
            class: "tab-list",
            role: "tablist",
            "aria-label": tr("Exchange"),
            onkeydown: (event: KeyboardEvent) => {
              const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
              if (!step) return;
              event.preventDefault();
              const at = tabs.findIndex(([name]) => name === open);
              const next = tabs[(at + step + tabs.length) % tabs.length]![0];
              pick(next);
              this.element.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
            },
          },
          tabs.map(([name, label], index) =>
            h(
              "button",
              {
                type: "button",
                role: "tab",
                id: `tab-${name}`,
                "aria-selected": name === open ? "true" : "false",
                "aria-controls": open ? "tab-body" : null,
                tabindex: name === open || (!open && index === 0) ? 0 : -1,
                "data-focus": `tab-${name}`,
                onclick: () => pick(name === open ? "directions" : name),
              },
              label,
            ),
          ),
        ),
        open &&
          h(
            "button",
            {
              type: "button",
              class: "quiet",
              "aria-label": tr("Close the exchange"),
              onclick: () => pick("directions"),
            },
            uiIcon("close"),
          ),
      ),
      open &&
        h(
          "div",
          { id: "tab-body", role: "tabpanel", "aria-labelledby": `tab-${open}` },
          open === "compatible" ? this.compatible() : content(open, exchange, this.keyed),
        ),
    );
  }

  private compatible(): HTMLElement {
    const compatible = compatibleRequest(this.planner.state.plan);
    if (!compatible) return h("p", { class: "hint" }, tr("Give two points."));
    const url = new URL(compatible.path, document.baseURI).href;
    return h(
      "div",
      {},
      h(
        "p",
        { class: "hint" },
        tr("The same question to the route-server-compatible endpoint, for clients that speak it."),
      ),
      codeBlock(
        tr("Copy the compatible request"),
        curlCommand({ method: "GET", url, keyed: this.keyed }),
      ),
      compatible.missing.length > 0 &&
        h(
          "p",
          { class: "notice warning" },
          tr("Without a parameter on this endpoint: {0}.", compatible.missing.join(", ")),
        ),
    );
  }
}

function content(
  tab: "request" | "curl" | "code" | "response",
  { call, status, body, tookMS, units }: Exchange,
  keyed: boolean,
): HTMLElement {
  const method = methodOf(call);
  switch (tab) {
    case "request": {
      const head = `${method} /${decodeURIComponent(pathOf(call))}`;
      const text = call.body === undefined ? head : `${head}\n\n${prettyJSON(call.body)}`;
      return codeBlock(tr("Copy the request"), text);
    }
    case "curl": {
      const url = new URL(pathOf(call), document.baseURI).href;
      return codeBlock(
        tr("Copy the command"),
        curlCommand({ method, url, body: call.body, keyed }),
      );
    }
    case "code": {
      const url = new URL(pathOf(call), document.baseURI).href;
      return snippet({ method, url, body: call.body, keyed });
    }
    case "response":
      return h(
        "div",
        {},
        h(
          "p",
          { class: "hint" },
          [
            status === null ? tr("No answer.") : tr("Status {0}.", status),
            tookMS !== undefined && tr("{0} ms, network included", Math.round(tookMS)),
            typeof units === "number" && priceOf(units),
          ]
            .filter(Boolean)
            .join(" · "),
        ),
        body !== undefined && codeBlock(tr("Copy the response"), prettyJSON(body)),
      );
  }
}

/** What an answer costs, in words. */
function priceOf(units: number): string {
  if (units === 0) return tr("free of charge");
  return tr("{0} {0|unit|units}", units);
}

/** The language that was chosen last. */
let written: SnippetLanguage = "JavaScript";

/** The call in a language to choose. */
function snippet(call: CurlRequest): HTMLElement {
  const select = h(
    "select",
    {
      "aria-label": tr("Snippet in"),
      "data-focus": "snippet",
      onchange: () => {
        written = select.value as SnippetLanguage;
        fill();
      },
    },
    Object.keys(SNIPPETS).map((name) => h("option", { value: name }, name)),
  );
  const code = h("div", {});
  const fill = (): void =>
    code.replaceChildren(codeBlock(tr("Copy the code"), SNIPPETS[written](call)));
  select.value = written;
  fill();
  return h("div", {}, h("p", { class: "snippet" }, select), code);
}
