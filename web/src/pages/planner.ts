import { inReadersLanguage } from "../ui/inlanguage";
import { tr } from "../ui/translate";

/** Puts the words of the page itself into its language, before scripts make others. */
function translatePage(): void {
  const title = tr("Planner");
  document.title = `${title} · Waygate`;
  document.querySelector("h1")!.textContent = title;
  document.querySelector(".lead")!.textContent = tr(
    "Stops from a spreadsheet, vehicles with shifts, and the best rounds.",
  );
  document.querySelector(".skip")!.textContent = tr("Skip to the content");
  for (const link of document.querySelectorAll(".top nav a")) {
    link.textContent = tr(link.textContent!);
  }
  document.getElementById("map")!.setAttribute("aria-label", tr("Map of the rounds"));
  document.getElementById("timeline")!.setAttribute("aria-label", tr("Timeline"));
}

void inReadersLanguage().then(() => {
  translatePage();
  return import("./plannerpage");
});
