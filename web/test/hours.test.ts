import { afterEach, expect, test } from "vitest";
import de from "../src/languages/de.json";
import { formatHours } from "../src/ui/hours";
import { settings } from "../src/ui/settings";
import { usePageLanguage } from "../src/ui/translate";

afterEach(() => {
  usePageLanguage("en", {});
  settings.set({ clock: "24" });
});

test("opening hours are in the reader's days and clock", () => {
  expect(formatHours("Mo-Fr 07:00-19:00; PH off")).toBe(
    "Mon–Fri 07:00–19:00; public holidays closed",
  );
  settings.set({ clock: "12" });
  expect(formatHours("Su 09:30-12:00")).toBe("Sun 9:30 am–12:00 pm");
  usePageLanguage("de", de);
  expect(formatHours("Tu,Su 24/7")).toBe("Di,So 24/7");
});
