import { nodes, takeOver, type Child } from "./dom";

const FOCUSABLE = "a[href], button, input, select, textarea, summary, [tabindex]";

/** The content that reconcile was given while a mouse button was down, by container. */
const waiting = new Map<HTMLElement, readonly (Node | string)[]>();
/** The content that refill was given meanwhile, by container. */
const refilling = new Map<HTMLElement, readonly (Node | string)[]>();
/** The element on which a mouse button is down. */
let pressed: EventTarget | null = null;
let attending = false;

/**
 * Gives a container new content and keeps the elements that both have, with their focus
 * and what is being typed in them. An element is the same one if it has the same data-focus
 * or data-key name under the same parent, else if it is the next of the same tag and
 * classes. It takes over attributes and listeners, so a listener finds its element by the
 * event.
 * An element of the caller's own may be given again as a child of the container.
 *
 * Nothing changes while the mouse is pressed: a click ends where it began, also when the
 * press left an input and that changed what is shown.
 */
export function reconcile(container: HTMLElement, ...children: readonly Child[]): void {
  attend();
  if (pressed) waiting.set(container, nodes(children));
  else show(container, nodes(children));
}

/**
 * Replaces a container's content and gives the focus (with what is being typed and the
 * text selection) back to the element that carries the same data-focus name as before,
 * or, of buttons, links and folds without one, the same words.
 *
 * What is pressed stays until it was clicked: leaving an input may be what changes
 * the container.
 */
export function refill(container: HTMLElement, ...children: readonly Child[]): void {
  attend();
  refilling.delete(container);
  if (pressed instanceof Node && container.contains(pressed)) {
    refilling.set(container, nodes(children));
  } else replace(container, nodes(children));
}

function refillWaiting(): void {
  for (const [container, wanted] of refilling) {
    refilling.delete(container);
    replace(container, wanted);
  }
}

