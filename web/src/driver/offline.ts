import { at } from "../call/root";

/** Lets the page open without a network, where the browser and the connection allow it. */
export async function keepPage(): Promise<void> {
  try {
    const options = { scope: at("driver"), updateViaCache: "none" } as const;
    await navigator.serviceWorker?.register(at("driver-worker.js"), options);
  } catch {
    // It then opens with a network alone.
  }
}

/** Deletes the files of the page. */
export async function dropPage(): Promise<void> {
  try {
    const page = at("driver");
    const found = await navigator.serviceWorker?.getRegistration(page);
    if (found?.scope === page) await found.unregister();
    for (const name of await caches.keys()) {
      if (name.startsWith(`waygate-driver ${page} `)) await caches.delete(name);
    }
  } catch {
    // Browsers have neither on an address without TLS.
  }
}
