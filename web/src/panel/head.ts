import markURL from "../mark.svg";
import { h } from "../dom";
import type { Explorer } from "../explorer";
import { uiIcon } from "../icons";
import { openMenu } from "./menu";

/** The panel's first line: whose map this is, and the examples. */
export function headPanel(explorer: Explorer, startExample: (index: number) => void): HTMLElement {
  const button = h(
    "button",
    {
      type: "button",
      class: "tool",
      "aria-haspopup": "menu",
      onclick: () => {
        const { left, bottom } = button.getBoundingClientRect();
        openMenu(
          left,
          bottom + 6,
          "Examples",
          explorer.examples.map((example, index) => ({
            label: example.title,
            act: () => startExample(index),
          })),
        );
      },
    },
    "Examples",
    uiIcon("chevron"),
  );
  return h(
    "header",
    { class: "head" },
    h("img", { src: markURL, alt: "", width: 28, height: 28 }),
    h("div", { class: "head-names" }, h("h1", {}, "Waygate"), h("p", {}, explorer.name)),
    explorer.examples.length > 0 && button,
  );
}

/** The panel's last line: version and where developers go next. */
export function footPanel(explorer: Explorer): HTMLElement {
  const link = (path: string, label: string) =>
    h("a", { href: new URL(path, document.baseURI).href }, label);
  return h(
    "footer",
    { class: "foot" },
    link("openapi.json", "API contract"),
    link("llms.txt", "For agents"),
    link("terms", "Terms"),
    h("span", {}, explorer.version),
  );
}
