/**
 * The service worker of the driver's page: keeps the files of the page by their version, so that
 * it opens without a network. Calls of the API, with the token of the link, pass it by, and so
 * does everything else of the site.
 */

/** What the build writes in: the page, and what it loads, relative to the root. */
declare const DRIVER_FILES: { readonly version: string; readonly files: readonly string[] };

interface Lasting extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Asked extends Lasting {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const worker = self as unknown as {
  readonly registration: { readonly scope: string };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install", heard: (event: Lasting) => void): void;
  addEventListener(type: "fetch", heard: (event: Asked) => void): void;
};

const page = new URL("driver", location.href).href;
const files = DRIVER_FILES.files.map((file) => new URL(file, location.href).href);
const prefix = `waygate-driver ${page} `;
const name = prefix + DRIVER_FILES.version;

/** A file of the page. A login page or an error in its place is none: what is kept is not asked for again. */
async function load(address: string): Promise<Response> {
  const response = await fetch(address, { cache: address === page ? "reload" : "default" });
  const kind = response.headers.get("Content-Type") ?? "none";
  if (!response.ok || response.redirected || kind.startsWith("text/html") !== (address === page)) {
    throw new Error(`${address}: ${response.status}, ${kind}`);
  }
  return response;
}

/** Keeps all files, or none: a page without its scripts would open as an empty one. */
async function keep(): Promise<void> {
  const kept = await Promise.all([page, ...files].map(async (file) => [file, await load(file)] as const)); // prettier-ignore
  // Of two servers behind one address, one may have another version of the page.
  const text = await kept[0]![1].clone().text();
  if (!text.includes(DRIVER_FILES.files[0]!)) throw new Error("the page is of another version");
  const cache = await caches.open(name);
  try {
    for (const [file, response] of kept) await cache.put(file, response);
  } catch (error) {
    await caches.delete(name);
    throw error;
  }
}

/**
 * Deletes what former versions have kept, once this one serves a start of the page: a page of
 * theirs that starts meanwhile still finds it. Names of caches come in the order of their making,
 * and a later one may be of the version to come.
 */
async function tidy(): Promise<void> {
  const names = await caches.keys();
  for (const former of names.slice(0, Math.max(0, names.indexOf(name)))) {
    if (former.startsWith(prefix)) await caches.delete(former);
  }
}

async function kept(request: Request, address: string): Promise<Response> {
  const cache = (await caches.has(name)) ? await caches.open(name) : null;
  const found = await cache?.match(address, { ignoreVary: true });
  return found ?? (await caches.match(address, { ignoreVary: true })) ?? fetch(request);
}

// A new version serves the next start of the page: one that is open has loaded all it needs.
worker.addEventListener("install", (event) =>
  event.waitUntil(keep().then(() => worker.skipWaiting())),
);

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET") return;
  const { origin, pathname } = new URL(request.url);
  const address = origin + pathname;
  if (request.mode === "navigate" && address === page) {
    const response = kept(request, page);
    event.respondWith(response);
    event.waitUntil(response.then(tidy));
  } else if (files.includes(address)) event.respondWith(kept(request, address));
});

export {};
