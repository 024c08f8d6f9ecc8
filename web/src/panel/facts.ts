import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { FACTS, know } from "../search/here";

/** What is here, a line for each thing; the lines fill as the answers come, each by itself. */
export function factList(at: LonLat, apiKey: string | null, signal: AbortSignal): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    FACTS.map((fact) => {
      const value = h("dd", { "aria-busy": "true" }, "…");
      void know(fact, at, apiKey, signal).then((known) => {
        if (!known) return;
        value.textContent = known.text;
        value.title = known.text;
        value.classList.toggle("none", known.kind !== "known");
        value.removeAttribute("aria-busy");
      });
      return h("div", {}, h("dt", {}, fact.label), value);
    }),
  );
}
