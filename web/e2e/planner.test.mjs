// The planner in a real Chromium against a running Waygate.
//
//   WAYGATE_URL  base address of a server with the sample county; without it all
//                is skipped
//   ADMIN_TOKEN  the operator's token, for a key that makes jobs
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
//   SHOTS        a folder for a screenshot of each page (optional)
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe } from "node:test";
import { ADMIN_TOKEN, api, at, BASE, launch, PHONE, visit } from "./browser.mjs";

describe("planner", { skip: BASE && ADMIN_TOKEN ? false : "no server" }, () => {
  let browser;
  let key;
  let points;
  before(async () => {
    browser = await launch({ drawing: true });
    const body = { name: "planner", monthly_quota: 100_000, rate_per_min: 10_000 };
    key = (await api("POST", "admin/keys", { token: ADMIN_TOKEN, body })).body.key;
    const { examples } = (await api("GET", "explorer.json")).body;
    points = [...new Set(examples.flatMap((one) => one.points).map(String))].map((text) =>
      text.split(",").map(Number),
    );
  });
  after(() => browser?.close());
  const options = { viewport: { width: 1280, height: 900 }, reducedMotion: "reduce" };
  const setup = { browser: () => browser, options };

  /** Opens the planner with a problem that was worked on before. */
  async function open(page, problem) {
    await page.addInitScript(
      ([held, kept]) => {
        sessionStorage.setItem("waygate.key", held);
        if (kept && !localStorage.getItem("waygate.planner")) {
          localStorage.setItem("waygate.planner", JSON.stringify(kept));
        }
      },
      [key, problem],
    );
    await page.goto(at("planner"));
    await page.locator(".drop").waitFor();
  }

  const tab = (page, name) => page.getByRole("radio", { name, exact: true }).check({ force: true });

  /** Waits until the solver has answered and the ways are known. */
  async function solved(page) {
    await page.locator(".plan-sum").waitFor({ timeout: 60_000 });
    await page.locator(".timeline-told", { hasText: "Drag a stop" }).waitFor({ timeout: 60_000 });
  }

  const stop = (id, place, patch = {}) => ({
    id,
    name: `Stop ${id}`,
    address: "",
    at: place,
    service: 300,
    windows: [],
    amount: 1,
    priority: 0,
    skills: [],
    ...patch,
  });
  const van = (id, depot, patch = {}) => ({
    id,
    name: id,
    start: depot,
    end: depot,
    shift: [28_800, 61_200],
    capacity: 0,
    skills: [],
    ...patch,
  });

  visit("a pasted table becomes stops, and what it lacks is said", setup, async (page) => {
    await open(page);
    const [[lon, lat], [lon2, lat2]] = points;
    await page
      .getByLabel("A table of stops")
      .fill(
        [
          "Order;Customer;Latitude;Longitude;Opens;Closes;Minutes;Parcels",
          `A1;Bakery;${lat};${lon};8:00;10:00;5;2`,
          `A2;Smithy;${lat2};${lon2};9:00;8:00;ten;1`,
          "A3;;;;;;;",
        ].join("\n"),
      );
    await page.getByRole("button", { name: "Read it" }).click();
    assert.equal(await page.getByLabel("What Opens holds").inputValue(), "from");
    assert.equal(await page.getByLabel("What Parcels holds").inputValue(), "amount");
    const problems = page.locator(".row-problems");
    assert.match(await problems.innerText(), /Row 2 “ten” in Minutes cannot be read/);
    assert.match(await problems.innerText(), /Row 3 has neither coordinates nor an address/);
    await page.getByLabel("What Parcels holds").selectOption("");
    await page.getByRole("button", { name: "Take these stops" }).click();
    await page.getByRole("button", { name: /^Bakery/ }).click();
    assert.equal(await page.getByLabel("Not before").inputValue(), "08:00");
    await page.getByLabel("Not after").fill("11:30");
    await page.getByLabel("Minutes there").fill("7");
    await page.getByLabel("Minutes there").press("Tab");
    await page.getByRole("button", { name: /^Bakery.*08:00–11:30 · 7 min/ }).waitFor();
    await page.reload(); // it is kept
    await page.getByRole("button", { name: /^Smithy/ }).waitFor();
    await tab(page, "Plan");
    assert.match(await page.locator(".lacks").innerText(), /There is no vehicle yet/);
    assert.ok(await page.getByRole("button", { name: "Solve" }).isDisabled());
  });

  visit("addresses are looked for", setup, async (page) => {
    await open(page);
    const query = new URLSearchParams({ lon: points[0][0], lat: points[0][1], limit: 1 });
    const { body } = await api("GET", `geocode/reverse?${query}`, { token: key });
    const { name, city } = body.features[0].properties;
    const text = `name,address\nKnown,"${name}, ${city}"\nUnknown,Qxqzvw Wxyzq 99`;
    await page.getByLabel("A table of stops").fill(text);
    await page.getByRole("button", { name: "Read it" }).click();
    await page.getByRole("button", { name: "Take these stops" }).click();
    await page.getByRole("button", { name: "Find their places" }).click();
    await page.locator(".stops li:not(.lost-place)", { hasText: "Known" }).waitFor();
    assert.equal(await page.locator(".stops .lost-place").count(), 1);
  });

  visit("a plan is solved, moved by hand, taken back and taken along", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 6).map((place, i) => stop(String(i + 1), place));
    const vehicles = [van("North", depot, { capacity: 3 }), van("South", depot, { capacity: 3 })];
    await open(page, { stops, vehicles, costing: "auto" });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    assert.match(await page.locator(".plan-sum").innerText(), /^6 stops in 2 rounds/);
    assert.equal(await page.locator(".block").count(), 6);

    const block = page.locator(".block").first();
    const id = await block.getAttribute("data-stop");
    const lane = (name) => page.locator(`.lane[data-vehicle="${name}"]`);
    const other = (await lane("North").locator(`[data-stop="${id}"]`).count()) ? "South" : "North";
    const from = await block.boundingBox();
    const to = await lane(other).boundingBox();
    await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await page.mouse.down();
    await page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    assert.match(
      await page.locator(".timeline-told").innerText(),
      /driving.*km.*carries 4 of at most 3/,
    );
    await page.mouse.up();
    await lane(other).locator(`[data-stop="${id}"]`).waitFor();
    assert.match(await page.locator(".touched").innerText(), /carries 4 of at most 3/);
    await page.getByRole("button", { name: "Take back the last move" }).click();
    assert.equal(await lane(other).locator(`[data-stop="${id}"]`).count(), 0);

    const keyed = page.locator(`[data-stop="${id}"]`);
    await keyed.focus();
    await page.keyboard.press(other === "South" ? "ArrowDown" : "ArrowUp");
    await lane(other).locator(`[data-stop="${id}"]`).waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.dataset.stop), id);
    assert.match(await page.locator("#live").textContent(), /Stop \d as number \d of/);

    const [csv] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save as CSV" }).click(),
    ]);
    const lines = (await readFile(await csv.path(), "utf8")).trim().split("\r\n");
    assert.equal(lines.length, 7);
    await page
      .locator(".round")
      .first()
      .evaluate((fold) => (fold.open = true));
    const [gpx] = await Promise.all([
      page.waitForEvent("download"),
      page
        .getByRole("button", { name: /^GPX for/ })
        .first()
        .click(),
    ]);
    assert.match(await readFile(await gpx.path(), "utf8"), /<gpx version="1.1"[\s\S]*<wpt /);
    await page.getByText("The request with curl").click();
    assert.match(await page.locator(".code-block").innerText(), /v1\/jobs\/optimise/);
  });

  visit("what is left out says why, and is allowed with one click", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 3).map((place, i) => stop(String(i + 1), place, { amount: 2 }));
    await open(page, { stops, vehicles: [van("Only", depot, { capacity: 4 })], costing: "auto" });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const left = page.locator(".left li");
    assert.equal(await left.count(), 1);
    await left.getByRole("button", { name: "Allow it and solve again" }).first().click();
    await page
      .locator(".plan-sum", { hasText: "3 stops in 1 round," })
      .waitFor({ timeout: 60_000 });
    assert.equal(await left.count(), 0);
    await tab(page, "Vehicles");
    assert.equal(await page.getByLabel("Carries, 0 for no bound").inputValue(), "6");
  });

  visit("the rest of a day is planned anew", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 6).map((place, i) => stop(String(i + 1), place));
    const vehicles = [van("North", depot, { capacity: 3 }), van("South", depot, { capacity: 3 })];
    await open(page, { stops, vehicles, costing: "auto" });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    await tab(page, "Today");
    await page.getByLabel("It is now").fill("08:00");
    await page.getByLabel("It is now").press("Tab");
    await page.locator(".day li", { hasText: "North" }).getByLabel("out of work").check();
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith("v1/jobs/replan")),
      page.getByRole("button", { name: "Plan the rest of the day anew" }).click(),
    ]);
    const { progress } = request.postDataJSON();
    assert.deepEqual(progress[0], {
      vehicle: "North",
      completed_stop_ids: [],
      time_s: 28_800,
      unavailable: true,
    });
    await page.locator(".plan-sum", { hasText: "3 left out" }).waitFor({ timeout: 60_000 });
    assert.equal(await page.locator('.lane[data-vehicle="North"] .block').count(), 0);
    assert.equal(await page.locator('.lane[data-vehicle="South"] .block').count(), 3);
  });

  visit("on a phone an example is taken and solved", { ...setup, options: PHONE }, async (page) => {
    await open(page);
    await page.getByRole("button", { name: "Take an example" }).tap();
    await page.locator(".stop-row").first().waitFor();
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).tap();
    await solved(page);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= page.viewportSize().width, `${wide} pixels wide`);
  });
});
