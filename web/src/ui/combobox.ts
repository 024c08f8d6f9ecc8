import { announce, h } from "./dom";
import { uiIcon } from "./icons";
import { refill } from "./reconcile";
import { tr } from "./translate";

/** The pause in typing after which the server is asked. */
const REST_MS = 110;

const ICONS = {
  coordinates: "centre",
  recent: "recent",
  own: "star",
  place: "place",
  kind: "kind",
} as const;

/** One line below a text box. */
export interface Line {
  /** The same for the same thing from one answer to the next. */
  readonly key: string;
  readonly name: string;
  readonly detail: string;
  /** Of a place: how it is known. */
  readonly source?: keyof typeof ICONS;
}

export interface Lines<L extends Line> {
  readonly list: readonly L[];
  /** What else there is to say, such as why nothing was found; "" for nothing. */
  readonly note: string;
}

/** Where lines come from. */
export interface Source<L extends Line> {
  /** What there is without asking the server; null where it is to be asked. */
  instant(text: string): Lines<L> | null;
  /** Asks the server; null where the signal has ended it. */
  ask(text: string, signal: AbortSignal): Promise<Lines<L> | null>;
  /** Hears which of the lines was picked. */
  picked?(line: L, typed: string): void;
}

export interface ComboboxSetup<L extends Line> {
  readonly suggester: Source<L>;
  readonly pick: (suggestion: L) => void;
  /** What the lines are; places unless it says. */
  readonly label?: string;
  /** Enter where no line is chosen. */
  readonly enter: (text: string) => void;
  /** Whether Enter takes the first line of the server, where none is chosen. */
  readonly eager?: (first: L) => boolean;
  /** Offered at the end of the lines that are remembered. */
  readonly forget?: () => void;
}

let lists = 0;

/**
 * Suggestions below a text box, by the pattern of a combobox: the arrows walk
 * through the lines while the box keeps the focus, Enter takes the chosen line,
 * Escape closes the list. The lines stay until newer ones are there, and the line
 * that is chosen stays chosen, so that nothing jumps while somebody types.
 */
export class Combobox<L extends Line> {
  private readonly input: HTMLInputElement;
  private readonly setup: ComboboxSetup<L>;
  private readonly list: HTMLElement;
  private readonly popup: HTMLElement;
  private shown: Lines<L> = { list: [], note: "" };
  /** The key of the chosen line. */
  private chosen: string | null = null;
  private running: AbortController | null = null;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(input: HTMLInputElement, setup: ComboboxSetup<L>) {
    this.input = input;
    this.setup = setup;
    const label = setup.label ?? tr("Places");
    this.list = h("ul", { role: "listbox", id: `suggestions-${++lists}`, "aria-label": label });
    this.popup = h("div", { class: "suggestions", popover: "manual" });
    for (const [name, value] of [
      ["role", "combobox"],
      ["aria-autocomplete", "list"],
      ["aria-expanded", "false"],
      ["aria-controls", this.list.id],
    ] as const) {
      input.setAttribute(name, value);
    }
    input.addEventListener("input", () => this.typed());
    input.addEventListener("focus", () => input.value.trim() === "" && this.typed());
    input.addEventListener("blur", () => this.close());
    input.addEventListener("keydown", (event) => this.pressed(event));
    // A press on a line must not take the focus from the box.
    this.popup.addEventListener("pointerdown", (event) => event.preventDefault());
    this.popup.addEventListener("mousedown", (event) => event.preventDefault());
  }

  /** What is to stand right after the text box. */
  get element(): HTMLElement {
    return this.popup;
  }

  close(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    if (this.open) this.popup.hidePopover();
    this.chosen = null;
    this.input.setAttribute("aria-expanded", "false");
    this.input.removeAttribute("aria-activedescendant");
    this.input.removeAttribute("aria-busy");
  }

  private get open(): boolean {
    return this.popup.isConnected && this.popup.matches(":popover-open");
  }

