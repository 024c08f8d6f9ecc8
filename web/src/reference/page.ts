import { h } from "../dom";
import { call } from "../site/client";
import { fill, page } from "../site/page";
import "../style/reference.css";
import { type Document } from "./document";
import { endpoint, type Entry } from "./operation";

function entries(doc: Document): Entry[] {
  return Object.entries(doc.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
}

function reference(doc: Document): HTMLElement[] {
  const all = entries(doc).map((entry) => ({ entry, fold: endpoint(doc, entry) }));
  const groups = doc.tags.map(({ name, description }) => {
    const of = all.filter(({ entry }) => entry.operation.tags.includes(name));
    return {
      of,
      box: h(
        "section",
        { class: "group" },
        h("h2", {}, name),
        h("p", { class: "muted" }, description),
        of.map(({ fold }) => fold),
      ),
    };
  });
  const none = h("p", { class: "empty", hidden: true }, "No endpoint has these words.");
  const search = h("input", {
    type: "search",
    placeholder: "Find an endpoint",
    "aria-label": "Find an endpoint",
  });
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase().split(/\s+/);
    for (const { entry, fold } of all) {
      const text = `${entry.method} ${entry.path} ${entry.operation.summary}`.toLowerCase();
      fold.hidden = !wanted.every((word) => text.includes(word));
    }
    for (const { of, box } of groups) box.hidden = of.every(({ fold }) => fold.hidden);
    none.hidden = groups.some(({ box }) => !box.hidden);
  });
  for (const { entry, fold } of all) {
    fold.addEventListener("toggle", () => {
      if (fold.open)
        history.replaceState(null, "", `${location.pathname}#${entry.operation.operationId}`);
    });
  }
  return [
    h("p", {}, doc.info.description),
    h("div", { class: "control" }, search),
    none,
    ...groups.filter(({ of }) => of.length > 0).map(({ box }) => box),
  ];
}

/** Opens the endpoint that the address names. */
function open(): void {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!(named instanceof HTMLDetailsElement)) return;
  if (!named.open) named.querySelector("summary")!.click(); // which makes its content
  named.scrollIntoView({ block: "start" });
}

await fill(page, async () => reference(await call<Document>({ path: "openapi.json" })));
open();
addEventListener("hashchange", open);
