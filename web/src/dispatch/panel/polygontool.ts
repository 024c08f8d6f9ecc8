import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import type { LonLat } from "../../geo/coords";
import { reconcile } from "../../ui/reconcile";
import { announce } from "../../site/page";
import { MOST_POSITIONS, sideMet } from "../problem/areas";
import type { View } from "./view";

/** Pixels from the first corner within which a click closes an area. */
const CLOSE_PX = 12;

/** Lets somebody draw an area: each click on the map adds a corner, a button one at its middle. */
export class PolygonTool {
  readonly element = h("div", { class: "polygon-tool" });
  private readonly view: View;
  private readonly take: (ring: readonly LonLat[]) => void;
  private corners: readonly LonLat[] | null = null;
  /** The reason why the last corner was refused; "" if it was not. */
  private trouble = "";

  /** Calls take with each closed ring. */
  constructor(view: View, take: (ring: readonly LonLat[]) => void) {
    this.view = view;
    this.take = take;
    this.draw();
  }

  private readonly escape = ({ key }: KeyboardEvent): void => {
    if (key === "Escape") this.leave();
  };

  private begin(): void {
    this.put([]);
    document.addEventListener("keydown", this.escape);
    this.view.clicks((at, pixelsTo) => {
      const [first] = this.corners ?? [];
      if (first && this.closes && pixelsTo(first) <= CLOSE_PX) this.close();
      else this.add(at);
    });
  }

  private get closes(): boolean {
    return (this.corners?.length ?? 0) > 2;
  }

  private add(at: LonLat | null): void {
    const corners = this.corners ?? [];
    const again = at && corners.at(-1)?.join() === at.join();
    if (!at || again || this.refuses(at)) return;
    if (corners.length >= MOST_POSITIONS - 1) {
      this.complain(tr("An area has {0} corners at most.", MOST_POSITIONS - 1));
      return;
    }
    this.put([...corners, at]);
    announce(tr("Corner {0}.", corners.length + 1));
  }

  /** Reports whether a side to a place would cross the border, and shows a message if so. */
  private refuses(at: LonLat): boolean {
    const met = sideMet(this.corners ?? [], at);
    if (met === null) return false;
    this.complain(
      tr(
        "That side would cross the one from corner {0} to {1}: a border may not cross itself. Take corners back, or set the next one elsewhere.",
        met,
        met + 1,
      ),
    );
    return true;
  }

  private complain(trouble: string): void {
    this.trouble = trouble;
    this.draw();
  }

  private close(): void {
    const corners = this.corners ?? [];
    if (this.refuses(corners[0]!)) return;
    this.leave();
    this.take([...corners, corners[0]!]);
  }

  private leave(): void {
    document.removeEventListener("keydown", this.escape);
    this.view.clicks(null);
    this.put(null);
  }

  private put(corners: readonly LonLat[] | null): void {
    this.corners = corners;
    this.trouble = "";
    this.view.sketch(corners ?? []);
    this.draw();
  }

  private draw(): void {
    const { corners } = this;
    const button = (label: string, focus: string, act: () => void, disabled = false) =>
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          "data-focus": `polygon-${focus}`,
          disabled,
          onclick: act,
        },
        label,
      );
    if (!corners) {
      reconcile(
        this.element,
        button(tr("Draw an area"), "first", () => this.begin()),
      );
      return;
    }
    reconcile(
      this.element,
      h(
        "p",
        { class: "hint" },
        tr(
          "Click the map at each corner, and at the first one to close the area. {0} {0|corner|corners} so far.",
          corners.length,
        ),
      ),
      this.trouble && h("p", { class: "complaint", role: "alert" }, this.trouble),
      h(
        "div",
        { class: "buttons" },
        button(tr("Add a corner at the map’s middle"), "first", () => this.add(this.view.middle())),
        button(
          tr("Take the last corner back"),
          "back",
          () => this.put(corners.slice(0, -1)),
          !corners.length,
        ),
        button(tr("Close the area"), "close", () => this.close(), !this.closes),
        button(tr("Leave it"), "leave", () => this.leave()),
      ),
    );
  }
}
