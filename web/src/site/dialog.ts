import { h, type Child } from "../ui/dom";

/** Asks before something that cannot be taken back. Escape and Cancel say no. */
export function confirmed(title: string, text: Child, yes: string): Promise<boolean> {
  return new Promise((resolve) => {
    const before = document.activeElement;
    const dialog = h(
      "dialog",
      {
        class: "dialog",
        "aria-labelledby": "dialog-title",
        "aria-describedby": "dialog-text",
        onclose: () => {
          dialog.remove();
          if (before instanceof HTMLElement && before.isConnected) before.focus();
          resolve(dialog.returnValue === "yes");
        },
      },
      h("h2", { id: "dialog-title" }, title),
      h("p", { id: "dialog-text" }, text),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "button second", onclick: () => dialog.close("no") },
          "Cancel",
        ),
        h(
          "button",
          { type: "button", class: "button danger", onclick: () => dialog.close("yes") },
          yes,
        ),
      ),
    );
    document.body.append(dialog);
    dialog.showModal();
  });
}
