/** A child of an element. Text stays text, also where it looks like markup. */
export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Handler = (event: never) => void;
type Attributes = Record<string, string | number | boolean | null | undefined | Handler>;

/**
 * Makes an element. onclick and the like take a listener; true sets an empty
 * attribute, false and null leave it out; value and checked set the property.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") {
      hear(element, name.slice(2), value as unknown as Listener);
    } else if (name === "value" && element instanceof HTMLInputElement) {
      element.defaultValue = String(value);
    } else if (name === "value" || name === "checked") {
      Object.assign(element, { [name]: value });
    } else {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  element.append(...nodes(children));
  return element;
}

type Listener = (event: Event) => void;

/** What elements do on which event. */
const heard = new WeakMap<Element, ReadonlyMap<string, Listener>>();

function hear(element: Element, type: string, listener: Listener): void {
  heard.set(element, new Map(heard.get(element)).set(type, listener));
  element.addEventListener(type, dispatch);
}

function dispatch(this: Element, event: Event): void {
  heard.get(this)?.get(event.type)?.(event);
}

/** Has an element do what another one does, in place of what it did. */
export function takeOver(element: Element, from: Element): void {
  for (const type of heard.get(element)?.keys() ?? []) element.removeEventListener(type, dispatch);
  heard.delete(element);
  for (const [type, listener] of heard.get(from) ?? []) hear(element, type, listener);
}

/** The children that are there, lists of them opened up. */
export function nodes(children: readonly Child[]): (Node | string)[] {
  return children.flatMap((child): (Node | string)[] => {
    if (child === null || child === undefined || child === false) return [];
    if (Array.isArray(child)) return nodes(child);
    return [child instanceof Node ? child : String(child)];
  });
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

/** Has the browser save a text as a file. */
export function saveText(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type }));
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** Says something to screen readers; a visible text says it to the others. */
export function announce(text: string): void {
  const live = document.getElementById("live");
  if (live) live.textContent = text;
}
