import { h } from "../ui/dom";
import { tr } from "../ui/translate";

const PHONE = matchMedia("(max-width: 720px)");

/** How far the sheet is pulled up on a phone. */
export type Pull = "low" | "half" | "full";

const ORDER: readonly Pull[] = ["low", "half", "full"];

/**
 * Turns the panel into a bottom sheet on narrow screens: a handle to drag or
 * press, three heights, and --sheet on the root for what must stay above it.
 * On wide screens the panel floats at the left and the handle is hidden.
 */
export class Sheet {
  readonly handle: HTMLElement;
  private readonly panel: HTMLElement;
  private pull: Pull = "half";

  constructor(panel: HTMLElement) {
    this.panel = panel;
    this.handle = h("button", {
      type: "button",
      class: "sheet-handle",
      "aria-label": tr("Panel height"),
      onclick: (event: MouseEvent) => {
        // A drag ends in a click too; only keys and clean presses step.
        if (event.detail === 0 || !this.dragged) this.step();
      },
      onpointerdown: (event: PointerEvent) => this.drag(event),
    });
    this.set("half");
    PHONE.addEventListener("change", () => this.set(this.pull));
    addEventListener("resize", () => this.set(this.pull));
  }

  private dragged = false;

  get phone(): boolean {
    return PHONE.matches;
  }

  set(pull: Pull): void {
    this.pull = pull;
    this.panel.dataset["pull"] = pull;
    this.size(this.phone ? heightOf(pull) : null);
  }

  /** Pulls the sheet up to a height, where it is lower. */
  atLeast(pull: Pull): void {
    if (ORDER.indexOf(this.pull) < ORDER.indexOf(pull)) this.set(pull);
  }

  /** Pixels of the map's lower edge that the sheet covers. */
  covered(): number {
    return this.phone ? Math.min(heightOf(this.pull), innerHeight * 0.6) : 0;
  }

  private step(): void {
    this.set(ORDER[(ORDER.indexOf(this.pull) + 1) % ORDER.length]!);
  }

  private size(height: number | null): void {
    const root = document.documentElement;
    if (height === null) root.style.removeProperty("--sheet");
    else root.style.setProperty("--sheet", `${Math.round(height)}px`);
  }

  private drag(down: PointerEvent): void {
    const from = this.panel.getBoundingClientRect().height;
    this.dragged = false;
    const move = (event: PointerEvent): void => {
      const height = from + down.clientY - event.clientY;
      if (Math.abs(down.clientY - event.clientY) > 4) this.dragged = true;
      if (this.dragged) {
        this.panel.classList.add("dragging");
        this.size(Math.max(heightOf("low"), Math.min(heightOf("full"), height)));
      }
    };
    const end = (): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      this.panel.classList.remove("dragging");
      if (!this.dragged) return;
      const height = this.panel.getBoundingClientRect().height;
      const nearest = ORDER.toSorted(
        (a, b) => Math.abs(heightOf(a) - height) - Math.abs(heightOf(b) - height),
      );
      this.set(nearest[0]!);
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  }
}

function heightOf(pull: Pull): number {
  switch (pull) {
    case "low":
      return 76;
    case "half":
      return Math.round(innerHeight * 0.46);
    case "full":
      return innerHeight - 48;
  }
}
