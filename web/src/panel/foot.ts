import { h } from "../ui/dom";
import { titleOf, type Explorer } from "../plan/explorer";
import { openMenu } from "./menu";
import { railButton } from "./rail";
import { tr } from "../ui/translate";

/** What this server offers to try. */
export function examplesButton(
  { examples }: Explorer,
  start: (index: number) => void,
): HTMLElement | false {
  if (examples.length === 0) return false;
  return railButton("examples", tr("Examples"), (button) => {
    const { right, top } = button.getBoundingClientRect();
    openMenu(
      right + 6,
      top,
      tr("Examples"),
      examples.map((example, index) => ({ label: titleOf(example), act: () => start(index) })),
    );
  });
}

/** The panel's last lines: the key that requests carry, and where people go next. */
export function footPanel(explorer: Explorer, key: KeySetup): HTMLElement {
  const link = (path: string, label: string) =>
    h("a", { href: new URL(path, document.baseURI).href }, label);
  return h(
    "footer",
    { class: "foot" },
    keyPanel(key),
    h(
      "nav",
      { class: "foot-links", "aria-label": tr("More pages") },
      link("keys", tr("Get a key")),
      link("console", tr("Console")),
      link("reference", tr("API reference")),
      link("llms.txt", tr("For agents")),
      link("terms", tr("Terms")),
      h("span", {}, explorer.version),
    ),
  );
}

export interface KeySetup {
  readonly held: boolean;
  /** Takes another key, or none, for all that the page asks from now on. */
  readonly change: (key: string | null) => void;
}

function keyPanel({ held, change }: KeySetup): HTMLElement {
  const input = h("input", {
    type: "password",
    id: "api-key",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: 200,
    placeholder: held ? tr("another key") : "wg_…",
  });
  return h(
    "details",
    { class: "key-panel" },
    h("summary", {}, tr("API key"), held && h("span", { class: "badge" }, tr("in use"))),
    h(
      "form",
      {
        onsubmit: (event: SubmitEvent) => {
          event.preventDefault();
          const key = input.value.trim();
          if (key) change(key);
        },
      },
      h("label", { for: "api-key", class: "offscreen" }, tr("API key")),
      input,
      h("button", { type: "submit", class: "tool" }, tr("Use")),
      held &&
        h("button", { type: "button", class: "tool", onclick: () => change(null) }, tr("Forget")),
    ),
    h("p", { class: "hint" }, tr("Sent with this page’s requests; forgotten when the tab closes.")),
  );
}
