import { prettyJSON } from "../call/curl";
import { codeBlock } from "../ui/code";
import { h } from "../ui/dom";
import { card, notice } from "../site/page";
import { at } from "../call/root";

/** The answer of POST /styles. */
export interface Issue {
  readonly id: string;
  readonly version: number;
  readonly style_url: string;
}

/** Where a published version is, and how it is used; known is the newest version that this page knew. */
export function publishedCard({ id, version, style_url }: Issue, known: number): HTMLElement {
  const spec = `${id}@${version}`;
  const made = card(
    `Published: version ${version} of ${id}`,
    version > known + 1 &&
      notice(
        "warning",
        `Version ${version - 1} was published elsewhere`,
        h(
          "p",
          {},
          "It came from another tab or program while this page was open. What it changed is not in this version: compare them above.",
        ),
      ),
    h(
      "p",
      {},
      "This address keeps its colours, sizes and kinds, and those of the theme it extends, for good; layers are drawn as this server draws them. The id alone is the newest version.",
    ),
    codeBlock("Copy the style’s address", style_url),
    h("h3", {}, "A page with MapLibre GL JS"),
    codeBlock("Copy the page", mapLibrePage(style_url)),
    h(
      "details",
      { class: "fold" },
      h("summary", {}, "A page with Leaflet"),
      codeBlock("Copy the page for Leaflet", leafletPage(style_url)),
    ),
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

const CDN = "https://unpkg.com";
const MAPLIBRE = `${CDN}/maplibre-gl@6/dist/maplibre-gl`;
const LEAFLET = `${CDN}/leaflet@1/dist/leaflet`;

/** A whole page that draws the style with MapLibre. */
export function mapLibrePage(style: string): string {
  return pageOf(
    [MAPLIBRE],
    [
      `import { Map } from "${MAPLIBRE}.mjs";`,
      `const API_KEY = "your key";`,
      `new Map({ container: "map", ${options(style)} });`,
    ],
  );
}

/** A whole page that draws the style as a layer of Leaflet. */
export function leafletPage(style: string): string {
  const imports = { leaflet: `${LEAFLET}-src.esm.js`, "maplibre-gl": `${MAPLIBRE}.mjs` };
  return pageOf(
    [LEAFLET, MAPLIBRE],
    [
      `import * as L from "leaflet";`,
      `import { maplibreGL } from "${CDN}/@maplibre/maplibre-gl-leaflet@0.1/dist/leaflet-maplibre-gl.mjs";`,
      `const API_KEY = "your key";`,
      `const map = L.map("map");`,
      `const layer = maplibreGL({ ${options(style)} }).addTo(map.setView([0, 0], 2));`,
      `const drawn = layer.getMaplibreMap();`,
      `drawn.once("styledata", () => {`,
      `  const { center, zoom } = drawn.getStyle();`,
      `  map.setView([center[1], center[0]], zoom + 1);`,
      `});`,
    ],
    { imports },
  );
}

/** The style, and the key for its tiles only: letters and icons are public. */
function options(style: string): string {
  return [
    ``,
    `  style: ${JSON.stringify(style)},`,
    `  transformRequest: (url) =>`,
    `    url.includes("/tiles/") ? { url, headers: { Authorization: "Bearer " + API_KEY } } : { url },`,
    ``,
  ].join("\n");
}

function pageOf(styles: readonly string[], script: readonly string[], imports?: object): string {
  return [
    `<!doctype html>`,
    `<meta charset="utf-8" />`,
    ...styles.map((name) => `<link rel="stylesheet" href="${name}.css" />`),
    `<div id="map" style="height: 95vh"></div>`,
    ...(imports ? [`<script type="importmap">`, prettyJSON(imports), `</script>`] : []),
    `<script type="module">`,
    ...script
      .join("\n")
      .split("\n")
      .map((line) => `  ${line}`),
    `</script>`,
  ].join("\n");
}
