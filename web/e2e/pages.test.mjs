// What holds for every account page by day, by night and on a phone: it is
// drawn without errors, fits its window, moves nothing while it loads, can be
// used by keyboard, and axe-core finds nothing. Each page has one of the three
// looks in turn, and all of them in make soak.
//
//   WAYGATE_URL  base address of a running server; without it all is skipped
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
//   SHOTS        a folder for a screenshot of each page (optional)
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { at, BASE, DAY, launch, NIGHT, PHONE, seldom, SOAK, visit } from "./browser.mjs";

const PAGES = [
  { path: "keys", heading: "Get a key", settled: "form" },
  { path: "console", heading: "Console", settled: "form" },
  { path: "a/link/to/nowhere", heading: "This road leads nowhere", settled: ".ways" },
  {
    path: "welcome",
    heading: "Roads, places and maps from a server of your own",
    settled: ".answer-body .button",
  },
  { path: "themes", heading: "Map styles", settled: ".theme-field" },
  { path: "planner", heading: "Planner", settled: ".drop" },
  { path: "downloads", heading: "Downloads", settled: ".notice, .signature" },
  { path: "static-maps", heading: "Map images", settled: ".image-made" },
  { path: "admin", heading: "Administration", settled: "form" },
  { path: "v1/keys/verify", heading: "Confirm a key", settled: ".notice" },
  { path: "v1/keys/verify?token=unknown", heading: "Confirm a key", settled: "[role=alert]" },
  { path: "console/claim#unknown", heading: "Open your account", settled: "[role=alert]" },
  { path: "reference", heading: "API reference", settled: ".opblock" }, // kept open for what follows
  { path: "console#signin=unknown", heading: "Console", settled: "[role=alert]" },
  { path: "terms", heading: "Terms of use", settled: "main p" },
];
const FORMS = Object.entries({ day: DAY, night: NIGHT, phone: PHONE });

describe("account pages", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());

  for (const [i, { path, heading, settled }] of PAGES.entries()) {
    for (const [form, options] of SOAK ? FORMS : [FORMS[i % FORMS.length]]) {
      const setup = {
        browser: () => browser,
        options,
        refusals: [400, 401, 403, 404, 429, 501], // a deployment may have no downloads
        keep: true,
        axe: true,
      };
      visit(`${path} by ${form}`, setup, async (page) => {
        await page.goto("about:blank"); // or a link that differs after its # opens nothing
        await page.addInitScript(watchShifts);
        await page.goto(at(path));
        await page.locator(settled).first().waitFor();
        assert.equal(await page.locator("h1:visible").innerText(), heading);
        assert.match(await page.title(), /Waygate/);
        assert.equal(await page.getByRole("navigation", { name: "Pages" }).count(), 1);
        await page.waitForTimeout(200);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= page.viewportSize().width, `${wide} pixels wide`);
        assert.ok((await page.evaluate(() => window.shifted)) < 0.01, "something moved");
      });
    }
  }

  const setup = { browser: () => browser };

  visit("the reference tells what an endpoint takes and answers", setup, async (page) => {
    if (page.url() !== at("reference")) await page.goto(at("reference"));
    await page.locator(".opblock").first().waitFor();
    // It draws what can be seen of the list; the search goes through all of it.
    await page.locator(".operation-filter-input").fill("isochrone");
    await page.waitForFunction(() => document.querySelectorAll(".opblock").length === 2); // GET and POST
    await page.locator(".operation-filter-input").fill("zebra unicorn");
    await page.getByText("No call has all of these words.").waitFor();
    await page.locator(".operation-filter-input").fill("isochrone");
    const open = page.locator("#operations-analysis-post-isochrone");
    await open.locator(".opblock-summary-control").press("Enter");
    await open.getByText("429").first().waitFor();
    assert.equal(new URL(page.url()).hash, "#/analysis/post-isochrone");
    // What copies is seen where it has the focus.
    const copy = open.getByRole("button", { name: "Copy path to clipboard" });
    await copy.focus();
    assert.equal(await copy.evaluate((on) => on.checkVisibility({ opacityProperty: true })), true);
    const { width, height } = await copy.boundingBox();
    assert.ok(Math.min(width, height) >= 24, `${width} by ${height}`);
    await open.getByRole("button", { name: "Try it out" }).click();
    await open.getByRole("button", { name: "Execute" }).click();
    await open.locator(".live-responses-table .response-col_status").getByText("200").waitFor();
    assert.match(await open.locator(".curl").innerText(), /curl -X 'POST'/);
  });

  for (const path of ["driver#unknown", "arrival#unknown"]) {
    const refused = { ...setup, options: PHONE, refusals: [404], axe: true };
    visit(`${path.split("#")[0]} says that a link opens nothing`, refused, async (page) => {
      await page.goto(at(path));
      await page
        .getByText(/^This link (opens|shows) no/)
        .first()
        .waitFor();
    });
  }

  visit("the keyboard skips to the content, and walks the form", setup, async (page) => {
    await page.goto(at("keys"));
    await page.locator("form").waitFor();
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement.className), "skip");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash === "#main");
    assert.equal(new URL(page.url()).pathname, new URL(at("keys")).pathname);
    const stops = [
      "email",
      "label",
      "Advanced: a key for web pages",
      "accept_tos",
      "terms of use",
      "Get a key",
    ];
    for (const stop of stops) {
      await page.keyboard.press("Tab");
      const name = await page.evaluate(() => {
        const { name, textContent } = document.activeElement;
        return name || textContent.trim();
      });
      assert.equal(name, stop);
    }
  });

  for (const [form, options] of FORMS) {
    (form === "phone" ? visit : seldom)(
      `a link to one call of the reference opens it by ${form}`,
      { ...setup, options },
      async (page) => {
        await page.goto("about:blank"); // or the link may move a page that is open already
        await page.goto(at("reference#post-route"));
        const open = page.locator("#operations-routing-post-route.is-open");
        await open.getByText("429").first().waitFor();
        assert.equal(new URL(page.url()).hash, "#/routing/post-route");
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        assert.ok(wide <= page.viewportSize().width, `${wide} pixels wide`);
      },
    );
  }

  visit("links lead to the pages from every depth", { ...setup, refusals: [404] }, async (page) => {
    for (const from of [
      "keys",
      "console",
      "v1/keys/verify",
      "console/claim",
      "a/link/to/nowhere",
    ]) {
      await page.goto(at(from));
      const links = await page
        .getByRole("navigation", { name: "Pages" })
        .getByRole("link")
        .evaluateAll((all) => all.map((link) => link.href));
      const want = ["welcome", "", "planner", "themes", "static-maps", "downloads"];
      want.push("keys", "console", "reference", "terms");
      assert.deepEqual(links, want.map(at), from);
    }
    for (const link of ["openapi.json", "terms"]) assert.equal((await fetch(at(link))).status, 200);
  });
});

/** Adds up the page's layout shifts in window.shifted. */
function watchShifts() {
  if ("shifted" in window) return;
  window.shifted = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shifted += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
}
