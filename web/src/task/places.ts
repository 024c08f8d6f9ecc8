import { h } from "../ui/dom";
import { inputsOf, placedStops, type Plan } from "../plan/plan";
import { isRecord } from "../call/record";
import { readPlaces } from "../search/suggest";
import { FOUND, foundList } from "./found";
import type { TaskContext, Task } from "./task";
import { dot } from "../map/shape";
import { readUpload, type Upload } from "./upload";
import { tr } from "../ui/translate";

/** More of them are not listed at once. */
const MOST_LISTED = 50;
const MOST_DRAWN = 2000;

/** The places that a caller uploaded: put there from a file, listed, searched, the nearest. */
function placesTask(): Task {
  let message = "";
  let upload: Upload | null = null;
  const load = async (chosen: File, context: TaskContext): Promise<void> => {
    upload = null;
    try {
      upload = { ...readUpload(await chosen.text()), name: chosen.name };
      const { places, skipped } = upload;
      message = places.length
        ? tr(
            "{0}: {1} {1|place|places}{2}.",
            chosen.name,
            places.length,
            skipped ? tr(", and {0} {0|row|rows} without a name or a position", skipped) : "",
          )
        : tr(
            "{0} holds no places: a CSV needs columns name, lat and lon; GeoJSON, GPX and KML need points with names.",
            chosen.name,
          );
      if (places.length === 0) upload = null;
    } catch {
      message = tr("{0} could not be read: CSV, GeoJSON, GPX and KML are.", chosen.name);
    }
    context.again();
  };
  return {
    name: "places",
    label: tr("My places"),
    icon: "M12 4.5l2.3 4.8 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L4.5 10l5.2-.7z",
    stops: tr("The nearest are looked for around this point."),
    first: true,
    travel: false,
    key: true,
    fields: [
      {
        kind: "choice",
        key: "which",
        label: tr("Show"),
        help: "",
        default: "all",
        choices: [
          ["all", tr("all of them")],
          ["near", tr("the nearest to point A")],
        ],
      },
      {
        kind: "text",
        key: "mine",
        label: tr("Look for"),
        help: "",
        default: "",
        most: 200,
        placeholder: tr("Name, address or category"),
      },
    ],
    waiting: tr("Asking for your places…"),
    hint: tr("Click the map for point A: the nearest of your places are looked for around it."),
    request(plan) {
      const { which = "all", mine = "" } = inputsOf(plan, "places");
      const [first] = placedStops(plan);
      const near = first ? { lat: first.at[1], lon: first.at[0] } : {};
      if (mine !== "") {
        return { path: "places/search", query: { q: String(mine), ...near, limit: MOST_LISTED } };
      }
      if (which === "all") return { path: "places" };
      return first ? { path: "places/nearest", query: { ...near, limit: 10 } } : null;
    },
    read(answer, plan, context, call) {
      if (call.method === "PUT" || call.method === "DELETE") return done(answer, context);
      const all = readPlaces(answer);
      const many = all.length > MOST_LISTED;
      return {
        shapes: all
          .slice(0, MOST_DRAWN)
          .map(({ at }, index) => dot(at, FOUND, many ? undefined : String(index + 1))),
        content: h(
          "div",
          {},
          h("p", { class: "summary" }, tr("{0} {0|place|places}", all.length)),
          foundList(
            all.slice(0, MOST_LISTED).map((found) => ({ ...found, id: null })),
            context,
            plan.units === "miles",
          ),
          many && h("p", { class: "hint" }, tr("The first {0} are listed.", MOST_LISTED)),
        ),
      };
    },
    controls: (plan, context) => controls(plan, context),
  };

  function controls(_: Plan, context: TaskContext): HTMLElement {
    if (!context.keyed) return h("div");
    const input = h("input", {
      type: "file",
      id: "places-file",
      class: "offscreen",
      "data-focus": "places-file",
      accept: ".csv,.json,.geojson,.gpx,.kml",
      onchange: () => {
        const chosen = input.files?.[0];
        if (chosen) void load(chosen, context);
      },
    });
    const put = (): void => {
      if (!upload) return;
      const { places } = upload;
      upload = null;
      message = "";
      void context.run({ method: "PUT", path: "places", body: { places } });
    };
    return h(
      "div",
      { class: "task-controls" },
      h("label", { for: "places-file", class: "tool file" }, tr("Upload a file…")),
      input,
      upload &&
        h(
          "button",
          { type: "button", class: "chip", "data-focus": "places-put", onclick: put },
          tr("Replace all by these {0}", upload.places.length),
        ),
      h(
        "button",
        {
          type: "button",
          class: "tool",
          "data-focus": "places-delete",
          onclick: () => {
            if (confirm(tr("Delete all of your places?"))) {
              void context.run({ method: "DELETE", path: "places" });
            }
          },
        },
        tr("Delete all"),
      ),
      message && h("p", { class: "hint" }, message),
    );
  }

  function done(answer: unknown, { again }: TaskContext): ReturnType<Task["read"]> {
    const count = isRecord(answer) ? Number(answer["count"]) || 0 : 0;
    return {
      shapes: [],
      content: h(
        "div",
        { class: "notice calm", role: "status" },
        h(
          "p",
          {},
          isRecord(answer)
            ? tr("{0} {0|place is|places are} stored.", count)
            : tr("Your places are deleted."),
        ),
        h(
          "p",
          { class: "actions" },
          h("button", { type: "button", class: "tool", onclick: again }, tr("Show them")),
        ),
      ),
    };
  }
}

export const places = placesTask();
