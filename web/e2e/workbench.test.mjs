// The workbench around the map: the search box, what is here, and the tasks that
// are not a route. See explorer.test.mjs for how it is run.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import {
  api,
  at,
  BASE,
  COARSE,
  launch,
  PHONE,
  seldom,
  SOAK,
  visit as visitPage,
} from "./browser.mjs";
import { follow, NOTHING, project, settled } from "./map.mjs";

const DESKTOP = { viewport: { width: 1280, height: 800 }, ...COARSE };
const SMALL = { ...PHONE, viewport: { width: 360, height: 740 }, ...COARSE };

/** From the middle of Stannerford to Port Gwillan. */
const WAY = "p=-7.2853,49.3286;-7.0715,49.3629";
const STANNERFORD = [-7.2853, 49.3286];

/** A Monday's morning far ahead, by the clocks of the county. */
const MONDAY = "2099-06-01";

describe("workbench", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  let key;

  before(async () => {
    browser = await launch({ drawing: true });
    const body = {
      email: `workbench-${Date.now()}@example.org`,
      accept_tos: true,
      label: "workbench",
    };
    ({
      body: { key },
    } = await api("POST", "/v1/keys", { body }));
    assert.match(key, /^wg_/);
  });
  after(() => browser?.close());

  /** A visit of the workbench on a page that is open already, with an empty search box. */
  function visit(name, options, fragment, body, refusals = []) {
    const setup = { browser: () => browser, options, refusals, keep: true };
    visitPage(name, setup, async (page) => {
      await follow(page, fragment);
      if (await box(page).inputValue()) {
        await page.getByRole("button", { name: "Empty the search" }).click();
        await box(page).press("Escape");
      }
      await body(page);
    });
  }
  /** A visit that only make soak makes. */
  const rarely = SOAK ? visit : seldom;

  const box = (page) => page.getByRole("combobox", { name: /^Search places/ });
  const options = (page) => page.locator(".suggestions [role=option]");
  /** Waits for a line, and for the answer to all that was typed: one to less of it has other lines. */
  const offered = async (page, hasText) => {
    await options(page).filter({ hasText }).first().waitFor();
    await page.locator("[role=combobox]:focus:not([aria-busy])").waitFor();
  };
  const card = (page) => page.getByRole("region", { name: "Place" });
  const asked = (page, path) =>
    page.waitForRequest((r) => new URL(r.url()).pathname === new URL(at(path)).pathname);
  const query = (request) => Object.fromEntries(new URL(request.url()).searchParams);
  const hash = (page) => new URLSearchParams(new URL(page.url()).hash.slice(1));

  visit("a place is found by the keyboard alone", DESKTOP, "", async (page) => {
    await page.keyboard.press("/");
    const input = box(page);
    assert.ok(await input.evaluate((element) => element === document.activeElement));
    await page.keyboard.type("stannerford guil", { delay: 20 });
    await offered(page, "Stannerford Guildhall");
    assert.equal(await input.getAttribute("aria-expanded"), "true");
    await page.keyboard.press("ArrowDown");
    const active = await input.getAttribute("aria-activedescendant");
    assert.equal(await page.locator(`[id="${active}"]`).getAttribute("aria-selected"), "true");
    // Past the last line and the first, the text box itself is chosen.
    await page.keyboard.press("ArrowUp");
    assert.equal(await input.getAttribute("aria-activedescendant"), null);
    await page.keyboard.press("Escape");
    assert.equal(await input.getAttribute("aria-expanded"), "false");
    assert.equal(await options(page).filter({ visible: true }).count(), 0);
    await page.keyboard.press("ArrowDown");
    await options(page).first().waitFor();
    const [picked] = await Promise.all([
      asked(page, "geocode/selection"),
      asked(page, "geocode/retrieve"),
      (async () => {
        await page.keyboard.press("ArrowDown");
        await page.keyboard.press("Enter");
      })(),
    ]);
    assert.equal(query(picked).position, "1");
    await card(page).getByRole("heading", { name: "Stannerford Guildhall" }).waitFor();
    await card(page).getByText("Town hall", { exact: true }).waitFor();
    assert.ok(hash(page).get("place"));

    // The link opens the card again, and a step back closes it.
    await page.reload();
    await card(page).getByText("Town hall", { exact: true }).waitFor();
    await card(page).getByRole("button", { name: "Directions to here" }).click();
    const stop = page.locator(".stop-input").nth(1);
    assert.equal(await stop.inputValue(), "Stannerford Guildhall");
    await page.reload();
    await card(page).getByText("Town hall", { exact: true }).waitFor();
    assert.equal(await stop.inputValue(), "Stannerford Guildhall");
    await page.goBack();
    await page.goBack();
    await card(page).waitFor({ state: "hidden" });
  });

  visit("only the newest question is shown", DESKTOP, NOTHING, async (page) => {
    let answer;
    const held = new Promise((resolve) => (answer = resolve));
    // The first question is slow, as on a bad line.
    await page.route(/suggest\?q=tarr&/, (call) =>
      held.then(() => call.continue().catch(() => {})),
    );
    const [slow] = await Promise.all([
      page.waitForRequest(/suggest\?q=tarr&/),
      box(page).pressSequentially("tarr"),
    ]);
    await box(page).fill("stanner castle");
    await offered(page, "Stanner Castle");
    answer();
    await page.unrouteAll({ behavior: "wait" });
    await slow.response(); // or null, where it was given up
    assert.match(await options(page).first().innerText(), /^Stanner Castle/);
  });

  visit("coordinates need no server, and picks are remembered", DESKTOP, NOTHING, async (page) => {
    const calls = [];
    page.on("request", (r) => r.url().includes("geocode/s") && calls.push(r.url()));
    await box(page).fill("49.3286 -7.2853");
    assert.match(await options(page).first().innerText(), /^49\.32860, -7\.28530\s+Coordinates/);
    await page.keyboard.press("Enter");
    await card(page).getByText("49.32860, -7.28530").waitFor();
    assert.deepEqual(calls, []);

    await box(page).fill("port farrock");
    await options(page).first().click();
    await card(page).getByRole("heading", { name: "Port Farrock" }).first().waitFor();
    await page.getByRole("button", { name: "Empty the search" }).click();
    await offered(page, "Port Farrock");
    await page.getByRole("button", { name: "Forget these" }).click();
    await options(page).first().waitFor({ state: "hidden" });
  });

  rarely("all hits of a query, with the reasons", DESKTOP, NOTHING, async (page) => {
    await box(page).fill("high strete stannerford");
    await page.keyboard.press("Enter");
    await page.locator(".found > li").nth(2).waitFor();
    assert.ok(await page.getByRole("radio", { name: "Search" }).isChecked());
    const why = await page.locator(".match").first().innerText();
    assert.match(why, /“high strete” is close to the .* \(\d+ %\)/);
    assert.equal(hash(page).get("q"), "high strete stannerford");
    await page.reload();
    await page.locator(".found > li").nth(2).waitFor();
    await settled(page); // what is on the map is known once it is there
    const [request] = await Promise.all([
      asked(page, "geocode"),
      page.getByLabel("Where", { exact: true }).selectOption("view"),
    ]);
    assert.equal(query(request).bbox.split(",").length, 4);
    await page.locator(".found-name").first().click();
    await card(page).getByRole("heading").waitFor();
    await page.locator("#tab-request").click();
    assert.match(await page.locator("#tab-body pre").innerText(), /^GET \/geocode\?q=high/);
  });

  visit("a stop is typed by its name", DESKTOP, NOTHING, async (page) => {
    const first = page.locator(".stop-input").nth(0);
    await first.fill("stannerford guildhall");
    await first.press("Enter");
    await page.locator(".pin").first().waitFor();
    assert.equal(await page.locator(".stop-input").nth(0).inputValue(), "Stannerford Guildhall");
    const second = page.locator(".stop-input").nth(1);
    await second.fill("qqxyzzy");
    await second.press("Enter");
    await page.locator(".stop-note").waitFor();
    await second.fill("port gwillan");
    await options(page).first().click();
    await page.locator(".step").first().waitFor();
  });

  const here = async (page) => {
    await page.route("**/boundary*", (call) =>
      call.fulfill({ status: 501, contentType: "application/problem+json", body: "{}" }),
    );
    const [x, y] = await project(page, STANNERFORD);
    await page.mouse.click(x, y, { button: "right" });
    const fact = (label) => page.locator(".menu .facts div").filter({ hasText: label });
    await fact("Nearest").getByText("Stannerford").waitFor();
    await fact("Height")
      .getByText(/^\d+ m above the sea$/)
      .waitFor();
    await fact("Time")
      .getByText(/^\d\d:\d\d .*Etc\/GMT/)
      .waitFor();
    await fact("In").getByText("not on this server").waitFor();
    await page.unrouteAll();
    await page.keyboard.press("Escape");
    assert.equal(await page.locator(".menu").count(), 0);

    // From the keyboard it is the map's middle.
    await page.locator(".maplibregl-canvas").focus();
    await page.keyboard.press("Shift+F10");
    await fact("In").getByText("United Kingdom").waitFor();
    assert.equal(await page.locator(".menu").count(), 1);
    await page.getByRole("menuitem", { name: "Keep what is here" }).click();
    await card(page).getByText("What is here").click();
    await card(page).getByText("drives on the left").waitFor();
    assert.ok(hash(page).get("here"));
    await page.reload();
    await card(page).getByText("What is here").waitFor();
    await card(page).getByRole("button", { name: "Close the card" }).click();
    await card(page).waitFor({ state: "hidden" });
  };
  visit("what is here, each line by itself", DESKTOP, NOTHING, here, [501]);

  visit("a cone of view is turned by its handles", DESKTOP, `${NOTHING}&do=view`, async (page) => {
    const [x, y] = await project(page, STANNERFORD);
    const [first] = await Promise.all([asked(page, "v1/places/in-view"), page.mouse.click(x, y)]);
    assert.equal(query(first).fov_deg, "60");
    assert.equal(query(first).categories, "building");
    await page.locator(".found > li").first().waitFor();
    await settled(page);
    const ahead = await page.locator("[data-handle=ahead]").boundingBox();
    const pin = await page.locator(".pin").boundingBox();
    const [from, foot] = [
      [ahead.x + ahead.width / 2, ahead.y + ahead.height / 2],
      [pin.x + pin.width / 2, pin.y + pin.height],
    ];
    const away = foot[1] - from[1];
    await page.mouse.move(...from);
    await page.mouse.down();
    await page.mouse.move(foot[0] + away / 3, foot[1], { steps: 6 });
    const [turned] = await Promise.all([asked(page, "v1/places/in-view"), page.mouse.up()]);
    const bearing = Number(query(turned).bearing_deg);
    assert.ok(Math.abs(bearing - 90) < 6, `turned to ${bearing}°`);
    assert.equal(
      await page.getByRole("spinbutton", { name: "Direction" }).inputValue(),
      String(bearing),
    );
    await page.locator(".found .verdict").first().waitFor();
    assert.match(
      await page.locator(".found .verdict").first().innerText(),
      /^(Clear line of sight|Hidden|Not known)/,
    );
    const [right] = await Promise.all([
      asked(page, "v1/places/in-view"),
      page.getByRole("button", { name: "Turn right" }).press("Enter"),
    ]);
    assert.equal(Number(query(right).bearing_deg), (bearing + 15) % 360);
    const [again] = await Promise.all([asked(page, "v1/places/in-view"), page.reload()]);
    assert.deepEqual(query(again), query(right));
  });

  visit("errands on the way, and why not all fit", DESKTOP, `#${WAY}`, async (page) => {
    await page.getByRole("radio", { name: "Errands" }).check({ force: true });
    await page.getByLabel("Errands", { exact: true }).last().fill("pharmacy, cash 10");
    await page.keyboard.press("Enter");
    await page.getByLabel("Arrive by").fill(`${MONDAY}T12:00`);
    await page.getByRole("region", { name: "Task" }).getByText("More settings").click();
    const [request] = await Promise.all([
      page.waitForRequest((r) => r.postDataJSON()?.depart_at !== undefined),
      page.getByLabel("Leave at").fill(`${MONDAY}T10:00`),
    ]);
    const { errands, arrive_by } = request.postDataJSON();
    assert.deepEqual(
      errands.map(({ category, dwell_minutes }) => [category, dwell_minutes]),
      [
        ["pharmacy", undefined],
        ["cash", 10],
      ],
    );
    assert.match(arrive_by, /^2099-06-01T12:00:00[+-]\d\d:\d\d$/);
    await settled(page);
    await page.locator(".timetable .end").nth(1).waitFor();
    assert.equal(await page.locator(".timetable .found-name").count(), 2);
    assert.match(await page.locator(".timetable .verdict").first().innerText(), /^Open then/);

    await page.getByLabel("Arrive by").fill(`${MONDAY}T10:15`);
    await page.getByText("Not everything fits").waitFor();
    assert.match(await page.locator(".notice").first().innerText(), /too late|without: /);
    assert.equal(hash(page).get("until"), `${MONDAY}T10:15`);
    await page.reload();
    await page.getByText("Not everything fits").waitFor();
  });

  rarely("a text is verified without a key", DESKTOP, "#do=verify", async (page) => {
    const text = "Meet at Stannerford Guildhall, then drinks at the Blue Moon Inn in Saltrey.";
    await page.getByLabel("Text").fill(text);
    const [request] = await Promise.all([
      asked(page, "api/verify"),
      page.getByRole("button", { name: "Check the text" }).click(),
    ]);
    assert.deepEqual(request.postDataJSON(), { text });
    await page.getByRole("button", { name: /^Stannerford Guildhall/ }).waitFor();
    const verdicts = await page.locator(".found .verdict").allInnerTexts();
    assert.deepEqual(verdicts, ["Verified", "Unverified"]);
    await page.reload();
    await page.locator(".found .verdict").first().waitFor();
  });

  visit("layers go with the link", DESKTOP, NOTHING, async (page) => {
    const named = () =>
      page.evaluate(() => [...document.querySelectorAll("#layers input")].map((i) => i.checked));
    await page.getByRole("button", { name: "Layers" }).click();
    await page.getByLabel("Names").uncheck();
    assert.equal(hash(page).get("layers"), "labels");
    await page.reload();
    await settled(page);
    assert.deepEqual(await named(), [false, true, true, true, false, false]);
  });

  visit(
    "the way ahead is one list, tied to the map both ways",
    DESKTOP,
    `#${WAY}&do=ahead`,
    async (page) => {
      const told = page.waitForResponse((r) => r.url().endsWith("/v1/charging/along"));
      await page.reload();
      await settled(page);
      const { stations } = await (await told).json();
      await page.getByText(/^Answered in/).waitFor();
      const chip = page.getByRole("button", { name: /^Chargers / });
      assert.equal(await chip.innerText(), `Chargers ${stations.length}`);
      // In the order in which one comes to each.
      const rows = page.locator(".found > li");
      const arcs = (await rows.locator(".found-detail:first-of-type").allInnerTexts()).map(
        (text) => {
          const [, value, unit] = /after ([\d.]+) (k?m)\b/.exec(text) ?? [null, 0, "m"];
          assert.match(text, /after |at the start/);
          return Number(value) * (unit === "km" ? 1000 : 1);
        },
      );
      assert.ok(arcs.length >= stations.length);
      assert.deepEqual(
        arcs,
        arcs.toSorted((a, b) => a - b),
      );
      await settled(page);
      // The pointer on the map lights the row; a click brings the keyboard there.
      // Away from the pins, which lie over it.
      const away = ({ lon, lat }) =>
        Math.min(
          ...[STANNERFORD, [-7.0715, 49.3629]].map(([x, y]) => Math.hypot(x - lon, y - lat)),
        );
      const { lon, lat } = stations.toSorted((a, b) => away(b) - away(a))[0];
      const [x, y] = await project(page, [lon, lat]);
      const lit = page.locator(".found > li.lit");
      for (let i = 0; (await lit.count()) === 0; i++) {
        assert.ok(i < 600, "nothing is lit");
        await page.mouse.move(x + (i % 3) - 1, y);
        await page.waitForTimeout(100);
      }
      await page.mouse.click(x, y);
      await page.waitForFunction(() => document.activeElement?.closest(".found > li.lit"));
      // Chargers are switched off by the keyboard, and on again.
      const all = await rows.count();
      await chip.press("Enter");
      assert.equal(await chip.getAttribute("aria-pressed"), "false");
      assert.equal(await rows.count(), all - stations.length);
      await chip.press("Enter");
      assert.equal(await rows.count(), all);
      assert.equal(await page.getByRole("alert").count(), 0);
    },
    [501],
  );

  visit(
    "an electric vehicle is chosen by its name, and a call says how long",
    DESKTOP,
    `#p=${STANNERFORD.join(",")};-7.15,49.31;-7.0715,49.3629&do=ev&soc=20`,
    async (page) => {
      const asked = () => page.waitForRequest((r) => r.url().endsWith("/v1/ev/plan"));
      const car = page.getByRole("combobox", { name: "Vehicle", exact: true });
      await car.fill("bmw i3 60");
      // What else is asked for meanwhile draws the fields anew.
      const redrawn = asked();
      await page.evaluate(() => (location.hash = location.hash.replace("soc=20", "soc=21")));
      await redrawn;
      assert.equal(await car.inputValue(), "bmw i3 60");
      await page
        .getByRole("option", { name: /BMW i3/ })
        .first()
        .waitFor();
      await car.press("ArrowDown");
      let plan = asked();
      await car.press("Enter");
      assert.match((await plan).postDataJSON().vehicle.id, /^bmw-i3-60/);
      assert.match(await car.inputValue(), /BMW i3/);
      assert.equal(await page.getByLabel("Battery").count(), 0);
      // What was typed and not chosen is taken back.
      await car.fill("no such car");
      await car.blur();
      assert.match(await car.inputValue(), /BMW i3/);
      plan = asked();
      await page.getByLabel("Stay").fill("30");
      await page.getByLabel("Stay").press("Tab");
      assert.equal((await plan).postDataJSON().locations[1].dwell_s, 1800);
      assert.equal(hash(page).get("stays"), ";30,,;");
      // Of this answer, not of the one before.
      await page.getByText(/30 min there in any case/).waitFor();
      const told = (hasText) => page.locator(".profile-told", { hasText }).waitFor();
      await told(/% at the end/);
      await page.locator(".ev-box").hover();
      await told(/^[\d.]+ km · [\d.]+ %/);
    },
  );

  // After all others of this size: the tab has a key from here on.
  visit(
    "own places are uploaded, found and shown",
    DESKTOP,
    "#do=places",
    async (page) => {
      await page.getByRole("heading", { name: "This needs an API key" }).waitFor();
      const link = page.locator(".notice").getByRole("link", { name: "Get a key" });
      assert.equal(await link.getAttribute("href"), at("keys"));
      await page.getByRole("button", { name: "I have one" }).click();
      await page.keyboard.type(key);
      await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
      await settled(page);
      const rows = ["Depot,49.3286,-7.2853,depot", `"Yard, east",49.3629,-7.0715,yard`, ",1,2,"];
      await page.locator("#places-file").setInputFiles({
        name: "mine.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(["name,lat,lon,category", ...rows].join("\n")),
      });
      await page.getByText("mine.csv: 2 places, and 1 row without").waitFor();
      for (const [name, text] of [
        ["mine.gpx", '<gpx><wpt lat="49.3" lon="-7.2"><name>Quay</name></wpt></gpx>'],
        [
          "mine.kml",
          "<kml><Placemark><name>Quay</name><Point><extrude>1</extrude><coordinates>-7.2,49.3,0</coordinates></Point></Placemark></kml>",
        ],
      ]) {
        const buffer = Buffer.from(text);
        await page.locator("#places-file").setInputFiles({ name, mimeType: "text/xml", buffer });
        await page.getByText(`${name}: 1 place.`).waitFor();
      }
      await page.locator("#places-file").setInputFiles({
        name: "mine.csv",
        mimeType: "text/csv",
        buffer: Buffer.from(["name,lat,lon,category", ...rows].join("\n")),
      });
      await page.getByText("mine.csv: 2 places").waitFor();
      await page.getByRole("button", { name: "Replace all by these 2" }).click();
      await page.getByText("2 places are stored.").waitFor();
      await page.getByRole("button", { name: "Show them" }).click();
      await page.locator(".found > li").nth(1).waitFor();
      await page.getByLabel("Look for").fill("yard");
      await page.keyboard.press("Enter");
      await page.locator(".found > li").nth(1).waitFor({ state: "detached" });
      assert.equal(await page.locator(".found-name").innerText(), "Yard, east");
      // They are among the suggestions, and on the map where that is wanted.
      await box(page).fill("depot");
      await offered(page, "Depot");
      await box(page).press("Escape");
      await page.getByRole("button", { name: "Layers" }).click();
      const [listed] = await Promise.all([
        asked(page, "places"),
        page.getByLabel("My places", { exact: true }).last().check(),
      ]);
      assert.equal(listed.method(), "GET");
      assert.equal(hash(page).get("layers"), "own");
    },
    [404],
  );

  rarely(
    "fits a small phone",
    SMALL,
    "",
    async (page) => {
      const tasks = await page.evaluate(() =>
        [...document.querySelectorAll("input[name=task]")].map((i) => i.value),
      );
      for (const name of tasks.filter((_, i) => SOAK || i % 4 === 0)) {
        await page.locator(`input[name=task][value=${name}]`).check({ force: true });
        await settled(page);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.equal(wide, 360, name);
        const over = await page.evaluate(() => {
          const body = document.querySelector(".panel-body");
          return body.scrollWidth - body.clientWidth;
        });
        assert.ok(over <= 0, `${name} is ${over} px too wide`);
        assert.ok(await page.locator(`.task:has([value=${name}])`).isVisible(), name);
      }
      await box(page).fill("stannerford");
      await options(page).first().tap();
      await card(page).getByRole("heading", { name: "Stannerford" }).waitFor();
      const { y } = await card(page).boundingBox();
      assert.ok(y < 740, `the card begins at ${y}`);

      // A long press tells what is here.
      const [px, py] = [180, 220];
      const client = await page.context().newCDPSession(page);
      const touch = (type, points) =>
        client.send("Input.dispatchTouchEvent", { type, touchPoints: points });
      await touch("touchStart", [{ x: px, y: py }]);
      await page.locator(".menu .facts").waitFor();
      await touch("touchEnd", []);
      await page.locator(".menu").getByText("above the sea").waitFor();
      await page.getByRole("menuitem", { name: "Keep what is here" }).tap();
      await card(page).getByText("What is here").tap();
      await card(page).getByText("above the sea").waitFor();
      // What this deployment has no data of says so: 501.
    },
    [501],
  );
});
