import { SITE_PAGES } from "../site/pages";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { tr } from "../ui/translate";

/** A button that opens the list of the website's other pages. */
export function pagesMenu(): HTMLElement {
  const list = h(
    "nav",
    { class: "pages-menu", popover: "auto", id: "pages", "aria-label": tr("Pages") },
    SITE_PAGES.filter(([path]) => path !== "./").map(([path, name]) =>
      h("a", { href: new URL(path, document.baseURI).href }, tr(name)),
    ),
  );
  const button = h(
    "button",
    { type: "button", class: "quiet", popovertarget: "pages", "aria-label": tr("Pages") },
    uiIcon("menu"),
  );
  list.addEventListener("toggle", () => {
    const { right, bottom } = button.getBoundingClientRect();
    list.style.top = `${bottom + 8}px`;
    list.style.left = `${Math.max(8, right - list.getBoundingClientRect().width)}px`;
  });
  return h("div", { class: "pages-holder" }, button, list);
}
