// What a person does here, done by the keyboard alone: whatever has the focus shows it and lies
// under nothing, nothing keeps it, and what closes gives it back.
//
//   WAYGATE_URL  base address of a server with the sample county that issues keys to this
//                machine; without it all is skipped
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { api, at, BASE, COARSE, launch, seldom, until, visit } from "./browser.mjs";
import { follow, settled } from "./map.mjs";

const DESKTOP = { viewport: { width: 1280, height: 800 }, ...COARSE };
const MOST_TABS = 200;

describe("by keyboard", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  before(async () => (browser = await launch({ drawing: true })));
  after(() => browser?.close());
  const setup = { browser: () => browser, options: DESKTOP };

  /** The name of what has the focus, and what is wrong with how it has it; null for nothing. */
  function focused(page) {
    return page.evaluate(() => {
      const on = document.activeElement;
      if (on === document.body) return null;
      const shows = (element) => {
        const { outlineStyle, boxShadow } = getComputedStyle(element);
        return outlineStyle !== "none" || boxShadow !== "none";
      };
      const { opacity, clipPath } = getComputedStyle(on);
      const { width, height } = on.getBoundingClientRect();
      // A box that a picture or a label stands for.
      const hidden = Math.min(width, height) < 3 || opacity === "0" || clipPath !== "none";
      const seen = (hidden && (on.closest("label") ?? on.labels?.[0])) || on;
      const name = on.ariaLabel || on.labels?.[0]?.textContent || on.textContent || on.value || "";
      const faults = [];
      // What is read out first on a new page is no control.
      const control = on.tabIndex >= 0;
      if (control && !shows(seen) && !shows(on.closest(".search") ?? seen)) {
        faults.push("does not show it");
      }
      const box = seen.getBoundingClientRect();
      const over = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
      // A long text is in view where it begins.
      const long = box.height > innerHeight / 2;
      if (!long && !seen.contains(over) && !over?.contains(seen)) {
        faults.push(`lies under ${over?.outerHTML.slice(0, 80)}`);
      }
      const typed = on.matches("input:not([type=color], [type=range]), textarea");
      return { name: name.trim().replace(/\s+/g, " "), typed, faults };
    });
  }

  /** Goes on by a key until something of that name has the focus; with typed, what text is typed into. */
  async function reach(page, name, key = "Tab", typed = false) {
    for (let n = 0; n < MOST_TABS; n++) {
      const on = await focused(page);
      if (on) {
        assert.deepEqual(on.faults, [], `${on.name} has the focus`);
        if (name.test(on.name) && (on.typed || !typed)) return;
      }
      await page.keyboard.press(key);
    }
    assert.fail(`${name} is not reached by ${key}`);
  }

  /** Goes to an input and writes into it; another key than Tab leaves it. */
  async function write(page, name, text, leave = "Tab") {
    await reach(page, name, "Tab", true);
    await page.keyboard.press("ControlOrMeta+a");
    await page.keyboard.type(text);
    await page.keyboard.press(leave);
  }

  /** Goes to something and presses Enter. */
  async function press(page, name, key = "Tab") {
    await reach(page, name, key);
    await page.keyboard.press("Enter");
  }

  /** Goes to a group of radio buttons, and by arrow keys to one of it. */
  async function choose(page, group, name) {
    await reach(page, group);
    await reach(page, name, "ArrowRight");
  }

  /** Walks through the page to its end, from where the focus is: nothing keeps it. */
  async function leaves(page) {
    for (let n = 0; n < MOST_TABS; n++) {
      const on = await focused(page);
      if (!on) return;
      assert.deepEqual(on.faults, [], `${on.name} has the focus`);
      await page.keyboard.press("Tab");
    }
    assert.fail("the focus does not leave the page");
  }

  /** A key, as a program has one issued. */
  async function held(page) {
    const body = { email: `keyboard-${Date.now()}@waygate-test.org`, accept_tos: true };
    const { status, body: made } = await api("POST", "v1/keys", { body });
    assert.equal(status, 201, JSON.stringify(made));
    await page.addInitScript((key) => sessionStorage.setItem("waygate.key", key), made.key);
    return made.key;
  }

  visit("directions for a lorry with its height", { ...setup, axe: true }, async (page) => {
    await follow(page, "");
    await write(page, /^Start \(point A\)/, "stannerford guildhall", "Enter");
    await page.locator(".pin").first().waitFor();
    await reach(page, /^Destination \(point B\)/);
    await page.keyboard.type("port gwillan");
    await page.locator("[role=combobox]:focus:not([aria-busy])[aria-expanded=true]").waitFor();
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator("[role=option][aria-selected=true]").count(), 1);
    await page.keyboard.press("Enter");
    await page.locator(".step").first().waitFor();
    await choose(page, /^Car$/, /^Lorry$/);
    await press(page, /^Lorry options/);
    await write(page, /^Height$/, "4.2");
    await page.waitForFunction(() => location.hash.includes("height=4.2"));
    await settled(page);
    // A step of the way is looked at, and the exchange's tabs are walked through.
    await reach(page, /^Head /);
    const before = await page.evaluate(() => location.hash);
    await page.keyboard.press("Enter");
    await page.waitForFunction((hash) => location.hash !== hash, before);
    await press(page, /^Request$/);
    for (const tab of ["curl", "code"]) {
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((id) => document.activeElement.id === id, `tab-${tab}`);
    }
    await leaves(page);
  });

  seldom("what opens closes by Escape and gives the focus back", setup, async (page) => {
    await follow(page, "#p=-7.2853,49.3286;-7.0715,49.3629");
    await page.locator(".step").first().waitFor();
    for (const [name, shown, inside] of [
      [/^Pages$/, "#pages", "Tab"],
      [/^Examples$/, ".menu", "End"],
      [/^Layers$/, "#layers", "Tab"],
      [/^Settings$/, "#settings", "Tab"],
    ]) {
      await press(page, name);
      await page.locator(shown).waitFor();
      await page.keyboard.press(inside);
      await page.waitForFunction((box) => document.activeElement.closest(box) !== null, shown);
      await page.keyboard.press("Escape");
      await page.locator(shown).waitFor({ state: "hidden" });
      assert.match((await focused(page)).name, name);
    }
    // The menu of the map, from its middle.
    await reach(page, /^Map$/, "Shift+Tab");
    await page.keyboard.press("Shift+F10");
    await page.locator(".menu").waitFor();
    await page.keyboard.press("ArrowDown");
    assert.match((await focused(page)).name, /^Route to here$/);
    await page.keyboard.press("Home");
    assert.match((await focused(page)).name, /^Route from here$/);
    await page.keyboard.press("Escape");
    assert.match((await focused(page)).name, /^Map$/);
    // Suggestions: Escape closes them and leaves what was typed, and the place in the page.
    await reach(page, /^Search places/);
    await page.keyboard.type("stan");
    await page.locator("[role=combobox]:focus[aria-expanded=true]").waitFor();
    await page.keyboard.press("Escape");
    await page.locator("[role=combobox]:focus[aria-expanded=false]").waitFor();
    assert.equal(await page.evaluate(() => document.activeElement.value), "stan");
    // A point goes down and keeps the focus on its handle.
    await reach(page, /^Point A: move/);
    await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => /^Point B/.test(document.activeElement.ariaLabel));
  });

  seldom("a letter's menu moves a point, as dragging it does", setup, async (page) => {
    await follow(page, "#p=-7.2853,49.3286;-7.0715,49.3629&map=11/49.33/-7.2");
    const points = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("p"));
    const item = async (name) => {
      await page.locator(".menu").waitFor();
      await reach(page, name, "ArrowDown");
      await page.keyboard.press("Enter");
    };
    await press(page, /^Point A: move/);
    await item(/^Move down$/);
    await page.waitForFunction(() => /p=-7\.0715/.test(location.hash));
    assert.match((await focused(page)).name, /^Point [AB]: move/);
    // A press that ends in no drag opens it too.
    await page.getByRole("button", { name: /^Point A: move/ }).click();
    await page.getByRole("menuitem", { name: "Use the middle of the map" }).click();
    await until(async () => !/^-7\.0715/.test(await points()), "the point is moved");
    // A drag that ended elsewhere does not keep the keyboard from it.
    const { x, y } = await page.getByRole("button", { name: /^Point A: move/ }).boundingBox();
    await page.mouse.move(x + 8, y + 8);
    await page.mouse.down();
    await page.mouse.move(x + 8, y + 70, { steps: 5 });
    await page.mouse.up();
    await page.getByRole("button", { name: /^Point A: move/ }).press("Enter");
    await page.locator(".menu").waitFor();
    await page.keyboard.press("Escape");
    // The map is moved without a drag by what its menu offers.
    const before = await page.evaluate(() => location.hash);
    await page
      .locator(".maplibregl-canvas")
      .click({ button: "right", position: { x: 900, y: 200 } });
    await page.getByRole("menuitem", { name: "Centre the map here" }).click();
    await page.waitForFunction((hash) => location.hash !== hash, before);
  });

  seldom("what is found is said, and so is how much is suggested", setup, async (page) => {
    const said = (text) =>
      page.waitForFunction(
        (part) => document.getElementById("live").textContent.includes(part),
        text,
      );
    await follow(page, "");
    await write(page, /^Start \(point A\)/, "stannerford guildhall", "ArrowDown");
    await said("suggestion");
    await follow(page, "#p=-7.2853,49.3286;-7.0715,49.3629");
    await said("Route found");
    await follow(page, "#p=-7.2853,49.3286&do=reach&within=10");
    await page.getByText(/within 10 min/).waitFor();
    await said("within 10 min");
  });

  seldom("the key / goes to the search, unless that is turned off", setup, async (page) => {
    await follow(page, "");
    const goes = async () => {
      await page.evaluate(() => document.activeElement.blur());
      await page.keyboard.press("/");
      return page.evaluate(() => document.activeElement.id === "search-box");
    };
    assert.equal(await goes(), true);
    await page.getByRole("button", { name: "Settings", exact: true }).press("Enter");
    await page.getByLabel("The key / goes to the search").press("Space");
    await page.keyboard.press("Escape");
    assert.equal(await goes(), false);
    await page.reload();
    await settled(page);
    assert.equal(await goes(), false);
  });

  seldom("reach of ten minutes by bicycle", setup, async (page) => {
    await follow(page, "");
    await choose(page, /^Route$/, /^Reach$/);
    await write(
      page,
      /^(Start|Point A)[^:]*$|^Start \(point A\)/,
      "stannerford guildhall",
      "Enter",
    );
    await page.locator(".pin").first().waitFor();
    await choose(page, /^Car$/, /^Bicycle$/);
    await write(page, /^Minutes/, "10");
    await page.getByText(/within 10 min/).waitFor();
    await leaves(page);
  });

  seldom("a table of stops to a published plan", setup, async (page) => {
    const key = await held(page);
    const { examples } = (await api("GET", "explorer.json")).body;
    const places = [...new Set(examples.flatMap((one) => one.points).map(String))];
    const rows = places.slice(1, 6).map((place, i) => `Customer ${i},${place}`);
    await page.goto(at("planner"));
    await page.locator(".drop").first().waitFor();
    await reach(page, /^A table of stops/);
    await page.keyboard.insertText(["name,lon,lat", ...rows].join("\n"));
    await press(page, /^Read it/);
    await press(page, /^Take these stops/);
    await page.getByRole("button", { name: /^Customer 1/ }).waitFor();
    await reach(page, /^Stops$/, "Shift+Tab");
    await reach(page, /^Vehicles$/, "ArrowRight");
    await press(page, /^Add a vehicle/);
    await write(page, /^(Starts|Depot)/, places[0].split(",").toReversed().join(", "));
    await reach(page, /^Vehicles$/, "Shift+Tab");
    await reach(page, /^Plan$/, "ArrowRight");
    await press(page, /^Solve$/);
    await page.locator(".plan-sum").waitFor();
    await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
    // A stop of the timeline is moved by arrows, and by buttons for who only presses.
    await reach(page, /^1\. Customer/);
    const first = (await focused(page)).name.match(/Customer \d/)[0];
    await page.keyboard.press("Enter");
    await page.getByRole("button", { name: "Later in its round" }).click();
    await page.getByRole("button", { name: new RegExp(`^2\\. ${first}`) }).waitFor();
    await page.getByRole("button", { name: "Earlier in its round" }).click();
    await page.getByRole("button", { name: new RegExp(`^1\\. ${first}`) }).waitFor();
    await reach(page, /^1\. Customer/);
    await reach(page, /^Plan$/, "Shift+Tab");
    await reach(page, /^Today$/, "ArrowRight");
    await write(page, /^Name for the drivers/, "Monday");
    await press(page, /^Make links for the drivers/);
    await page.locator(".follow-rounds > li").waitFor();
    await press(page, /^Copy the link of/);
    await page.locator("#live", { hasText: "Copied." }).waitFor({ state: "attached" });
    const link = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(link, /\/driver#[\w-]{32}$/);
    await leaves(page);
    // The driver's page, with the next stop done.
    await page.goto(link);
    await press(page, /^Done$/);
    await page.getByText("1 of 5 stops").first().waitFor();
    await leaves(page);
    assert.ok(!(await page.content()).includes(key));
  });

  seldom("a static map's address", { ...setup, refusals: [429, 503, 504] }, async (page) => {
    await page.goto(at("static-maps"));
    await page.locator(".image-made :is(img:not([hidden]), [role=alert])").waitFor();
    await reach(page, /^Map$/);
    await page.keyboard.press("ArrowRight");
    await write(page, /^Width/, "500");
    const address = page.locator(".code-block code").first();
    await page.waitForFunction(() =>
      /size=500x/.test(document.querySelector(".code-block code").textContent),
    );
    await press(page, /^Copy the address/);
    await page.getByText("Copied", { exact: true }).first().waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.equal(copied, await address.innerText());
    await leaves(page);
  });

  seldom("a key", setup, async (page) => {
    await page.goto(at("keys"));
    await page.locator("form").waitFor();
    await write(page, /^E-mail address/, `keyboard-${Date.now()}@waygate-test.org`);
    await reach(page, /^I accept the/);
    await page.keyboard.press("Space");
    await press(page, /^Get a key$/);
    await page.getByRole("heading", { name: "Your key" }).waitFor();
    await press(page, /^Copy the key/);
    await page.getByText("Copied", { exact: true }).waitFor();
    assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^wg_\w{40}$/);
    await leaves(page);
  });

  seldom("a style is edited and published", setup, async (page) => {
    await held(page);
    await page.goto(at("themes"));
    await page.getByLabel("Water", { exact: true }).waitFor();
    await write(page, /^Water$/, "#0a3355");
    await reach(page, /^Width of roads/);
    await page.keyboard.press("ArrowRight");
    await press(page, /^What is shown/);
    await reach(page, /^Points of interest/);
    await page.keyboard.press("Space");
    await press(page, /^The theme as JSON/);
    const theme = await page.getByLabel("Theme", { exact: true }).inputValue();
    assert.match(theme, /"water": "#0a3355"/);
    assert.match(theme, /"pois": false/);
    await write(page, /^Name$/, `Keyboard ${Date.now()}`);
    await press(page, /^Publish$/);
    await page.locator(".published").getByText("Published: version 1").waitFor();
    await leaves(page);
  });
});
