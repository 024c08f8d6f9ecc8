// Map styles, map images, what it does, and the explorer's themes in a real
// Chromium against a running Waygate.
//
//   WAYGATE_URL  base address of a running server; without it all is skipped
//   ADMIN_TOKEN  the operator's token, for a key that publishes
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
//   SHOTS        a folder for a screenshot of each page (optional)
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe } from "node:test";
import {
  ADMIN_TOKEN,
  api,
  at,
  BASE,
  COARSE,
  DAY,
  launch,
  seldom,
  until,
  visit,
} from "./browser.mjs";

/** A picture of one pixel. */
const PIXEL = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
  "base64",
);

describe("workshop", { skip: BASE && ADMIN_TOKEN ? false : "no server" }, () => {
  let browser;
  let key;
  /** A style of this run, also on a server that has others. */
  const name = `Harbour ${Date.now()}`;
  const id = name.toLowerCase().replace(" ", "-");
  before(async () => {
    browser = await launch({ drawing: true });
    const body = { name: "workshop", monthly_quota: 100_000, rate_per_min: 10_000 };
    const made = await api("POST", "admin/keys", { token: ADMIN_TOKEN, body });
    assert.ok(made.status < 300, JSON.stringify(made.body));
    key = made.body.key;
  });
  after(() => browser?.close());
  const setup = { browser: () => browser, options: { ...DAY, ...COARSE } };
  /** The image, which a busy machine is asked for again until it has the time. */
  const drawn = async (page) => {
    const image = page.locator(".image-made img");
    await until(async () => {
      const again = page.getByRole("button", { name: "Try again" });
      if (await again.isVisible()) await again.click();
      return image.isVisible();
    }, "the image is drawn");
    return image;
  };
  const open = async (page, path) => {
    await page.addInitScript((held) => sessionStorage.setItem("waygate.key", held), key);
    await page.goto(at(path));
  };

  visit(
    "a style is edited, refused, mended, published and versioned",
    { ...setup, refusals: [422] },
    async (page) => {
      await open(page, "themes#from=dark");
      const water = page.getByLabel("Water", { exact: true });
      await water.waitFor();
      const inherited = await water.inputValue();
      assert.match(inherited, /^#[0-9a-f]{6}$/);
      const document = page.getByLabel("Theme", { exact: true });
      await page.getByText("The theme as JSON").click();
      await water.fill("#12");
      await page.locator("#theme-colours-water[aria-invalid]").waitFor();
      assert.match(
        await page.locator("#theme-colours-water-complaint").innerText(),
        /must be a colour/,
      );
      await water.fill("#0a3355");
      await page.locator("#theme-colours-water:not([aria-invalid])").waitFor();
      assert.deepEqual(JSON.parse(await document.inputValue()), {
        extends: "dark",
        colours: { water: "#0a3355" },
      });
      await page.getByLabel("Width of roads", { exact: true }).fill("1.5");
      await page.getByText("What is shown").click();
      await page.getByLabel("Points of interest", { exact: true }).uncheck();
      const want = {
        extends: "dark",
        colours: { water: "#0a3355" },
        roads: { width: 1.5 },
        show: { pois: false },
      };
      assert.deepEqual(JSON.parse(await document.inputValue()), want);
      await page.getByLabel("Name", { exact: true }).fill(name);
      await page.getByRole("button", { name: "Publish" }).click();
      const published = page.locator(".published");
      await published.getByText(`Published: version 1 of ${id}`).waitFor();
      const address = await published.locator("code").first().innerText();
      assert.ok(address.endsWith(`/styles/${id}@1`), address);
      const { body: style } = await api("GET", `styles/${id}@1`);
      const { body: preview } = await api("POST", "api/style-preview", { body: { theme: want } });
      assert.deepEqual(preview.style.layers, style.layers);

      await page.getByRole("button", { name: "Reset Water to the theme it extends" }).click();
      await page.waitForFunction(
        (value) => window.document.getElementById("theme-colours-water").value === value,
        inherited,
      );
      assert.equal(await page.getByLabel("Publish as").inputValue(), id);
      await page.getByRole("button", { name: "Publish" }).click();
      await published.getByText(`Published: version 2 of ${id}`).waitFor();
      await page.getByLabel("Version", { exact: true }).selectOption(`${id}@1`);
      await page.waitForFunction(() =>
        window.document.querySelector("textarea").value.includes("0a3355"),
      );
      // The versions differ by the water alone, in words and on the map.
      await page.getByLabel("Compare with").selectOption(`${id}@2`);
      const told = page.locator(".differences");
      await told.getByText("1 difference").waitFor();
      assert.match(await told.innerText(), new RegExp(`Water\\s+${inherited}\\s+#0a3355`));
      await page.locator(".compared canvas").waitFor();
      await page.getByText("Widths by class").click();
      await page.getByLabel("Width: path", { exact: true }).fill("0");
      await told.getByText("2 differences").waitFor();
      assert.match(await told.innerText(), /Width: path\s+× 1\.00\s+× 0\.00/);
    },
  );

  visit("the explorer wears a theme and a published style", setup, async (page) => {
    await open(page, "");
    await page.getByRole("button", { name: "Layers" }).click();
    const style = page.getByLabel("Style", { exact: true });
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().includes("theme=midnight")),
      style.selectOption("midnight"),
    ]);
    assert.match(asked.url(), /tiles\/.*style\.json/);
    await page.waitForFunction(() => /theme=midnight/.test(location.hash));
    await page.goto(at(""));
    await page.waitForFunction(() => /theme=midnight/.test(location.hash)); // it is remembered
    await page.getByRole("button", { name: "Layers" }).click();
    await page.getByRole("option", { name }).waitFor({ state: "attached" });
    const [own] = await Promise.all([
      page.waitForRequest((request) => request.url().includes(`/styles/${id}`)),
      style.selectOption(id),
    ]);
    assert.match(own.url(), /territory=/);
    await style.selectOption("");
    await page.waitForFunction(() => !/theme=/.test(location.hash));
  });

  seldom(
    "a link to a style that is not there shows the map all the same",
    { ...setup, refusals: [404] },
    async (page) => {
      await open(page, "#theme=nowhere");
      await page
        .locator("#live", { hasText: "There is no style nowhere here" })
        .waitFor({ state: "attached" });
      await page.locator(".maplibregl-canvas").waitFor();
      await page.waitForFunction(() => !/theme=/.test(location.hash));
    },
  );

  seldom(
    "an image that fails is no broken picture, and is asked for again",
    { ...setup, refusals: [504, 429, 503] },
    async (page) => {
      let refused = 0;
      await page.route("**/api/static-map*", async (route) => {
        if (refused++ > 0) return route.fulfill({ contentType: "image/png", body: PIXEL });
        await route.fulfill({ status: 504, json: { title: "The server was too slow" } });
      });
      await open(page, "static-maps");
      await page.getByRole("alert").getByText("The server was too slow").waitFor();
      const image = page.locator(".image-made img");
      assert.equal(await image.isVisible(), false);
      await page.getByRole("button", { name: "Try again" }).press("Enter");
      await image.waitFor();
      assert.equal(await page.getByRole("alert").count(), 0);
    },
  );

  visit(
    "what is edited is undone, stays with another key, and a mistake has its line",
    { ...setup, refusals: [422] },
    async (page) => {
      await open(page, "themes#from=light");
      const text = page.getByLabel("Theme", { exact: true });
      const road = page.getByLabel("Width of roads", { exact: true });
      await road.waitFor();
      await page.getByText("The theme as JSON").click();
      const theme = async () => JSON.parse(await text.inputValue());
      for (const width of ["1.5", "2", "2.5"]) await road.fill(width);
      assert.deepEqual(await theme(), { extends: "light", roads: { width: 2.5 } });
      const undo = page.getByRole("button", { name: "Undo" });
      await undo.click();
      assert.deepEqual(await theme(), { extends: "light" });
      assert(await undo.isDisabled());
      assert((await undo.evaluate((button) => getComputedStyle(button).opacity)) < 1);
      await page.keyboard.press("Control+Shift+z");
      assert.deepEqual(await theme(), { extends: "light", roads: { width: 2.5 } });
      // Another key has the page loaded anew.
      await Promise.all([
        page.waitForEvent("load"),
        page.getByRole("button", { name: "Forget it" }).click(),
      ]);
      await road.waitFor();
      await page.getByText("The theme as JSON").click();
      assert.deepEqual(await theme(), { extends: "light", roads: { width: 2.5 } });
      const complaint = text.locator("xpath=..").locator(".complaint");
      await text.fill('{\n  "colours": {\n    "water": "wet"\n  }\n}');
      await complaint.getByText("Line 3, colours.water").waitFor();
      await text.fill('{\n  "colours": {\n    "water" "#fff"\n  }\n}');
      await complaint.getByText("Line 3, colours.water: this is no JSON").waitFor();
      await text.fill('{"version": 8, "sources": {}, "layers": []}');
      await complaint.getByText("MapLibre style").waitFor();
    },
  );

  visit("a page with the published style is copied and works", setup, async (page) => {
    await open(page, "themes#from=fleet");
    await page.getByLabel("Name", { exact: true }).fill(`Copied ${Date.now()}`);
    await page.getByRole("button", { name: "Publish" }).click();
    const copied = await page.locator(".published code").nth(1).innerText();
    const html = copied
      .replace("your key", key)
      .replace("new Map(", "window.map = new Map(")
      .replaceAll("https://unpkg.com/maplibre-gl@6/dist/", at("maplibre/"));
    await page.route(at("maplibre/*"), async (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-1);
      const body = await readFile(
        new URL(`../node_modules/maplibre-gl/dist/${name}`, import.meta.url),
      );
      const contentType = name.endsWith(".css") ? "text/css" : "text/javascript";
      await route.fulfill({ body, contentType });
    });
    await page.route(at("own.html"), (route) =>
      route.fulfill({ body: html, contentType: "text/html" }),
    );
    await page.goto(at("own.html"));
    await page.waitForFunction(() => window.map?.loaded());
    const seen = await page.evaluate(() => window.map.queryRenderedFeatures().length);
    assert.ok(seen > 10, `${seen} features`);
  });

  visit(
    "a refused image says so at its field, and a signed address gives it",
    { ...setup, refusals: [400, 429, 501, 503] },
    async (page) => {
      await open(page, "static-maps");
      const complaint = (label) =>
        page.getByLabel(label, { exact: true }).first().locator("xpath=..").locator(".complaint");
      const width = page.getByLabel("Width", { exact: true }).first();
      await page.locator(".image-made img").waitFor();
      await width.fill("5000");
      await complaint("Width").getByText("from 16 to 1280").waitFor();
      await width.fill("100");
      await complaint("Width").getByText("minimum width").waitFor();
      await width.fill("500");
      await page.getByLabel("Names in").fill("???");
      await complaint("Names in").getByText("ISO 639").waitFor();
      await page.getByLabel("Names in").fill("");
      await page.locator(".image-made img").waitFor();
      assert.equal(await complaint("Width").isVisible(), false);
      await page.reload();
      await page.locator(".image-made img").waitFor();
      assert.equal(await width.inputValue(), "500");
      await page.getByRole("button", { name: "Sign the address" }).click();
      const signed = page.locator(".code-block code").filter({ hasText: "/signed/" });
      const address = new URL(await signed.innerText());
      const again = async () => (await fetch(at(address.pathname + address.search))).ok;
      assert.ok(await until(again, "the image by its signed address"));
    },
  );

  visit(
    "an image is made of the map's view, markers and a route",
    { ...setup, refusals: [429, 503, 504] },
    async (page) => {
      await open(page, "static-maps");
      const image = await drawn(page);
      const address = page.locator(".code-block code").first();
      assert.match(await address.innerText(), /center=.*zoom=.*size=600x400$/);
      await page.getByRole("button", { name: "Add markers" }).click();
      await page.getByRole("button", { name: "Put one at the middle" }).click();
      await page.getByLabel("Label of marker 1").fill("W");
      await page.waitForFunction(() =>
        /markers=[-\d.,]+,W/.test(document.querySelector(".code-block code").textContent),
      );
      await page.getByRole("button", { name: "Draw a route" }).click();
      const map = await page.locator("#map").boundingBox();
      for (const x of [0.4, 0.6]) {
        await page.mouse.click(map.x + map.width * x, map.y + map.height / 2);
      }
      await page.waitForFunction(() =>
        /route=/.test(document.querySelector(".code-block code").textContent),
      );
      await page.getByLabel("The view is").selectOption("fit");
      await page.getByLabel("Format").selectOption("webp");
      await page.getByLabel("Style", { exact: true }).selectOption("print");
      // An image takes long on a machine that has much to do.
      await page.waitForFunction(() =>
        document.querySelector(".image-made .hint").textContent.includes("image/webp"),
      );
      const shown = await address.innerText();
      assert.match(shown, /style=print&format=webp/);
      assert.doesNotMatch(shown, /center=/);
      // It may have to wait for its turn, as the page does.
      const again = async () => {
        const answer = await fetch(shown);
        return answer.ok && answer.headers.get("content-type");
      };
      assert.equal(await until(again, "the image by its address"), "image/webp");
    },
  );

  visit("what it does is shown by live calls", setup, async (page) => {
    await open(page, "welcome");
    const answer = page.locator(".answered");
    await answer.getByText(/answered in \d+ ms/).waitFor();
    assert.match(await answer.innerText(), /\d+ min, .*instructions/);
    for (const [show, path] of [
      ["What is in reach", /POST \/isochrone/],
      ["A table of times", /POST \/matrix/],
      ["Search", /GET \/geocode/],
      ["Maps", /GET \/tiles/],
      ["Keys", /GET \/v1\/limits/],
    ]) {
      await page.getByRole("radio", { name: show }).check();
      await answer.getByText(path).waitFor();
    }
    await page.getByRole("radio", { name: "A lorry’s way" }).check();
    await answer.getByRole("link", { name: "Go on in the explorer" }).click();
    await page.locator(".step").first().waitFor();
    assert.match(new URL(page.url()).hash, /by=truck/);
  });
});
