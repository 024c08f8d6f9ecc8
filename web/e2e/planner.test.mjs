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
import { ADMIN_TOKEN, api, at, BASE, COARSE, launch, PHONE, seldom, visit } from "./browser.mjs";

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
  const options = { viewport: { width: 1280, height: 900 }, ...COARSE };
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
    await page.locator(".drop").first().waitFor();
  }

  /** Types a value and leaves its input. */
  async function enter(page, label, value) {
    await page.getByLabel(label, { exact: true }).fill(value);
    await page.getByLabel(label, { exact: true }).press("Tab");
  }

  const tab = (page, name) => page.getByRole("radio", { name, exact: true }).check({ force: true });

  /** Waits until the solver has answered and the ways are known. */
  async function solved(page) {
    await page.locator(".plan-sum").waitFor();
    await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
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
    assert.match(await problems.innerText(), /Row 3 “ten” in Minutes cannot be read/);
    assert.match(await problems.innerText(), /Row 4 has neither coordinates nor an address/);
    await page.getByLabel("What Parcels holds").selectOption("");
    await page.getByRole("button", { name: "Take these stops" }).click();
    await page.getByRole("button", { name: /^Bakery/ }).click();
    assert.equal(await page.getByLabel("Not before").inputValue(), "08:00");
    await enter(page, "Not after", "11:30");
    await page.getByLabel("Minutes there").fill("7");
    await page.getByLabel("Minutes there").press("Tab");
    await page.getByRole("button", { name: /^Bakery.*08:00–11:30 · 7 min/ }).waitFor();
    await page.reload(); // it is kept
    await page.getByRole("button", { name: /^Smithy/ }).waitFor();
    await tab(page, "Plan");
    assert.match(await page.locator(".lacks").innerText(), /There is no vehicle yet/);
    assert.ok(await page.getByRole("button", { name: "Solve" }).isDisabled());
  });

  seldom("stops off the map are told before they are taken", setup, async (page) => {
    await open(page);
    const [[lon, lat]] = points;
    const table = page.getByLabel("A table of stops");
    await table.fill(`name,lat,lon\nA,${lon},${lat}`);
    await page.getByRole("button", { name: "Read it" }).click();
    await page.getByText(/1 lies outside.*may be exchanged/).waitFor();
    await page.getByLabel("What lat holds").selectOption("lon");
    await page.getByLabel("What lon holds").selectOption("lat");
    await page.getByText(/^1 stop, 1 of them with coordinates\.$/).waitFor();
  });

  seldom("addresses are looked for", setup, async (page) => {
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

  seldom("a stop that was not found does not stop the others", setup, async (page) => {
    const stops = points.slice(1, 5).map((place, i) => stop(String(i + 1), place));
    const lost = stop("lost", null, { name: "Lost", address: "Qxqzvw Wxyzq 99" });
    await open(page, { stops: [...stops, lost], vehicles: [van("North", points[0])] });
    assert.match(await page.locator(".stops li").first().innerText(), /Lost[\s\S]*no place yet/);
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    assert.match(await page.locator(".plan-sum").innerText(), /4 stops in 1 round.*1 left out/);
    assert.match(await page.locator(".left").innerText(), /Lost: it has no place yet/);
    // It is shown on the map by hand, and keeps its address.
    await tab(page, "Stops");
    await page.getByRole("button", { name: /^Lost/ }).click();
    await page.getByRole("button", { name: "show it on the map" }).click();
    await page.locator("#map canvas").click({ position: { x: 300, y: 200 } });
    await page.getByRole("button", { name: /^Lost/ }).waitFor();
    assert.equal(await page.locator(".lost-place").count(), 0);
    const address = page.getByLabel("Address, or latitude, longitude", { exact: true });
    assert.equal(await address.inputValue(), "Qxqzvw Wxyzq 99");
  });

  seldom(
    "rounds are balanced, kept, compared, and saved as the API's JSON",
    setup,
    async (page) => {
      const stops = points.slice(1, 10).map((place, i) => stop(String(i + 1), place));
      await open(page, { stops, vehicles: [van("North", points[0]), van("South", points[0])] });
      await tab(page, "Plan");
      await page.getByText("Kept plans, days and files").click();
      const shown = async () => {
        const rows = await page.locator(".found .figures tr").allInnerTexts();
        return Object.fromEntries(
          rows
            .slice(1)
            .map((row) => row.split("\t").map((s) => s.trim()))
            .map(([name, ...rest]) => [name, rest]),
        );
      };
      for (const aim of ["time", "stops", "vehicles", "areas"]) {
        await page.getByLabel("The rounds are to be").selectOption(aim);
        await page.getByRole("button", { name: /^Solve/ }).click();
        await page.locator(".solving").waitFor();
        await page.locator(".solving").waitFor({ state: "detached" });
        const { Rounds, Stops, ...figures } = await shown();
        assert.equal(Stops[1], Stops[0], aim);
        if (aim === "vehicles") assert.equal(Rounds[1], "1");
        if (aim === "stops")
          assert.deepEqual(figures["Fewest to most stops"][1].split(" to "), ["4", "5"]);
        await page.getByLabel("Name of the plan").fill(`By ${aim}`);
        await page.getByRole("button", { name: "Keep this plan" }).click();
        await page.getByRole("button", { name: `Open the plan By ${aim}` }).waitFor();
      }
      const heads = await page.locator(".kept-plans .figures th[scope=col]").allInnerTexts();
      assert.deepEqual(heads, ["This one", "By areas", "By stops", "By time", "By vehicles"]);
      const [saved] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save as the API’s JSON" }).click(),
      ]);
      const file = await saved.path();
      assert.equal(JSON.parse(await readFile(file, "utf8")).jobs.length, stops.length);
      // They are there after a reload, and one that is opened has its plan.
      await page.reload();
      await tab(page, "Plan");
      await page.getByText("Kept plans, days and files").click();
      await page.getByRole("button", { name: "Open the plan By vehicles" }).click();
      await page.locator(".plan-sum", { hasText: "in 1 round," }).waitFor();
      await page.getByRole("button", { name: "Delete By vehicles" }).click();
      await page
        .getByRole("button", { name: "Open the plan By vehicles" })
        .waitFor({ state: "detached" });
      await page.getByRole("button", { name: "Begin another day with these vehicles" }).click();
      await page.getByText("There are no stops yet").waitFor();
      await page.setInputFiles("#problem-file", file);
      await tab(page, "Stops");
      assert.equal(await page.locator(".stops li").count(), stops.length);
    },
  );

  visit("what is solved for a problem is dropped once another is opened", setup, async (page) => {
    const job = (place) => ({ id: "Mill", location: { lon: place[0], lat: place[1] } });
    await page.route(/v1\/jobs\/[^/?]+$/, (route) =>
      route.request().method() === "POST"
        ? route.continue()
        : route.fulfill({ json: { state: "running" } }),
    );
    await open(page, { stops: [stop("1", points[1])], vehicles: [van("V", points[0])] });
    await tab(page, "Plan");
    const looked = page.waitForRequest((one) => /v1\/jobs\/(?!optimise)/.test(one.url()));
    await page.getByRole("button", { name: "Solve" }).click();
    await looked;
    const ended = page.waitForRequest((one) => one.method() === "DELETE");
    const buffer = Buffer.from(JSON.stringify({ jobs: [job(points[2])], vehicles: [] }));
    await page.setInputFiles("#problem-file", {
      name: "problem.json",
      mimeType: "application/json",
      buffer,
    });
    await ended;
    await tab(page, "Stops");
    await page.locator(".stops li", { hasText: "Mill" }).waitFor();
  });

  seldom("a click or a press straight after typing does what it is for", setup, async (page) => {
    const stops = points.slice(1, 4).map((place, i) => stop(String(i + 1), place));
    // Without a map, which takes its time to draw.
    await page.addInitScript(() => (HTMLCanvasElement.prototype.getContext = () => null));
    await open(page, { stops, vehicles: [van("North", points[0])] });
    /** Clicks where something is now, as a hand does: what moves meanwhile does not matter. */
    const hit = async (one) => {
      await one.scrollIntoViewIfNeeded();
      const { x, y, width, height } = await one.boundingBox();
      await page.mouse.click(x + width / 2, y + height / 2);
    };
    const typed = async (label, text) => {
      await hit(page.getByLabel(label, { exact: true }).filter({ visible: true }));
      await page.keyboard.press("ControlOrMeta+a");
      await page.keyboard.type(text);
    };
    const kept = () => page.evaluate(() => JSON.parse(localStorage.getItem("waygate.planner")));
    await hit(page.getByRole("button", { name: /^Stop 1/ }));
    await typed("Minutes there", "9");
    await typed("Name", "Bakery"); // another field has the focus at once
    await typed("Not before", "9:00");
    await typed("Not after", "11:00"); // what follows moves down a line
    const collects = page.getByLabel("It", { exact: true });
    await collects.selectOption("collect");
    await typed("Priority, 0 to 100", "7");
    await hit(page.getByRole("button", { name: "and at another time" }));
    const [first] = (await kept()).stops;
    assert.deepEqual(
      [first.name, first.service, first.priority, first.collects, first.windows.length],
      ["Bakery", 540, 7, true, 2],
    );
    // What cannot be read stays with its complaint, whatever else is changed.
    await typed("Not after", "soon");
    await typed("Needs", "cold");
    await hit(page.getByRole("button", { name: "not at the last of these times" }));
    await page.getByText("“soon” cannot be read").waitFor();
    assert.equal(await page.getByLabel("Not after", { exact: true }).inputValue(), "soon");
    const [{ skills, windows }] = (await kept()).stops;
    assert.deepEqual([skills, windows.length], [["cold"], 1]);
    await typed("Name", "Smithy");
    await hit(page.getByRole("button", { name: /^Stop 2/ }));
    await page.getByRole("button", { name: /^Stop 2/, expanded: true }).waitFor();
    await typed("Shipment", "Flour"); // a field comes to be below it
    await hit(page.getByRole("button", { name: "Take this stop out" }));
    assert.deepEqual(
      (await kept()).stops.map(({ name }) => name),
      ["Smithy", "Stop 3"],
    );
    await hit(page.getByRole("button", { name: "Take out all stops" }));
    await hit(page.getByRole("button", { name: "Put the 2 stops back" }));
    assert.equal((await kept()).stops.length, 2);
    await tab(page, "Vehicles");
    await typed("Shift from", "7:00");
    await hit(page.getByRole("button", { name: "Add a break" }));
    await typed("Minutes", "20");
    await hit(page.getByRole("button", { name: "Add a break" }));
    await page.getByText("Trips, bounds, costs and areas").click();
    await typed("Most stops, 0 for any", "12");
    await hit(page.getByRole("button", { name: "Add one like the last" }));
    const { vehicles } = await kept();
    assert.deepEqual(vehicles[0].shifts[0][0], 25_200);
    assert.deepEqual(
      vehicles.map(({ breaks, mostStops }) => [breaks.length, breaks[0].lasts, mostStops]),
      [
        [2, 1200, 12],
        [2, 1200, 12],
      ],
    );
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
      await page.locator(".timeline-line").innerText(),
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

  visit("a stop is chosen on the map, and dragged into another round", setup, async (page) => {
    const [depot] = points;
    // Two rows of stops, far apart on the screen.
    const beside = (x, y) => [depot[0] + x * 0.02, depot[1] + y * 0.02];
    const rows = [-1, 1].flatMap((y) => [0.3, 1, 1.7].map((x) => beside(x, y)));
    const stops = rows.map((place, i) => stop(`${i + 1}`, place));
    const vehicles = [
      van("North", depot, { capacities: [3] }),
      van("South", depot, { capacities: [3] }),
    ];
    await open(page, { stops, vehicles });
    const map = page.locator("#map canvas.maplibregl-canvas");
    await map.waitFor();
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const lane = (name, id) => page.locator(`.lane[data-vehicle="${name}"] [data-stop="${id}"]`);
    const other = (await lane("North", "1").count()) ? "South" : "North";
    const [target] = await page
      .locator(`.lane[data-vehicle="${other}"] .block`)
      .evaluateAll((all) => all.map((block) => block.dataset.stop));
    /** Where on the screen a stop is: where a mark is put when it is chosen. */
    const placeOf = async (id) => {
      await page.locator(`.block[data-stop="${id}"]`).click();
      const mark = page.locator("#map .maplibregl-marker");
      const { x, y, width, height } = await mark.boundingBox();
      await page.locator(`.block[data-stop="${id}"]`).click();
      await mark.waitFor({ state: "detached" });
      return [x + width / 2, y + height];
    };
    const to = await placeOf(target);
    const from = await placeOf("1");
    await page.mouse.click(...from.map(Math.round));
    assert.equal(await page.locator('.block[data-stop="1"]').getAttribute("aria-pressed"), "true");
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 6 });
    assert.match(
      await page.locator(".timeline-line").innerText(),
      /Stop 1 as number.*driving.*km.*carries 4 of at most 3/,
    );
    await page.mouse.up();
    await lane(other, "1").waitFor();
    assert.match(await page.locator(".touched").innerText(), /carries 4 of at most 3/);
  });

  visit("a plan is printed, a page for each driver with a map", setup, async (page) => {
    const [depot, ...places] = points;
    // One round is longer than a page.
    const stops = Array.from({ length: 60 }, (_, i) => stop(`${i + 1}`, places[i % places.length]));
    stops.push(stop("big", places[0], { amounts: [99] }));
    const vehicles = [
      van("North", depot, { capacities: [50] }),
      van("South", depot, { capacities: [10] }),
    ];
    await open(page, { stops, vehicles });
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const printing = page.evaluate(() => new Promise((done) => (window.print = () => done(true))));
    await page.getByRole("button", { name: "Print" }).click();
    await printing;
    const file = await page.pdf({ format: "A4" });
    const pages = file.toString("latin1").match(/\/Type \/Page\b/g).length;
    await page.emulateMedia({ media: "print" });
    const sheets = page.locator(".printed section");
    assert.equal(await sheets.count(), 3);
    assert.ok(pages >= 4, `${pages} pages`);
    assert.match(await sheets.first().innerText(), /Left out\s+Stop big/);
    for (const [i, count] of [
      [1, 50],
      [2, 10],
    ]) {
      const one = sheets.nth(i);
      assert.match(await one.locator("figcaption").innerText(), /OpenStreetMap/);
      const width = await one.getByRole("img").evaluate((image) => image.naturalWidth);
      assert.ok(width > 0);
      const rows = one.locator("tbody tr");
      assert.equal(await rows.count(), count + 2); // with the depot twice
      assert.match(await rows.nth(1).innerText(), /^1\s+\d\d:\d\d[\s\S]*\d\d:\d\d\s+Stop /);
    }
    await page.emulateMedia({ media: "screen" });
  });

  seldom("what is left out says why, and is allowed with one click", setup, async (page) => {
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
    await page.locator(".plan-sum", { hasText: "3 stops in 1 round," }).waitFor();
    assert.equal(await left.count(), 0);
    await tab(page, "Vehicles");
    assert.equal(await page.getByLabel("Carries, empty for no bound").inputValue(), "6");
  });

  seldom("the rest of a day is planned anew", setup, async (page) => {
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
    const north = page.locator(".day li", { hasText: "North" });
    await page.getByLabel("It is now").fill("23:00");
    await page.getByLabel("It is now").press("Tab");
    await north.getByText("3 done, 0 to go").waitFor();
    await north.getByLabel("minutes late").fill("960");
    await north.getByLabel("minutes late").press("Tab");
    await north.getByText("0 done, 3 to go").waitFor();
    await page.getByLabel("It is now").fill("08:00");
    await page.getByLabel("It is now").press("Tab");
    await north.getByLabel("out of work").check();
    const { progress } = await sent(page, "replan", () =>
      page.getByRole("button", { name: "Plan the rest of the day anew" }).click(),
    );
    assert.deepEqual(progress[0], {
      vehicle: "North",
      completed_stop_ids: [],
      time_s: 28_800,
      unavailable: true,
    });
    await page.locator(".plan-sum", { hasText: "3 left out" }).waitFor();
    assert.equal(await page.locator('.lane[data-vehicle="North"] .block').count(), 0);
    assert.equal(await page.locator('.lane[data-vehicle="South"] .block').count(), 3);
  });

  seldom("a break, trips, bounds and a second load are told of a vehicle", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 4).map((place, i) => stop(String(i + 1), place));
    await open(page, { stops, vehicles: [van("Only", depot)] });
    await tab(page, "Vehicles");
    const fill = async (label, value) => {
      await page.getByLabel(label, { exact: true }).fill(value);
      await page.getByLabel(label, { exact: true }).press("Tab");
    };
    await fill("What they carry", "Boxes, Kilos");
    await fill("Carries of Boxes, empty for no bound", "2");
    await page.getByRole("button", { name: "Add a break" }).focus();
    await page.keyboard.press("Enter");
    await fill("Begins from", "08:10");
    await fill("Begins by", "08:40");
    await fill("Minutes", "20");
    await fill("Kilos on board, empty for any", "5");
    await page.getByText("Trips, bounds, costs and areas").click();
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
        max_load: [1_000_000_000, 5],
      },
    ]);
    assert.deepEqual(vehicles[0].capacity, [2, 1_000_000_000]);
    assert.deepEqual(vehicles[0].reloads, { max_trips: 2, reload_time_s: 600 });
    await solved(page);
    // Four boxes in a van of two: it is loaded anew, and has its break.
    assert.equal(await page.locator(".block").count(), 4);
    const rests = await page.locator(".rest").allTextContents();
    assert.equal(rests.filter((text) => text.startsWith("Loading")).length, 1, rests.join());
    assert.equal(rests.filter((text) => text.startsWith("Break 1 08:")).length, 1, rests.join());
    // Printed by the browser's menu are the rounds with their breaks, and nothing to press.
    await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print" });
    assert.ok(await page.locator(".printed tr", { hasText: /08:.*Break 1/ }).isVisible());
    assert.equal(await page.locator("button:visible").count(), 0);
    await page.emulateMedia({ media: "screen" });
    await tab(page, "Today");
    await page.getByText("several trips cannot be planned anew: Only").waitFor();
    const again = page.getByRole("button", { name: "Plan the rest of the day anew" });
    assert.ok(await again.isDisabled());
  });

  seldom("a shipment is one vehicle's, and moves whole", setup, async (page) => {
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
    assert.match(await page.locator(".timeline-line").innerText(), /Bakery.*Mill with it/);

    // What was moved by hand stays when it is solved again, unless it need not.
    const again = page.getByRole("button", { name: "Solve again" });
    const kept = await sent(page, "optimise", () => again.click());
    const held = kept.vehicles.find(({ id }) => id === other);
    assert.deepEqual(held.first_stop_ids.slice(0, 2), ["1", "2"]);
    await page.locator(".touched").waitFor({ state: "detached" });
    await solved(page);
    assert.equal(await served(other).count(), 2);
  });

  seldom("what was moved by hand may be given up", setup, async (page) => {
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
    await page.locator(".touched").waitFor({ state: "detached" });
  });

  seldom("a vehicle is bound to an area of a file", setup, async (page) => {
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
    await page.getByText("Trips, bounds, costs and areas").click();
    await page.getByLabel("Harbour", { exact: true }).check();
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await solved(page);
    const left = page.locator(".left li");
    assert.match(await left.innerText(), /^Stop 2/);
    await left.getByRole("button", { name: "Allow it and solve again" }).first().click();
    await page.locator(".plan-sum", { hasText: /^2 stops/ }).waitFor();
    await tab(page, "Vehicles");
    assert.ok(!(await page.getByLabel("Harbour", { exact: true }).isChecked()));
    await page.getByRole("button", { name: "Take Harbour out" }).click();
    assert.equal(await page.getByLabel("Harbour", { exact: true }).count(), 0);
  });

  seldom("a job is stopped with the best plan so far", setup, async (page) => {
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
    await page.locator(".solving", { hasText: "best cost so far" }).waitFor();
    await page.getByRole("button", { name: "Stop with the best so far" }).press("Enter");
    await page.locator(".plan-sum", { hasText: "stops in" }).waitFor();
    assert.ok((await page.locator(".block").count()) > 0);
  });

  seldom("the jobs of the key are listed, and one is cancelled", setup, async (page) => {
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

  seldom("a shift past midnight is typed, and driven", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 2).map((place, i) => stop(String(i + 1), place));
    await open(page, { stops, vehicles: [van("Night", depot)] });
    await tab(page, "Stops");
    await page.getByRole("button", { name: /^Stop 1/ }).click();
    await enter(page, "Not before", "1:30 +1");
    await enter(page, "Not after", "3:00 +1");
    await tab(page, "Vehicles");
    await enter(page, "Shift from", "22:00");
    await enter(page, "Shift to", "6:00");
    assert.equal(await page.getByLabel("Shift to").inputValue(), "06:00 +1");
    await tab(page, "Plan");
    const { vehicles, jobs } = await sent(page, "optimise", () =>
      page.getByRole("button", { name: "Solve" }).click(),
    );
    assert.deepEqual(vehicles[0].time_window, [79_200, 108_000]);
    assert.deepEqual(jobs[0].time_windows, [[91_800, 97_200]]);
    await solved(page);
    assert.match(await page.locator(".plan-sum").innerText(), /^2 stops in 1 round/);
    assert.match(await page.locator('[data-stop="1"]').getAttribute("aria-label"), /\+1/);
  });

  seldom("vehicles come from a table or a request, with what they cost", setup, async (page) => {
    await open(page);
    await tab(page, "Vehicles");
    await page.getByText("Vehicles from a file").click();
    const [[lon, lat], [lon2, lat2]] = points;
    const table = page.getByLabel("A table of vehicles");
    await table.fill(
      [
        "Driver;Plate;Depot lat;Depot lon;Start time;End time;Capacity;Fixed cost;Cost per km;Max stops;Shoe size",
        `Ann;AB 12;${lat};${lon};22:00;6:00;40;500;2;30;38`,
        `Bob;AB 13;${lat};${lon};8:00;nine;30;500;2;30;44`,
      ].join("\n"),
    );
    await page.getByRole("button", { name: "Read it" }).last().click();
    assert.equal(await page.getByLabel("What Depot lat holds").inputValue(), "startLat");
    assert.equal(await page.getByLabel("What Shoe size holds").inputValue(), "");
    assert.match(await page.locator(".row-problems").innerText(), /Row 3 “nine” is no time of day/);
    await page.getByRole("button", { name: "Take these vehicles" }).click();
    const cards = page.locator(".vehicle");
    assert.equal(await cards.count(), 2);
    const first = cards.first();
    assert.equal(await first.getByLabel("Shift to").inputValue(), "06:00 +1");
    assert.equal(await first.getByLabel("Carries, empty for no bound").inputValue(), "40");
    assert.equal(await first.getByLabel("Cost of a trip").inputValue(), "500");
    assert.equal(await first.getByLabel("Most stops, 0 for any").inputValue(), "30");
    // What a request has is read as well, beside these.
    const vehicle = {
      id: "AB 12",
      start: { lat: lat2, lon: lon2 },
      capacity: [7],
      time_window: [28_800, 36_000],
      costs: { fixed: 9, per_hour: 60 },
      max_distance: 12_000,
    };
    await page.locator("#fleet-file").setInputFiles({
      name: "vans.json",
      mimeType: "application/json",
      buffer: Buffer.from(JSON.stringify({ vehicles: [vehicle] })),
    });
    await page.getByRole("button", { name: "Add them" }).click();
    assert.equal(await cards.count(), 3);
    const last = cards.last();
    assert.equal(await last.getByLabel("Cost of an hour of driving").inputValue(), "60");
    assert.equal(await last.getByLabel("Most kilometres, 0 for any").inputValue(), "12");
    await tab(page, "Stops");
    const stops = points.slice(2, 4).map(([x, y]) => `${y},${x}`);
    await page.getByLabel("A table of stops").fill(["lat,lon", ...stops].join("\n"));
    await page.getByRole("button", { name: "Read it" }).first().click();
    await page.getByRole("button", { name: "Take these stops" }).click();
    await tab(page, "Plan");
    const { vehicles } = await sent(page, "optimise", () =>
      page.getByRole("button", { name: "Solve" }).click(),
    );
    assert.deepEqual(vehicles[0].costs, { fixed: 500, per_km: 2 });
    assert.deepEqual(vehicles[2].costs, { fixed: 9, per_hour: 60 });
    assert.deepEqual([vehicles[0].max_tasks, vehicles[2].max_distance], [30, 12_000]);
    assert.deepEqual(vehicles[2].capacity, [7]);
    await solved(page);
  });

  seldom("an area is drawn by hand", setup, async (page) => {
    await open(page, { vehicles: [van("North", points[0])], stops: [] });
    await tab(page, "Vehicles");
    await page.getByText("Areas", { exact: true }).click();
    const map = page.locator("#map canvas.maplibregl-canvas");
    await map.waitFor();
    await page.getByRole("button", { name: "Draw an area" }).click();
    const close = page.getByRole("button", { name: "Close the area" });
    const corners = [
      [300, 120],
      [500, 120],
      [500, 300],
    ];
    for (const [x, y] of corners) await map.click({ position: { x, y } });
    await page.getByText("3 corners so far").waitFor();
    assert.ok(await close.isEnabled());
    // A border that crosses itself is none.
    await map.click({ position: { x: 400, y: 60 } });
    await page.getByText(/would cross the one from corner 1 to 2/).waitFor();
    await page.getByText("3 corners so far").waitFor();
    await map.click({ position: { x: 302, y: 121 } });
    const name = page.getByLabel("Name of Area", { exact: true });
    await name.waitFor();
    await name.fill("Centre");
    await name.press("Tab");
    // By keyboard a corner is where the map looks.
    await page.getByRole("button", { name: "Draw an area" }).focus();
    await page.keyboard.press("Enter");
    await page.keyboard.press("Enter");
    await page.getByText("1 corner so far").waitFor();
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Draw an area" }).waitFor();
    await page.getByText("Trips, bounds, costs and areas").click();
    await page.getByLabel("Centre", { exact: true }).check();
    const kept = await page.evaluate(() => JSON.parse(localStorage.getItem("waygate.planner")));
    assert.equal(kept.areas.length, 1);
    assert.equal(kept.areas[0].polygons[0][0].length, 4);
    assert.deepEqual(kept.vehicles[0].areas, ["Centre"]);
  });

  visit("the whole page works by keyboard alone", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = places.slice(0, 4).map((place, i) => stop(String(i + 1), place));
    await open(page, { stops, vehicles: [van("North", depot), van("South", depot)] });
    const { keyboard } = page;
    /** What has the focus, by its name as it is read out. */
    const focused = () =>
      page.evaluate(() => {
        const on = document.activeElement;
        const label = on.labels?.[0]?.textContent ?? "";
        return (on.ariaLabel || label || on.textContent || "").trim();
      });
    /** Goes on by Tab until something of that name has the focus, and shows it. */
    const reach = async (name, key = "Tab") => {
      for (let n = 0; n < 150; n++) {
        const at = await focused();
        if (name.test(at)) {
          const { outlineStyle, boxShadow } = await page.evaluate(() => {
            const style = getComputedStyle(document.activeElement);
            return { outlineStyle: style.outlineStyle, boxShadow: style.boxShadow };
          });
          const hidden = await page.evaluate(() => {
            const { width, height } = document.activeElement.getBoundingClientRect();
            return width < 2 || height < 2;
          });
          const shown = outlineStyle !== "none" || boxShadow !== "none";
          assert.ok(shown || hidden, `${at} has the focus and does not show it`);
          return at;
        }
        await keyboard.press(key);
      }
      return assert.fail(`${name} is not reached by ${key}`);
    };
    const choose = async (from, presses) => {
      await reach(from, "Shift+Tab");
      for (let n = 0; n < presses; n++) await keyboard.press("ArrowRight");
    };
    // A stop's editor is opened, changed and closed.
    await reach(/^Stop 1/);
    await keyboard.press("Enter");
    await reach(/^Minutes there/);
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("9");
    await keyboard.press("Tab");
    await page.getByRole("button", { name: /^Stop 1.*9 min/ }).waitFor();
    await reach(/^Stop 1/, "Shift+Tab");
    await keyboard.press("Enter");
    assert.equal(await page.locator(".stop-editor").count(), 0);
    // The vehicles' tab, a shift, a break.
    await choose(/^Stops$/, 1);
    await reach(/^Shift to/);
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("18:30");
    await reach(/^Add a break/);
    await keyboard.press("Enter");
    await reach(/^Begins from/);
    await reach(/^Trips, bounds, costs and areas/);
    await keyboard.press("Enter");
    await reach(/^Cost of a kilometre/);
    await keyboard.type("2");
    await reach(/^Vehicles from a file/, "Shift+Tab");
    await choose(/^Vehicles$/, 1);
    // The plan is solved, a stop is moved to the other vehicle and to another time.
    await reach(/^Solve$/);
    const { vehicles } = await sent(page, "optimise", () => keyboard.press("Enter"));
    assert.deepEqual(vehicles[0].time_window?.[1], 66_600);
    assert.equal(vehicles[0].breaks.length, 1);
    await solved(page);
    await reach(/^1\. Stop/);
    const id = await page.evaluate(() => document.activeElement.dataset.stop);
    const rowOf = () =>
      page
        .locator(`[data-stop="${id}"]`)
        .evaluate((block) => block.closest(".lane").dataset.vehicle);
    const before = await rowOf();
    await keyboard.press(before === "North" ? "ArrowDown" : "ArrowUp");
    assert.notEqual(await rowOf(), before);
    assert.equal(await page.evaluate(() => document.activeElement.dataset.stop), id);
    await keyboard.press(before === "North" ? "ArrowUp" : "ArrowDown");
    assert.equal(await rowOf(), before);
    const order = () =>
      page
        .locator(`.lane[data-vehicle="${before}"] .block`)
        .evaluateAll((all) => all.map((block) => block.dataset.stop).join());
    const was = await order();
    // What came back from the other row may be the last of this one.
    await keyboard.press(was.split(",").at(-1) === id ? "ArrowLeft" : "ArrowRight");
    assert.notEqual(await order(), was);
    await reach(/^Take back the last move/, "Shift+Tab");
    await keyboard.press("Enter");
    assert.equal(await order(), was);
    // It is taken along.
    await reach(/^Save as CSV/);
    await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
    await reach(/^The request with curl/);
    await keyboard.press("Enter");
    await page.locator(".code-block").waitFor();
    // The rest of the day is planned anew.
    await choose(/^Plan$/, 1);
    await reach(/^It is now/);
    await keyboard.press("ControlOrMeta+a");
    await keyboard.type("07:00");
    await reach(/^out of work/);
    await reach(/^Plan the rest of the day anew/);
    await sent(page, "replan", () => keyboard.press("Enter"));
    await solved(page);
  });

  seldom("stops come in and a plan is taken along by keyboard alone", setup, async (page) => {
    await open(page, { stops: [], vehicles: [van("North", points[0])] });
    const { keyboard } = page;
    /** Goes on by a key until something of that name has the focus. */
    const reach = async (name, key = "Tab") => {
      for (let n = 0; n < 80; n++) {
        const at = await page.evaluate(() => {
          const on = document.activeElement;
          return (on.ariaLabel || on.labels?.[0]?.textContent || on.textContent || "").trim();
        });
        if (name.test(at)) return;
        await keyboard.press(key);
      }
      assert.fail(`${name} is not reached by ${key}`);
    };
    const on = (words) =>
      page.waitForFunction((text) => document.activeElement.textContent.includes(text), words);
    const query = new URLSearchParams({ lon: points[1][0], lat: points[1][1], limit: 1 });
    const { body } = await api("GET", `geocode/reverse?${query}`, { token: key });
    const { name, city } = body.features[0].properties;
    await reach(/^Choose a file/);
    await reach(/^A table of stops/);
    await keyboard.insertText(`name,address\nKnown,"${name}, ${city}"\nLost,Qxqzvw Wxyzq 99`);
    await reach(/^Read it/);
    await keyboard.press("Enter");
    await reach(/^What address holds/);
    await reach(/^Take these stops/);
    await keyboard.press("Enter");
    await on("2 stops taken.");
    await reach(/^Find their places/);
    await keyboard.press("Enter");
    await page.getByText("1 of 2 have no place yet").waitFor();
    await on("Find their places");
    await reach(/^Lost/);
    await keyboard.press("Enter");
    await reach(/^Take this stop out/);
    await keyboard.press("Enter");
    await reach(/^Add a stop/);
    await keyboard.press("Enter");
    await keyboard.type("Smithy"); // its name has the focus
    await keyboard.press("Tab");
    await page.getByRole("button", { name: /^Smithy/ }).waitFor();
    await reach(/^Stops$/, "Shift+Tab");
    for (let n = 0; n < 2; n++) await keyboard.press("ArrowRight");
    await reach(/^Solve$/);
    await keyboard.press("Enter");
    await solved(page);
    await on("Solve again");
    await reach(/^GPX for North/);
    await Promise.all([page.waitForEvent("download"), keyboard.press("Enter")]);
    await on("GPX for North");
    await page.evaluate(() => (window.print = () => document.body.classList.add("was-printed")));
    await reach(/^Print/);
    await keyboard.press("Enter");
    await page.locator("body.was-printed").waitFor();
    await on("Print");
    await reach(/^Jobs of this key/);
    await keyboard.press("Enter");
    await page.getByRole("list", { name: "Jobs" }).waitFor();
    await reach(/^Look again/);
    const looked = page.waitForResponse((one) => one.url().includes("v1/jobs?"));
    await keyboard.press("Enter");
    await looked;
    await on("Look again");
  });

  visit(
    "on a phone an example is taken and solved",
    { ...setup, options: { ...PHONE, ...COARSE } },
    async (page) => {
      await open(page);
      await page.getByRole("button", { name: "Take an example" }).tap();
      await page.locator(".stop-row").first().waitFor();
      await tab(page, "Plan");
      await page.getByRole("button", { name: "Solve" }).tap();
      await solved(page);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= page.viewportSize().width, `${wide} pixels wide`);
    },
  );
});
