import SwaggerUI, { type Tagged } from "swagger-ui-dist/swagger-ui-es-bundle.js";
import "swagger-ui-dist/swagger-ui.css";
import { h } from "../ui/dom";
import { apiKey } from "../call/secrets";
import { call } from "../site/client";
import { page, refusal } from "../site/page";
import { at } from "../call/root";
import "../style/reference.css";
import { withoutAliases, type Document } from "./aliases";
import { finds } from "./find";
import { resolved } from "./resolve";

/** The viewer's own filter knows tags only; here one finds calls by method, path and words. */
const FINDER = {
  fn: {
    opsFilter: (tags: Tagged, text: string): Tagged => {
      const found = (deep: boolean): Tagged =>
        tags
          .map((tag) =>
            tag.set(
              "operations",
              tag.get("operations").filter((operation) => {
                const call = {
                  method: operation.get("method"),
                  path: operation.get("path"),
                  summary: operation.getIn(["operation", "summary"]) ?? "",
                  description: operation.getIn(["operation", "description"]) ?? "",
                };
                return finds(text, call, deep);
              }),
            ),
          )
          .filter((tag) => tag.get("operations").size > 0);
      const named = found(false);
      return named.size > 0 ? named : found(true);
    },
  },
};

type Viewer = {
  readonly fn: { resolveSubtree(doc: unknown, path: readonly string[]): Promise<unknown> };
};

/**
 * References are followed here: the viewer's own way reads the whole document each time that a
 * call is opened, which takes ten seconds.
 */
const RESOLVER = {
  afterLoad({ fn }: Viewer): void {
    fn.resolveSubtree = async (doc, path) => ({ spec: resolved(doc, path), errors: [] });
  },
};

/** An address of an operation, #post-route, in the form that the viewer opens: #/routing/post-route. */
function opened(doc: Document): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const operations = Object.values(doc.paths).flatMap((item) => Object.values(item));
  const named = operations.find(({ operationId }) => operationId === id);
  if (!named?.tags?.[0]) return;
  history.replaceState(null, "", `${location.pathname}#/${named.tags[0]}/${id}`);
}

/** Whether a label of a control has words besides those of the control itself. */
function isLabelled({ labels, textContent }: HTMLInputElement): boolean {
  return [...(labels ?? [])].some((label) => {
    return label.textContent!.replace(textContent!, "").trim() !== "";
  });
}

/**
 * Mends what keeps the viewer from being read out: controls without a name, ids that are there
 * twice, headings that leave out a level, links within buttons, and what only a mouse scrolls.
 */
function nameControls(): void {
  for (const input of page.querySelectorAll<HTMLElement>("input, textarea, select")) {
    const control = input as HTMLInputElement;
    if (isLabelled(control) || control.ariaLabel) continue;
    const about = control.closest("tr")?.querySelector(".parameter__name")?.firstChild?.textContent;
    control.ariaLabel =
      control.placeholder ||
      about ||
      control.title ||
      (control.id === "servers" ? "Server" : "Media type");
  }
  // The viewer has the same id on two parts of a request; nothing refers to the second.
  const ids = new Set<string>();
  for (const element of page.querySelectorAll("[id]")) {
    if (ids.has(element.id)) element.removeAttribute("id");
    ids.add(element.id);
  }
  // The viewer says of a search without a hit that the document is empty.
  for (const heading of page.querySelectorAll("h3")) {
    if (heading.textContent?.includes("No operations defined in spec")) {
      heading.textContent = "No call has all of these words.";
    }
  }
  for (const heading of page.querySelectorAll("h3.opblock-tag")) heading.ariaLevel = "2";
  for (const heading of page.querySelectorAll("h4.opblock-title")) heading.ariaLevel = "3";
  // Examples that are too wide scroll, and are scrolled with keys.
  for (const example of page.querySelectorAll<HTMLElement>("pre")) example.tabIndex = 0;
  // The button does what its link would do.
  for (const link of page.querySelectorAll("button a[href]")) link.removeAttribute("href");
  for (const button of page.querySelectorAll<HTMLElement>("button, a")) {
    if (!button.textContent?.trim() && !button.ariaLabel) button.ariaLabel = button.title || "Open";
  }
}

/** Has the viewer make its main part as a plain one: the page has one already. */
function withoutMain(): void {
  const create = document.createElement.bind(document);
  document.createElement = (name: string, options?: ElementCreationOptions): HTMLElement =>
    create(name === "main" ? "div" : name, options);
}

function dress(): void {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const wear = (): void =>
    void document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", wear);
  wear();
}

async function open(): Promise<void> {
  const doc = await call<Document>({ path: "openapi.json" });
  opened(doc);
  dress();
  withoutMain();
  const box = h("div", {});
  page.replaceChildren(box);
  const viewer = SwaggerUI({
    // Calls go to the server that this page is from: the page's policy allows no other.
    spec: {
      ...withoutAliases(doc),
      servers: [{ url: at("").replace(/\/$/, ""), description: "this server" }],
    },
    domNode: box,
    deepLinking: true,
    // Drawing all calls takes a second, so a link to one call opens only its group.
    docExpansion: location.hash.length > 1 ? "none" : "list",
    filter: true,
    defaultModelsExpandDepth: -1,
    plugins: [FINDER, RESOLVER],
    onComplete: () => {
      const key = apiKey.get();
      if (key) viewer.preauthorizeApiKey("bearer", key);
      requestAnimationFrame(() => box.querySelector(".opblock.is-open")?.scrollIntoView());
    },
  });
  // What is drawn is named once for many changes.
  let timer: ReturnType<typeof setTimeout> | undefined;
  const changed = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      nameControls();
    }, 50);
  };
  changed();
  new MutationObserver(changed).observe(box, { childList: true, subtree: true });
}

open().catch((error: unknown) => page.replaceChildren(refusal(error)));
