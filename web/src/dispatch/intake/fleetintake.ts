import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import type { PlanStore } from "../plan/store";
import { dropZone, tookIn } from "./dropzone";
import {
  FLEET_ROLES,
  FLEET_SEVERAL,
  recogniseFleet,
  vehiclesOf,
  type FleetRole,
} from "./fleetcolumns";
import { mapping } from "./mapping";
import { withVehicles } from "../problem/merge";
import type { Vehicle } from "../problem/model";
import type { Sheet } from "./sheet";

/** Where vehicles come in as a table or a file. */
export function fleetIntake(store: PlanStore): HTMLElement {
  const answer = h("div", { class: "intake-answer" });
  const show = (sheet: Sheet): void => {
    if (sheet.rows.length === 0) throw new Error(tr("There are no vehicles in it."));
    answer.replaceChildren(fleetColumns(store, sheet, (text) => tookIn(answer, text)));
  };
  const zone = dropZone({
    id: "fleet-file",
    label: tr("A table of vehicles"),
    kinds: tr("CSV, XLSX or JSON"),
    placeholder: "name, lat, lon, from, to, capacity\nVan 1, 51.58, -2.99, 22:00, 6:00, 40",
    show,
    answer,
  });
  return h(
    "details",
    { class: "fold" },
    h("summary", {}, tr("Vehicles from a file")),
    h("div", { class: "intake" }, zone, answer),
  );
}

/** The meaning of each column of a sheet of vehicles, and buttons to take the vehicles. */
function fleetColumns(store: PlanStore, sheet: Sheet, done: (text: string) => void): HTMLElement {
  return mapping<FleetRole>({
    sheet,
    roles: FLEET_ROLES,
    several: FLEET_SEVERAL,
    columns: recogniseFleet(sheet),
    read: (columns) => {
      const { vehicles, loads, problems } = vehiclesOf(sheet, columns);
      const give = (keep: readonly Vehicle[]) => (): void => {
        store.change(withVehicles({ ...store.state.problem, vehicles: keep }, vehicles, loads));
        done(tr("{0} {0|vehicle|vehicles} taken.", vehicles.length));
      };
      const old = store.state.problem.vehicles;
      return {
        words: tr("{0} {0|vehicle|vehicles}.", vehicles.length),
        problems,
        ways: old.length
          ? [
              [tr("Take these in place of the others"), give([])],
              [tr("Add them"), give(old)],
            ]
          : [[tr("Take these vehicles"), give([])]],
      };
    },
  });
}
