import { inReadersLanguage } from "../ui/inlanguage";
import { tr } from "../ui/translate";

// The words of the page itself, and then those that scripts make.
void inReadersLanguage().then(() => {
  for (const element of document.querySelectorAll<HTMLElement>("[data-words]")) {
    element.textContent = tr(element.textContent!.trim());
  }
  document.getElementById("map")!.setAttribute("aria-label", tr("Map of the rounds"));
  document.getElementById("timeline")!.setAttribute("aria-label", tr("Timeline"));
  return import("./plannerpage");
});
