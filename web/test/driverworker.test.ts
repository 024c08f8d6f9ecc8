import { afterEach, beforeEach, expect, test, vi } from "vitest";

const ROOT = "https://example.org/below/";
const PAGE = `${ROOT}driver`;
const ENTRY = "assets/driver-1.js";

/** Caches as a browser has them, by name. */
const stored = new Map<string, Map<string, Response>>();
const caches = {
  keys: async () => [...stored.keys()],
  has: async (name: string) => stored.has(name),
  delete: async (name: string) => stored.delete(name),
  open: async (name: string) => {
    const files = stored.get(name) ?? new Map<string, Response>();
    stored.set(name, files);
    return {
      put: async (address: string, response: Response) => void files.set(address, response),
      match: async (address: string) => files.get(address)?.clone(),
    };
  },
  match: async (address: string) =>
    [...stored.values()]
      .find((files) => files.has(address))
      ?.get(address)
      ?.clone(),
};

/** What a server gives: a type and a text by path. */
type Site = Record<string, readonly [kind: string, text: string]>;
const SITE: Site = {
  driver: ["text/html; charset=utf-8", `<script src="./${ENTRY}">`],
  [ENTRY]: ["text/javascript; charset=utf-8", "run()"],
  "assets/driver-1.css": ["text/css", "p{}"],
};

beforeEach(() => stored.clear());
afterEach(() => void vi.unstubAllGlobals());

/** Installs the worker of a version from a site; answers a request as it does then. */
async function installed(
  version: string,
  site: Site,
): Promise<(address: string, mode?: string) => Promise<string> | null> {
  // prettier-ignore
  const heard = new Map<string, (event: unknown) => void>();
  vi.stubGlobal("self", {
    skipWaiting: async () => {},
    addEventListener: (type: string, listener: (event: unknown) => void) => heard.set(type, listener), // prettier-ignore
  });
  vi.stubGlobal("location", new URL("driver-worker.js", ROOT));
  vi.stubGlobal("caches", caches);
  vi.stubGlobal("DRIVER_FILES", { version, files: Object.keys(SITE).slice(1) });
  vi.stubGlobal("fetch", async (address: string) => {
    const file = site[address.slice(ROOT.length)];
    return file
      ? new Response(file[1], { headers: { "Content-Type": file[0] } })
      : new Response("", { status: 404 });
  });
  vi.resetModules();
  await import("../src/driver/worker");
  let work: Promise<unknown> = Promise.resolve();
  const waitUntil = (one: Promise<unknown>): void => void (work = one);
  heard.get("install")!({ waitUntil });
  await work;
  return (address, mode = "navigate") => {
    let answer: Promise<Response> | null = null;
    const respondWith = (response: Promise<Response>): void => void (answer = response);
    heard.get("fetch")!({ request: { url: address, method: "GET", mode }, respondWith, waitUntil });
    const given = answer as Promise<Response> | null;
    return given && given.then(async (response) => (await work, response.text()));
  };
}

test("the worker keeps the driver's page and its files, and no answer to a call with a token", async () => {
  const ask = await installed("1", SITE);
  expect(await ask(`${PAGE}?a=b`)).toBe(SITE["driver"]![1]);
  expect(await ask(ROOT + ENTRY, "cors")).toBe("run()");
  for (const path of ["v1/driver", "drivers", ""]) expect(ask(ROOT + path)).toBeNull();
  // A later version serves the next start, and what was kept before is deleted.
  const next = await installed("2", { ...SITE, driver: ["text/html", `new ${ENTRY}`] });
  expect(stored.size).toBe(2);
  expect(await next(PAGE)).toBe(`new ${ENTRY}`);
  expect([...stored.keys()]).toEqual([`waygate-driver ${PAGE} 2`]);
});

test.each<[string, Site]>([
  ["a script that is a page", { ...SITE, [ENTRY]: ["text/html", "Log in"] }],
  ["a style that is a page", { ...SITE, "assets/driver-1.css": ["text/html", "Log in"] }],
  ["a page that is another", { ...SITE, driver: ["text/html", "Log in"] }],
  ["a page that is text", { ...SITE, driver: ["text/plain", ENTRY] }],
  ["a file that is missing", { driver: SITE["driver"]!, [ENTRY]: SITE[ENTRY]! }],
])("nothing is kept of a site with %s", async (_, site) => {
  await expect(installed("1", site)).rejects.toThrow();
  expect(stored.size).toBe(0);
});
