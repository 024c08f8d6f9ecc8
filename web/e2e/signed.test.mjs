// A page of another origin shows a map of the gateway with MapLibre and without a key: its
// server has signed the address of the style. WAYGATE_URL is the gateway's address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, BASE, VISIT_MS } from "./browser.mjs";
import { foreign } from "./foreign.mjs";

const html = `<!doctype html>
<meta charset="utf-8"><title>Signed</title>
<link rel="stylesheet" href="/maplibre-gl.css">
<div id="map" style="width:600px;height:400px"></div>
<script type="module">
  import * as maplibregl from "/maplibre-gl.mjs";
  maplibregl.setWorkerUrl("/maplibre-gl-worker.mjs");
  window.show = (style) =>
    new Promise((done, fail) => {
      const map = new maplibregl.Map({ container: "map", style });
      map.on("error", ({ error }) => fail(error));
      map.once("idle", () => done(map.queryRenderedFeatures().length));
    });
  window.ready = true;
</script>`;

const parts = [
  "maplibre-gl.mjs",
  "maplibre-gl-shared.mjs",
  "maplibre-gl-worker.mjs",
  "maplibre-gl.css",
];
const site = foreign({
  html,
  files: Object.fromEntries(parts.map((name) => [`/${name}`, `maplibre-gl/dist/${name}`])),
  drawing: true,
});

test(
  "a map without a key in its page",
  { skip: BASE ? false : "WAYGATE_URL is not set", timeout: VISIT_MS },
  async () => {
    const { territory } = (await api("GET", "explorer.json")).body;
    const made = await api("POST", "v1/keys", {
      body: { email: "signed@waygate-test.org", accept_tos: true },
    });
    assert.equal(made.status, 201, JSON.stringify(made.body));
    const { key, key_id: id } = made.body;
    await site.visit(async (page, errors) => {
      const sign = async (path, origin) => {
        const signed = await api("POST", "v1/signed-addresses", {
          token: key,
          body: { path, origin, expires_in_s: 600 },
        });
        assert.equal(signed.status, 201, JSON.stringify(signed.body));
        return signed.body.address;
      };
      await page.waitForFunction("window.ready");
      const asked = [];
      page.on("request", (r) => asked.push(r.url()));
      for (const path of [
        `/styles/light?territory=${territory}`,
        `/tiles/${territory}/style.json`,
      ]) {
        asked.length = 0;
        const seen = await page.evaluate(
          (style) => window.show(style),
          await sign(path, new URL(page.url()).origin),
        );
        assert.ok(seen > 10, `${path}: ${seen} features`);
        const tiles = asked.filter(
          (address) => address.includes("/tiles/") && address.includes(".mvt"),
        );
        assert.ok(tiles.length > 0, path);
        for (const address of tiles) assert.match(address, /\/signed\/[\w-]+\/tiles\//);
        for (const address of asked)
          assert.ok(!address.includes(key) && !address.includes(id), address);
      }
      assert.deepEqual(errors, []);
      // The address of somebody else's page opens nothing here.
      const elsewhere = await sign(
        `/styles/light?territory=${territory}`,
        "https://elsewhere.example",
      );
      const refused = await page.evaluate(
        async (a) => (await (await fetch(a)).json()).type,
        elsewhere,
      );
      assert.match(refused, /origin-not-allowed/);
    });
  },
);
