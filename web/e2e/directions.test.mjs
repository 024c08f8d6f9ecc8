// maplibre-gl-directions, the routing plug-in of MapLibre's own community, on a
// page of another origin: it must draw our routes, alternatives and congestion
// included where it asks for them, without knowing that we are no OSRM.
// WAYGATE_URL is the gateway's address.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before, describe, test } from "node:test";
import { chromium } from "playwright-core";

const BASE = process.env.WAYGATE_URL?.replace(/\/*$/, "/");
const TIMEOUT_MS = 60_000;

const FILES = {
  "/maplibre-gl.mjs": "maplibre-gl/dist/maplibre-gl.mjs",
  "/maplibre-gl-shared.mjs": "maplibre-gl/dist/maplibre-gl-shared.mjs",
  "/maplibre-gl-worker.mjs": "maplibre-gl/dist/maplibre-gl-worker.mjs",
  "/directions.js": "@maplibre/maplibre-gl-directions/dist/maplibre-gl-directions.js",
};

const PAGE = `<!doctype html>
<html lang="en"><title>A page that is not ours</title><link rel="icon" href="data:,">
<div id="map" style="width: 900px; height: 700px"></div>
<script type="module">
  import { Map, setWorkerUrl } from "./maplibre-gl.mjs";
  import Directions from "./directions.js";
  setWorkerUrl(new URL("maplibre-gl-worker.mjs", location.href).href);
  const map = new Map({ container: "map", center: [0, 0], zoom: 9, style: { version: 8, sources: {}, layers: [] } });
  map.on("load", () => Object.assign(window, { map, Directions, loaded: true }));
</script></html>`;

describe("maplibre-gl-directions", { skip: BASE ? false : "WAYGATE_URL is not set" }, () => {
  let browser;
  let server;
  let examples;

  before(async () => {
    ({ examples } = await (await fetch(new URL("explorer.json", BASE))).json());
    server = createServer(async (request, response) => {
      const file = FILES[request.url];
      if (request.url === "/") return response.setHeader("Content-Type", "text/html").end(PAGE);
      if (!file) return response.writeHead(204).end();
      const data = await readFile(new URL(`../node_modules/${file}`, import.meta.url));
      return response.setHeader("Content-Type", "text/javascript").end(data);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
      args: [
        "--no-sandbox",
        "--use-angle=swiftshader",
        "--enable-unsafe-swiftshader",
        "--ignore-gpu-blocklist",
      ],
    });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  test("draws what it asked for", { timeout: 180_000 }, async () => {
    const found = examples.filter(({ adr, costing }) => !adr && costing === "auto");
    assert.ok(found.length > 0);
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction(() => window.loaded);
    for (const requestOptions of [
      {},
      { alternatives: "3", geometries: "polyline6", overview: "full" },
      { annotations: "congestion", steps: "true", geometries: "polyline6" },
    ]) {
      for (const { title, points } of found.slice(0, 3)) {
        const drawn = await page.evaluate(
          async ([api, options, waypoints]) => {
            const directions = new window.Directions(window.map, {
              api,
              profile: "driving",
              requestOptions: options,
            });
            let answer;
            directions.on("fetchroutesend", ({ data }) => (answer = data.directions));
            let failure;
            await directions.setWaypoints(waypoints).catch((error) => (failure = String(error)));
            const { features } = await window.map.getSource("maplibre-gl-directions").getData();
            directions.destroy();
            return { answer, failure, features };
          },
          [`${BASE}route/v1`, requestOptions, points],
        );
        const what = `${title}, ${JSON.stringify(requestOptions)}`;
        assert.equal(drawn.failure, undefined, what);
        assert.equal(drawn.answer.code, "Ok", what);
        const count = (type) =>
          drawn.features.filter(({ properties }) => properties.type === type).length;
        assert.equal(count("WAYPOINT"), points.length, what);
        assert.equal(count("SNAPPOINT"), points.length, what);
        const lines = drawn.features.filter(({ geometry }) => geometry.type === "LineString");
        const longest = Math.max(...lines.map(({ geometry }) => geometry.coordinates.length));
        assert.ok(longest > 4, `${what}: the longest line has ${longest} points`);
        const routes = new Set(
          lines.map(({ properties }) => properties.routeIndex).filter((i) => i !== undefined),
        );
        assert.equal(routes.size, drawn.answer.routes.length, what);
      }
    }
    await page.close();
    assert.deepEqual(errors, []);
  });
});
