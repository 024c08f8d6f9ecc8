import { h } from "../ui/dom";
import { inputsOf } from "../plan/plan";
import { readFeatures } from "../search/feature";
import { FOUND, foundList, matchLine } from "./found";
import type { Task } from "./task";
import { dot } from "../map/shape";
import { tr } from "../ui/translate";

/** All places that a query finds, with the reasons. */
export const search: Task = {
  name: "search",
  label: tr("Search"),
  icon: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  stops: null,
  travel: false,
  fields: [
    {
      kind: "text",
      key: "q",
      label: tr("Look for"),
      help: "",
      default: "",
      most: 200,
      placeholder: tr("Place, address, postcode or petrol station"),
    },
    {
      kind: "choice",
      key: "where",
      label: tr("Where"),
      help: "",
      default: "near",
      choices: [
        ["near", tr("near the map first")],
        ["view", tr("only on the map")],
        ["all", tr("everywhere alike")],
      ],
    },
  ],
  waiting: tr("Searching…"),
  hint: tr(
    "Type a place, an address, a postcode or a kind of places, alone or with a town: pharmacies open now, Tankstelle in Vaduz. Each hit says which part of your words met which part of it.",
  ),
  request(plan, around) {
    const { q = "", where = "near" } = inputsOf(plan, "search");
    // Before the map is there, nothing is on it to search.
    if (q === "" || (where === "view" && !around)) return null;
    const near = where === "near" && around?.centre.map((x) => x.toFixed(4)).join(",");
    const box = where === "view" && around?.bounds.map((x) => x.toFixed(5)).join(",");
    return {
      path: "geocode",
      query: {
        q: String(q),
        limit: 10,
        lang: plan.language.slice(0, 2),
        bias: near || undefined,
        bbox: box || undefined,
      },
    };
  },
  read(answer, plan, context) {
    const all = readFeatures(answer);
    return {
      shapes: all.map(({ at }, index) => dot(at, FOUND, String(index + 1))),
      content: all.length
        ? foundList(all, context, plan.units === "miles", (index) => matchLine(all[index]!.match))
        : h("p", { class: "welcome" }, tr("Nothing found. Try fewer words, or another spelling.")),
    };
  },
};
