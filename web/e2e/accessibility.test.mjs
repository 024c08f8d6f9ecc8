// Every page in every state that a person brings it to, looked at by axe-core and beyond it: on a
// desktop and a phone, in light and dark, with more space between letters, in forced colours, and
// in a window as narrow as one at four times the size. make soak does this; make test looks at each page once, see
// pages.test.mjs, and make soak at the end of every other visit too.
//
//   WAYGATE_URL  base address of a server with the sample county; without it all is skipped
//   ADMIN_TOKEN  the operator's token, for keys and the admin page
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
import assert from "node:assert/strict";
import { after, before, describe } from "node:test";
import { beyondTheEdge, cutBySpacing, NARROW, unmarked } from "./adapted.mjs";
import { faults } from "./axe.mjs";
import {
  ADMIN_TOKEN,
  api,
  at,
  BASE,
  COARSE,
  DAY,
  launch,
  PHONE,
  SOAK,
  until,
  visit,
} from "./browser.mjs";
import { follow, settled } from "./map.mjs";

const WAY = "p=-7.2853,49.3286;-7.0715,49.3629";
const FORMS = {
  desktop: { ...DAY, ...COARSE },
  phone: { ...PHONE, ...COARSE },
  narrow: { ...NARROW, ...COARSE },
};

/** What a task of the explorer needs in its link to have an answer. */
const ASKED = {
  transit: `${WAY}&depart=2099-06-01T09:05&walk=5000`,
  search: "q=high",
  errands: `${WAY}&errands=pharmacy`,
  view: "p=-7.2853,49.3286",
  verify: "text=Meet%20at%20Stannerford%20Guildhall%2C%20then%20at%20the%20Blue%20Moon%20Inn.",
  trace: "p=-7.2853,49.3286;-7.2836,49.3281;-7.2801,49.3277;-7.2767,49.3271",
};

const server = BASE && ADMIN_TOKEN;
const skip = SOAK ? (server ? false : "no server") : "make soak has it (WAYGATE_SOAK=true)";

