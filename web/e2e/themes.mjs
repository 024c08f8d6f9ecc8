// Draws docs/maps/themes.webp: every built-in theme in four places.
//
//   WAYGATE_URL  base address of a server with the regions below: Newport, Liechtenstein, Malta,
//                and Andorra with --elevation, from shared/data/osm
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
import { readFile, writeFile } from "node:fs/promises";
import { BASE, launch } from "./browser.mjs";

const THEMES =
  "light streets outdoor print dataviz backdrop fleet navigator-day dark midnight navigator-night".split(
    " ",
  );
const PLACES = [
  ["newport-wales", { center: [-2.9945, 51.5858], zoom: 15 }],
  ["liechtenstein", { center: [9.53, 47.145], zoom: 11.3 }],
  ["malta", { center: [14.507, 35.893], zoom: 12.2 }],
  ["andorra", { center: [1.525, 42.552], zoom: 11.3 }],
];
const [WIDE, HIGH, QUALITY] = [240, 170, 0.6]; // of a picture, in pixels

const library = new URL("../node_modules/maplibre-gl/dist/", import.meta.url);
const browser = await launch({ drawing: true });
const page = await browser.newPage({ viewport: { width: WIDE, height: HIGH } });
page.setDefaultTimeout(300_000);
await page.route("**/library/*", async (route) => {
  const name = new URL(route.request().url()).pathname.split("/").at(-1);
  await route.fulfill({
    body: await readFile(new URL(name, library)),
    contentType: "text/javascript",
  });
});
await page.route("**/themes.html", (route) =>
  route.fulfill({
    contentType: "text/html",
    body: `<body style="margin:0"><div id="view" style="height:${HIGH}px"></div><script type="module">
      import * as library from "/library/maplibre-gl.mjs";
      library.setWorkerUrl?.("/library/maplibre-gl-worker.mjs");
      window.library = library;</script>`,
  }),
);
await page.goto(new URL("/themes.html", BASE).href);
await page.waitForFunction(() => window.library);

const pictures = [];
for (const theme of THEMES) {
  for (const [region, view] of PLACES) {
    await page.evaluate(
      ([style, at]) =>
        new Promise((drawn) => {
          window.map?.remove();
          window.map = new window.library.Map({
            container: "view",
            style,
            ...at,
            fadeDuration: 0,
            attributionControl: false,
          });
          window.map.once("idle", drawn);
        }),
      [new URL(`/tiles/${region}/style.json?theme=${theme}`, BASE).href, view],
    );
    pictures.push({ theme, data: (await page.screenshot()).toString("base64") });
  }
}
const webp = await page.evaluate(
  async ([all, wide, high, quality]) => {
    const across = 8;
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [across * wide, Math.ceil(all.length / across) * high];
    const context = canvas.getContext("2d");
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.font = "bold 11px sans-serif";
    for (const [i, { theme, data }] of all.entries()) {
      const [x, y] = [(i % across) * wide, Math.floor(i / across) * high];
      const picture = new Image();
      picture.src = `data:image/png;base64,${data}`;
      await picture.decode();
      context.drawImage(picture, x, y);
      context.fillStyle = "#fffc";
      context.fillRect(x + 3, y + 2, context.measureText(theme).width + 8, 15);
      context.fillStyle = "#000";
      context.fillText(theme, x + 7, y + 13);
    }
    return canvas.toDataURL("image/webp", quality).split(",")[1];
  },
  [pictures, WIDE, HIGH, QUALITY],
);
await writeFile(new URL("../../docs/maps/themes.webp", import.meta.url), webp, "base64");
await browser.close();
