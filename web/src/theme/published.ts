import { codeBlock } from "../ui/code";
import { h } from "../ui/dom";
import { card } from "../site/page";
import { at } from "../call/root";

/** The answer of POST /styles. */
export interface Issue {
  readonly id: string;
  readonly version: number;
  readonly style_url: string;
}

/** Where a published version is, and how it is used. */
export function publishedCard({ id, version, style_url }: Issue): HTMLElement {
  const spec = `${id}@${version}`;
  const code = [
    `const map = new maplibregl.Map({`,
    `  container: "map",`,
    `  style: ${JSON.stringify(style_url)},`,
    `  // Tiles need a key; letters and icons are public.`,
    `  transformRequest: (url) =>`,
    `    url.includes("/tiles/") ? { url, headers: { Authorization: "Bearer " + API_KEY } } : { url },`,
    `});`,
  ].join("\n");
  const made = card(
    `Published: version ${version} of ${id}`,
    h(
      "p",
      {},
      "This address keeps its colours, sizes and kinds, and those of the theme it extends, for good; layers are drawn as this server draws them. The id alone is the newest version.",
    ),
    codeBlock("Copy the style’s address", style_url),
    h("h3", {}, "In MapLibre GL JS"),
    codeBlock("Copy the code", code),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button second", href: at(`#theme=${spec}`) }, "See it in the explorer"),
      h("a", { class: "button second", href: at(`static-maps#style=${spec}`) }, "As an image"),
    ),
  );
  made.classList.add("published");
  return made;
}
