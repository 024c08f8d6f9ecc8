// What tests of the map share: where it looks, and when it has settled.
import assert from "node:assert/strict";

/** Zoom, latitude and longitude of the map, from the link. */
export function mapOf(page) {
  const text = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("map");
  return text.split("/").map(Number);
}

/** Waits for the map to be drawn and to have written its position. */
export async function mapReady(page) {
  await page.locator(".maplibregl-canvas").waitFor();
  await page.waitForLoadState("networkidle");
  await settled(page);
}

/** Waits until neither the address nor the network changes for a while. */
export async function settled(page) {
  let before = "";
  for (let quiet = 0; quiet < 3;) {
    await page.waitForTimeout(120);
    const now = page.url() + (await page.locator(".progress.busy").count());
    quiet = now === before ? quiet + 1 : 0;
    before = now;
  }
}

/** Where a place is on the page, from the map's position in the link. */
export async function project(page, [lon, lat]) {
  await settled(page);
  const [zoom, centreLat, centreLon] = mapOf(page);
  const world = 512 * 2 ** zoom;
  const x = (at) => (world * (at + 180)) / 360;
  const y = (at) => (world * (1 - Math.asinh(Math.tan((at * Math.PI) / 180)) / Math.PI)) / 2;
  const { width, height } = page.viewportSize();
  const at = [width / 2 + x(lon) - x(centreLon), height / 2 + y(lat) - y(centreLat)];
  const over = await page.evaluate(([px, py]) => {
    return document.elementFromPoint(px, py)?.closest("#panel, #search") !== null;
  }, at);
  assert.ok(!over, `${lon},${lat} lies under the panel at ${at}`);
  return at;
}
