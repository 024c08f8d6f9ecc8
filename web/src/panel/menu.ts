import { h } from "../ui/dom";

export interface MenuItem {
  readonly label: string;
  readonly act: () => void;
}

/** Opens a menu at a place of the page; it closes on a choice, Escape or a press elsewhere. */
export function openMenu(
  x: number,
  y: number,
  title: string,
  items: readonly MenuItem[],
  /** Content above the choices; ended is called when the menu closes. */
  message: HTMLElement | null = null,
  ended: () => void = () => {},
): void {
  document.querySelector<HTMLElement>(".menu")?.dispatchEvent(new Event("dismiss"));
  const before = document.activeElement;
  const close = (): void => {
    menu.remove();
    ended();
    removeEventListener("pointerdown", outside, true);
    removeEventListener("resize", close);
    if (before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true });
  };
  const outside = (event: Event): void => {
    if (!(event.target instanceof Node) || !menu.contains(event.target)) close();
  };
  const buttons = items.map(({ label, act }) =>
    h(
      "button",
      {
        type: "button",
        role: "menuitem",
        onclick: () => {
          close();
          act();
        },
      },
      label,
    ),
  );
  const list = h("div", { role: "menu", "aria-label": title }, buttons);
  // A message is no part of a menu: whatever holds both is a dialog.
  const menu = h(
    "div",
    {
      class: "menu",
      role: "dialog",
      "aria-label": title,
      ondismiss: close,
      onkeydown: (event: KeyboardEvent) => {
        const at = buttons.indexOf(document.activeElement as HTMLButtonElement);
        if (event.key === "Escape" || event.key === "Tab") close();
        else if (event.key === "ArrowDown") buttons[(at + 1) % buttons.length]!.focus();
        else if (event.key === "ArrowUp") buttons.at(at - 1)!.focus();
        else if (event.key === "Home") buttons[0]?.focus();
        else if (event.key === "End") buttons.at(-1)?.focus();
        else return;
        event.preventDefault();
      },
    },
    h("p", { class: "menu-title", "aria-hidden": "true" }, title),
    message,
    list,
  );
  document.body.append(menu);
  const { width, height } = menu.getBoundingClientRect();
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  buttons[0]?.focus({ preventScroll: true });
  addEventListener("pointerdown", outside, true);
  addEventListener("resize", close);
}
