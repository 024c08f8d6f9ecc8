// The account pages in a real Chromium: from the first key to the console.
//
//   WAYGATE_URL     base address of a server that has issued no key to this
//                   machine today: two are issued here, and three a day are all
//   MAILS           a file or an address whose text holds the mails that the
//                   server sent, newest last (its own output does, without SMTP)
//   ADMIN_TOKEN     the server's, to look up the account that pays (optional)
//   STRIPE_SECRET   the server's SVC_STRIPE_WEBHOOK_SECRET (optional, with a
//                   stripe-mock behind the server): credit is bought then
//   CHROMIUM, SHOTS as for the explorer
import assert from "node:assert/strict";
import { createHmac, randomBytes } from "node:crypto";
import { after, before, describe } from "node:test";
import {
  ADMIN_TOKEN,
  api,
  at,
  BASE,
  launch,
  local,
  mailed,
  MAILS,
  PHONE,
  SIGN_IN_LINK,
  until,
  VERIFY_LINK,
  visit,
} from "./browser.mjs";

const SECRET = process.env.STRIPE_SECRET;
const missing = [!BASE && "WAYGATE_URL", !MAILS && "MAILS"].filter(Boolean);
const skip = missing.length ? `${missing.join(" and ")} not set` : false;

/** Shown as it is, or the page runs it. */
const LABEL = `<img src=x onerror="document.title='owned'">`;

