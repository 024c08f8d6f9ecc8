import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";
import { PAGES, shell } from "./shell.ts";

/** What vite's own server leaves to a running gateway. */
const SERVED = [
  "/explorer.json",
  "/route",
  "/matrix",
  "/optimise",
  "/isochrone",
  "/centroid",
  "/elevation",
  "/timezone",
  "/boundary",
  "/geocode",
  "/tiles",
  "/fonts",
  "/sprite",
  "/styles",
  "/pointclouds",
  "/signed",
  "/territories",
  "/api/",
  "/v1/",
  "/admin/",
  "/openapi.json",
  "/llms.txt",
  "/terms",
];

/** Packs large scripts and styles with Brotli, as the server gives them to browsers. */
function packed(): Plugin {
  return {
    name: "packed",
    apply: "build",
    writeBundle({ dir = "" }, bundle) {
      for (const [name, part] of Object.entries(bundle)) {
        const text = part.type === "chunk" ? part.code : part.source;
        if (!/\.(js|css)$/.test(name) || text.length < 4096) continue;
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(text));
      }
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the page also works below a path prefix of a
  // reverse proxy.
  base: "./",
  publicDir: false,
  plugins: [shell(), packed()],
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    // The polyfill is an extra script for browsers older than the target.
    modulePreload: { polyfill: false },
    // Every asset is a file: nothing to allow as data: in script or font rules.
    assetsInlineLimit: 0,
    // maplibre-gl and the viewer of the reference are over 1 MB each before compression, in
    // chunks of their own that only the pages load which need them.
    chunkSizeWarningLimit: 2000,
    emptyOutDir: false,
    rollupOptions: {
      input: ["index.html", "static-map.html", ...Object.values(PAGES)],
      checks: { pluginTimings: false }, // says that a slow machine is slow
    },
  },
  server: {
    proxy: process.env["WAYGATE_URL"]
      ? Object.fromEntries(SERVED.map((path) => [path, process.env["WAYGATE_URL"]!]))
      : {},
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
