import { parseCoordinates, type LonLat } from "../coords";
import { h, refill } from "../dom";
import { COSTING_NAMES, COSTINGS, isCosting } from "../options";
import { field } from "../site/form";
import type { Desk } from "./desk";
import { colourOf, nextVehicle, type Vehicle } from "./model";
import { words } from "./stoplist";
import { clock, readTime } from "./times";

/** The vehicles with their shifts, and how they travel. */
export function fleetPanel(desk: Desk, middle: () => LonLat | null): HTMLElement {
  const box = h("div", { class: "fleet" });
  const costing = h(
    "select",
    {
      onchange: () => {
        if (isCosting(costing.value)) {
          desk.change({ ...desk.state.problem, costing: costing.value });
        }
      },
    },
    COSTINGS.map((name) => h("option", { value: name }, COSTING_NAMES[name])),
  );
  const draw = (): void => {
    const { problem } = desk.state;
    costing.value = problem.costing;
    refill(
      box,
      problem.vehicles.map((vehicle, index) => vehicleCard(desk, vehicle, index, middle)),
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          "data-focus": "add-vehicle",
          onclick: () => {
            const { vehicles } = desk.state.problem;
            const added = nextVehicle(vehicles, vehicles.length ? null : middle());
            desk.change({ ...desk.state.problem, vehicles: [...vehicles, added] });
          },
        },
        problem.vehicles.length ? "Add one like the last" : "Add a vehicle at the map’s middle",
      ),
    );
  };
  desk.subscribe((state, before) => {
    if (state === before || state.problem !== before.problem) draw();
  });
  return h(
    "div",
    {},
    field({ name: "costing", label: "They travel as", control: costing }).element,
    box,
  );
}

function vehicleCard(
  desk: Desk,
  vehicle: Vehicle,
  index: number,
  middle: () => LonLat | null,
): HTMLElement {
  const put = (patch: Partial<Vehicle>): void => {
    const vehicles = desk.state.problem.vehicles.map((one) =>
      one.id === vehicle.id ? { ...one, ...patch } : one,
    );
    desk.change({ ...desk.state.problem, vehicles });
  };
  const input = (
    label: string,
    type: "text" | "time" | "number",
    value: string,
    read: (text: string) => Partial<Vehicle> | null,
  ): HTMLElement => {
    const control = h("input", {
      type,
      value,
      min: type === "number" ? 0 : null,
      "data-focus": `${vehicle.id}-${label}`,
      onchange: () => {
        const patch = read(control.value);
        if (patch) put(patch);
        else made.complain(`“${control.value}” cannot be read`);
      },
    });
    const made = field({ name: label, label, control });
    return made.element;
  };
  const place = (label: string, of: "start" | "end") => {
    const at = vehicle[of];
    return h(
      "div",
      { class: "place-of" },
      input(label, "text", at ? `${at[1]}, ${at[0]}` : "", (text) => {
        const read = parseCoordinates(text);
        return read ? { [of]: read } : text.trim() === "" ? { [of]: null } : null;
      }),
      h(
        "button",
        {
          type: "button",
          class: "link",
          "data-focus": `${vehicle.id}-${of}-middle`,
          onclick: () => {
            const here = middle();
            if (here) put({ [of]: here });
          },
        },
        "at the map’s middle",
      ),
    );
  };
  const bound = (which: 0 | 1) => (text: string) => {
    const time = readTime(text);
    if (time === null) return null;
    const shift: [number, number] = [...vehicle.shift];
    shift[which] = time;
    return { shift };
  };
  const mark = h("span", { class: "vehicle-mark", "aria-hidden": "true" }, String(index + 1));
  mark.style.background = colourOf(index);
  return h(
    "fieldset",
    { class: "vehicle" },
    h("legend", {}, mark, vehicle.name),
    input("Name", "text", vehicle.name, (text) => (text.trim() ? { name: text.trim() } : null)),
    h(
      "div",
      { class: "pairs" },
      input("Shift from", "time", clock(vehicle.shift[0]), bound(0)),
      input("Shift to", "time", clock(Math.min(vehicle.shift[1], 86_340)), bound(1)),
    ),
    place("Starts at (latitude, longitude)", "start"),
    place("Ends at, empty for wherever", "end"),
    h(
      "div",
      { class: "pairs" },
      input("Carries, 0 for no bound", "number", String(vehicle.capacity), (text) => {
        const capacity = Number(text);
        return text !== "" && Number.isInteger(capacity) && capacity >= 0 ? { capacity } : null;
      }),
      input("Can", "text", vehicle.skills.join(", "), (text) => ({ skills: words(text) })),
    ),
    h(
      "button",
      {
        type: "button",
        class: "link",
        "data-focus": "add-vehicle",
        onclick: () => {
          const { problem } = desk.state;
          const vehicles = problem.vehicles.filter(({ id }) => id !== vehicle.id);
          desk.change({ ...problem, vehicles });
        },
      },
      `Take ${vehicle.name} out`,
    ),
  );
}
