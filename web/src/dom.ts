/** What an element may hold; text stays text, whatever it looks like. */
export type Child = Node | string | number | null | undefined | false;
type Handler = (event: never) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Handler>;

/**
 * Makes an element. onclick and the like take a listener; true sets an empty
 * attribute, false and null leave it out; value and checked set the property.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: (Child | readonly Child[])[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      element.addEventListener(name.slice(2), value as unknown as EventListener);
    } else if (name === "value" || name === "checked") {
      Object.assign(element, { [name]: value });
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const child of children.flat()) {
    if (child !== null && child !== undefined && child !== false) element.append(child as Node);
  }
  return element;
}

const SVG = "http://www.w3.org/2000/svg";

/** Makes an SVG element; its looks come from presentation attributes and classes. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string | number>> = {},
  ...children: readonly (Node | string)[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/**
 * Replaces a container's content and gives the focus (and the text selection)
 * back to the element that carries the same data-focus name as before.
 */
export function refill(container: HTMLElement, ...children: (Child | readonly Child[])[]): void {
  const active = document.activeElement;
  const name =
    active instanceof HTMLElement && container.contains(active) ? active.dataset["focus"] : null;
  const selection =
    active instanceof HTMLInputElement && active.type === "text"
      ? ([active.selectionStart, active.selectionEnd] as const)
      : null;
  const fresh = children.flat().filter((c): c is Node | string | number => {
    return c !== null && c !== undefined && c !== false;
  });
  container.replaceChildren(...fresh.map((c) => (typeof c === "number" ? String(c) : c)));
  if (!name) return;
  const heir = container.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`);
  heir?.focus({ preventScroll: true });
  if (selection && heir instanceof HTMLInputElement) heir.setSelectionRange(...selection);
}

/** Copies text; where the page is no secure context, through a selection. */
export async function copyText(text: string): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Permission denied: the selection below may still be allowed.
  }
  const area = h("textarea", { value: text, class: "offscreen", "aria-hidden": "true" });
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  return copied;
}