describe("accessibility", { skip }, () => {
  let browser;
  let key;
  let points;
  before(async () => {
    browser = await launch({ drawing: true });
    const body = { name: "accessibility", monthly_quota: 100_000, rate_per_min: 10_000 };
    key = (await api("POST", "admin/keys", { token: ADMIN_TOKEN, body })).body.key;
    const { examples } = (await api("GET", "explorer.json")).body;
    points = [...new Set(examples.flatMap((one) => one.points).map(String))].map((text) =>
      text.split(",").map(Number),
    );
  });
  after(() => browser?.close());

  /** A visit in each form; look(state) looks at what stands. */
  function states(name, body, refusals = []) {
    for (const [form, options] of Object.entries(FORMS)) {
      visit(
        `${name} by ${form}`,
        { browser: () => browser, options, refusals },
        async (page, site) => {
          const found = [];
          const look = async (state) => {
            const seen =
              form === "narrow"
                ? await beyondTheEdge(page)
                : [
                    ...(await faults(page, { both: true })),
                    ...(await cutBySpacing(page)),
                    ...(await unmarked(page)),
                  ];
            found.push(...seen.map((one) => `${state}: ${one}`));
          };
          await body(page, { ...site, look, phone: form !== "desktop" });
          assert.deepEqual(found, []);
        },
      );
    }
  }

  /** Opens every fold below an element, and those inside. */
  async function unfold(page, within) {
    const closed = page.locator(`${within} details:not([open]) > summary:visible`);
    let folds = 0;
    for (; folds < 100 && (await closed.count()) > 0; folds++) {
      await closed.first().press("Enter");
      await page.waitForTimeout(50);
    }
    return folds;
  }

  states(
    "each task of the explorer",
    async (page, { look }) => {
      await follow(page, "#map=0/0/0");
      const tasks = await page
        .locator("input[name=task]")
        .evaluateAll((all) => all.map(({ value }) => value));
      assert.ok(tasks.length > 20, tasks.join());
      for (const task of tasks) {
        await follow(page, `#${ASKED[task] ?? WAY}&do=${task}`);
        await look(task);
      }
    },
    [400, 401, 404, 501],
  );

  states(
    "what opens in the explorer",
    async (page, { look, phone }) => {
      const button = (name) => page.getByRole("button", { name, exact: true });
      /** Opens something, looks at it and closes it. */
      const opened = async (name, open = button(name)) => {
        await open.press("Enter");
        await look(name);
        await page.keyboard.press("Escape");
      };
      await follow(page, "");
      await look("first screen");
      await opened("Pages");
      await opened("Layers");
      await opened("Settings");
      await opened("Examples");
      await page.locator(".key-panel summary").press("Enter");
      await look("key");
      const box = page.getByRole("combobox", { name: /^Search places/ });
      await box.fill("stannerford");
      await page.locator(".suggestions [role=option]").first().waitFor();
      await box.press("ArrowDown");
      await look("suggestions");
      await box.press("Enter");
      await page.getByRole("region", { name: "Place" }).getByRole("heading").waitFor();
      await settled(page);
      await look("card");
      await page.locator(".maplibregl-canvas").focus();
      await page.keyboard.press("Shift+F10");
      await page.locator(".menu .facts").waitFor();
      await settled(page);
      await look("menu of the map");
      await page.getByRole("menuitem", { name: "Keep what is here" }).press("Enter");
      await look("what is here");

      await follow(page, `#${WAY}&by=truck&use_highways=0&open=options`);
      await page.locator(".step").first().waitFor();
      await page.getByText("More settings").press("Enter");
      await look("options of a lorry");
      await unfold(page, ".result");
      await button("Why this way?").press("Enter");
      await page.locator(".reasons .notice").waitFor();
      await settled(page);
      await look("route with all folds open");
      await button("Play the route").press("Enter");
      await look("played");
      await button("End").press("Enter");
      for (const tab of phone ? [] : ["request", "response", "curl", "compatible"]) {
        await page.locator(`#tab-${tab}`).press("Enter");
        await page.locator("#tab-body pre").waitFor();
        await look(`workbench, ${tab}`);
      }
      await follow(page, "#p=-8.1,48.6;-7.0715,49.3629");
      await page.getByRole("alert").first().waitFor();
      await look("refused");
    },
    [400, 404, 501],
  );

  states("the planner", async (page, { look, phone }) => {
    const tab = (name) => page.getByRole("radio", { name, exact: true }).check({ force: true });
    const press = (name) => page.getByRole("button", { name }).last().press("Enter");
    await page.addInitScript((held) => sessionStorage.setItem("waygate.key", held), key);
    await page.goto(at("planner"));
    await page.locator(".drop").first().waitFor();
    await look("empty");
    const rows = points.slice(1, 7).map(([lon, lat], i) => `Customer ${i},${lat},${lon},5`);
    const table = ["name,lat,lon,minutes", ...rows, "Lost,,,5"].join("\n");
    await page.getByLabel("A table of stops").fill(table);
    await press("Read it");
    await page.getByRole("button", { name: "Take these stops" }).waitFor();
    await look("a table that was read");
    await press("Take these stops");
    await press(/^Customer 1/);
    await look("a stop that is edited");
    await tab("Vehicles");
    await look("no vehicle");
    await press("Add a vehicle");
    const [lon, lat] = points[0];
    const depot = page.getByLabel(/^(Starts|Depot|Start)/).first();
    await depot.fill(`${lat}, ${lon}`);
    await depot.press("Tab");
    await unfold(page, "#page");
    await look("a vehicle that is edited");
    await tab("Plan");
    await look("before it is solved");
    await press(/^Solve/);
    await page.locator(".plan-sum").waitFor();
    await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
    await look("solved");
    await unfold(page, "#page");
    await page.getByLabel("Name of the plan").fill("First");
    await press("Keep this plan");
    await page.getByRole("button", { name: "Open the plan First" }).waitFor();
    await page.getByRole("list", { name: "Jobs" }).waitFor();
    await look("kept and compared");
    await tab("Today");
    await look("a day that is not followed");
    await page.getByLabel("Name for the drivers").fill("Monday");
    await press("Make links for the drivers");
    await page.locator(".follow-rounds > li").waitFor();
    await page.getByText("Stops and arrivals").press("Enter");
    await look("published");
    await press(/^Copy the link of/);
    await page.locator("#live", { hasText: "Copied." }).waitFor({ state: "attached" });
    const driver = await page.evaluate(() => navigator.clipboard.readText());
    await press(/^Copy the arrival of/);
    const arrival = await until(async () => {
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      return copied !== driver && copied;
    }, "the arrival's link is copied");
    if (!phone) await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(driver);
    await page.locator(".stop-card").waitFor();
    await look("a driver's round");
    await page.getByRole("button", { name: "Done", exact: true }).press("Enter");
    await page.locator("details.done").waitFor();
    await page.locator("details.done > summary").press("Enter");
    await look("a round that has begun");
    await page.goto(arrival);
    await page.getByText("Expected at about", { exact: true }).waitFor(); // of the last stop
    await look("an arrival");
  });

  states(
    "the other pages",
    async (page, { look }) => {
      await page.addInitScript(
        ([held, token]) => {
          if (location.protocol === "about:") return; // it has no storage
          sessionStorage.setItem("waygate.key", held);
          sessionStorage.setItem("waygate.admin", token);
        },
        [key, ADMIN_TOKEN],
      );
      for (const [path, wait] of [
        ["themes", "input[type=color]"],
        ["static-maps", ".image-made :is(img:not([hidden]), [role=alert])"],
        ["welcome", ".answered"],
        ["downloads", ".notice, .signature"],
        ["terms", "main p"],
        ["driver#unknown", "[role=alert], .notice"],
        ["arrival#unknown", "[role=alert], .notice"],
        ["reference#post-isochrone", ".opblock.is-open .opblock-body"],
        ...["", "#keys", "#issues", "#retros", "#identities", "#feeds", "#routes"].map((view) => [
          `admin${view}`,
          ".content h2",
        ]),
        ["keys", "form"],
      ]) {
        await page.goto("about:blank");
        await page.goto(at(path));
        await page.locator(wait).first().waitFor();
        await look(path);
        if (path.startsWith("reference") || (await unfold(page, "main")) === 0) continue;
        await look(`${path} unfolded`);
      }
    },
    [400, 401, 404, 429, 501, 503],
  );
});
