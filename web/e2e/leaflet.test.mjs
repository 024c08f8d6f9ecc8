// Leaflet Routing Machine, an OSRM client that many sites use, on a page of
// another origin: it must draw our route and list our steps without knowing
// that we are no OSRM. WAYGATE_URL is the gateway's address.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BASE, VISIT_MS } from "./browser.mjs";
import { foreign } from "./foreign.mjs";

const FILES = {
  "/leaflet.js": "leaflet/dist/leaflet.js",
  "/leaflet.css": "leaflet/dist/leaflet.css",
  "/machine.js": "leaflet-routing-machine/dist/leaflet-routing-machine.js",
  "/machine.css": "leaflet-routing-machine/dist/leaflet-routing-machine.css",
};

const PAGE = `<!doctype html>
<html lang="en"><title>A page that is not ours</title>
<link rel="icon" href="data:,"><link rel="stylesheet" href="leaflet.css"><link rel="stylesheet" href="machine.css">
<div id="map" style="width: 900px; height: 700px"></div>
<script src="leaflet.js"></script><script src="machine.js"></script></html>`;

describe("Leaflet Routing Machine", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  const site = foreign({ html: PAGE, files: FILES });

  /** Starts the machine between points; gives what it found or its error. */
  function routed(page, points, profile) {
    return page.evaluate(
      ([serviceUrl, waypoints, way]) => {
        const { L } = window;
        window.drawn?.remove(); // the map of the route before
        const map = (window.drawn = L.map("map", { zoomAnimation: false, fadeAnimation: false }));
        const control = L.Routing.control({
          waypoints: waypoints.map(([lon, lat]) => L.latLng(lat, lon)),
          router: L.Routing.osrmv1({ serviceUrl, profile: way, suppressDemoServerWarning: true }),
          showAlternatives: true,
        });
        return new Promise((resolve) => {
          control.on("routesfound", ({ routes }) => resolve({ routes }));
          control.on("routingerror", ({ error }) => resolve({ error }));
          control.addTo(map);
        });
      },
      [`${BASE}route/v1`, points, profile],
    );
  }

  test("draws the route and lists its steps", { timeout: VISIT_MS }, async () => {
    const found = site.examples.filter(({ adr }) => !adr);
    assert.ok(found.length > 3);
    await site.visit(async (page, errors) => {
      for (const { title, costing, points } of found) {
        const profile = { auto: "driving", pedestrian: "walking", bicycle: "cycling" }[costing];
        const [answer, { routes, error }] = await Promise.all([
          page.waitForResponse((response) => response.url().startsWith(`${BASE}route/v1`)),
          routed(page, points, profile ?? costing),
        ]);
        assert.equal(error, undefined, `${title}: ${JSON.stringify(error)}`);
        const ours = await answer.json();
        assert.equal(routes.length, ours.routes.length, title);
        for (const [i, route] of routes.entries()) {
          const steps = ours.routes[i].legs.flatMap((leg) => leg.steps);
          assert.equal(route.instructions.length, steps.length, `${title}, route ${i}`);
          for (const { text } of route.instructions) {
            assert.ok(text && !/undefined|null|NaN|\{/.test(text), `${title}: "${text}"`);
          }
          assert.ok(Math.abs(route.summary.totalDistance - ours.routes[i].distance) < 1);
          assert.ok(route.coordinates.length > 10);
        }
        const shown = page.locator(".leaflet-routing-alt:not(.leaflet-routing-alt-minimized)");
        await shown.first().waitFor();
        assert.equal(await shown.locator("tbody tr").count(), routes[0].instructions.length);
        // The longest line: short ones lead from the points to the road.
        const longest = await page.locator(".leaflet-overlay-pane path").evaluateAll((lines) => {
          const boxes = lines.map((line) => line.getBoundingClientRect());
          return Math.max(...boxes.map(({ width, height }) => Math.hypot(width, height)));
        });
        assert.ok(longest > 200, `${title}: the longest line has ${longest} px`);
        assert.deepEqual(errors, [], title);
      }
    });
  });

  test("stops on the way", { timeout: VISIT_MS }, async () => {
    const [{ points }] = site.examples;
    const via = site.examples.find(({ costing }) => costing === "truck").points;
    await site.visit(async (page, errors) => {
      const { routes, error } = await routed(page, [points[0], via[1], points[1]], "driving");
      assert.equal(error, undefined, JSON.stringify(error));
      assert.equal(routes[0].waypoints.length, 3);
      assert.equal(routes[0].waypointIndices.length, 3);
      assert.deepEqual(errors, []);
    });
  });

  test("hears that there is no route", { timeout: VISIT_MS }, async () => {
    const [{ points }] = site.examples;
    await site.visit(async (page) => {
      const { error } = await routed(
        page,
        [points[0], [points[0][0] - 3, points[0][1]]],
        "driving",
      );
      assert.match(error.message, /HTTP request failed/); // all it tells of any failure
    });
  });
});
