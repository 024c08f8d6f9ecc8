// What the tests of the pages share: a real Chromium, visits that notice what
// goes wrong on the side, and the mails that the server sent.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { faults } from "./axe.mjs";

/** Base address of the server, with a slash at its end. */
export const BASE = process.env.WAYGATE_URL?.replace(/\/*$/, "/");
export const ADMIN_TOKEN = process.env.ADMIN_TOKEN;
/** A file or an address whose text holds the mails that were sent, newest last. */
export const MAILS = process.env.MAILS;

export const DAY = { viewport: { width: 1180, height: 860 } };
export const NIGHT = { ...DAY, colorScheme: "dark" };
export const PHONE = {
  viewport: { width: 390, height: 844 },
  isMobile: true,
  hasTouch: true,
  deviceScaleFactor: 2,
};

/** Drawn coarsely and without motion, which is fast without a graphics card: for what looks at no pixels. */
export const COARSE = { deviceScaleFactor: 0.5, reducedMotion: "reduce" };

/** Whether everything is looked at, as make soak does, and not what every change needs. */
export const SOAK = Boolean(process.env.WAYGATE_SOAK);

/**
 * How long a page waits for what must come about, and a visit for all of it: so long that
 * a machine on which other programs compete for the processors makes them slow and not red.
 */
export const TIMEOUT_MS = 120_000;
export const VISIT_MS = 600_000;

/** What a browser needs to draw WebGL on a machine without a graphics card. */
const DRAWING = [
  "--use-angle=swiftshader",
  "--enable-unsafe-swiftshader",
  "--ignore-gpu-blocklist",
  "--disable-gpu-rasterization", // text and boxes are painted faster without that
];

export function launch({ drawing = false } = {}) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    timeout: TIMEOUT_MS,
    args: [
      "--no-sandbox",
      "--no-first-run",
      "--disable-quic",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...(drawing ? DRAWING : []),
    ],
  });
}

/** The server's address of a path. */
export function at(path) {
  return new URL(path, BASE).href;
}

/** Calls the API as a program does; gives status and parsed body. */
export async function api(method, path, { token, body } = {}) {
  const headers = { Accept: "application/json" };
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const response = await fetch(at(path), { method, headers, body: JSON.stringify(body) });
  const text = await response.text();
  let answer;
  try {
    answer = JSON.parse(text);
  } catch {
    answer = text;
  }
  return { status: response.status, body: answer };
}

/** Pages that are kept open from one visit to the next, by browser and options. */
const kept = new Map();

/** A page, and what goes wrong on its side. */
async function open(browser, options) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TIMEOUT_MS);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  const site = { page, errors: [], foreign: [], refusals: [] };
  context.on("weberror", (error) => site.errors.push(error.error().message));
  context.on("console", (message) => {
    const status = /status of (\d+)/.exec(message.text())?.[1];
    if (status && site.refusals.includes(Number(status))) return;
    if (message.type() === "error") site.errors.push(message.text());
  });
  context.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(BASE) && !/^(blob|data):/.test(url)) site.foreign.push(url);
  });
  return site;
}

/**
 * A test on a page, in which no script fails, nothing breaks the page's policy,
 * nothing comes from elsewhere, and what stands at its end can be read and has
 * names. refusals are the statuses that the test provokes; the browser logs
 * each. The page is the test's own; with keep all tests with the same options
 * have one in turn, with what its tab has stored: opening one is much of what a
 * test costs. A page on which something failed is not kept. With axe, and in make
 * soak, axe-core finds nothing wrong either, which takes a second.
 */
