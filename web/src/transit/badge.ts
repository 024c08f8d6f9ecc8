import { h } from "../ui/dom";
import { modeName } from "./answers";
import { badgeOf } from "./colours";

/** What a badge shows of a line. */
export interface Line {
  readonly line: string | null;
  readonly mode: string;
  readonly colour?: string | null;
  readonly text_colour?: string | null;
}

/** The name of a line on its colour, with the kind of vehicle for those who do not see it. */
export function lineBadge({ line, mode, colour, text_colour: text }: Line): HTMLElement {
  const { ground, ink } = badgeOf(mode, colour, text);
  const badge = h(
    "span",
    { class: "line-badge" },
    line ? h("span", { class: "offscreen" }, `${modeName(mode)} `) : false,
    line || modeName(mode),
  );
  // Through the object model: the page's policy allows no style attributes.
  badge.style.background = ground;
  badge.style.color = ink;
  return badge;
}
