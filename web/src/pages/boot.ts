// Puts the explorer into its language before any of its words are made.
import { inReadersLanguage } from "../ui/inlanguage";
import { tr } from "../ui/translate";

async function boot(): Promise<void> {
  await inReadersLanguage();
  document.getElementById("map")!.setAttribute("aria-label", tr("Map"));
  document.getElementById("panel")!.setAttribute("aria-label", tr("Workbench"));
  await import("./explorer");
}

void boot();
