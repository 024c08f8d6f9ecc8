import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
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

/** What the code of the map imports its worker by. */
const MAP_WORKER = "maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url";

/**
 * Builds MapLibre and its worker from the sources of its package, so that both import one chunk
 * of what they share: its ready files each have a copy, a quarter of the first screen's scripts.
 */
function sharedWorker(): Plugin {
  const sources = new URL("./node_modules/maplibre-gl/src/", import.meta.url).pathname;
  const id = "\0map-worker";
  return {
    name: "shared-worker",
    apply: "build",
    enforce: "pre",
    resolveId(source) {
      if (source === MAP_WORKER) return id;
      return source === "maplibre-gl" ? join(sources, "index.ts") : null;
    },
    load(loaded) {
      if (loaded !== id) return null;
      const worker = this.emitFile({
        type: "chunk",
        id: join(sources, "source/worker.ts"),
        name: "map-worker",
      });
      return `export default import.meta.ROLLUP_FILE_URL_${worker};`;
    },
  };
}

/** The service worker of the driver's page, as the server gives it at the root. */
const DRIVER_WORKER = "driver-worker.js";

/** Writes into the worker of the driver's page what it keeps: all that the page loads. */
function driverWorker(): Plugin {
  return {
    name: "driver-worker",
    apply: "build",
    buildStart() {
      const id = new URL("./src/driver/worker.ts", import.meta.url).pathname;
      this.emitFile({ type: "chunk", id, fileName: DRIVER_WORKER });
    },
    writeBundle({ dir = "" }, bundle) {
      const page = readFileSync(join(dir, PAGES["/driver"]!), "utf8");
      const files = new Set<string>();
      const take = (file: string): void => {
        const part = bundle[file];
        if (!part || files.has(file)) return;
        files.add(file);
        if (part.type !== "chunk") return;
        [...part.imports, ...part.dynamicImports].forEach(take);
        part.viteMetadata?.importedCss.forEach(take);
      };
      // The entry first: by it the worker sees that the page is of its version.
      const named = [...page.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(
        ([, file]) => file!,
      );
      named.toSorted((a, b) => Number(b.endsWith(".js")) - Number(a.endsWith(".js"))).forEach(take);
      const code = readFileSync(join(dir, DRIVER_WORKER), "utf8");
      const version = createHash("sha256").update(page).update(code).update([...files].join()).digest("hex").slice(0, 12); // prettier-ignore
      const kept = `const DRIVER_FILES=${JSON.stringify({ version, files: [...files] })};`;
      writeFileSync(join(dir, DRIVER_WORKER), kept + code);
    },
  };
}

export default defineConfig({
  // Relative addresses, so that the page also works below a path prefix of a
  // reverse proxy.
  base: "./",
  publicDir: false,
  plugins: [sharedWorker(), shell(), driverWorker(), packed()],
  // MapLibre's sources declare the types of inherited fields, which must not be set anew.
  oxc: {
    assumptions: { setPublicClassFields: true },
    typescript: { removeClassFieldsWithoutInitializer: true },
  },
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
