import { h } from "../ui/dom";
import { apiKey } from "../call/secrets";
import { at } from "../call/root";
import { tr } from "../ui/translate";

/**
 * What key the page's calls carry, and a way to give it another one. The page is
 * loaded anew then, as all that it shows may be another's.
 */
export function keyBox(why: string): HTMLElement {
  const held = apiKey.get();
  const change = (key: string | null): void => {
    apiKey.set(key);
    location.reload();
  };
  if (held) {
    return h(
      "p",
      { class: "key-box" },
      tr("The key of this tab:"),
      " ",
      h("code", {}, `${held.slice(0, 6)}…`),
      " ",
      h("button", { type: "button", class: "link", onclick: () => change(null) }, tr("Forget it")),
    );
  }
  const input = h("input", {
    type: "password",
    id: "page-key",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
    placeholder: "wg_…",
  });
  return h(
    "form",
    {
      class: "key-box",
      "aria-label": tr("API key"),
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        const key = input.value.trim();
        if (key) change(key);
      },
    },
    h("label", { for: "page-key" }, why, " ", h("a", { href: at("keys") }, tr("Get a key"))),
    h(
      "div",
      { class: "row" },
      input,
      h("button", { type: "submit", class: "button second" }, tr("Use this key")),
    ),
    h("p", { class: "hint" }, tr("It stays in this tab and is forgotten when the tab closes.")),
  );
}
