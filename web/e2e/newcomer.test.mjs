// A newcomer at the map explorer, who knows no addresses: what the server offers is at most
// three clicks from its first page. What the first screen loads is counted too.
import assert from "node:assert/strict";
import { get } from "node:http";
import { after, before, describe } from "node:test";
import { BASE, COARSE, launch, visit as visitPage } from "./browser.mjs";
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

  function visit(name, body) {
    visitPage(name, { browser: () => browser, options: DESKTOP }, body);
  }

  /** Clicks, at most three times from the first page. */
  function clicks(page) {
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

  visit("finds directions for a lorry, reach by bicycle and the other pages", async (page) => {
    const points = explorer.examples.find(({ points: all }) => all.length === 2).points;
    const at = points.map((point) => point.join(",")).join(";");

    // A lorry with its height: by lorry, its options, its height.
    await follow(page, "");
    await follow(page, `#p=${at}`);
    const first = clicks(page);
    await first(page.locator('label:has([data-focus="costing-truck"])'));
    await first(page.getByText("Lorry options"));
    const height = page.getByLabel("Height", { exact: true });
    await first(height);
    await height.fill("4.2");
    await height.press("Tab");
    await page.waitForFunction(() => location.hash.includes("height=4.2"));
    await page.locator(".step").first().waitFor();

    // Ten minutes by bicycle: reach, by bicycle, a place on the map; the minutes are typed.
    await follow(page, "#map=0/0/0");
    const second = clicks(page);
    await second(page.locator('label:has([data-focus="task-reach"])'));
    await second(page.locator('label:has([data-focus="costing-bicycle"])'));
    await page.getByLabel("Minutes").fill("10");
    await page.getByLabel("Minutes").press("Enter");
    const [x, y] = await project(page, [explorer.center[0], explorer.center[1]]);
    await second({ click: () => page.mouse.click(x, y) });
    await page.getByText("Reached from point A within 10 min").waitFor();

    // The other pages: the menu, and a name in it.
    for (const [link, found] of [
      ["Planner", "A table of stops"],
      ["Map images", "Style"],
      ["Map styles", null],
      ["Get a key", "E-mail"],
    ]) {
      await follow(page, "");
      const third = clicks(page);
      await third(page.getByRole("button", { name: "Pages" }));
      await third(page.locator("#pages").getByRole("link", { name: link }));
      if (found) await page.getByLabel(new RegExp(found, "i")).first().waitFor();
      else await page.locator("input[type=color]").first().waitFor();
    }
  });

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
