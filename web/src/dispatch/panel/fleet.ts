import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { COSTING_NAMES, COSTINGS, isCosting } from "../../plan/options";
import { reconcile } from "../../ui/reconcile";
import { field } from "../../site/form";
import { areaPanel, areaTicks } from "./areapanel";
import type { PlanStore } from "../plan/store";
import { Editor } from "./editor";
import { fleetIntake } from "../intake/fleetintake";
import {
  BLANK_BREAK,
  breakName,
  colourOf,
  nextVehicle,
  USUAL_HOUR,
  type Break,
  type Problem,
  type Vehicle,
} from "../problem/model";
import { withCosting } from "../problem/another";
import { unitOf } from "../problem/loads";
import { readWhole, words } from "../problem/values";
import type { Finder, View } from "./view";

const MOST_BREAKS = 16;
const MOST_LOADS = 8;
const MOST_COST = 1_048_576;

/** The vehicles with their shifts, and how they travel. */
export function fleetPanel(store: PlanStore, view: View): HTMLElement {
  const box = h("div", { class: "fleet" });
  const whole = h("div", {});
  const costing = h(
    "select",
    {
      onchange: () => {
        if (isCosting(costing.value)) {
          store.change(withCosting(store.state.problem, costing.value));
        }
      },
    },
    COSTINGS.map((name) => h("option", { value: name }, COSTING_NAMES[name])),
  );
  const draw = (): void => {
    const { problem } = store.state;
    costing.value = problem.costing;
    const put = (patch: Partial<Problem>): void =>
      store.change({ ...store.state.problem, ...patch });
    const editor = new Editor<Problem>({ key: "problem", put, finder: view });
    reconcile(
      whole,
      editor.members(problem.more, (more) => ({ more })),
    );
    reconcile(
      box,
      problem.vehicles.map((vehicle, index) => vehicleCard(store, vehicle, index, view)),
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          "data-focus": "add-vehicle",
          onclick: () => {
            const { vehicles } = store.state.problem;
            const added = nextVehicle(vehicles, vehicles.length ? null : view.middle());
            store.change({ ...store.state.problem, vehicles: [...vehicles, added] });
            // What comes next by keyboard is the vehicle, which stands above this button.
            box.querySelector<HTMLInputElement>(".vehicle:last-of-type input")?.focus();
          },
        },
        problem.vehicles.length
          ? tr("Add one like the last")
          : tr("Add a vehicle at the map’s middle"),
      ),
    );
  };
  store.subscribe((state, before) => {
    if (state === before || state.problem !== before.problem) draw();
  });
  return h(
    "div",
    {},
    field({ name: "costing", label: tr("They travel as"), control: costing }).element,
    carried(store),
    fleetIntake(store),
    box,
    areaPanel(store, view),
    h("h3", {}, tr("The whole plan")),
    whole,
  );
}

/** What is carried, by names; each is an amount of stops and a capacity of vehicles. */
function carried(store: PlanStore): HTMLElement {
  const control = h("input", {
    type: "text",
    onchange: () => {
      const loads = [...new Set(words(control.value))].slice(0, MOST_LOADS);
      store.change({ ...store.state.problem, loads: loads.length ? loads : ["Amount"] });
    },
  });
  store.subscribe(({ problem }) => (control.value = problem.loads.join(", ")));
  const hint = tr("With commas between them, each with its unit: “Boxes, Weight (kg)”.");
  return field({ name: "loads", label: tr("What they carry"), hint, control }).element;
}

function vehicleCard(
  store: PlanStore,
  vehicle: Vehicle,
  index: number,
  finder: Finder,
): HTMLElement {
  const { loads } = store.state.problem;
  const put = (patch: Partial<Vehicle>): void => {
    const { problem } = store.state;
    const vehicles = problem.vehicles.map((one) =>
      one.id === vehicle.id ? { ...one, ...patch } : one,
    );
    store.change({ ...problem, vehicles });
  };
  const editor = new Editor<Vehicle>({ key: vehicle.id, put, finder });
  const mark = h("span", { class: "vehicle-mark", "aria-hidden": "true" }, String(index + 1));
  mark.style.background = colourOf(index);
  return h(
    "fieldset",
    { class: "vehicle", "data-key": vehicle.id },
    h("legend", {}, mark, vehicle.name),
    editor.name(tr("Name"), vehicle.name, (name) => ({ name })),
    editor.spans([tr("Shift from"), tr("Shift to")], vehicle.shifts, (shifts) => ({ shifts })),
    editor.place(
      tr("Starts at (address, or latitude, longitude)"),
      { at: vehicle.start, address: vehicle.startAddress },
      ({ at, address }) => ({
        start: at,
        startAddress: address,
        // A vehicle that returns to its start returns to the new one.
        ...(vehicle.end?.join() === vehicle.start?.join() ? { end: at, endAddress: address } : {}),
      }),
    ),
    editor.place(
      tr("Ends at, empty for wherever"),
      { at: vehicle.end, address: vehicle.endAddress },
      ({ at, address }) => ({ end: at, endAddress: address }),
    ),
    h(
      "div",
      { class: "pairs" },
      loads.map((load, i) =>
        editor.room(
          [tr("{0}, empty for no bound", carriesLabel(load, loads.length)), load],
          vehicle.capacities[i] ?? null,
          (most) => ({
            capacities: loads.map((_, k) => (k === i ? most : (vehicle.capacities[k] ?? null))),
          }),
        ),
      ),
      editor.words(tr("Can"), vehicle.skills, (skills) => ({ skills })),
    ),
    breaksOf(editor, store, vehicle, finder),
    limitsOf(editor, store, vehicle),
    editor.members(vehicle.more, (more) => ({ more })),
    editor.link(tr("Take {0} out", vehicle.name), "out", () => {
      const { problem } = store.state;
      const vehicles = problem.vehicles.filter(({ id }) => id !== vehicle.id);
      store.change({ ...problem, vehicles });
    }),
  );
}