describe("from the first key to the console", { skip }, () => {
  let browser;
  before(async () => (browser = await launch()));
  after(() => browser?.close());
  const on = (more = {}) => ({ browser: () => browser, ...more });

  const email = `ada-${randomBytes(4).toString("hex")}@waygate-test.org`;
  let key;
  let claimURL;
  let used;

  visit("a refused sign-up names the field", on({ refusals: [400] }), async (page) => {
    await page.goto(at("keys"));
    const address = page.getByLabel("E-mail address");
    await address.fill("someone@mailinator.com");
    await page.getByText("I accept the").click();
    await page.getByText("Advanced").click();
    await page.getByLabel("Allowed origins").fill("https://maps.example.com\nmaps.example.com/x");
    await page.getByRole("button", { name: "Get a key" }).click();
    await page.getByRole("alert").waitFor();
    const marked = page.locator("[aria-invalid=true]");
    await marked.first().waitFor();
    assert.equal(await marked.first().evaluate((field) => field === document.activeElement), true);
    const told = await page.locator("form").innerText();
    assert.match(told, /mailinator\.com|maps\.example\.com\/x/);
    const described = await marked.first().getAttribute("aria-describedby");
    const complaint = described.split(" ").find((id) => id.endsWith("complaint"));
    assert.notEqual(await page.locator(`#${complaint}`).innerText(), "");
    // Typing takes the complaint away.
    await marked.first().press("End");
    await marked.first().pressSequentially("x");
    assert.equal(await page.locator(`#${complaint}`).isVisible(), false);
  });

  visit("a key is issued and shown once", on(), async (page) => {
    await page.goto(at("keys"));
    await page.getByLabel("E-mail address").fill(email);
    await page.getByLabel("Label").fill(LABEL);
    await page.getByText("I accept the").click();
    await page.getByRole("button", { name: "Get a key" }).click();
    await page.getByRole("heading", { name: "Your key" }).waitFor();
    key = (await page.locator("pre").first().innerText()).trim();
    assert.match(key, /^wg_\w{40}$/);
    await page.getByRole("button", { name: "Copy the key" }).click();
    await page.getByText("Copied", { exact: true }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), key);
    assert.match(await page.locator("main").innerText(), /72 hours/);
    assert.ok((await page.locator("main").innerText()).includes(LABEL));
    assert.match(await page.locator("pre").nth(1).innerText(), /curl[\s\S]*Bearer \$API_KEY/);
    claimURL = await page.getByRole("link", { name: "open your account" }).getAttribute("href");
    const { status, body } = await api("GET", "v1/keys/self", { token: key });
    assert.equal(status, 200);
    assert.equal(body.state, "provisional");
    await page.reload();
    await page.locator("form").waitFor();
    assert.ok(!(await page.content()).includes(key));
  });

  visit("the mail's link shows the request and confirms on a press", on(), async (page) => {
    await page.goto(local(await mailed(email, VERIFY_LINK)));
    await page.getByRole("button", { name: "Yes, confirm this key" }).waitFor();
    const shown = await page.locator("main").innerText();
    assert.ok(shown.includes(LABEL), shown);
    assert.ok(!shown.includes(email), "the address is masked");
    assert.match(shown, /Chrome/);
    assert.equal((await api("GET", "v1/keys/self", { token: key })).body.state, "provisional");
    await page.getByRole("button", { name: "Yes, confirm this key" }).click();
    await page.getByRole("heading", { name: "The key is confirmed" }).waitFor();
    assert.equal((await api("GET", "v1/keys/self", { token: key })).body.state, "verified");
    assert.ok(!(await page.title()).includes("owned"));
    await page.reload();
    await page.getByRole("heading", { name: "This key is confirmed" }).waitFor();
  });

  visit("a request that was not mine can be refused", on(), async (page) => {
    const before = await mailed(email, VERIFY_LINK);
    const issued = await api("POST", "v1/keys", {
      body: { email, accept_tos: true, label: "not mine" },
    });
    assert.equal(issued.status, 201);
    await page.goto(local(await mailed(email, VERIFY_LINK, { after: before })));
    await page.getByRole("button", { name: "This wasn’t me" }).click();
    await page.getByRole("heading", { name: "The key is refused" }).waitFor();
    assert.equal((await api("GET", "v1/keys/self", { token: issued.body.key })).status, 401);
  });

  visit("the claim link asks for a sign-in link", on(), async (page) => {
    await page.goto(local(claimURL));
    await page.getByRole("button", { name: "E-mail me a sign-in link" }).waitFor();
    assert.ok(!(await page.content()).includes(email), "the address is masked");
    await page.getByRole("button", { name: "E-mail me a sign-in link" }).click();
    await page.getByRole("heading", { name: "A sign-in link is on its way" }).waitFor();
  });

  visit(
    "the link opens the console, once",
    on({ refusals: [401, 400, 403, 404] }),
    async (page) => {
      used = await mailed(email, SIGN_IN_LINK);
      await signIn(page, used);
      assert.equal(page.url(), at("console"), "the token is out of the address");
      const keys = page.getByRole("region", { name: "Keys" });
      assert.equal(await keys.locator("tbody tr").count(), 2);
      assert.match(await keys.innerText(), /verified/);
      assert.match(await keys.innerText(), /revoked/);
      assert.ok((await keys.innerText()).includes(LABEL));
      assert.ok(!(await page.content()).includes(key), "no secret in the console");
      await page.reload();
      await page.getByText(email).waitFor();
      await page.getByRole("button", { name: "Sign out" }).click();
      await page.getByRole("heading", { name: "You are signed out" }).waitFor();
      await page.reload();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      // The link has been used.
      await page.goto("about:blank");
      await page.goto(local(used));
      await page.getByRole("alert").waitFor();
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
    },
  );

  visit("an unknown address gets the same answer", on({ options: PHONE }), async (page) => {
    for (const address of ["nobody@waygate-test.org", email]) {
      await page.goto(at("console"));
      await page.getByLabel("E-mail address").fill(address);
      await page.getByRole("button", { name: "E-mail me a sign-in link" }).click();
      await page.getByRole("heading", { name: "Look into your mail" }).waitFor();
      assert.match(await page.locator("main").innerText(), /If there is an account/);
    }
  });

  visit("the playground calls, and usage moves", on({ refusals: [401] }), async (page) => {
    await signIn(page, await mailed(email, SIGN_IN_LINK, { after: used }));
    assert.match(await page.locator("#usage").innerText(), /No calls in this month/);
    const play = page.locator("#playground");
    await play.getByLabel("API key").fill(key);

    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText("200 OK").waitFor();
    assert.match(await play.locator(".answer pre").innerText(), /"state": "verified"/);

    await play.getByLabel("Call").selectOption({ label: "A route (1 unit)" });
    assert.match(await play.locator("pre").first().innerText(), /curl -s -X POST[\s\S]*\$API_KEY/);
    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText(/"trip"/).waitFor();
    assert.match(await play.locator(".answer").innerText(), /x-svc-quota-units\s+1/i);
    assert.match(await play.locator(".status").innerText(), /200 OK in \d+ ms/);

    await play.getByLabel("Body (JSON)").fill("{");
    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText("This is not JSON.").waitFor();

    await play.getByLabel("Call").selectOption({ label: "A vector tile (1 unit)" });
    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText(/not shown as text/).waitFor();

    await play.getByLabel("Path").fill("https://elsewhere.example/");
    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText("This is no path of this server.").waitFor();

    await play.getByLabel("API key").fill("wg_no");
    await play.getByLabel("Call").selectOption({ index: 0 });
    await play.getByRole("button", { name: "Send" }).click();
    await play.getByText("401 Unauthorized").waitFor();

    await until(async () => {
      await page.reload();
      await page.locator("#usage .sums").waitFor();
      const sums = await page.locator("#usage .sums").innerText();
      // The account is asked for before the usage is, and may be a flush older.
      const meter = await page.locator(".meter").first().innerText();
      return sums === "2 units in 2 calls." && /^2 of 50,000 units/.test(meter);
    }, "two calls are in the usage");
    assert.match(await page.locator("#usage").innerText(), /POST \/route\s+standard\s+1\s+1/);
    await page.locator(".chart rect").first().waitFor();
    assert.match(
      await page.locator(".chart svg").getAttribute("aria-label"),
      /: 2 in all, most on .* with 2\./,
    );
    assert.ok(!(await page.content()).includes(key), "the key is forgotten");

    // A session that has ended leads back to the form, and says why.
    await page.evaluate(() => sessionStorage.setItem("waygate.session", "x".repeat(43)));
    await page.reload();
    await page.getByRole("heading", { name: "You were signed out" }).waitFor();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
  });

  const paying = on({ options: PHONE });
  const buys = SECRET && ADMIN_TOKEN ? visit : () => undefined;
  buys("credit is bought and arrives", paying, async (page, { foreign }) => {
    const before = await mailed(email, SIGN_IN_LINK);
    await api("POST", "v1/console/signin", { body: { email } });
    await signIn(page, await mailed(email, SIGN_IN_LINK, { after: before }));
    const credit = page.locator("#credit");
    await credit.getByLabel("Amount in pounds").fill("3.999");
    await credit.getByRole("button", { name: "Buy credit" }).click();
    await credit.getByText(/Write an amount from £5.00/).waitFor();
    await credit.getByRole("button", { name: "£25.00" }).click();

    // What stands where the processor's page is, in a test.
    await page.route(
      (url) => !url.href.startsWith(BASE),
      (route) => route.fulfill({ contentType: "text/html", body: "<title>Till</title>" }),
    );
    const [asked] = await Promise.all([
      page.waitForRequest((request) => request.url().endsWith("/v1/console/checkout")),
      page.waitForURL((url) => !url.href.startsWith(BASE)),
      credit.getByRole("button", { name: "Buy credit" }).click(),
    ]);
    assert.deepEqual(asked.postDataJSON(), { pence: 2500 });
    assert.equal(await page.title(), "Till");
    foreign.length = 0;

    await page.goto(at("console?checkout=done"));
    await page.getByRole("heading", { name: "Thank you for your payment" }).waitFor();
    await pay(email, 2500);
    await page.getByText("Your balance is £25.00.", { exact: true }).waitFor();
    assert.equal(page.url(), at("console"));
    const history = page.getByRole("region", { name: "History of credit" });
    assert.match(await history.innerText(), /stripe[\s\S]*£25\.00/);
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
  });

  async function signIn(page, link) {
    await page.goto(local(link));
    await page.getByText(email).waitFor();
    await page.locator("#playground form").waitFor();
    await page.locator("#usage .sums").waitFor();
  }
});

/** Tells the server, signed, that a checkout of the account was paid. */
async function pay(email, pence) {
  const token = ADMIN_TOKEN;
  const { body } = await api("GET", `admin/identities/${encodeURIComponent(email)}`, { token });
  const id = body.identity.id;
  const event = JSON.stringify({
    id: `evt_${randomBytes(8).toString("hex")}`,
    object: "event",
    api_version: "2020-08-27",
    created: Math.floor(Date.now() / 1000),
    type: "checkout.session.completed",
    data: {
      object: {
        id: `cs_test_${randomBytes(8).toString("hex")}`,
        object: "checkout.session",
        mode: "payment",
        status: "complete",
        payment_status: "paid",
        currency: "gbp",
        amount_subtotal: pence,
        amount_total: pence,
        client_reference_id: id,
        customer: null,
        metadata: { identity_id: id, pence: String(pence) },
      },
    },
  });
  const when = Math.floor(Date.now() / 1000);
  const signature = createHmac("sha256", SECRET).update(`${when}.${event}`).digest("hex");
  const answer = await fetch(at("v1/stripe/webhook"), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "Stripe-Signature": `t=${when},v1=${signature}`,
    },
    body: event,
  });
  assert.equal(answer.status, 200, await answer.text());
}
