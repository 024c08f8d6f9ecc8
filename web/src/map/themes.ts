import NAMES from "./themes.json";

/** The built-in themes with their names on the page; a Go test compares them with the server's. */
export const THEMES: readonly (readonly [string, string])[] = Object.entries(NAMES);

export function isTheme(name: string): boolean {
  return name in NAMES;
}

/** Whether a text can name a theme or a published style, with or without its version. */
export function isLook(text: string): boolean {
  return /^[a-z0-9]+(-[a-z0-9]+)*(@[1-9]\d{0,8})?$/.test(text) && text.length <= 100;
}

/** The style that this browser shows the map in; "" is as the device is. */
export const chosenTheme = {
  get(): string {
    try {
      const text = localStorage.getItem("waygate.theme") ?? "";
      return isLook(text) ? text : "";
    } catch {
      return ""; // storage may be refused
    }
  },
  set(theme: string): void {
    try {
      if (theme) localStorage.setItem("waygate.theme", theme);
      else localStorage.removeItem("waygate.theme");
    } catch {
      // It then lasts for this page.
    }
  },
};
