/** A secret of this tab: gone when the tab closes, never sent by itself. */
export interface Stored {
  get(): string | null;
  set(value: string | null): void;
}

function stored(name: string): Stored {
  // Storage may be refused by the browser; then the secret lasts for this page.
  let held: string | null = null;
  return {
    get() {
      try {
        return sessionStorage.getItem(name) ?? held;
      } catch {
        return held;
      }
    },
    set(value) {
      held = value;
      try {
        if (value === null) sessionStorage.removeItem(name);
        else sessionStorage.setItem(name, value);
      } catch {
        // Held above.
      }
    },
  };
}

/** The key that the map explorer sends. */
export const apiKey = stored("waygate.key");
export const consoleSession = stored("waygate.session");
export const adminToken = stored("waygate.admin");
