// Draws the pictures of the README into docs/images.
//
//   WAYGATE_URL  base address of a server with the sample county (make run)
//   ADMIN_TOKEN  the operator's token, for a key that plans
//   CHROMIUM     the browser's executable, by default /usr/bin/chromium
import { ADMIN_TOKEN, api, at, BASE, launch } from "./browser.mjs";
import { settled } from "./map.mjs";

const images = new URL("../../docs/images/", import.meta.url).pathname;
const browser = await launch({ drawing: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
page.setDefaultTimeout(300_000);

await page.goto(BASE);
await page.getByText("A lorry goes round the low bridge").first().click();
await page.locator(".progress.busy").waitFor({ state: "detached" });
await settled(page);
await page.screenshot({ path: `${images}explorer.png` });

const key = (
  await api("POST", "admin/keys", {
    token: ADMIN_TOKEN,
    body: { name: "pictures", monthly_quota: 100_000, rate_per_min: 10_000 },
  })
).body.key;
const { bounds } = (await api("GET", "explorer.json")).body;
const [west, south, east, north] = bounds;

/** Numbers from 0 to 1 that look drawn by lot and are the same each time. */
function* numbers() {
  for (let seed = 7; ; seed = (seed * 48271) % 2147483647) yield seed / 2147483647;
}
const lot = numbers();
const next = () => lot.next().value;
const rows = ["name,lat,lon,from,to,minutes,parcels"];
while (rows.length <= 24) {
  const point = { lat: south + next() * (north - south), lon: west + next() * (east - west) };
  const query = new URLSearchParams({ ...point, kinds: "address,street", limit: 1 });
  const [hit] = (await api("GET", `geocode/reverse?${query}`, { token: key })).body.features;
  if (!hit) continue;
  const [lon, lat] = hit.geometry.coordinates;
  const hour = 8 + Math.floor(next() * 6);
  rows.push(
    `${hit.properties.name},${lat},${lon},${hour}:00,${hour + 4}:00,5,${1 + Math.floor(next() * 4)}`,
  );
}
await page.addInitScript((held) => sessionStorage.setItem("waygate.key", held), key);
await page.goto(at("planner"));
await page.locator(".drop").first().waitFor();
await page.getByLabel("A table of stops").fill(rows.join("\n"));
await page.getByRole("button", { name: "Read it" }).click();
await page.getByRole("button", { name: "Take these stops" }).click();
const depot = rows[1].split(",");
await page.evaluate(
  ([lat, lon]) => {
    const kept = JSON.parse(localStorage.getItem("waygate.planner"));
    kept.vehicles = ["North", "South", "East"].map((id) => ({
      id,
      name: id,
      start: [lon, lat],
      end: [lon, lat],
      from: 8 * 3600,
      to: 18 * 3600,
      capacity: [24],
    }));
    localStorage.setItem("waygate.planner", JSON.stringify(kept));
  },
  [Number(depot[1]), Number(depot[2])],
);
await page.reload();
await page.getByRole("radio", { name: "Plan", exact: true }).check({ force: true });
await page.getByRole("button", { name: "Solve" }).click();
await page.locator(".plan-sum").waitFor();
await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
await page.waitForTimeout(3000); // the map follows the plan
await page.screenshot({ path: `${images}planner.png` });
await browser.close();
