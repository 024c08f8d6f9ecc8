// What large plans and long routes cost the page, in counts that no busy machine changes.
// Its settings are those of planner.test.mjs.
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { ADMIN_TOKEN, api, at, BASE, COARSE, launch, until, visit } from "./browser.mjs";

/** The vehicles of the plan, and the stops that each is for. */
const VANS = 4;
const STOPS = 20;

describe("large plans and routes", { skip: BASE && ADMIN_TOKEN ? false : "no server" }, () => {
  let browser;
  let key;
  let points;
  before(async () => {
    browser = await launch({ drawing: true });
    const body = { name: "large", monthly_quota: 1_000_000, rate_per_min: 10_000 };
    key = (await api("POST", "admin/keys", { token: ADMIN_TOKEN, body })).body.key;
    const { examples } = (await api("GET", "explorer.json")).body;
    points = [...new Set(examples.flatMap((one) => one.points).map(String))].map((text) =>
      text.split(",").map(Number),
    );
  });
  after(() => browser?.close());
  const options = { viewport: { width: 1280, height: 900 }, ...COARSE };
  const setup = { browser: () => browser, options };

  visit("a stop that is moved draws the plan once", setup, async (page) => {
    const [depot, ...places] = points;
    const stops = Array.from({ length: VANS * STOPS }, (_, i) => ({
      id: String(i),
      name: `Stop ${i}`,
      at: places[i % places.length],
      service: 60,
      amounts: [1],
    }));
    const vehicles = Array.from({ length: VANS }, (_, i) => ({
      id: `van-${i}`,
      name: `Van ${i}`,
      start: depot,
      end: depot,
      capacities: [STOPS + 1],
    }));
    await page.addInitScript(
      ([held, problem]) => {
        sessionStorage.setItem("waygate.key", held);
        localStorage.setItem("waygate.planner", JSON.stringify(problem));
        // Each element that the page makes is counted.
        window.made = 0;
        const make = document.createElement.bind(document);
        document.createElement = (...args) => {
          window.made++;
          return make(...args);
        };
      },
      [key, { stops, vehicles }],
    );
    await page.goto(at("planner"));
    await page.locator(".drop").first().waitFor();
    await page.getByRole("radio", { name: "Plan", exact: true }).check({ force: true });
    await page.getByRole("button", { name: "Solve" }).click();
    await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
    assert.equal(await page.locator(".block").count(), stops.length);
    assert.equal(await page.locator(".round li").count(), 0, "lines of folded rounds are drawn");

    // The lines along roads of both rounds that the move changes come after it.
    let lines = 0;
    page.on("response", (answer) => (lines += new URL(answer.url()).pathname === "/route"));
    const before = await page.evaluate(() => window.made);
    const block = page.locator(`.lane[data-vehicle="van-0"] .block`).nth(2);
    await block.focus();
    await block.press("ArrowDown");
    await until(() => lines >= 2, "the lines of two rounds");
    await page.evaluate(() => new Promise(requestAnimationFrame));
    const made = (await page.evaluate(() => window.made)) - before;
    assert.ok(made > stops.length, `${made} elements: nothing was drawn`);
    assert.ok(made < 4 * stops.length, `${made} elements for ${stops.length} stops`);
    // A round that is unfolded has its stops.
    await page.locator(".round summary").first().click();
    await page.locator(".round li").first().waitFor();
    assert.equal(lines, 2, "a line is requested once");
  });

  visit("of a long route's steps those are laid out that are seen", setup, async (page) => {
    const stops = points.slice(0, 12).map((point) => point.join(","));
    await page.goto(at(`#p=${stops.join(";")}`));
    const steps = page.locator(".steps li");
    await steps.first().waitFor();
    const laidOut = () =>
      steps.evaluateAll(
        (all) =>
          all.filter((one) =>
            one.firstElementChild.checkVisibility({ contentVisibilityAuto: true }),
          ).length,
      );
    const all = await steps.count();
    assert.ok(all > 60, `${all} steps are no long route`);
    const seen = await until(async () => {
      const count = await laidOut();
      return count < all && count;
    }, "steps that are not laid out");
    assert.ok(seen < 60, `${seen} of ${all} steps are laid out`);
    // The last one is, once it is scrolled to.
    await steps.last().scrollIntoViewIfNeeded();
    await steps.last().locator(".step").click();
    // While another request is under way the steps that are there stay, and are not drawn anew.
    await steps.last().evaluate((one) => (one.dataset["kept"] = ""));
    await page.route("**/route", () => {});
    await page.getByRole("radio", { name: "Lorry" }).check({ force: true });
    await page.locator(".result.stale").waitFor();
    assert.equal(await page.locator(".steps li[data-kept]").count(), 1);
  });
});
