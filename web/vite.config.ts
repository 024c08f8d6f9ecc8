import { defineConfig } from "vitest/config";

export default defineConfig({
  // Relative addresses, so that the page also works below a path prefix of a
  // reverse proxy.
  base: "./",
  publicDir: false,
  build: {
    target: ["chrome123", "firefox121", "safari17.5"],
    // The polyfill is an extra script for browsers older than the target.
    modulePreload: { polyfill: false },
    // Every asset is a file: nothing to allow as data: in script or font rules.
    assetsInlineLimit: 0,
    // maplibre-gl alone is over 1 MB before compression, in a chunk of its own.
    chunkSizeWarningLimit: 1500,
    emptyOutDir: false,
  },
  server: {
    proxy: process.env["WAYGATE_URL"]
      ? Object.fromEntries(
          ["/explorer.json", "/route", "/tiles", "/fonts", "/sprite", "/styles"].map((path) => [
            path,
            process.env["WAYGATE_URL"]!,
          ]),
        )
      : {},
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
});
