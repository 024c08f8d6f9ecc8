// A newcomer at the map explorer, who knows no addresses: what the server offers is at most
// three clicks from its first page. What the first screen loads is counted too.
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe } from "node:test";
import { BASE, COARSE, launch, PHONE, seldom, visit as visitPage } from "./browser.mjs";
import { follow, project, settled } from "./map.mjs";

const DESKTOP = { viewport: { width: 1280, height: 800 }, ...COARSE, locale: "en-GB" };

/** The most that scripts of the first screen have, as they are sent; 270 kB of them are MapLibre's. */
const MOST_SCRIPT_BYTES = 380_000;

describe("a newcomer", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  let explorer;

  before(async () => {
    browser = await launch({ drawing: true });
    explorer = await (await fetch(new URL("explorer.json", BASE))).json();
  });
  after(() => browser?.close());

  function visit(name, body, options = DESKTOP, make = visitPage) {
    make(name, { browser: () => browser, options, refusals: [429, 503] }, body);
  }
  const rarely = (name, body, options) => visit(name, body, options, seldom);

  /** Clicks, at most three times from the first page. */
  function clicks() {
    let left = 3;
    return async (locator) => {
      assert.ok(left-- > 0, "more than three clicks");
      await locator.click();
    };
  }

  visit("loads few scripts for the first screen, packed", async (page) => {
    const scripts = new Set();
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.endsWith(".js")) scripts.add(request.url());
    });
    await follow(page, "");
    const sizes = await Promise.all([...scripts].map(packedSize));
    const bytes = sizes.reduce((sum, size) => sum + size, 0);
    assert.ok(
      [...scripts].some((url) => url.includes("worker")),
      "the map's worker is counted",
    );
    assert.ok(bytes > 100_000 && bytes <= MOST_SCRIPT_BYTES, `${bytes} bytes of ${scripts.size}`);
  });

  const finds = async (page) => {
    // A lorry with its height: an example by lorry, its options, its height.
    await follow(page, "");
    const first = clicks();
    const example = explorer.examples.find(({ costing }) => costing === "truck");
    await first(page.locator(".welcome").getByRole("button", { name: example.title, exact: true }));
    await page.locator(".step").first().waitFor();
    await first(page.getByText("Lorry options"));
    const height = page.getByLabel("Height", { exact: true });
    await first(height);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type("4.2");
    const asked = page.waitForRequest((r) => /"height":4.2/.test(r.postData() ?? ""));
    await page.keyboard.press("Tab");
    assert.equal((await asked).postDataJSON().costing, "truck");
    await page.locator(".step").first().waitFor();

    // Ten minutes by bicycle, which are offered: reach, by bicycle, a place on the map.
    await follow(page, "");
    const second = clicks();
    await second(page.locator('label:has([data-focus="task-reach"])'));
    await second(page.locator('label:has([data-focus="costing-bicycle"])'));
    const [x, y] = await project(page, [explorer.center[0], explorer.center[1]]);
    await second({ click: () => page.mouse.click(x, y) });
    await page.locator(".legend").getByText("10 min").waitFor();

    // The other pages: the menu, a name in it, and what is done there first.
    for (const [link, found] of [
      ["Planner", planned],
      ["Map images", addressed],
      ["Map styles", () => page.locator("input[type=color]").first().waitFor()],
      ["Get a key", () => page.getByLabel("E-mail address").fill("me@example.org")],
    ]) {
      await follow(page, "");
      const third = clicks();
      await third(page.getByRole("button", { name: "Pages" }));
      await third(page.locator("#pages").getByRole("link", { name: link }));
      await found(page, third);
    }
  };
  visit("finds six things within three clicks of each", finds);
  rarely("finds them on a phone", finds, { ...PHONE, ...COARSE, locale: "en-GB" });

  /** Takes a file of stops to the planner, which reads it. */
  async function planned(page, click) {
    const [[lon, lat]] = explorer.examples[0].points;
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      click(page.getByText("Choose a file").first()),
    ]);
    const buffer = Buffer.from(`name,lat,lon\nBakery,${lat},${lon}\n`);
    await chooser.setFiles({ name: "stops.csv", mimeType: "text/csv", buffer });
    await page.getByRole("button", { name: "Take these stops" }).waitFor();
  }

  /** Copies the address of a map's image. */
  async function addressed(page, click) {
    await page.locator(".code-block code", { hasText: "size=" }).first().waitFor();
    await click(page.getByRole("button", { name: "Copy the address" }));
    await page.getByText("Copied", { exact: true }).first().waitFor();
    assert.match(
      await page.evaluate(() => navigator.clipboard.readText()),
      /^http.*center=.*size=/,
    );
  }

  visit("drags the route to a new point on the way, and lets go of it", async (page) => {
    const { points } = explorer.examples.find(({ points: all }) => all.length === 2);
    await follow(page, `#p=${points.map((point) => point.join(",")).join(";")}`);
    await page.locator(".step").first().waitFor();
    await settled(page);
    const middle = await middleOfRoute(points);
    const stops = () => page.locator(".stop").count();
    for (const [ends, wanted] of [
      ["Escape", 2],
      [null, 3],
    ]) {
      const [x, y] = await project(page, middle);
      await page.mouse.move(x + 1, y + 40);
      await page.mouse.move(x + 1, y + 1, { steps: 3 });
      await page.locator(".handle.via").waitFor();
      await page.mouse.down();
      await page.mouse.move(x + 10, y - 50, { steps: 3 });
      if (ends) await page.keyboard.press(ends);
      await page.mouse.up();
      if (wanted === 3) await page.waitForFunction(() => document.querySelectorAll(".stop").length === 3); // prettier-ignore
      assert.equal(await stops(), wanted);
    }
    await settled(page);
    assert.equal(await page.locator(".leg").count(), 2);
  });

  /** The bytes that a browser is sent for a file. */
  function packedSize(url) {
    return new Promise((resolve, reject) => {
      get(url, { headers: { "Accept-Encoding": "gzip, br" } }, (answer) => {
        let size = 0;
        answer.on("data", (part) => (size += part.length));
        answer.on("end", () => resolve(size));
      }).on("error", reject);
    });
  }

  /** A point of the way between two others, in the middle of its line. */
  async function middleOfRoute(points) {
    const answer = await fetch(new URL("route", BASE), {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({
        locations: points.map(([lon, lat]) => ({ lon, lat })),
        costing: "auto",
        shape_format: "geojson",
      }),
    });
    const { trip } = await answer.json();
    const { coordinates } = trip.legs[0].shape;
    return coordinates[Math.floor(coordinates.length / 2)];
  }
});