function replace(container: HTMLElement, wanted: readonly (Node | string)[]): void {
  const active = document.activeElement;
  const held = active instanceof HTMLElement && container.contains(active) ? active : null;
  const typing = active instanceof HTMLInputElement && active.type === "text" ? active : null;
  // Before the box goes: that is a blur, at which it may take back what was typed.
  const { value = "", selectionStart = 0, selectionEnd = 0 } = typing ?? {};
  container.replaceChildren(...wanted);
  if (!held) return;
  const name = held.dataset["focus"];
  const heir = name
    ? container.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`)
    : held.matches("button, a, summary")
      ? [...container.querySelectorAll<HTMLElement>(held.tagName)].find(
          ({ textContent }) => textContent === held.textContent,
        )
      : null;
  heir?.focus({ preventScroll: true });
  if (!typing || !(heir instanceof HTMLInputElement)) return;
  // What is being typed stays, unless the box has got another value meanwhile.
  if (value !== typing.defaultValue && heir.defaultValue === typing.defaultValue) {
    heir.value = value;
    // Its list of suggestions went with the box before.
    if (heir.role === "combobox") heir.dispatchEvent(new Event("input", { bubbles: true }));
  }
  heir.setSelectionRange(selectionStart, selectionEnd);
}

function attend(): void {
  if (attending) return;
  attending = true;
  const release = (): void => {
    pressed = null;
    for (const [container, wanted] of waiting) {
      waiting.delete(container);
      show(container, wanted);
    }
    // The click follows in the same turn.
    if (refilling.size > 0) setTimeout(refillWaiting);
  };
  for (const type of ["mouseup", "dragend", "keydown", "contextmenu", "blur"]) {
    // The blur of an input is heard here too; the press that causes it goes on.
    addEventListener(type, ({ target }) => (type !== "blur" || target === window) && release(), {
      capture: true,
    });
  }
  addEventListener(
    "mousedown",
    ({ button, target }) => {
      release();
      // The list of a select takes the mouse for itself.
      const ownList = target instanceof Element && target.closest("select");
      pressed = button === 0 && !ownList ? target : null;
    },
    { capture: true },
  );
}

function show(container: HTMLElement, wanted: readonly (Node | string)[]): void {
  const active = document.activeElement;
  const held = active instanceof HTMLElement && container.contains(active) ? active : null;
  const order = held ? [...container.querySelectorAll<HTMLElement>(FOCUSABLE)] : [];
  align(container, wanted);
  if (held && !(takesFocus(held) && document.activeElement === held)) {
    let heir = heirOf(held, order, container);
    if (!heir) {
      heir = container; // the next press of Tab goes on from here
      container.tabIndex = -1;
    }
    heir.focus({ preventScroll: true });
  }
}

/** The element that gets a lost focus: the one of the same name, else the next one in order. */
function heirOf(
  held: HTMLElement,
  order: readonly HTMLElement[],
  container: HTMLElement,
): HTMLElement | undefined {
  if (takesFocus(held)) return held;
  const name = held.dataset["focus"];
  const named = name
    ? container.querySelector<HTMLElement>(`[data-focus="${CSS.escape(name)}"]`)
    : null;
  if (named && takesFocus(named)) return named;
  const place = order.indexOf(held);
  return order.slice(place).find(takesFocus) ?? order.slice(0, place).findLast(takesFocus);
}

function takesFocus(element: HTMLElement): boolean {
  return element.isConnected && !element.matches(":disabled") && element.checkVisibility();
}

/** Gives an element the wanted children, and reuses those of its own that are alike. */
function align(parent: Element, wanted: readonly (Node | string)[]): void {
  const own = new Set<unknown>(wanted);
  const free: ChildNode[] = [...parent.childNodes];
  let place = parent.firstChild;
  for (const one of wanted) {
    const next = typeof one === "string" ? document.createTextNode(one) : one;
    const index = free.findIndex((old) => old === next || (!own.has(old) && alike(old, next)));
    const kept = free.splice(index, index < 0 ? 0 : 1)[0] ?? next;
    if (kept !== next) update(kept, next);
    if (kept === place) place = place.nextSibling;
    else parent.insertBefore(kept, place);
  }
  for (const old of free) old.remove();
}

function alike(old: Node, next: Node): boolean {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    return old.nodeType === next.nodeType && old.nodeName === next.nodeName;
  }
  const key = keyOf(next);
  return (
    old.nodeName === next.nodeName &&
    keyOf(old) === key &&
    old.getAttribute("type") === next.getAttribute("type") &&
    (key !== null || old.getAttribute("class") === next.getAttribute("class"))
  );
}

function keyOf(element: Element): string | null {
  return element.getAttribute("data-focus") ?? element.getAttribute("data-key");
}

/**
 * Ids and what refers to them stay, and whether a fold is open; styles are none of the
 * attributes, which the page's policy forbids.
 */
const LASTING = new Set(["id", "for", "aria-describedby", "open", "style"]);

function update(old: Node, next: Node): void {
  if (!(old instanceof Element) || !(next instanceof Element)) {
    if (old.nodeValue !== next.nodeValue) old.nodeValue = next.nodeValue;
    return;
  }
  if (old.hasAttribute("data-own")) return;
  takeOver(old, next);
  const typed = isTyped(old, next);
  const lasting = (name: string): boolean =>
    LASTING.has(name) || (typed && name === "aria-invalid");
  for (const { name } of [...old.attributes]) {
    if (!lasting(name) && !next.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of next.attributes) {
    const kept = lasting(name) && (old.hasAttribute(name) || /^(open|style)$/.test(name));
    if (!kept && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
  if (old instanceof HTMLElement && next instanceof HTMLElement) {
    if (old.style.cssText !== next.style.cssText) old.style.cssText = next.style.cssText;
  }
  align(old, [...next.childNodes]);
  if (!typed) restate(old, next);
}

/** Whether an input has a value that exists nowhere else: it is half typed, or invalid. */
function isTyped(old: Element, next: Element): boolean {
  return (
    old instanceof HTMLInputElement &&
    next instanceof HTMLInputElement &&
    !/^(checkbox|radio)$/.test(old.type) &&
    old.defaultValue === next.defaultValue &&
    (old === document.activeElement || old.ariaInvalid === "true")
  );
}

/** Gives a control the value of another one. */
function restate(old: Element, next: Element): void {
  if (old instanceof HTMLInputElement && next instanceof HTMLInputElement) {
    if (old.checked !== next.checked) old.checked = next.checked;
  }
  const valued =
    (old instanceof HTMLInputElement && next instanceof HTMLInputElement) ||
    (old instanceof HTMLSelectElement && next instanceof HTMLSelectElement) ||
    (old instanceof HTMLTextAreaElement && next instanceof HTMLTextAreaElement);
  if (!valued) return;
  if (old.value !== next.value) old.value = next.value;
  old.dispatchEvent(new Event("reconcile"));
}
