import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import markURL from "../mark.svg";
import type { Planner } from "../explorer/planner";
import { withInput, withSpot } from "../plan/plan";
import { Combobox } from "../ui/combobox";
import { pagesMenu } from "./pagesmenu";
import { forgetRecents, remember } from "../search/recent";
import type { Suggester, Suggestion } from "../search/suggest";
import { settings } from "../ui/settings";
import { tr } from "../ui/translate";

export interface SearchSetup {
  readonly planner: Planner;
  readonly suggester: Suggester;
  /** The region's name. */
  readonly region: string;
  readonly pick: (suggestion: Suggestion) => void;
}

/** The box over everything: places, kinds of places, addresses and coordinates as one types. */
export function searchBox({ planner, suggester, region, pick }: SearchSetup): HTMLElement {
  const input = h("input", {
    type: "text",
    id: "search-box",
    class: "search-input",
    placeholder: tr("Search {0}", region),
    "aria-label": tr("Search places, addresses or coordinates"),
    autocomplete: "off",
    spellcheck: "false",
    enterkeyhint: "search",
  });
  const clear = h(
    "button",
    {
      type: "button",
      class: "quiet",
      hidden: true,
      "aria-label": tr("Empty the search"),
      onclick: () => {
        input.value = "";
        renderClear();
        if (planner.state.plan.spot) planner.change({ ...planner.state.plan, spot: null }, "map");
        input.focus();
      },
    },
    uiIcon("close"),
  );
  const renderClear = (): void => {
    clear.hidden = input.value === "";
  };
  // All that is found, with the reasons, is a task of its own.
  const all = (q: string): void => {
    input.value = q;
    renderClear();
    // The card of another place says nothing of what is looked for now.
    const plan = withSpot(withInput(planner.state.plan, "search", "q", q), null);
    planner.change({ ...plan, task: "search" }, "map");
  };
  const box = new Combobox(input, {
    suggester,
    pick: (suggestion) => {
      const { at, id, name, detail, source } = suggestion;
      if (source === "kind") return all(name.toLowerCase());
      if (source !== "coordinates") remember({ at, id, name, detail });
      input.value = name;
      renderClear();
      // The keyboard of a phone would hide what was picked.
      if (matchMedia("(pointer: coarse)").matches) input.blur();
      pick(suggestion);
    },
    enter: (text) => {
      const [at] = suggester.instant(text)?.list ?? [];
      if (at && at.source === "coordinates") return pick(at);
      const q = text.trim();
      if (q) all(q);
    },
    // A link of another map, or coordinates that only the server can read.
    eager: ({ source }) => source === "coordinates",
    forget: forgetRecents,
  });
  input.addEventListener("input", renderClear);
  input.addEventListener("focus", () => input.select());
  planner.subscribe(({ plan }, before) => {
    const name = plan.spot?.name ?? "";
    // What was typed belongs to the task and the place that it was typed for.
    const same = plan.spot === before.plan.spot && plan.task === before.plan.task;
    if (same && input.value !== "") return;
    const q = plan.task === "search" ? String(plan.inputs["search"]?.["q"] ?? "") : "";
    if (document.activeElement !== input) input.value = name || q;
    renderClear();
  });
  addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = target instanceof HTMLElement && target.matches("input, select, textarea");
    if (
      event.key !== "/" ||
      settings.get().slash === false ||
      typing ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    input.focus();
  });
  return h(
    "search",
    { class: "search" },
    h(
      "a",
      {
        href: new URL("./", document.baseURI).href,
        class: "home",
        "aria-label": tr("Waygate, to the start"),
      },
      h("img", { src: markURL, alt: "", width: 28, height: 28 }),
    ),
    h("h1", { class: "offscreen" }, `Waygate: ${region}`),
    input,
    box.element,
    clear,
    pagesMenu(),
  );
}