  /** Places the list below the box, as wide as the box's container. */
  private place(): void {
    const { left, bottom, width } = this.input.parentElement!.getBoundingClientRect();
    Object.assign(this.popup.style, {
      left: `${left}px`,
      top: `${bottom + 4}px`,
      width: `${width}px`,
    });
  }

  private typed(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    const text = this.input.value;
    const instant = this.setup.suggester.instant(text);
    if (instant) return this.show(instant);
    const { signal } = (this.running = new AbortController());
    this.input.setAttribute("aria-busy", "true");
    this.timer = setTimeout(() => {
      void this.setup.suggester.ask(text, signal).then((found) => {
        if (found && document.activeElement === this.input) this.show(found);
      });
    }, REST_MS);
  }

  private show(shown: Lines<L>): void {
    this.shown = shown;
    this.input.removeAttribute("aria-busy");
    if (!shown.list.some(({ key }) => key === this.chosen)) this.chosen = null;
    this.render();
    const count = shown.list.length;
    // A list that opens is not read out by itself.
    announce(count > 0 ? tr("{0} {0|suggestion|suggestions}", count) : shown.note);
  }

  private render(): void {
    const { list, note } = this.shown;
    const { forget } = this.setup;
    const any = list.length > 0 || note !== "";
    if (any !== this.open) this.popup.togglePopover(any);
    if (any) this.place();
    this.input.setAttribute("aria-expanded", String(list.length > 0));
    refill(
      this.list,
      list.map((suggestion, index) =>
        h(
          "li",
          {
            role: "option",
            id: `${this.list.id}-${index}`,
            "aria-selected": String(suggestion.key === this.chosen),
            onclick: () => this.take(suggestion),
          },
          suggestion.source && uiIcon(ICONS[suggestion.source]),
          h(
            "span",
            { class: "suggestion" },
            h("span", { class: "suggestion-name" }, suggestion.name),
            suggestion.detail && h("span", { class: "suggestion-detail" }, suggestion.detail),
          ),
        ),
      ),
    );
    const remembered = list[0]?.source === "recent";
    refill(
      this.popup,
      this.list,
      note && h("p", { class: "hint" }, note),
      remembered &&
        forget &&
        h(
          "button",
          {
            type: "button",
            class: "tool",
            tabindex: -1,
            onclick: () => {
              forget();
              this.typed();
            },
          },
          tr("Forget these"),
        ),
    );
    const at = list.findIndex(({ key }) => key === this.chosen);
    if (at < 0) this.input.removeAttribute("aria-activedescendant");
    else {
      this.input.setAttribute("aria-activedescendant", `${this.list.id}-${at}`);
      this.list.children[at]?.scrollIntoView({ block: "nearest" });
    }
  }

  private take(suggestion: L): void {
    const { suggester, pick } = this.setup;
    this.close();
    suggester.picked?.(suggestion, this.input.value);
    pick(suggestion);
  }

  private async enter(text: string): Promise<void> {
    const { suggester, eager, enter } = this.setup;
    this.close();
    if (eager && text.trim() !== "" && !suggester.instant(text)) {
      const { signal } = (this.running = new AbortController());
      const first = (await suggester.ask(text, signal))?.list[0];
      if (signal.aborted) return;
      if (first && eager(first)) return this.take(first);
    }
    enter(text);
  }

  private pressed(event: KeyboardEvent): void {
    if (event.isComposing) return;
    const { list } = this.shown;
    const { open } = this;
    const at = list.findIndex(({ key }) => key === this.chosen);
    switch (event.key) {
      case "ArrowDown":
      case "ArrowUp": {
        if (!open) return this.typed();
        // Between the last and the first line the text box itself is chosen.
        const step = event.key === "ArrowDown" ? 1 : -1;
        const next = (at + 1 + step + list.length + 1) % (list.length + 1);
        this.chosen = list[next - 1]?.key ?? null;
        this.render();
        break;
      }
      case "Enter":
        if (open && at >= 0) {
          this.take(list[at]!);
        } else void this.enter(this.input.value);
        break;
      case "Escape":
        if (!open) return;
        this.close();
        break;
      default:
        return;
    }
    event.preventDefault();
  }
}
