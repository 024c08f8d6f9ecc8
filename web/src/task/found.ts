import { h } from "../ui/dom";
import { formatLength } from "../ui/format";
import type { Found, Match } from "../search/feature";
import type { TaskContext } from "./task";
import { tr } from "../ui/translate";

/** The colour of what a search found, on the map and in its list. */
export const FOUND = "#b3467a";

/** A list of places to choose from, numbered as on the map; more is added below each. */
export function foundList(
  all: readonly Found[],
  { open, look }: TaskContext,
  miles: boolean,
  more: (index: number) => HTMLElement | string | false = () => false,
): HTMLElement {
  return h(
    "ol",
    { class: "found" },
    all.map((found, index) => {
      const { at, id, name, kind, address, metres } = found;
      const away = metres === null ? "" : formatLength(metres / (miles ? 1609.344 : 1000), miles);
      return h(
        "li",
        {},
        h("span", { class: "found-number", "aria-hidden": "true" }, index + 1),
        h(
          "div",
          {},
          h(
            "button",
            {
              type: "button",
              class: "found-name",
              onclick: () => {
                look([at]);
                open({ at, id, name });
              },
            },
            name,
          ),
          h("p", { class: "found-detail" }, [kind, address, away].filter(Boolean).join(" · ")),
          more(index),
        ),
      );
    }),
  );
}

const FIELDS: Readonly<Record<string, string>> = {
  name: tr("name"),
  street: tr("street"),
  house: tr("house number"),
  unit: tr("part of the building"),
  locality: tr("town"),
  postcode: tr("postcode"),
  state: tr("region"),
  country: tr("country"),
  category: tr("kind"),
};

/** Why a place was found: which part of the query met which part of it, and how well. */
export function matchLine(match: readonly Match[]): HTMLElement | false {
  if (match.length === 0) return false;
  return h(
    "ul",
    { class: "match", "aria-label": tr("Why it was found") },
    match.map(({ query, field, text, quality }) => {
      const exact = quality >= 1;
      const same = query.toLowerCase() === text.toLowerCase();
      return h(
        "li",
        { class: exact ? "exact" : "close" },
        tr(
          "“{0}” {1} the {2}",
          query,
          exact ? tr("is") : tr("is close to"),
          FIELDS[field] ?? field,
        ),
        text && !same && ` ${text}`,
        !exact && ` (${Math.round(quality * 100)} %)`,
      );
    }),
  );
}
