// A plan that is followed: the planner's links, a driver's page on a phone, an arrival, and
// planning the rest of the day from what was reported, in a real Chromium.
//
//   WAYGATE_URL  base address of a server with the sample county; without it all
//                is skipped
//   ADMIN_TOKEN  the operator's token, for a key
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import {
  ADMIN_TOKEN,
  api,
  at,
  BASE,
  COARSE,
  launch,
  PHONE,
  seldom,
  TIMEOUT_MS,
  until,
} from "./browser.mjs";
import { network } from "./network.mjs";

describe("drivers", { skip: BASE && ADMIN_TOKEN ? false : "no server" }, () => {
  let browser;
  let key;
  let points;
  before(async () => {
    browser = await launch({ drawing: true });
    const body = { name: "drivers", monthly_quota: 100_000, rate_per_min: 10_000 };
    key = (await api("POST", "admin/keys", { token: ADMIN_TOKEN, body })).body.key;
    const { examples } = (await api("GET", "explorer.json")).body;
    points = [...new Set(examples.flatMap((one) => one.points).map(String))].map((text) =>
      text.split(",").map(Number),
    );
  });
  after(() => browser?.close());
  const setup = {
    browser: () => browser,
    options: { viewport: { width: 1280, height: 900 }, ...COARSE },
    refusals: [404],
  };

  /** The problem of a whole day, so that it can be followed at any hour. */
  function problem() {
    const [depot, ...places] = points;
    return {
      stops: places.slice(0, 5).map((place, i) => ({
        id: `s${i}`,
        name: `Customer ${i}`,
        address: `${i} High Street`,
        at: place,
        service: 60,
        amounts: [1],
      })),
      vehicles: [{ id: "v1", name: "Van 1", start: depot, end: depot, shifts: [[0, 172_800]] }],
    };
  }

  async function planned(page) {
    await page.addInitScript(
      ([held, kept]) => {
        sessionStorage.setItem("waygate.key", held);
        if (!localStorage.getItem("waygate.planner"))
          localStorage.setItem("waygate.planner", JSON.stringify(kept));
      },
      [key, problem()],
    );
    await page.goto(at("planner"));
    await page.locator(".drop").first().waitFor();
    await tab(page, "Plan");
    await page.getByRole("button", { name: "Solve" }).click();
    await page.locator(".plan-sum").waitFor();
    await tab(page, "Today");
    await page.getByLabel("Name for the drivers").fill("Monday");
    await page.getByRole("button", { name: "Make links for the drivers" }).click();
    await page.locator(".follow-rounds > li").waitFor();
  }

  const tab = (page, name) => page.getByRole("radio", { name, exact: true }).check({ force: true });

  /** What a button of the planner puts into the clipboard. */
  async function copied(page, name) {
    await page.getByRole("button", { name }).click();
    await page.locator("#live", { hasText: "Copied." }).waitFor();
    return page.evaluate(() => navigator.clipboard.readText());
  }

  seldom("a driver works through a round, and the planner sees it", setup, async (page, { t }) => {
    await planned(page);
    const link = await copied(page, "Copy the link of Van 1");
    assert.match(link, /\/driver#[\w-]{32}$/);
    await page.getByText("Stops and arrivals").click();
    const first = await page.locator(".follow-stop").first().locator("span").first().innerText();
    const last = await page.locator(".follow-stop").last().locator("span").first().innerText();
    const arrival = await copied(page, `Copy the arrival of ${last}`);

    const net = await network(BASE);
    t.after(() => net.close());
    const context = await browser.newContext({ ...PHONE, viewport: { width: 320, height: 640 } });
    context.setDefaultTimeout(TIMEOUT_MS);
    const asked = [];
    context.on("request", (one) => asked.push([one.url(), one.headers()]));
    const connected = async (there) => {
      net.cut = !there;
      await context.setOffline(!there); // so that the browser says so
    };
    const round = link.replace(BASE, net.url);
    let phone = await context.newPage();
    await phone.goto(round);
    const card = () => phone.locator(".stop-card");
    await card().getByRole("heading", { name: first }).waitFor();
    assert.ok((await phone.evaluate(() => document.documentElement.scrollWidth)) <= 320);
    assert.match(
      await card().getByRole("link", { name: "Navigate" }).getAttribute("href"),
      /#p=;-?\d/,
    );

    // Without a connection the page opens, says so, and reports wait, also over its end and over
    // what is done next.
    await phone.evaluate(async () => void (await navigator.serviceWorker.ready));
    await connected(false);
    await phone.reload();
    await phone.locator(".notice", { hasText: /^Offline. The round is shown as it was at \d\d:\d\d, \d+ (s|min) ago/ }).waitFor(); // prettier-ignore
    await card().getByLabel("Note for the planner").fill("left with <b>Ann</b>");
    await card().getByRole("button", { name: "Done", exact: true }).click();
    await phone.getByText("Reports that wait for a connection: 1").waitFor();
    await phone.close();
    phone = await context.newPage();
    await phone.goto(round);
    await phone.getByText("Reports that wait for a connection: 1").waitFor();
    await card().getByRole("button", { name: "Could not be done" }).click();
    await phone.getByText("Reports that wait for a connection: 2").waitFor();
    assert.match(await phone.locator(".progress").innerText(), /2 of 5 stops/);
    await connected(true);
    await phone.getByText("Reports that wait").waitFor({ state: "detached" });
    await phone.locator(".notice", { hasText: /^Offline/ }).waitFor({ state: "detached" });
    assert.equal(await phone.evaluate(whatHolds, link.split("#")[1]), "");

    // A new version of the page is taken on the next start, and the one before is deleted.
    net.change = (path, text) =>
      path === "/driver-worker.js"
        ? text.replace(/"version":"\w+"/, '"version":"next"')
        : path === "/driver"
          ? text.replace("<noscript>", "<i id='next'></i><noscript>")
          : text;
    await phone.reload();
    assert.equal(await phone.locator("#next").count(), 0);
    await worked(phone, async () => {
      const { installing, waiting, active } = await navigator.serviceWorker.getRegistration();
      const there = (await caches.keys()).some((one) => one.endsWith(" next"));
      return there && !installing && !waiting && active.state === "activated";
    });
    await phone.reload();
    await phone.locator("#next").waitFor({ state: "attached" });
    await worked(phone, async () => (await caches.keys()).length === 1);

    // The planner sees both, and the customer the arrival alone.
    await page.locator(".follow-stop.done", { hasText: "left with <b>Ann</b>" }).waitFor(); // prettier-ignore
    await page.locator(".follow-stop.failed").waitFor();
    await page.getByText("1 done").or(page.getByText("2 done")).first().waitFor();
    const customer = await context.newPage();
    await customer.goto(arrival);
    await customer.getByText("Expected at about", { exact: true }).waitFor();
    assert.doesNotMatch(await customer.locator("body").innerText(), /Customer|Street|Ann/);

    // One is taken back; the rest of the day is planned anew and sent to the driver.
    await phone.locator("details.failed > summary").click();
    await phone.locator("details.failed").getByRole("button", { name: "Take it back" }).click();
    await phone.locator("details.failed").waitFor({ state: "detached" });
    await page.locator(".follow-stop.failed").waitFor({ state: "detached" });
    const replanned = page.waitForResponse((one) => /jobs\/replan$/.test(one.url()));
    await page.getByRole("button", { name: "Plan the rest of the day anew" }).click();
    assert.equal((await replanned).status(), 202, await (await replanned).text());
    await tab(page, "Today");
    await page.getByRole("button", { name: "Send it to the drivers" }).click();
    await page.locator("#live", { hasText: "The drivers have the plan of this page" }).waitFor();
    assert.match(await page.locator(".follow-rounds").innerText(), /1 of 5 stops/);

    // A reload finds it again, another tab goes on with it; a revoked link opens nothing.
    await page.reload();
    await tab(page, "Today");
    await page.locator(".follow-rounds").waitFor();
    await page.evaluate(() => sessionStorage.removeItem("waygate.planner.tab"));
    await page.reload();
    await tab(page, "Today");
    await page.getByRole("button", { name: "Go on with Monday" }).click();
    await page.getByRole("button", { name: "Revoke the link of Van 1" }).click();
    await page.locator("#live", { hasText: "opens nothing any more" }).waitFor();
    await phone.reload();
    await phone.getByText("This link opens no round").waitFor();
    await worked(phone, async () => {
      const registered = await navigator.serviceWorker.getRegistrations();
      return registered.length + (await caches.keys()).length + localStorage.length === 0;
    });
    await page.getByRole("button", { name: "Delete links and reports" }).click();
    await page.locator("#live", { hasText: "are deleted" }).waitFor();
    await customer.reload();
    await customer.getByText("This link shows nothing").waitFor();

    // No token goes elsewhere, into an address or a referrer.
    const token = link.split("#")[1];
    assert.deepEqual(
      asked.map(([url]) => url).filter((url) => !url.startsWith(BASE) && !url.startsWith(net.url)),
      [],
    );
    for (const [url, headers] of asked) {
      assert.ok(!url.split("#")[0].includes(token), url);
      assert.ok(!(headers.referer ?? "").includes(token), url);
    }
    await context.close();
  });
});

/** The caches in which a token is, or what it opens. */
async function whatHolds(token) {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      const text = await (await cache.match(request)).text();
      if ((request.url + text).includes(token) || text.includes("Customer 1"))
        found.push(request.url);
    }
  }
  return found.join();
}

/** Waits for what a page works out; waitForFunction takes a promise for an answer. */
function worked(page, holds) {
  return until(() => page.evaluate(holds), String(holds));
}
