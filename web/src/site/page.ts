import { h, nodes, type Child } from "../ui/dom";
export { announce } from "../ui/dom";
import { Refused } from "./client";
import { tr } from "../ui/translate";
import { explain } from "./refusal";

/** Where a page puts what it makes. */
export const page = document.getElementById("page")!;

/** This page with another fragment; with a base, "#x" alone would leave the page. */
export function here(fragment: string): string {
  return `${location.pathname}${location.search}${fragment}`;
}

document.querySelector(".skip")?.setAttribute("href", here("#main"));

// On a phone the pages are one row that is scrolled: this one is to be seen in it.
const pages = document.querySelector<HTMLElement>(".top ul");
const current = pages?.querySelector<HTMLElement>("[aria-current]");
if (pages && current)
  pages.scrollLeft = current.offsetLeft - (pages.clientWidth - current.offsetWidth) / 2;

/** Replaces what the page shows and moves the focus to it, so that it is read. */
export function show(...children: readonly Child[]): void {
  page.replaceChildren(...nodes(children));
  focusOn(page.querySelector<HTMLElement>("h2, .notice") ?? page);
}

export function focusOn(element: HTMLElement): void {
  element.tabIndex = -1;
  element.focus({ preventScroll: true });
  const { top } = element.getBoundingClientRect();
  if (top < 0 || top > innerHeight) element.scrollIntoView({ block: "start" });
}

export type Tone = "danger" | "warning" | "calm" | "plain";

/** A boxed message; a danger is read out at once. */
export function notice(tone: Tone, title: string, ...children: readonly Child[]): HTMLElement {
  return h(
    "div",
    { class: `notice ${tone}`, role: tone === "danger" ? "alert" : null },
    h("h2", {}, title),
    children,
  );
}

/** A refusal as a boxed message, without the complaints that a form shows at its fields. */
export function refusal(error: unknown, shown: ReadonlySet<string> = new Set()): HTMLElement {
  if (!(error instanceof Refused)) {
    const text = error instanceof Error ? error.message : String(error);
    return notice("danger", tr("That did not work"), h("p", {}, text));
  }
  const { title, text, notes, fields } = explain(error.failure);
  const rest = fields.filter(({ name }) => !shown.has(name)).map((field) => field.text);
  const repeated = fields.some((field) => shown.has(field.name) && field.text === text);
  const lines = [...new Set(rest)].filter((line) => !text || !line.startsWith(text));
  return notice(
    "danger",
    title,
    text !== "" && !repeated && h("p", {}, text),
    lines.length > 0 &&
      h(
        "ul",
        {},
        lines.map((line) => h("li", {}, line)),
      ),
    notes.map((note) => h("p", {}, note)),
  );
}

/** A card with a heading. */
export function card(title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", { class: "card" }, h("h2", {}, title), children);
}

/** Holds the place of what is on its way. */
export function loading(): HTMLElement {
  return h("p", { class: "loading" }, "Loading…");
}

/** A box that loads its content, shows it, and loads it again on request. */
export function box(className = ""): HTMLElement {
  return h("div", { class: className || null });
}

/** Runs work for a container: its answer or its refusal is what it shows. */
export async function fill(
  container: HTMLElement,
  work: () => Promise<readonly Child[]>,
  refused?: (error: unknown) => boolean,
): Promise<void> {
  container.setAttribute("aria-busy", "true");
  if (!container.hasChildNodes()) container.append(loading());
  try {
    const children = await work();
    container.replaceChildren(...nodes(children));
  } catch (error) {
    if (refused?.(error)) return;
    container.replaceChildren(refusal(error));
  } finally {
    container.removeAttribute("aria-busy");
  }
}
