// What tests of the map share: where it looks, and when it has settled.
import assert from "node:assert/strict";
import { BASE } from "./browser.mjs";

/** A link to an empty plan that shows the whole map. */
export const NOTHING = "#map=0/0/0";

/**
 * Opens a link. A page that is open already is moved by it, as it is for whoever
 * pastes one into the address bar, and is loaded anew only without a fragment.
 */
export async function follow(page, fragment) {
  await page.goto(BASE + fragment);
  await settled(page);
}

/** Zoom, latitude and longitude of the map, from the link. */
export async function mapOf(page) {
  const hash = await page.evaluate(() => location.hash);
  return new URLSearchParams(hash.slice(1)).get("map").split("/").map(Number);
}

/**
 * Waits until the map stands still and all of it is drawn, nothing is waited for,
 * and the page has written its address: only then does its entry of the history
 * have a state, also where a link was opened on a page that was there before.
 */
export async function settled(page) {
  await page.waitForFunction(
    () =>
      history.state !== null &&
      document.querySelector("#map[data-idle]") !== null &&
      document.querySelector(".progress.busy") === null,
  );
}

/** Where a place is on the page, from the map's position in the link. */
export async function project(page, [lon, lat]) {
  await settled(page);
  const [zoom, centreLat, centreLon] = await mapOf(page);
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
