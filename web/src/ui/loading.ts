import { h } from "./dom";
import { tr } from "./translate";

/** One wait. */
interface Wait {
  readonly label: string;
  readonly cancel: (() => void) | null;
}

/** The waits of the page at the moment. */
export class Loading {
  private readonly waits = new Set<Wait>();
  private readonly listeners: (() => void)[] = [];

  /** Begins to wait; the function it gives ends that, and may be called again. */
  begin(label: string, cancel: (() => void) | null): () => void {
    const wait = { label, cancel };
    this.waits.add(wait);
    this.tell();
    return () => {
      if (this.waits.delete(wait)) this.tell();
    };
  }

  get busy(): boolean {
    return this.waits.size > 0;
  }

  /** The newest thing that is waited for. */
  get label(): string {
    return [...this.waits].at(-1)?.label ?? "";
  }

  get cancellable(): boolean {
    return [...this.waits].some(({ cancel }) => cancel !== null);
  }

  /** Cancels every wait that can be cancelled. */
  cancel(): void {
    for (const { cancel } of [...this.waits]) cancel?.();
  }

  subscribe(listener: () => void): void {
    this.listeners.push(listener);
    listener();
  }

  private tell(): void {
    for (const listener of this.listeners) listener();
  }
}

/** A bar over the panel while it waits. */
export function progressBar(loading: Loading): HTMLElement {
  const bar = h("div", { class: "progress", "aria-hidden": "true" });
  loading.subscribe(() => bar.classList.toggle("busy", loading.busy));
  return bar;
}

/** A line that names the current wait, with a button to cancel it; it shows after a moment. */
export function waitingLine(loading: Loading): HTMLElement {
  const label = h("span", { role: "status" });
  const cancel = h(
    "button",
    { type: "button", class: "tool", onclick: () => loading.cancel() },
    tr("Cancel"),
  );
  const line = h(
    "div",
    { class: "waiting", hidden: true },
    h("span", { class: "spinner", "aria-hidden": "true" }),
    label,
    cancel,
  );
  loading.subscribe(() => {
    line.hidden = !loading.busy;
    cancel.hidden = !loading.cancellable;
    label.textContent = loading.label;
  });
  return line;
}
