// maplibre-gl-directions, the routing plug-in of MapLibre's own community, on a
// page of another origin: it must draw our routes, alternatives and congestion
// included where it asks for them, without knowing that we are no OSRM.
// WAYGATE_URL is the gateway's address.

import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { BASE, VISIT_MS } from "./browser.mjs";
import { foreign } from "./foreign.mjs";

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
  const site = foreign({ html: PAGE, files: FILES, drawing: true });

  test("draws what it asked for", { timeout: VISIT_MS }, async () => {
    const found = site.examples.filter(({ adr, costing }) => !adr && costing === "auto");
    assert.ok(found.length > 0);
    await site.visit(async (page, errors) => {
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
      assert.deepEqual(errors, []);
    });
  });
});
