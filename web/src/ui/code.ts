import { announce, copyText, h, type Child } from "./dom";
import { uiIcon } from "./icons";
import { tr } from "./translate";

/** A button that copies a text, and says whether that worked. */
export function copyButton(label: string, text: string): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: "tool copy",
      "aria-label": label,
      "data-focus": "copy",
      onclick: ({ currentTarget }: Event) => {
        const button = currentTarget as HTMLButtonElement;
        void copyText(text).then((copied) => {
          const word = copied ? tr("Copied") : tr("Select it");
          button.replaceChildren(uiIcon(copied ? "done" : "copy"), word);
          button.ariaLabel = word; // what is seen is a part of the name, or speech does not find it
          announce(copied ? tr("Copied.") : tr("Not copied: select the text instead."));
          setTimeout(() => {
            button.replaceChildren(uiIcon("copy"), tr("Copy"));
            button.ariaLabel = label;
          }, 1600);
        });
      },
    },
    uiIcon("copy"),
    tr("Copy"),
  );
}

/** Lines of a text that are laid out at once. */
const PART_LINES = 100;

/** A text's lines in parts, of which the browser lays out those that are seen. */
function parts(text: string): Child[] {
  const lines = text.split("\n");
  if (lines.length <= PART_LINES) return [text];
  return Array.from({ length: Math.ceil(lines.length / PART_LINES) }, (_, i) => {
    const part = lines.slice(i * PART_LINES, (i + 1) * PART_LINES);
    return h("span", { class: "code-part" }, part.join("\n"));
  });
}

/** Text to be copied whole: a command, a key, an answer. */
export function codeBlock(label: string, text: string): HTMLElement {
  return h(
    "div",
    { class: "code-block" },
    copyButton(label, text),
    h("pre", { tabindex: 0, "data-focus": "code" }, h("code", {}, parts(text))),
  );
}
