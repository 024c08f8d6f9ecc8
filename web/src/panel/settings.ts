import type { Planner } from "../explorer/planner";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { settings } from "../ui/settings";
import { PAGE_LANGUAGES, pageLanguage, tr } from "../ui/translate";

/** A button for the page's language, units and clock, which this browser keeps. */
export function settingsButton(planner: Planner): HTMLElement {
  const option = ([value, label]: readonly [string, string]) => h("option", { value }, label);
  const language = h(
    "select",
    {
      id: "page-language",
      onchange: () => {
        const chosen = PAGE_LANGUAGES.find(([code]) => code === language.value);
        if (chosen) settings.set({ language: chosen[0] });
        location.reload();
      },
    },
    PAGE_LANGUAGES.map(([code, name]) => h("option", { value: code, lang: code }, name)),
  );
  language.value = pageLanguage();
  const units = h(
    "select",
    {
      id: "page-units",
      onchange: () => {
        const chosen = units.value === "miles" ? "miles" : "kilometers";
        settings.set({ units: chosen });
        planner.change({ ...planner.state.plan, units: chosen }, "map");
      },
    },
    [["kilometers", tr("Kilometres")] as const, ["miles", tr("Miles")] as const].map(option),
  );
  const clock = h(
    "select",
    {
      id: "page-clock",
      onchange: () => {
        settings.set({ clock: clock.value === "12" ? "12" : "24" });
        location.reload();
      },
    },
    [["24", tr("24 hours")] as const, ["12", tr("12 hours")] as const].map(option),
  );
  clock.value = settings.get().clock ?? "24";
  // What is said to a computer is typed: a key that acts by itself can be turned off.
  const slash = h("input", {
    type: "checkbox",
    id: "page-slash",
    checked: settings.get().slash !== false,
    onchange: () => settings.set({ slash: slash.checked }),
  });
  planner.subscribe(({ plan }) => (units.value = plan.units));
  const row = (label: string, control: HTMLElement) =>
    h("label", { class: "setting", for: control.id }, label, control);
  const box = h(
    "div",
    { class: "layers settings", popover: "auto", id: "settings", "aria-label": tr("Settings") },
    h("p", { class: "menu-title" }, tr("Settings")),
    row(tr("Language"), language),
    row(tr("Distances in"), units),
    row(tr("Clock"), clock),
    row(tr("The key / goes to the search"), slash),
  );
  const button = h(
    "button",
    { type: "button", class: "task", title: tr("Settings"), popovertarget: "settings" },
    uiIcon("settings"),
    tr("Settings"),
  );
  box.addEventListener("toggle", () => {
    const { right, bottom, left, top } = button.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const aside = right + 6 + width < innerWidth;
    box.style.left = `${Math.max(8, aside ? right + 6 : Math.min(left, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, (aside ? bottom : top - 6) - height)}px`;
  });
  return h("div", { class: "layers-holder" }, button, box);
}
