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

  /** The body of the job that an action makes. */
  async function sent(page, kind, act) {
    const [request] = await Promise.all([
      page.waitForRequest((one) => one.url().endsWith(`v1/jobs/${kind}`)),
      act(),
    ]);
    return request.postDataJSON();
  }

  const stop = (id, place, patch = {}) => ({
    id,
    name: `Stop ${id}`,
    at: place,
    service: 300,
    amounts: [1],
    ...patch,
  });
  const van = (id, depot, patch = {}) => ({
    id,
    name: id,
    start: depot,
    end: depot,
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
    const vehicles = [
      van("North", depot, { capacities: [3] }),
      van("South", depot, { capacities: [3] }),
    ];
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
    const stops = places
      .slice(0, 3)
      .map((place, i) => stop(String(i + 1), place, { amounts: [2] }));
    await open(page, {
      stops,
      vehicles: [van("Only", depot, { capacities: [4] })],
      costing: "auto",
    });
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
    const vehicles = [
      van("North", depot, { capacities: [3] }),
      van("South", depot, { capacities: [3] }),
    ];
    await open(page, { stops, vehicles, costing: "auto" });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    await tab(page, "Today");
    await page.getByLabel("It is now").fill("08:00");
    await page.getByLabel("It is now").press("Tab");
    await page.locator(".day li", { hasText: "North" }).getByLabel("out of work").check();
    const { progress } = await sent(page, "replan", () =>
      page.getByRole("button", { name: "Plan the rest of the day anew" }).click(),
    );
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

  visit("a break, trips, bounds and a second load are told of a vehicle", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 4).map((place, i) => stop(String(i + 1), place));
    await open(page, { stops, vehicles: [van("Only", depot)] });
    await tab(page, "Vehicles");
    const fill = async (label, value) => {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(label, { exact: true }).press("Tab");
    };
    await fill("What they carry", "Boxes, Kilos");
    await fill("Carries of Boxes, 0 for no bound", "2");
    await page.getByRole("button", { name: "Add a break" }).focus();
    await page.keyboard.press("Enter");
    await fill("Begins from", "08:10");
    await fill("Begins by", "08:40");
    await fill("Minutes", "20");
    await fill("Kilos on board, empty for any", "5");
    await page.getByText("Trips, bounds and areas").click();
    await fill("Trips of a shift, 1 to 5", "2");
    await fill("Minutes to load between trips", "10");
    await fill("Trips of a shift, 1 to 5", "9");
    await page.getByText("“9” cannot be read").waitFor();
    await tab(page, "Plan");
    const { vehicles } = await sent(page, "optimise", () =>
      page.getByRole("button", { name: "Solve" }).click(),
    );
    assert.deepEqual(vehicles[0].breaks, [
      {
        id: "Break 1",
        time_windows: [[29_400, 31_200]],
        service_s: 1200,
        max_load: [1_000_000, 5],
      },
    ]);
    assert.deepEqual(vehicles[0].capacity, [2, 1_000_000]);
    assert.deepEqual(vehicles[0].reloads, { max_trips: 2, reload_time_s: 600 });
    await solved(page);
    // Four boxes in a van of two: it is loaded anew, and has its break.
    assert.equal(await page.locator(".block").count(), 4);
    const rests = await page.locator(".rest").allTextContents();
    assert.equal(rests.filter((text) => text.startsWith("Loading")).length, 1, rests.join());
    assert.equal(rests.filter((text) => text.startsWith("Break 1 08:")).length, 1, rests.join());
    // Printed are the rounds with their breaks, unfolded, and nothing to press.
    await page.locator(".round").evaluateAll((all) => all.forEach((one) => (one.open = false)));
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".round .rest-line", { hasText: "Break 1 08:" }).isVisible());
    assert.equal(await page.locator("button.button:visible").count(), 0);
    await page.emulateMedia({ media: "screen" });
    await tab(page, "Today");
    await page.getByText("several trips cannot be planned anew: Only").waitFor();
    const again = page.getByRole("button", { name: "Plan the rest of the day anew" });
    assert.ok(await again.isDisabled());
  });

  visit("a shipment is one vehicle's, and moves whole", setup, async (page) => {
    await open(page, { vehicles: [van("North", points[0]), van("South", points[0])], stops: [] });
    const row = (cells) => cells.join(",");
    const [, a, b, c] = points;
    const table = [
      "name,lat,lon,type,shipment,max ride time (min),between,parcels",
      row(["Mill", a[1], a[0], "pickup", "Flour", 60, "8:00-9:30; 14:00-15:00", 3]),
      row(["Bakery", b[1], b[0], "delivery", "Flour", "", "", 3]),
      row(["Smithy", c[1], c[0], "delivery", "", "", "", 1]),
    ];
    await page.getByLabel("A table of stops").fill(table.join("\n"));
    await page.getByRole("button", { name: "Read it" }).click();
    assert.equal(await page.getByLabel("What type holds").inputValue(), "does");
    await page.getByRole("button", { name: "Take these stops" }).click();
    await page.getByRole("button", { name: /^Mill.*14:00–15:00.*collects 3.*Flour/ }).click();
    assert.equal(await page.getByLabel("Not before, 2").inputValue(), "14:00");
    await page.getByRole("button", { name: "not at the last of these times" }).click();
    await page.getByRole("button", { name: /^Mill\s*08:00–09:30 · collects/ }).waitFor();
    await tab(page, "Plan");
    const { shipments, jobs } = await sent(page, "optimise", () =>
      page.getByRole("button", { name: "Solve" }).click(),
    );
    assert.equal(jobs.length, 1);
    const [{ pickup, delivery, max_ride_time_s: ride }] = shipments;
    assert.deepEqual([pickup.id, delivery.id, ride], ["1", "2", 3600]);
    assert.deepEqual(pickup.time_windows, [[28_800, 34_200]]);
    await solved(page);
    const lane = (name) => page.locator(`.lane[data-vehicle="${name}"]`);
    const served = (name) => lane(name).locator('[data-stop="1"], [data-stop="2"]');
    const other = (await served("North").count()) ? "South" : "North";
    await page.locator('.block[data-stop="2"]').focus();
    await page.keyboard.press(other === "South" ? "ArrowDown" : "ArrowUp");
    await lane(other).locator('[data-stop="1"]').waitFor();
    assert.equal(await served(other).count(), 2);
    assert.match(await page.locator(".timeline-told").innerText(), /Bakery.*Mill with it/);

    // What was moved by hand stays when it is solved again, unless it need not.
    const again = page.getByRole("button", { name: "Solve again" });
    const kept = await sent(page, "optimise", () => again.click());
    const held = kept.vehicles.find(({ id }) => id === other);
    assert.deepEqual(held.first_stop_ids.slice(0, 2), ["1", "2"]);
    await page.locator(".touched").waitFor({ state: "detached", timeout: 60_000 });
    await solved(page);
    assert.equal(await served(other).count(), 2);
  });

  visit("what was moved by hand may be given up", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 3).map((place, i) => stop(String(i + 1), place));
    await open(page, { stops, vehicles: [van("North", depot), van("South", depot)] });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const block = page.locator(".block").first();
    const lane = block.locator("xpath=..");
    await block.focus();
    const name = await lane.getAttribute("data-vehicle");
    await page.keyboard.press(name === "North" ? "ArrowDown" : "ArrowUp");
    await page.getByLabel("Keep it when solved again").uncheck();
    const { vehicles } = await sent(page, "optimise", () =>
      page.getByRole("button", { name: "Solve again" }).click(),
    );
    assert.ok(vehicles.every((one) => !one.first_stop_ids && !one.steps));
    await page.locator(".touched").waitFor({ state: "detached", timeout: 60_000 });
  });

  visit("a vehicle is bound to an area of a file", setup, async (page) => {
    const [depot, near, far] = points;
    const square = [
      [-1e-4, -1e-4],
      [1e-4, -1e-4],
      [1e-4, 1e-4],
      [-1e-4, 1e-4],
      [-1e-4, -1e-4],
    ].map(([x, y]) => [near[0] + x, near[1] + y]);
    const geometry = { type: "Polygon", coordinates: [square] };
    const area = { type: "Feature", properties: { name: "Harbour" }, geometry };
    await open(page, { stops: [stop("1", near), stop("2", far)], vehicles: [van("Only", depot)] });
    await page.locator("#stops-file").setInputFiles({
      name: "areas.geojson",
      mimeType: "application/geo+json",
      buffer: Buffer.from(JSON.stringify({ type: "FeatureCollection", features: [area] })),
    });
    await page.getByText("Harbour: bind vehicles to them").waitFor();
    await tab(page, "Vehicles");
    await page.getByText("Trips, bounds and areas").click();
    await page.getByLabel("Harbour", { exact: true }).check();
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const left = page.locator(".left li");
    assert.match(await left.innerText(), /^Stop 2/);
    await left.getByRole("button", { name: "Allow it and solve again" }).first().click();
    await page.locator(".plan-sum", { hasText: /^2 stops/ }).waitFor({ timeout: 60_000 });
    await tab(page, "Vehicles");
    assert.ok(!(await page.getByLabel("Harbour", { exact: true }).isChecked()));
    await page.getByRole("button", { name: "Take Harbour out" }).click();
    assert.equal(await page.getByLabel("Harbour", { exact: true }).count(), 0);
  });

  visit("a job is stopped with the best plan so far", setup, async (page) => {
    const [depot, ...places] = points;
    // Far more work than is waited for: the page's own limit would be a few seconds.
    await page.route("**/v1/jobs/optimise", (route) => {
      const body = { ...route.request().postDataJSON(), time_limit_s: 600 };
      return route.continue({ postData: JSON.stringify(body) });
    });
    const stops = Array.from({ length: 400 }, (_, i) => stop(`${i}`, places[i % places.length]));
    const vehicles = ["A", "B", "C", "D"].map((id) => van(id, depot, { capacities: [101] }));
    await open(page, { stops, vehicles });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await page.locator(".solving", { hasText: "best cost so far" }).waitFor({ timeout: 60_000 });
    await page.getByRole("button", { name: "Stop with the best so far" }).click();
    await page.locator(".plan-sum", { hasText: "stops in" }).waitFor({ timeout: 60_000 });
    assert.ok((await page.locator(".block").count()) > 0);
  });

  visit("the jobs of the key are listed, and one is cancelled", setup, async (page) => {
    const [depot, ...places] = points;
    const at = ([lon, lat]) => ({ lat, lon });
    const jobs = Array.from({ length: 400 }, (_, i) => ({
      id: `${i}`,
      location: at(places[i % places.length]),
    }));
    const vehicles = [{ id: "van", start: at(depot) }];
    const body = { vehicles, jobs, time_limit_s: 300 };
    const made = await api("POST", "v1/jobs/optimise", { token: key, body });
    assert.equal(made.status, 202);
    await open(page, { stops: [], vehicles: [] });
    await tab(page, "Plan");
    await page.getByText("Jobs of this key").focus();
    await page.keyboard.press("Enter");
    const first = page.getByRole("list", { name: "Jobs" }).locator("li").first();
    await first.getByRole("button", { name: "Cancel" }).click();
    await first.getByText("cancelled").waitFor();
    const { body: job } = await api("GET", `v1/jobs/${made.body.id}`, { token: key });
    assert.equal(job.state, "cancelled");
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
