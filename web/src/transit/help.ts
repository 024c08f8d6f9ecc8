import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { tr } from "../ui/translate";

/** What to do where a server has no timetable. */
export function importHelp(): HTMLElement {
  return h(
    "div",
    { class: "notice warning", role: "status" },
    h("h2", {}, uiIcon("warning"), tr("No timetable here yet")),
    h(
      "p",
      {},
      tr(
        "Nothing is known of buses and trains until a timetable is imported with the map. Timetables come as GTFS from operators and authorities:",
      ),
    ),
    h(
      "pre",
      { class: "transit-command" },
      h("code", {}, "waygate import --out DIR \\\n  --gtfs buses.zip extract.osm.pbf"),
    ),
    h("p", {}, tr("A server that serves the folder takes it in without a restart.")),
  );
}
