/** A secret of this tab: gone when the tab closes, never sent by itself. */
export interface TabSecret {
  get(): string | null;
  set(value: string | null): void;
}

function tabSecret(name: string): TabSecret {
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
export const apiKey = tabSecret("waygate.key");
export const consoleSession = tabSecret("waygate.session");
export const adminToken = tabSecret("waygate.admin");