export function visit(
  name,
  { browser, options = DAY, refusals = [], keep = false, axe = SOAK },
  body,
) {
  test(name, { timeout: VISIT_MS }, async (t) => {
    const key = JSON.stringify(options);
    const site = kept.get(key) ?? (await open(browser(), options));
    const { page, errors, foreign } = Object.assign(site, { refusals });
    kept.delete(key);
    try {
      await body(page, { foreign, t });
      assert.deepEqual(errors, []);
      assert.deepEqual(foreign, []);
      assert.deepEqual(await page.evaluate(pale), [], "texts too pale to read");
      assert.deepEqual(await page.evaluate(nameless), [], "elements without a name");
      if (axe) assert.deepEqual(await faults(page, { both: SOAK }), [], "what axe-core finds");
      if (keep) kept.set(key, site);
    } finally {
      if (process.env.SHOTS) {
        const file = `${t.name.replaceAll(/[^\w]+/g, "-")}.png`;
        await page.screenshot({ path: `${process.env.SHOTS}/${file}`, fullPage: true });
      }
      if (!kept.has(key)) await page.context().close();
    }
  });
}

/** A visit that only make soak makes. */
export const seldom = SOAK
  ? visit
  : (name) => test(name, { skip: "make soak has it (WAYGATE_SOAK=true)" }, () => {});

/** What holds returns, once it is not empty. */
export async function until(holds, what) {
  for (const end = Date.now() + TIMEOUT_MS; Date.now() < end;) {
    const found = await holds();
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail(`it did not come about: ${what}`);
}

/** The newest link that matches pattern in a mail to address, once it has come. */
export function mailed(address, pattern, { after = "" } = {}) {
  return until(async () => {
    const text = /^https?:/.test(MAILS)
      ? await (await fetch(MAILS)).text()
      : await readFile(MAILS, "utf8");
    const from = text.lastIndexOf(address);
    const link = from < 0 ? null : pattern.exec(text.slice(from))?.[0];
    return link === after ? null : link;
  }, `a mail to ${address} with ${pattern}`);
}

export const VERIFY_LINK = /https?:\/\/[^\s"<>\\]*\/v1\/keys\/verify\?token=[\w-]+/;
export const SIGN_IN_LINK = /https?:\/\/[^\s"<>\\]*\/console#signin=[\w-]+/;

/** A link as it would be opened on the server under test. */
export function local(link) {
  const { pathname, search, hash } = new URL(link);
  return at(pathname + search + hash);
}

/** Texts whose contrast is below WCAG's AA: 4.5, or 3 for large ones. */
function pale() {
  const numbers = (colour) => {
    const [r, g, b, a = 1] = colour.match(/-?[\d.]+/g).map(Number);
    const scale = colour.startsWith("color(srgb") ? 1 : 255;
    return [r / scale, g / scale, b / scale, a];
  };
  const over = ([r, g, b, a], below) =>
    [r, g, b].map((channel, i) => channel * a + below[i] * (1 - a));
  const light = (channels) => {
    const [r, g, b] = channels.map((c) =>
      c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ground = (element) => {
    if (!element) return [1, 1, 1];
    const colour = numbers(getComputedStyle(element).backgroundColor);
    return colour[3] === 1 ? colour.slice(0, 3) : over(colour, ground(element.parentElement));
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim();
    if (!text || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest("noscript, svg, [aria-disabled=true], .offscreen")) continue;
    const style = getComputedStyle(element);
    const below = ground(element);
    const [a, b] = [light(over(numbers(style.color), below)), light(below)].sort((x, y) => y - x);
    const large = parseFloat(style.fontSize) >= 24;
    const ratio = (a + 0.05) / (b + 0.05);
    if (ratio < (large ? 3 : 4.5)) found.push(`${text.slice(0, 40)}: ${ratio.toFixed(2)}`);
  }
  return found;
}

/** Controls, links and pictures without a name, and ids that are there twice. */
function nameless() {
  const found = [];
  for (const element of document.querySelectorAll("input, select, textarea")) {
    if (!element.labels?.length && !element.ariaLabel) found.push(element.outerHTML);
  }
  for (const element of document.querySelectorAll("a, button, summary")) {
    if (!element.textContent.trim() && !element.ariaLabel) found.push(element.outerHTML);
  }
  for (const image of document.querySelectorAll("img:not([alt])")) found.push(image.outerHTML);
  const ids = [...document.querySelectorAll("[id]")].map(({ id }) => id);
  found.push(...ids.filter((id, i) => ids.indexOf(id) !== i));
  return found;
}
