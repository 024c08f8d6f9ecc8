import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { notice } from "../../site/page";
import type { Bounds } from "../../geo/coords";
import { astray, exchanged, type Astray } from "./astray";
import { unlike } from "../problem/areas";
import { stopsOf } from "./columns";
import { recognise, ROLES, SEVERAL, type Role } from "./roles";
import type { PlanStore } from "../plan/store";
import { dropZone, tookIn } from "./dropzone";
import { mapping } from "./mapping";
import { withStops } from "../problem/merge";
import type { Stop } from "../problem/model";
import type { Sheet } from "./sheet";

/** Where stops come in: a file that is chosen or dropped, or a table that is pasted. */
export function intake(
  store: PlanStore,
  example: (() => Stop[]) | null,
  served: Bounds | null,
): HTMLElement {
  const answer = h("div", { class: "intake-answer" });
  const show = (sheet: Sheet): void => {
    const areas = takeAreas(store, sheet);
    if (areas) answer.replaceChildren(notice("calm", tr("Areas taken"), h("p", {}, areas)));
    else answer.replaceChildren();
    if (sheet.rows.length)
      answer.append(stopColumns({ store, sheet, served, done: (text) => tookIn(answer, text) }));
  };
  const take = (): void => {
    const stops = example?.() ?? [];
    store.change({ ...store.state.problem, stops });
  };
  const zone = dropZone({
    id: "stops-file",
    label: tr("A table of stops"),
    kinds: tr("CSV, XLSX or GeoJSON"),
    placeholder: "name, address, from, to, minutes\nBakery, 12 High Street, 8:00, 10:00, 5",
    show,
    answer,
    also:
      example &&
      h(
        "button",
        { type: "button", class: "button second small", onclick: take },
        tr("Take an example"),
      ),
  });
  return h("div", { class: "intake" }, zone, answer);
}

/** Takes the areas of a sheet beside those there are, and says what it took; "" is nothing. */
function takeAreas(store: PlanStore, { areas = [] }: Sheet): string {
  if (areas.length === 0) return "";
  const { problem } = store.state;
  const names = new Set(problem.areas.map(({ name }) => name));
  const added = areas.map((area) => {
    const name = unlike(area.name, names);
    names.add(name);
    return { ...area, name };
  });
  store.change({ ...problem, areas: [...problem.areas, ...added] });
  return tr(
    "{0}: bind vehicles to them below “Vehicles”.",
    added.map(({ name }) => name).join(", "),
  );
}

interface StopColumns {
  readonly store: PlanStore;
  readonly sheet: Sheet;
  readonly served: Bounds | null;
  readonly done: (text: string) => void;
}

/** The meaning of each column of a sheet of stops, and buttons to take the stops. */
function stopColumns({ store, sheet, served, done }: StopColumns): HTMLElement {
  return mapping<Role>({
    sheet,
    roles: ROLES,
    several: SEVERAL,
    columns: recognise(sheet),
    read: (columns) => {
      const { stops, loads, problems } = stopsOf(sheet, columns);
      const placed = stops.filter(({ at }) => at).length;
      const give = (keep: readonly Stop[]) => (): void => {
        store.change(withStops({ ...store.state.problem, stops: keep }, stops, loads));
        done(tr("{0} {0|stop|stops} taken.", stops.length));
      };
      const old = store.state.problem.stops;
      const off = served ? astray(stops, served) : null;
      const exchange = (): void => {
        store.change(withStops({ ...store.state.problem, stops: [] }, exchanged(stops, off!.swapped), loads)); // prettier-ignore
        done(tr("{0} {0|stop|stops} taken.", stops.length));
      };
      return {
        words: tr(
          "{0} {0|stop|stops}, {1} of them with coordinates.{2}",
          stops.length,
          placed,
          off ? outside(off) : "",
        ),
        problems,
        ways:
          off?.swapped.size && old.length === 0
            ? [
                [tr("Take them with latitude and longitude exchanged"), exchange],
                [tr("Take these stops"), give([])],
              ]
            : old.length
              ? [
                  [tr("Take these in place of the others"), give([])],
                  [tr("Add them"), give(old)],
                ]
              : [[tr("Take these stops"), give([])]],
      };
    },
  });
}

function outside({ stops, swapped }: Astray): string {
  const names = stops.slice(0, 5).map(({ name }) => name);
  return tr(
    " {0} {0|lies|lie} outside the map that is served: {1}{2}.",
    stops.length,
    stops.length > 5 ? `${names.join(", ")}…` : names.join(", "),
    swapped.size ? tr("; latitude and longitude may be exchanged") : "",
  );
}
