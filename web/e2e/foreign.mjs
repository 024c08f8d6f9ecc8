// A page of another origin with somebody else's script, as those have who use
// the gateway from a site of their own.
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { after, before } from "node:test";
import { BASE, launch, TIMEOUT_MS } from "./browser.mjs";

/**
 * Serves html and files of node_modules (the addresses on the page with their
 * places) to a browser while the tests around it run. What it gives has the
 * gateway's examples, and opens the page: visit(body) hands body the page
 * and what goes wrong on it. With drawing the browser draws WebGL.
 */
export function foreign({ html, files, drawing = false }) {
  const site = {};
  let browser;
  let server;

  before(async () => {
    site.examples = (await (await fetch(new URL("explorer.json", BASE))).json()).examples;
    server = createServer(async ({ url }, response) => {
      if (url === "/") return response.setHeader("Content-Type", "text/html").end(html);
      if (!files[url]) return response.writeHead(204).end(); // a script's pictures
      const type = url.endsWith(".css") ? "text/css" : "text/javascript";
      const data = await readFile(new URL(`../node_modules/${files[url]}`, import.meta.url));
      return response.setHeader("Content-Type", type).end(data);
    });
    await new Promise((listening) => server.listen(0, "127.0.0.1", listening));
    browser = await launch({ drawing });
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });

  site.visit = async (body) => {
    const page = await browser.newPage();
    page.setDefaultTimeout(TIMEOUT_MS);
    const errors = [];
    page.on("pageerror", (error) => errors.push(error.message));
    page.on("console", (message) => {
      if (message.type() === "error") errors.push(message.text());
    });
    try {
      await page.goto(`http://127.0.0.1:${server.address().port}/`);
      await body(page, errors);
    } finally {
      await page.close();
    }
  };
  return site;
}
