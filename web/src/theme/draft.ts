import { isRecord } from "../call/record";
import { isLook } from "../map/themes";
import type { ThemeDocument } from "./document";

/** What is edited in this tab and not published: the style that it began from, its name and itself. */
export interface Draft {
  readonly from: string;
  readonly name: string;
  readonly theme: ThemeDocument;
}

const NAME = "waygate.theme";

/** The draft of a text that was kept; null where it is none. */
export function readDraft(text: string | null): Draft | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (!isRecord(value)) return null;
    const { from, name, theme } = value;
    if (typeof from !== "string" || !isLook(from) || typeof name !== "string") return null;
    return isRecord(theme) ? { from, name, theme: theme as ThemeDocument } : null;
  } catch {
    return null;
  }
}

/** The draft of this tab. */
export const draft = {
  get(): Draft | null {
    try {
      return readDraft(sessionStorage.getItem(NAME));
    } catch {
      return null; // storage is refused
    }
  },
  set(value: Draft): void {
    try {
      sessionStorage.setItem(NAME, JSON.stringify(value));
    } catch {
      // Refused or full: then a reload starts anew.
    }
  },
};