/** "Carries", "Carries, kg", "Carries of Boxes". */
function carriesLabel(load: string, loads: number): string {
  if (loads > 1) return tr("Carries of {0}", load);
  const unit = unitOf(load);
  return unit ? tr("Carries, {0}", unit) : tr("Carries");
}

function breaksOf(
  editor: Editor<Vehicle>,
  store: PlanStore,
  vehicle: Vehicle,
  finder: Finder,
): HTMLElement {
  const { breaks, id } = vehicle;
  const { loads } = store.state.problem;
  const change = (next: readonly Break[]): void => {
    const { problem } = store.state;
    const vehicles = problem.vehicles.map((one) =>
      one.id === id ? { ...one, breaks: next } : one,
    );
    store.change({ ...problem, vehicles });
  };
  return h(
    "div",
    { class: "breaks" },
    breaks.map((rest, i) => {
      const put = (patch: Partial<Break>): void => change(breaks.with(i, { ...rest, ...patch }));
      const own = new Editor<Break>({ key: `${id}-break-${i}`, put, finder });
      return h(
        "fieldset",
        { class: "break" },
        h("legend", {}, breakName(rest, i)),
        own.spans([tr("Begins from"), tr("Begins by")], rest.windows, (windows) => ({ windows })),
        h(
          "div",
          { class: "pairs" },
          own.whole(tr("Minutes"), Math.round(rest.lasts / 60), (n) => ({ lasts: n * 60 })),
          loads.map((load, k) =>
            own.input({
              label: tr("{0} on board, empty for any", load),
              type: "number",
              value: String(rest.loads[k] ?? ""),
              read: (text) => {
                const most = text === "" ? null : readWhole(text);
                if (most === null && text !== "") return null;
                return { loads: loads.map((_, n) => (n === k ? most : (rest.loads[n] ?? null))) };
              },
            }),
          ),
        ),
        own.link(tr("Take break {0} out", i + 1), "out", () => change(breaks.toSpliced(i, 1))),
      );
    }),
    breaks.length < MOST_BREAKS &&
      editor.link(tr("Add a break"), "break", () => change([...breaks, BLANK_BREAK])),
  );
}

/** Trips, bounds, costs and areas, which few need. */
function limitsOf(editor: Editor<Vehicle>, store: PlanStore, vehicle: Vehicle): HTMLElement {
  const { trips, reload, areas, mostStops, mostDriving, mostMetres } = vehicle;
  const { perTrip, perHour, perKilometre } = vehicle;
  const used =
    trips > 1 ||
    areas.length > 0 ||
    mostStops + mostDriving + mostMetres + perTrip + perKilometre > 0 ||
    perHour !== USUAL_HOUR;
  return h(
    "details",
    { class: "fold", open: used },
    h("summary", {}, tr("Trips, bounds, costs and areas")),
    h(
      "div",
      { class: "pairs" },
      editor.input({
        label: tr("Trips of a shift, 1 to 5"),
        type: "number",
        value: String(trips),
        read: (text) => {
          const number = readWhole(text);
          return number === null || number < 1 || number > 5 ? null : { trips: number };
        },
      }),
      editor.whole(tr("Minutes to load between trips"), Math.round(reload / 60), (n) => ({
        reload: n * 60,
      })),
      editor.whole(tr("Most stops, 0 for any"), mostStops, (n) => ({ mostStops: n })),
      editor.whole(tr("Most minutes of driving, 0 for any"), Math.round(mostDriving / 60), (n) => ({
        mostDriving: n * 60,
      })),
      editor.whole(tr("Most kilometres, 0 for any"), Math.round(mostMetres / 1000), (n) => ({
        mostMetres: n * 1000,
      })),
      editor.whole(tr("Cost of a trip"), perTrip, (n) => ({ perTrip: n }), MOST_COST),
      editor.whole(tr("Cost of an hour of driving"), perHour, (n) => ({ perHour: n }), MOST_COST),
      editor.whole(
        tr("Cost of a kilometre"),
        perKilometre,
        (n) => ({ perKilometre: n }),
        MOST_COST,
      ),
    ),
    areaTicks(store, vehicle),
  );
}
