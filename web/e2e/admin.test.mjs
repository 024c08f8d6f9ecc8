// The admin page and the explorer's key field in a real Chromium.
//
//   WAYGATE_URL   base address of a server that may issue one more key to this
//                 machine today
//   ADMIN_TOKEN   its SVC_ADMIN_TOKEN
//   CHROMIUM, SHOTS as for the explorer
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, describe } from "node:test";
import {
  ADMIN_TOKEN,
  api,
  at,
  BASE,
  COARSE,
  DAY,
  launch,
  NIGHT,
  PHONE,
  until,
  visit,
} from "./browser.mjs";

const missing = [!BASE && "WAYGATE_URL", !ADMIN_TOKEN && "ADMIN_TOKEN"].filter(Boolean);
const skip = missing.length ? `${missing.join(" and ")} not set` : false;

/** Shown as it is, or the page runs it. */
const NOTE = `<script>document.title = "owned"</script> the bypass is missing`;

describe("the operator's page", { skip }, () => {
  let browser;
  let explorer;
  before(async () => {
    browser = await launch();
    explorer = (await api("GET", "explorer.json")).body;
  });
  after(() => browser?.close());
  const on = (more = {}) => ({ browser: () => browser, ...more });

  const tag = randomBytes(4).toString("hex");
  const email = `grace-${tag}@waygate-test.org`;
  /** An operator's key, with which the tests report and route. */
  let key;

  async function open(page, fragment = "") {
    await page.addInitScript((token) => {
      sessionStorage.setItem("waygate.admin", token);
    }, ADMIN_TOKEN);
    await page.goto(at(`admin${fragment}`));
    await page.locator(".content h2").first().waitFor();
  }

  visit("asks for the token, and refuses another", on({ refusals: [401] }), async (page) => {
    await page.goto(at("admin"));
    await page.getByLabel("Admin token").fill("certainly-not-the-token");
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("alert").waitFor();
    await page.getByLabel("Admin token").fill(ADMIN_TOKEN);
    await page.getByRole("button", { name: "Open" }).click();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    assert.ok(!page.url().includes(ADMIN_TOKEN));
    await page.getByRole("button", { name: "Leave" }).click();
    await page.reload();
    await page.getByLabel("Admin token").waitFor();
  });

  visit("shows the figures", on({ options: NIGHT }), async (page) => {
    await open(page);
    for (const name of ["Abuse", "Activation", "Credit", "Downloads", "Identities"]) {
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.getByRole("link", { name: "Commercial" }).click();
    await page.getByRole("heading", { name: "Commercial" }).waitFor();
    for (const name of ["Revenue", "Funnel", "Usage mix", "Demo lane", "Prepaid"]) {
      await page.getByRole("heading", { name, exact: true }).waitFor();
    }
    await page.getByRole("heading", { name: "Retention by month" }).waitFor();
    await page.goBack();
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  });

  visit("mints a key and shows its usage", on({ refusals: [409] }), async (page) => {
    await open(page, "#keys");
    const form = page.getByRole("form", { name: "Mint a key" });
    const name = `minted ${tag}`;
    await form.getByLabel("Name").fill(name);
    await form.getByLabel("Units a month").fill("5000");
    await form.getByLabel("Calls a minute").fill("300");
    await form.getByRole("button", { name: "Mint" }).click();
    key = (await page.locator("pre").innerText()).trim();
    assert.match(key, /^wg_\w{40}$/);
    await page.getByRole("link", { name }).click();
    await page.getByRole("heading", { name }).waitFor();
    await page.getByText("No calls in this month.").waitFor();
    assert.ok(!(await page.content()).includes(key), "the key is shown once");
    assert.equal((await api("POST", "map-issues", issue())).status, 201);
    await until(async () => {
      await page.reload();
      await page.locator("#page .sums").waitFor();
      return /1 unit in 1 call/.test(await page.locator("#page .sums").innerText());
    }, "a call is in the usage");
    // Credit needs an owner.
    const credit = page.getByRole("form", { name: "Give credit" });
    await credit.getByLabel("Amount in pounds").fill("1");
    await credit.getByLabel("Reason").fill(`try ${tag}`);
    await credit.getByRole("button").click();
    await credit.getByRole("alert").waitFor();
  });

  const coarse = { ...DAY, ...COARSE };

  visit("shows map issues with a link to the place", on({ options: coarse }), async (page) => {
    await open(page, "#issues");
    const row = page.locator("tbody tr").first();
    assert.ok((await row.innerText()).includes(NOTE));
    const [map] = await Promise.all([
      page.context().waitForEvent("page"),
      row.getByRole("link").click(),
    ]);
    await map.locator(".foot").waitFor();
    // The explorer writes places with fewer digits, once it is there, and their names.
    const [lon, lat] = explorer.center.map((degrees) => String(degrees).slice(0, 6));
    assert.match(map.url(), new RegExp(`#p=${lon}\\d*,${lat}\\d*;&(names=[^&]*&)?map=17(\\.00)?/`));
    await page.locator("h2").waitFor();
    assert.ok(!(await page.title()).includes("owned"));
  });

  visit("shows retros", on(), async (page) => {
    const sent = await api("POST", "v1/feedback", {
      token: key,
      body: {
        what_built: `A planner ${tag}`,
        problems: [{ area: "docs", description: NOTE, workaround_found: true }],
        wins: ["quick answers"],
      },
    });
    assert.equal(sent.status, 202, JSON.stringify(sent.body));
    await open(page, "#retros");
    await page.getByText(`A planner ${tag}`).click();
    await page.getByText("quick answers").waitFor();
    assert.ok((await page.locator("details[open]").innerText()).includes(NOTE));
  });

  visit("finds an identity, credits it once for a reason", on({ options: PHONE }), async (page) => {
    const issued = await api("POST", "v1/keys", { body: { email, accept_tos: true } });
    assert.equal(issued.status, 201, JSON.stringify(issued.body));
    await open(page, "#identities");
    await page.getByLabel("Search").fill(tag.toUpperCase());
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByText("1 in all").waitFor();
    await page.getByLabel("Order").selectOption({ label: "Most credit" });
    await page.waitForURL(/order=balance/);
    await page.getByRole("link", { name: email }).click();
    await page.getByRole("heading", { name: email }).waitFor();

    for (const [times, told] of [
      [1, "£12.34 credited: the balance is £12.34"],
      [2, "Nothing changed: that reason was applied before, with £12.34 after it"],
    ]) {
      const credit = page.getByRole("form", { name: "Give credit" });
      await credit.getByLabel("Amount in pounds").fill("12.34");
      await credit.getByLabel("Reason").fill(`goodwill ${tag}`);
      await credit.getByRole("button").click();
      await page.getByRole("heading", { name: told }).waitFor();
      const history = page.getByRole("region", { name: "History of credit" });
      assert.equal(await history.locator("tbody tr").count(), 1, `after ${times}`);
    }

    const quota = page.getByRole("form", { name: "Units a month" });
    await quota.getByLabel("Units a month").fill("123456");
    await quota.getByLabel("Reason").fill(`bigger ${tag}`);
    await quota.getByRole("button").click();
    // The address is not confirmed, so that the provisional quota is in force.
    await page.getByRole("heading", { name: /123,456, once a key is confirmed/ }).waitFor();
    await page.getByText("of 1,000 units").waitFor();

    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText("Operator message").waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });

  visit(
    "the explorer sends the key of its tab",
    on({ options: coarse, refusals: [401] }),
    async (page) => {
      await page.goto(at(""));
      await page.locator(".key-panel summary").click();
      await page.getByLabel("API key").fill(key);
      await page.getByRole("button", { name: "Use", exact: true }).click();
      await page.getByText("in use").waitFor();
      const points = explorer.examples.find((example) => example.points.length === 2).points;
      const hash = `#p=${points.map((point) => point.join(",")).join(";")}`;
      const [request] = await Promise.all([
        page.waitForRequest((r) => r.url() === at("route")),
        page.evaluate((next) => (location.hash = next), hash),
      ]);
      assert.equal(await request.headerValue("authorization"), `Bearer ${key}`);
      await page.locator(".step").first().waitFor();
      await page.locator(".key-panel summary").click();
      await page.getByRole("button", { name: "Forget" }).click();
      await page.locator(".key-panel").waitFor();
      await page.getByText("in use").waitFor({ state: "detached" });
      // A key in the address moves out of it.
      await page.goto(at(`?api_key=${key}`));
      await page.getByText("in use").waitFor();
      assert.ok(!page.url().includes(key));
    },
  );

  visit("revokes a key after a question", on(), async (page) => {
    await open(page, "#keys");
    await page.getByRole("link", { name: `minted ${tag}` }).click();
    const revoke = page.getByRole("button", { name: "Revoke this key…" });
    await revoke.click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    assert.equal((await api("GET", "v1/keys/self", { token: key })).status, 200);
    await revoke.click();
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    assert.equal((await api("GET", "v1/keys/self", { token: key })).status, 200);
    await revoke.click();
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
    await page.getByRole("heading", { name: "The key is revoked" }).waitFor();
    assert.equal((await api("GET", "v1/keys/self", { token: key })).status, 401);
  });

  function issue() {
    const [lon, lat] = explorer.center;
    return { token: key, body: { lat, lon, category: "road-missing", note: NOTE } };
  }
});
