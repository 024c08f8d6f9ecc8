import type { Map as MapLibre, StyleSpecification } from "maplibre-gl";
import { absoluteURLs, openMap } from "../map/basemap";
import { call } from "../site/client";
import { counted } from "../site/money";
import { refusal } from "../site/page";
import { at } from "../call/root";
import { h } from "../ui/dom";
import { differences, type Difference, type WholeTheme } from "./document";

/** The answer of POST /api/style-preview. */
export interface Preview {
  readonly style: StyleSpecification;
  readonly theme: WholeTheme;
  readonly fonts: readonly string[];
}

/** Has the server compile a theme. */
export const preview = (theme: object): Promise<Preview> =>
  call<Preview>({ method: "POST", path: "api/style-preview", body: { theme } });

/** What is compared with: groups of styles by their names, with the words for each. */
export type Choices = readonly (readonly [
  title: string,
  ...styles: (readonly [string, string])[],
])[];

/** The style that is edited beside another one: what differs in words, and both on the map. */
export class Compare {
  readonly element: HTMLElement;
  private readonly choice = h("select", {
    id: "compare",
    onchange: () => void this.choose(this.choice.value),
  });
  private readonly found = h("div", { class: "differences", role: "status" });
  private readonly share = h("input", {
    type: "range",
    id: "compare-share",
    min: 0,
    max: 100,
    value: 50,
    oninput: () => this.part(),
  });
  private readonly split = h(
    "div",
    { class: "factor", hidden: true },
    h("label", { for: "compare-share" }, "Where the map is parted"),
    this.share,
  );
  private readonly over = h("div", { class: "compared", hidden: true, "aria-hidden": "true" });
  private readonly apiKey: string | null;
  private edited: WholeTheme | null = null;
  private other: Preview | null = null;
  private main: MapLibre | null = null;
  private map: MapLibre | null = null;

  constructor(apiKey: string | null) {
    this.apiKey = apiKey;
    this.element = h(
      "div",
      {},
      h("div", { class: "control" }, h("label", { for: "compare" }, "Compare with"), this.choice),
      this.split,
      this.found,
    );
  }

  /** Sets what there is to compare with. */
  offer(choices: Choices): void {
    const before = this.choice.value;
    this.choice.replaceChildren(
      h("option", { value: "" }, "nothing"),
      ...choices.map(([title, ...styles]) =>
        h(
          "optgroup",
          { label: title },
          styles.map(([value, label]) => h("option", { value }, label)),
        ),
      ),
    );
    this.choice.value = before;
    if (this.choice.selectedIndex < 0) void this.choose("");
  }

  /** Takes the map whose right part shows the other style. */
  lie(main: MapLibre): void {
    this.main = main;
    main.getContainer().append(this.over);
    main.on("move", () => this.follow());
    this.draw();
  }

  /** Takes the theme as it is edited. */
  show(theme: WholeTheme): void {
    this.edited = theme;
    this.tell();
  }

  private async choose(look: string): Promise<void> {
    this.choice.value = look;
    this.other = null;
    if (look) {
      try {
        const other = await preview({ extends: look });
        if (this.choice.value !== look) return;
        this.other = other;
      } catch (error) {
        this.found.replaceChildren(refusal(error));
        return;
      }
    }
    this.tell();
    this.draw();
  }

  private tell(): void {
    const { other, edited } = this;
    if (!other || !edited) return this.found.replaceChildren();
    const all = differences(other.theme, edited);
    const line = ({ group, label, before, after }: Difference): HTMLElement =>
      h(
        "tr",
        {},
        h("th", { scope: "row" }, label),
        ...[before, after].map((value) => cell(group, value)),
      );
    this.found.replaceChildren(
      all.length
        ? h(
            "table",
            {},
            h("caption", {}, counted(all.length, "difference")),
            h(
              "thead",
              {},
              h(
                "tr",
                {},
                h("td", {}),
                h("th", { scope: "col" }, this.name()),
                h("th", { scope: "col" }, "Edited"),
              ),
            ),
            h("tbody", {}, all.map(line)),
          )
        : h("p", { class: "hint" }, "They are drawn alike."),
    );
  }

  /** The words for what is compared with. */
  private name(): string {
    return this.choice.selectedOptions[0]?.textContent ?? "";
  }

  private draw(): void {
    const { main, other } = this;
    this.over.hidden = this.split.hidden = !other;
    if (!main || !other) return;
    const style = absoluteURLs(other.style, at(""));
    if (this.map) this.map.setStyle(style, { diff: true });
    else {
      this.map = openMap({ container: this.over, apiKey: this.apiKey, interactive: false, style });
    }
    this.over.dataset["name"] = this.name();
    this.map.resize();
    this.follow();
    this.part();
  }

  private follow(): void {
    if (!this.main || !this.other) return;
    const center = this.main.getCenter();
    this.map?.jumpTo({ center, zoom: this.main.getZoom(), bearing: this.main.getBearing() });
  }

  private part(): void {
    this.over.style.clipPath = `inset(0 0 0 ${this.share.value}%)`;
    this.over.style.setProperty("--parted", `${this.share.value}%`);
  }
}

/** A value, with a sample of a colour. */
function cell(group: Difference["group"], value: string): HTMLElement {
  if (group !== "colours") return h("td", {}, value);
  const sample = h("span", { class: "sample", "aria-hidden": "true" });
  sample.style.background = value;
  return h("td", {}, sample, value);
}
