// The map explorer in a real Chromium against a running Waygate.
//
//   WAYGATE_URL  base address of a server with the sample county; without it
//                every test is skipped
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
//   SHOTS        a folder for a screenshot at the end of each test (optional)
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe } from "node:test";
import {
  BASE,
  COARSE,
  launch,
  PHONE,
  seldom,
  SOAK,
  until,
  visit as visitPage,
} from "./browser.mjs";
import { follow, mapOf, NOTHING, project, settled } from "./map.mjs";

const SHARP = { viewport: { width: 1280, height: 800 } };
const DESKTOP = { ...SHARP, ...COARSE };

/** The route line's colour by day; see DAY in src/map/overlays.ts. */
const ROUTE = [0x2f, 0x5b, 0xea];
/** The outline of what is farthest in reach; see COLOURS in src/task/isochrone.ts. */
const FARTHEST = [0xef, 0x7d, 0x05];

describe("map explorer", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  let explorer;
  /** A page that decodes screenshots. */
  let blank;
  /** The first example that goes between two points only. */
  let example;

  before(async () => {
    const answer = await fetch(new URL("explorer.json", BASE));
    assert.equal(answer.status, 200);
    explorer = await answer.json();
    example = explorer.examples.find(({ points }) => points.length === 2);
    assert.ok(example, "explorer.json has no example between two points");
    browser = await launch({ drawing: true });
  });
  after(() => browser?.close());

  /** A visit of the explorer on a page that is open already. */
  function visit(name, options, fragment, body, refusals = []) {
    const setup = { browser: () => browser, options, refusals, keep: true };
    visitPage(name, setup, async (page) => {
      await follow(page, fragment);
      await body(page);
    });
  }
  /** A visit that only make soak makes. */
  const rarely = SOAK ? visit : seldom;

  visit("draws a map with its attribution", SHARP, "", async (page) => {
    const { colours } = await pixels(page);
    assert.ok(colours > 20, `the map shows ${colours} colours only`);
    await page.getByText(/OpenStreetMap/).waitFor();
    assert.ok((await page.title()).includes("Waygate"));
    const [scrolled, shown] = await page
      .locator(".rail")
      .evaluate((rail) => [rail.scrollHeight, rail.clientHeight]);
    assert.ok(scrolled <= shown, `the tasks need ${scrolled} px of ${shown}`);
  });

  rarely("the page tells when its map stands still", DESKTOP, NOTHING, async (page) => {
    const [zoom] = await mapOf(page);
    const idle = await page.evaluate(() => {
      document.querySelector(".maplibregl-ctrl-zoom-in").click();
      return document.querySelector("#map").hasAttribute("data-idle");
    });
    assert.equal(idle, false, "the map was said to stand still as it moved");
    await settled(page);
    assert.ok((await mapOf(page))[0] > zoom + 0.9, "the link does not tell of the move");
  });

  visit("two clicks give a route with directions", SHARP, NOTHING, async (page) => {
    const { found: before } = await pixels(page);
    for (const point of example.points) await page.mouse.click(...(await project(page, point)));
    await page.locator(".step").first().waitFor();
    assert.ok((await page.locator(".step").count()) >= 2);
    assert.equal(await page.locator(".pin").count(), 2);
    assert.match(await page.locator(".route").first().innerText(), /\d+ (min|s)[\s\S]*\d (km|m)\b/);
    // Both points get the names of their addresses, which the link takes along.
    await named(page, 2);
    const called = await stopTexts(page);
    assert.ok(new URL(page.url()).hash.includes(`names=${called[0].split(" ")[0]}`), page.url());
    // A third click says what is there, and leaves the destination where it is.
    const [x, y] = await project(page, example.points[1]);
    await page.mouse.click(x - 60, y + 60);
    const card = page.getByRole("region", { name: "Place" });
    await card.getByRole("button", { name: "Directions to here" }).waitFor();
    assert.deepEqual(await stopTexts(page), called);
    await card.getByRole("button", { name: "Close the card" }).click();
    await page.mouse.move(640, 790);
    await settled(page);
    const { found: blue } = await pixels(page);
    assert.ok(blue > before + 300, `${blue} pixels of the route's colour, ${before} before`);
  });

  visit("a double click enlarges the map and chooses nothing", DESKTOP, NOTHING, async (page) => {
    const [zoom] = await mapOf(page);
    const [first] = example.points;
    const [x, y] = await project(page, first);
    await page.mouse.dblclick(x, y);
    await until(async () => (await mapOf(page))[0] > zoom + 0.9, "a larger map");
    await settled(page);
    assert.ok(!/[#&](?:p|here)=/.test(await page.evaluate(() => location.hash)));
  });

  visit("a manoeuvre can be looked at", DESKTOP, fragment("p"), async (page) => {
    const step = page.locator(".step").nth(1);
    await step.waitFor();
    await settled(page);
    const before = new URL(page.url()).hash;
    await step.click();
    await page.waitForFunction((hash) => location.hash !== hash, before);
    // The route goes out as a file, with the names of its points.
    await named(page, 2);
    const [from] = await stopTexts(page);
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Save the route as GPX" }).press("Enter"),
    ]);
    assert.equal(file.suggestedFilename(), "route.gpx");
    const track = await readFile(await file.path(), "utf8");
    assert.ok(
      track.includes(`<wpt lat="`) && track.includes(`<name>${from}</name>`),
      track.slice(0, 400),
    );
    assert.ok(track.split("<trkpt ").length > 20);
    // The quickest comes first, each with a road that it goes by.
    const texts = await page.locator(".route").allInnerTexts();
    assert.ok(
      texts.every((text) => /via \w/.test(text)),
      texts.join(),
    );
    assert.ok(!/longer|as quick/.test(texts[0]));
  });

  visit("a route is played along the map", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const { maneuvers } = (await routed(page)).legs[0];
    await page.getByRole("button", { name: "Play the route" }).press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement.textContent), "Pause");
    await page.locator(".steps li[aria-current]").waitFor();
    // From shortly before the first manoeuvre, as fast as can be.
    const slider = page.getByLabel("Place on the route");
    await slider.fill(String(Math.max(0, Math.floor(maneuvers[0].time) - 15)));
    const first = await page.locator(".player-text").innerText();
    assert.ok(first.length > 0);
    await page.getByLabel("Speed of playing").selectOption("20");
    await page.waitForFunction(
      (text) => document.querySelector(".player-text").textContent !== text,
      first,
    );
    await page.getByRole("button", { name: "Pause" }).click();
    await slider.fill(await slider.getAttribute("max"));
    assert.match(await page.locator(".player-left").innerText(), /^0 m · 0 s left$/);
    await page.getByRole("button", { name: "End", exact: true }).click();
    assert.equal(await page.locator(".steps li[aria-current]").count(), 0);
  });

  visit("what a route passes, said by the server's voice", DESKTOP, fragment("p"), passes, [501]);

  visit("a route says why it is as it is", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    assert.equal(await page.getByRole("button", { name: "Why this way?" }).count(), 0);
    await page.goto(`${BASE}${fragment("p")}&use_highways=0`);
    await page.reload();
    await page.getByRole("button", { name: "Why this way?" }).click();
    await page.locator(".reasons .notice").waitFor();
    assert.match(await page.locator(".reasons").innerText(), /Motorways|No option changed/);
  });

  rarely("directions come in another language", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    await page.locator(".options-summary").click();
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/route")),
      page.getByLabel("Directions in").selectOption("cy-GB"),
    ]);
    assert.equal(request.postDataJSON().language, "cy-GB");
    await page.locator(".step").first().waitFor();
    assert.match(new URL(page.url()).hash, /in=cy-GB/);
  });

  visit("what is within reach is drawn", SHARP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/isochrone")),
      page.getByRole("radio", { name: "Reach" }).check({ force: true }),
    ]);
    assert.deepEqual(request.postDataJSON().contours, [{ time: 5 }, { time: 10 }, { time: 15 }]);
    await page.locator(".legend li").nth(2).waitFor();
    assert.match(
      await page.locator(".legend").innerText(),
      /Addresses: [1-9][\d,]* · places: [1-9]/,
    );
    assert.ok(!(await page.locator(".step").first().isVisible()));
    const [reverse] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/isochrone")),
      page.getByLabel("Direction", { exact: true }).selectOption("1"),
    ]);
    assert.equal(reverse.postDataJSON().reverse, true);
    // Any minutes, and what is no number is refused in words.
    const minutes = page.getByLabel("Minutes");
    const [ten] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/isochrone")),
      minutes.fill("10").then(() => minutes.press("Tab")),
    ]);
    assert.deepEqual(ten.postDataJSON().contours, [{ time: 10 }]);
    await minutes.fill("soon");
    await minutes.press("Tab");
    assert.match(await minutes.evaluate((input) => input.validationMessage), /from 1 to 120/);
    await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/isochrone")),
      minutes.fill("15, 5, 10").then(() => minutes.press("Tab")),
    ]);
    await page.reload();
    await page.locator(".legend li").nth(2).waitFor();
    assert.match(await page.locator(".legend").innerText(), /Point A is reached/);
    await settled(page);
    // The legend may be there some frames before the map has drawn.
    await until(async () => (await pixels(page, FARTHEST)).found > 100, "the outline is drawn");
  });

  visit("a matrix and a meeting place", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    await page.getByRole("radio", { name: "Matrix" }).check({ force: true });
    await page.locator(".matrix td strong").nth(1).waitFor();
    assert.equal(await page.locator(".matrix td strong").count(), 2);
    await page.getByRole("radio", { name: "Meet" }).check({ force: true });
    await page.locator(".legend li").nth(1).waitFor();
    // The place has a name, and the way there is a step away.
    await page
      .getByRole("button", { name: /^Directions from .* to the meeting place$/ })
      .first()
      .click();
    await page.locator(".step").first().waitFor();
    const meeting = await stopTexts(page);
    await page.goBack();
    await page.locator(".meeting-place").getByText(meeting[1]).waitFor();
    await page.getByRole("radio", { name: "Route" }).check({ force: true });
    await page.locator(".step").first().waitFor();
    assert.equal(await page.locator(".legend").count(), 0);
  });

  const boarded = async (page) => {
    const [lon, lat] = explorer.examples[0].points[0];
    const around = `lat=${lat}&lon=${lon}&radius_m=2000&limit=50`;
    const { stops } = await (await fetch(`${BASE}v1/transit/stops?${around}`)).json();
    const [stop] = stops;
    // Positions as a feed has them, of one bus; the next answer is of a feed that stopped.
    let status = "ok";
    await page.route("**/v1/transit/vehicles?*", (call) => {
      const feed = { status, recorded_at: null, age_s: status === "ok" ? 5 : 600 };
      const properties = { line: "X9", operator: "HALV", destination: "Sea", bearing: null };
      const seen = { recorded_at: new Date().toISOString(), age_s: feed.age_s };
      const geometry = { type: "Point", coordinates: [stop.lon, stop.lat + 0.003] };
      const bus = { type: "Feature", id: "HALV:1", geometry };
      const features = [{ ...bus, properties: { ...properties, ...seen } }];
      return call.fulfill({ json: { features, truncated: false, feed, attribution: [] } });
    });
    await follow(page, `#do=transit&map=15/${stop.lat}/${stop.lon - 0.006}`);
    await page.getByText("1 bus is on this part of the map").waitFor();
    await page
      .getByRole("button", { name: /^Departures/ })
      .first()
      .waitFor();
    await settled(page);

    await page.mouse.click(...(await project(page, [stop.lon, stop.lat + 0.003])));
    const vehicle = page.getByRole("region", { name: "Vehicle" });
    await vehicle.getByText("to Sea").waitFor();
    assert.match(await vehicle.innerText(), /X9[\s\S]*seen \d+ s ago/);
    status = "stale";
    await page.getByRole("button", { name: "Zoom in" }).click();
    await vehicle.getByText("The feed of positions has stopped").waitFor();
    await page.getByRole("button", { name: "Close the vehicle" }).click();

    await page.mouse.click(...(await project(page, [stop.lon, stop.lat])));
    const board = page.getByRole("region", { name: "Departures" });
    await board.getByRole("heading", { name: stop.name }).waitFor();
    await board.getByText(/^Timetable: /).waitFor();
    assert.match(await board.innerText(), /Whether a vehicle comes is not known/);
    assert.ok(new URL(page.url()).hash.includes(`place=stop%3A${stop.id}`), page.url());
    // Buses run until half past midnight, and from six on.
    const rows = await board.locator(".board > li").count();
    assert.ok(rows > 0 || (await board.getByText(/^Nothing departs from here/).isVisible()));
    await board.getByRole("button", { name: "From here" }).press("Enter");
    assert.ok((await page.locator(".stop-input").first().inputValue()).startsWith(stop.name));
    await page.reload();
    await board.getByRole("heading", { name: stop.name }).waitFor();
    await board.getByRole("button", { name: "Close the departures" }).press("Enter");
    await board.waitFor({ state: "hidden" });
    await page.unrouteAll({ behavior: "wait" });
  };
  visit("stops, their departures, and buses where they are", DESKTOP, NOTHING, boarded, [501]);

  const rode = async (page) => {
    const day = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const ends = example.points.map((at) => at.join(",")).join(";");
    await follow(page, `#do=transit&depart=${day}T09:05&walk=5000&p=${ends}`);
    const first = page.locator(".journey-times").first();
    await first.waitFor();
    const times = /^\d\d:\d\d – \d\d:\d\d/;
    const [shown] = times.exec(await first.innerText());
    const marks = await page.locator(".ride-call .basis").allTextContents();
    assert.ok(marks.length >= 2 && marks.every((mark) => /^(timetable|live)$/.test(mark)), marks);
    assert.match(
      await page.locator(".journey-others").innerText(),
      /By car\s+\d+ min\s+By bicycle/,
    );
    await page.getByRole("button", { name: "Later", exact: true }).press("Enter");
    await page.waitForFunction(
      (text) => !document.querySelector(".journey-times").innerText.startsWith(text),
      shown,
    );
    assert.ok(times.exec(await first.innerText())[0] > shown);
  };
  visit("journeys by bus beside the times of others", DESKTOP, NOTHING, rode, [501]);

  visit("a trace is matched to the roads", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const line = (await routed(page)).legs[0].shape.coordinates;
    const saving = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save the route as KML" }).click();
    const kml = await (await saving).path();
    await page.getByRole("radio", { name: "Trace" }).check({ force: true });
    const points = line.map(([lon, lat]) => `<trkpt lat="${lat}" lon="${lon}"/>`).join("");
    const gpx = `<gpx xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>${points}</trkseg></trk></gpx>`;
    await page.locator("#trace-file").setInputFiles({
      name: "walk.gpx",
      mimeType: "application/gpx+xml",
      buffer: Buffer.from(gpx),
    });
    await page.getByText(/positions of the file/).waitFor();
    assert.match(await page.locator(".task-controls").innerText(), /walk\.gpx: \d+ positions/);

    // What was saved here is read here.
    const saved = { name: "saved.kml", mimeType: "application/xml", buffer: await readFile(kml) };
    await page.locator("#trace-file").setInputFiles(saved);
    await page.getByText(`saved.kml: ${line.length} positions`).waitFor();

    // Without the file the points on the map are the trace: here five of its own.
    const near = [0, 4, 8, 12, 16].map((index) => line[index].join(","));
    await page.getByRole("button", { name: "Close the file" }).click();
    await page.goto(`${BASE}#p=${near.join(";")}&do=trace`);
    await page.getByText("5 points of yours").waitFor();
    await page.getByText(/^Matched: /).waitFor();
  });

  visit("steps lead back and forward", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const undo = page.getByRole("button", { name: "Undo" });
    const redo = page.getByRole("button", { name: "Redo" });
    const [first, second] = [0, 1].map((row) => page.locator(".stop-input").nth(row));
    await named(page, 2);
    const [from, to] = await stopTexts(page);
    await page.getByRole("radio", { name: "Bicycle" }).check({ force: true });
    await page.getByRole("button", { name: "Reverse" }).click();
    assert.equal(await first.inputValue(), to);
    await undo.click();
    await page.waitForFunction(
      (text) => document.querySelector(".stop-input").value === text,
      from,
    );
    assert.ok(await page.getByRole("radio", { name: "Bicycle" }).isChecked());
    // The browser's own button is the same step.
    await page.goBack();
    await page.waitForFunction(() => document.querySelector("input[value=auto]").checked);
    await redo.click();
    await page.waitForFunction(() => document.querySelector("input[value=bicycle]").checked);
    await page.keyboard.press("Control+y");
    await page.waitForFunction((text) => document.querySelector(".stop-input").value === text, to);
    assert.equal(await redo.getAttribute("aria-disabled"), "true");

    // Enter goes on to the next point; coordinates that were typed stay what they are.
    const [typed, other] = example.points.map(
      ([lon, lat]) => `${lat.toFixed(5)}, ${lon.toFixed(5)}`,
    );
    await first.fill(typed);
    await first.press("Enter");
    assert.equal(
      await page.evaluate(() => document.activeElement.value),
      await second.inputValue(),
    );
    await page.keyboard.type(other);
    await page.keyboard.press("Enter");
    assert.deepEqual(await stopTexts(page), [typed, other]);
  });

  rarely("a way from a place to itself has no heights", DESKTOP, NOTHING, async (page) => {
    const twice = [example.points[0], example.points[0]].map((at) => at.join(",")).join(";");
    await follow(page, `#by=bicycle&p=${twice}`);
    await page.locator(".route").first().waitFor();
    assert.ok(!(await page.locator(".profile:not(.passing)").isVisible()));
  });

  visit("a request can be given up", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    // Held as by a slow server; what was given up is not there to go on.
    await page.route("**/route", (call) => held.then(() => call.continue().catch(() => {})));
    await page.getByRole("radio", { name: "Bus", exact: true }).check({ force: true });
    await page.locator(".waiting").getByText("Finding a route…").waitFor();
    await page.locator(".waiting").getByRole("button", { name: "Cancel" }).click();
    await page.locator(".stopped").waitFor();
    assert.ok(!(await page.locator(".waiting").isVisible()));
    answer();
    await page.unrouteAll({ behavior: "wait" });
    await page.locator(".stopped").getByRole("button", { name: "Try again" }).click();
    await page.locator(".stopped").waitFor({ state: "detached" });
    await page.locator(".step").first().waitFor();
  });

  // From the middle of Stannerford to the water off Port Gwillan.
  const AWAY = "#p=-7.2856,49.3213;-7.0307,49.36&by=bicycle";

  visit("heights, and what no road leads to", DESKTOP, AWAY, async (page) => {
    await page.getByRole("button", { name: /^Point B is [\d.]+ k?m from the road$/ }).click();
    const chart = page.getByRole("slider", { name: "Place on the height profile" });
    await chart.waitFor();
    assert.match(await page.locator(".profile-told").innerText(), /^Climbs \d+ m, falls \d+ m/);
    await chart.focus();
    await page.keyboard.press("End");
    assert.match(
      await page.locator(".profile-told").innerText(),
      /^[\d.]+ km along: \d+ m, \d+ % (up|down)$/,
    );
    await chart.blur();
    assert.match(await page.locator(".profile-told").innerText(), /^Climbs/);
  });

  rarely("a link far off shows the map all the same", DESKTOP, "#map=3/0/0", async (page) => {
    await page.reload();
    await settled(page);
    const [zoom, lat, lon] = await mapOf(page);
    const [west, south, east, north] = explorer.bounds;
    assert.ok(zoom > 7, `zoom ${zoom}`);
    assert.ok(lat > south && lat < north && lon > west - 0.4 && lon < east, `${lat}, ${lon}`);
  });

  const timed = async (page) => {
    await page.locator(".step").first().waitFor();
    const asked = () => page.waitForRequest((r) => r.url().endsWith("/route"));
    const [arriving] = await Promise.all([
      asked(),
      page.getByLabel("Time of travel").selectOption("arrive"),
    ]);
    assert.equal(arriving.postDataJSON().date_time.type, 2);
    const [, to] = example.points;
    const [x, y] = await project(page, to);
    await page.mouse.click(x, y + 60, { button: "right" }); // beside the pin
    const [avoiding] = await Promise.all([
      asked(),
      page.getByRole("menuitem", { name: "Avoid the road here" }).click(),
    ]);
    assert.equal(avoiding.postDataJSON().exclude_locations.length, 1);
    const [again] = await Promise.all([asked(), page.reload()]);
    assert.deepEqual(again.postDataJSON(), avoiding.postDataJSON());
    await page.getByRole("button", { name: /^Allow the road at/ }).click();
    await page.locator(".avoided").waitFor({ state: "detached" });
  };
  // Without the road at its end the route may be refused.
  visit("times and roads to avoid go with the link", DESKTOP, fragment("p"), timed, [400]);

  rarely("options leave room for what was found", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    await page.getByRole("radio", { name: "Lorry" }).check({ force: true });
    if (!(await page.getByLabel("ADR tunnel code").isVisible())) {
      await page.locator(".options-summary").click();
    }
    await page.getByText("More settings").click();
    await page.locator(".route").first().waitFor();
    const { y, height } = await page.locator(".route").first().boundingBox();
    assert.ok(y + height < 800, `the first route ends at ${y + height}`);
    const names = await page.locator(".options-body label").allInnerTexts();
    assert.ok(names.length > 40, `${names.length} settings`);
    assert.deepEqual(
      names.filter((name) => name.includes("_")),
      [],
    );
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/route")),
      page.getByLabel("No tunnels").check(),
    ]);
    assert.equal(request.postDataJSON().costing_options.truck.exclude_tunnels, true);
    assert.match(new URL(page.url()).hash, /exclude_tunnels=true.*open=options/);
  });

  rarely(
    "a point in the sea is named and marked",
    DESKTOP,
    fragment("p"),
    async (page) => {
      await page.locator(".step").first().waitFor();
      const [west, south] = explorer.bounds;
      const input = page.locator(".stop-input").nth(1);
      await input.fill(`${(south - 0.7).toFixed(4)}, ${(west - 0.7).toFixed(4)}`);
      await input.press("Enter");
      const alert = page.locator(".notice.danger");
      await alert.waitFor();
      assert.match(await alert.innerText(), /Point B/);
      await page.locator(".pin.bad").waitFor();
      assert.equal(await page.locator(".step").count(), 0);
      // Back on land the error goes.
      const [lon, lat] = example.points[1];
      await input.fill(`${lat}, ${lon}`);
      await input.press("Enter");
      await page.locator(".step").first().waitFor();
      assert.equal(await page.locator(".pin.bad").count(), 0);
    },
    [400],
  );

  const ordered = async (page) => {
    const [from, to] = example.points;
    await page.mouse.click(...(await project(page, to)), { button: "right" });
    await page.getByRole("menuitem", { name: "Route to here" }).click();
    await page.mouse.click(...(await project(page, from)), { button: "right" });
    await page.getByRole("menuitem", { name: "Route from here" }).click();
    await page.locator(".step").first().waitFor();
    await named(page, 2);
    const first = await page.locator(".stop-input").nth(0).inputValue();
    await page.getByRole("button", { name: "Reverse" }).click();
    assert.equal(await page.locator(".stop-input").nth(1).inputValue(), first);
    await page.locator(".step").first().waitFor();
    const { hash } = new URL(page.url());
    await page.reload();
    await page.locator(".step").first().waitFor();
    assert.equal(await page.locator(".stop-input").nth(1).inputValue(), first);
    assert.equal(new URL(page.url()).hash.split("&map")[0], hash.split("&map")[0]);
  };
  visit("the menu, the order of points, and the link", DESKTOP, NOTHING, ordered);

  visit(
    "examples give a route, or say what blocks it",
    DESKTOP,
    NOTHING,
    async (page) => {
      const some = explorer.examples.filter(({ adr }, i) => SOAK || adr || i < 2);
      for (const { title, adr } of some) {
        const [answer] = await Promise.all([
          page.waitForResponse((r) => r.url().endsWith("/route")),
          (async () => {
            await page.getByRole("button", { name: "Examples" }).click();
            await page.getByRole("menuitem", { name: title, exact: true }).click();
          })(),
        ]);
        if (adr && answer.status() === 400) {
          // A load that no way is open to: the answer names the constraint.
          const problem = await answer.json();
          assert.equal(problem.blocked_by?.constraint, "adr_tunnel_code", title);
          await page.getByRole("alert").first().waitFor();
          assert.match(await page.getByRole("alert").first().innerText(), /point A to point B/);
          await page.getByRole("button", { name: "Show what blocks" }).click();
          continue;
        }
        assert.equal(answer.status(), 200, `${title}: ${await answer.text()}`);
        await page.locator(".step").first().waitFor();
      }
    },
    [400],
  );

  rarely("what is clicked straight after typing is done", DESKTOP, fragment("p"), async (page) => {
    const rows = page.locator(".stop-input");
    const [[lon, lat]] = example.points;
    for (const [index, task] of ["Route", "Reach", "Matrix"].entries()) {
      await page.getByRole("radio", { name: task, exact: true }).check({ force: true });
      const typed = `${(lat + 0.001 * (index + 1)).toFixed(5)}, ${lon.toFixed(5)}`;
      const holds = (text) =>
        page.waitForFunction(
          (value) => document.querySelector(".stop-input").value === value,
          text,
        );
      await rows.nth(0).fill(typed);
      // Leaving the row takes what was typed, and renews the list that is clicked in.
      await page.getByRole("button", { name: "Remove point A" }).click();
      await holds("");
      await rows.nth(0).fill(typed);
      await rows.nth(0).press("Enter");
      await page.getByRole("button", { name: "Remove point A" }).waitFor();
    }
    await page.getByRole("radio", { name: "Route", exact: true }).check({ force: true });
    await page.getByRole("radio", { name: "Lorry" }).check({ force: true });
    await page.locator(".options-summary").click();
    const height = page.getByLabel("Height", { exact: true });
    const usual = await height.inputValue();
    await page.getByLabel("Width", { exact: true }).fill("2.2");
    await page.getByLabel("Width", { exact: true }).press("Tab");
    await height.fill("3.5");
    await page.getByRole("button", { name: "Reset to defaults" }).click();
    await page.waitForFunction(
      ([label, value]) =>
        [...document.querySelectorAll(".field.number")].some(
          (one) =>
            one.querySelector("label").textContent === label &&
            one.querySelector("input").value === value,
        ),
      ["Height", usual],
    );
    await page.locator(".options-summary .badge").waitFor({ state: "detached" });
  });

  visit("costing and options change the request", DESKTOP, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const [truck] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/route")),
      page.getByRole("radio", { name: "Lorry" }).check({ force: true }),
    ]);
    assert.equal(truck.postDataJSON().costing, "truck");
    assert.equal(truck.postDataJSON().costing_options, undefined);

    await page.locator(".options-summary").click();
    const [adr] = await Promise.all([
      page.waitForRequest((r) => r.url().endsWith("/route")),
      page.getByLabel("ADR tunnel code").selectOption("B/D"),
    ]);
    const body = adr.postDataJSON();
    assert.equal(body.adr.tunnel_code, "B/D");
    assert.equal(body.adr.hazmat, true);
    assert.ok(body.adr.dimensions.height_m > 0);

    await page.locator("#tab-request").click();
    assert.match(await page.locator("#tab-body pre").innerText(), /^POST \/route\n[\s\S]*"B\/D"/);
    await page.locator("#tab-curl").click();
    assert.match(await page.locator("#tab-body pre").innerText(), /curl[\s\S]*"B\/D"/);
    await page.locator("#tab-response").click();
    await page.locator("#tab-body pre").waitFor();
    await page.locator("#tab-compatible").click();
    assert.match(await page.locator("#tab-body pre").innerText(), /route\/v1\/truck\/.*B%2FD/);
  });

  visit("works on a phone", { ...PHONE, deviceScaleFactor: 1 }, "", async (page) => {
    const credit = page.locator(".attribution");
    const [others, sources] = [credit.getByText("Natural Earth"), credit.getByRole("button")];
    assert.equal(await credit.getByText("© OpenStreetMap").isVisible(), true);
    assert.equal(await others.isVisible(), false);
    const { height } = await credit.boundingBox();
    await sources.tap();
    await others.waitFor();
    assert.ok((await credit.boundingBox()).height > height, "folded, it is lower");
    await sources.tap();
    await others.waitFor({ state: "hidden" });
    for (const point of example.points) await page.touchscreen.tap(...(await project(page, point)));
    await page.locator(".step").first().waitFor();
    const panel = await page.locator("#panel").boundingBox();
    assert.ok(panel.y > 300, "the sheet leaves the map free");
    assert.equal(panel.width, 390);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth);
    assert.equal(overflow, 390);
    const handle = page.getByRole("button", { name: "Panel height" });
    await handle.press("Enter");
    await page.waitForFunction(
      () => document.getElementById("panel").getBoundingClientRect().y < 100,
    );
    await page.locator(".step").nth(1).tap();
    await page.waitForFunction(
      () => document.getElementById("panel").getBoundingClientRect().y > 300,
    );
  });

  rarely("works by night", { ...DESKTOP, colorScheme: "dark" }, fragment("p"), async (page) => {
    await page.locator(".step").first().waitFor();
    const { colours, lightness } = await pixels(page);
    assert.ok(colours > 20, `the map shows ${colours} colours only`);
    assert.ok(lightness < 0.4, `the map's mean lightness is ${lightness}`);
  });

  /** Looks at what is passed, and has it and the instructions said. */
  async function passes(page) {
    await page.locator(".step").first().waitFor();
    const asked = page.waitForRequest((r) =>
      new URL(r.url()).pathname.endsWith("/v1/route/observations"),
    );
    await page.locator(".passing summary").first().click();
    assert.deepEqual(Object.keys((await asked).postDataJSON()), ["geometry_polyline6", "units"]);
    const strip = page.getByRole("group", { name: "Along the route" }).getByRole("button");
    await strip.or(page.getByText("Nothing is known that this route passes.")).first().waitFor();
    // Each is on the strip and in the list, in the order of the way, and the map goes to it.
    const subjects = await strip.evaluateAll((all) =>
      all
        .map((one) => [parseFloat(one.style.left), one.getAttribute("aria-label")])
        .toSorted((a, b) => a[0] - b[0])
        .map(([, subject]) => subject),
    );
    assert.deepEqual(await page.locator(".passing .found-name").allInnerTexts(), subjects);
    if (subjects.length > 0) {
      const before = await mapOf(page);
      await strip.last().click(); // the first may lie below another
      await page.waitForFunction((was) => !location.hash.endsWith(was), before.join("/"));
    }
    if (!explorer.voices?.length) return; // the server has no speech engine
    const voice = page.getByLabel("Voice", { exact: true });
    const ids = await voice.locator("option").evaluateAll((all) => all.map(({ value }) => value));
    const chosen = ids.findLast((id) => id !== "");
    await voice.selectOption(chosen);
    const spoken = (text) => (r) => {
      const url = new URL(r.url());
      const at = Object.fromEntries(url.searchParams);
      return url.pathname.endsWith("/v1/voice/speech") && at.voice === chosen && text(at.text);
    };
    const clip = page.waitForResponse((r) => spoken(() => true)(r));
    await page.getByLabel("Aloud").check();
    await page.getByRole("button", { name: "Play the route" }).click();
    assert.match((await clip).headers()["content-type"], /^audio\//);
    await page.getByRole("button", { name: "Pause" }).click();
    if (subjects.length > 0) {
      const line = page.locator(".passing .speak").last(); // not yet fetched ahead
      const says = (await line.getAttribute("aria-label")).replace("Say: ", "");
      const said = page.waitForResponse(spoken((text) => text === says));
      await line.click();
      assert.equal((await said).status(), 200);
    }
    // The choice is remembered.
    await page.reload();
    await page.locator(".step").first().waitFor();
    assert.equal(await page.getByLabel("Voice", { exact: true }).inputValue(), chosen);
  }

  /** What stands in the rows of points. */
  function stopTexts(page) {
    return page.evaluate(() =>
      [...document.querySelectorAll(".stop-input")].map(({ value }) => value),
    );
  }

  /** Waits until so many points are called by their addresses. */
  function named(page, count) {
    return page.waitForFunction((wanted) => {
      const texts = [...document.querySelectorAll(".stop-input")].map(({ value }) => value);
      return texts.filter((text) => /[^\d.,\s-]/.test(text)).length >= wanted;
    }, count);
  }

  /** The example's way by car, as the page gets it. */
  function routed(page) {
    return page.evaluate(async (points) => {
      const answer = await fetch("route", {
        method: "POST",
        body: JSON.stringify({
          locations: points.map(([lon, lat]) => ({ lat, lon })),
          costing: "auto",
          shape_format: "geojson",
        }),
      });
      return (await answer.json()).trip;
    }, example.points);
  }

  /** The example as a link, resolved when the visit starts. */
  function fragment(name) {
    return {
      toString: () => `#${name}=${example.points.map((point) => point.join(",")).join(";")}`,
    };
  }

  /** Counts over the map's right part, decoded on a page of its own. */
  async function pixels(page, colour = ROUTE) {
    const { width, height } = page.viewportSize();
    const clip = { x: 480, y: 60, width: width - 540, height: height - 120 };
    const png = (await page.screenshot({ clip })).toString("base64");
    blank ??= await browser.newPage();
    return blank.evaluate(
      async ([data, route]) => {
        const image = new Image();
        image.src = `data:image/png;base64,${data}`;
        await image.decode();
        const canvas = new OffscreenCanvas(image.width, image.height).getContext("2d");
        canvas.drawImage(image, 0, 0);
        const bytes = canvas.getImageData(0, 0, image.width, image.height).data;
        const seen = new Set();
        let found = 0;
        let light = 0;
        for (let i = 0; i < bytes.length; i += 4) {
          const pixel = [bytes[i], bytes[i + 1], bytes[i + 2]];
          seen.add((pixel[0] << 16) | (pixel[1] << 8) | pixel[2]);
          light += Math.max(...pixel) + Math.min(...pixel);
          if (pixel.every((value, c) => Math.abs(value - route[c]) < 12)) found++;
        }
        return { colours: seen.size, found, lightness: light / 510 / (bytes.length / 4) };
      },
      [png, colour],
    );
  }
});
