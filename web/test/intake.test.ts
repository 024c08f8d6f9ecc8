// Tables as people write them: bounds of a day in words, loads with units, depots by address, and
// stops that were not found.
import { describe, expect, test } from "vitest";
import { stopsOf } from "../src/dispatch/intake/columns";
import { recognise } from "../src/dispatch/intake/roles";
import { recogniseFleet, vehiclesOf } from "../src/dispatch/intake/fleetcolumns";
import { readText } from "../src/dispatch/intake/sheet";
import { amountText, loadNamed, loadOf, readAmount, unitOf } from "../src/dispatch/problem/loads";
import { withStops, withVehicles } from "../src/dispatch/problem/merge";
import { lostStops, missing } from "../src/dispatch/problem/missing";
import { BLANK_STOP, BLANK_VEHICLE, EMPTY, type Stop } from "../src/dispatch/problem/model";
import { readBound, readWindow, readWindows, spanWords } from "../src/dispatch/problem/times";
import { readAnswer } from "../src/dispatch/plan/answer";
import { requestOf } from "../src/dispatch/plan/request";
import { depotsOf, numbersText, stopsApart } from "../src/dispatch/plan/shapes";

const HOUR = 3600;
const DAY = 24 * HOUR;

describe("bounds of a day", () => {
  test.each<[string, readonly [number, number] | null]>([
    ["from 8:00", [8 * HOUR, DAY]],
    ["after 9", [9 * HOUR, DAY]],
    ["ab 8 Uhr", [8 * HOUR, DAY]],
    ["8:00 onwards", [8 * HOUR, DAY]],
    ["8:00+", [8 * HOUR, DAY]],
    ["until 17:00", [0, 17 * HOUR]],
    ["before 10am", [0, 10 * HOUR]],
    ["bis 17:30", [0, 17.5 * HOUR]],
    ["jusqu'à 17h30", [0, 17.5 * HOUR]],
    ["hasta 14:00", [0, 14 * HOUR]],
    ["from 8:00 until 12:00", [8 * HOUR, 12 * HOUR]],
    ["von 8:00 bis 12:00", [8 * HOUR, 12 * HOUR]],
    ["9-17", [9 * HOUR, 17 * HOUR]],
    ["22:00-2:00 +1", [22 * HOUR, DAY + 2 * HOUR]],
    ["17:00", null],
    ["from the office", null],
  ])("%s", (text, want) => expect(readWindow(text)).toEqual(want));

  test("lists, any time, and a bound alone", () => {
    expect(readWindows("between 8:00 and 10:00")).toEqual([[8 * HOUR, 10 * HOUR]]);
    expect(readWindows("any time")).toEqual([]);
    expect(["8", "from 8:00", "until 17:00", "25"].map(readBound)).toEqual([
      8 * HOUR,
      8 * HOUR,
      17 * HOUR,
      null,
    ]);
  });

  test("in columns of a table", () => {
    const sheet = readText(
      "name,lat,lon,open,close,slot\nA,51.5,-3,9,from 17:00,\nB,51.5,-3,,,ab 8 Uhr",
    );
    const { stops, problems } = stopsOf(sheet, recognise(sheet));
    expect(problems).toEqual([]);
    expect(stops.map(({ windows }) => windows)).toEqual([
      [[9 * HOUR, 17 * HOUR]],
      [[8 * HOUR, DAY]],
    ]);
  });

  test("ranges of house numbers are no windows", () => {
    const sheet = readText("who,nr\nA,12-14\nB,1-3");
    expect(recognise(sheet)).not.toContain("window");
  });
});

test("boxes beside a weight are a load too", () => {
  const sheet = readText("name,address,Weight (kg),Boxes,Colis\nA,Quay 1,12,3,1");
  expect(recognise(sheet)).toEqual(["name", "address", "amount", "amount", "amount"]);
});

describe("loads with units", () => {
  test.each<[string, string | null]>([
    ["Weight (kg)", "kg"],
    ["weight_kg", "kg"],
    ["Volume [m³]", "m3"],
    ["kg", "kg"],
    ["Pallets", null],
  ])("%s has the unit %s", (load, unit) => expect(unitOf(load)).toBe(unit));

  test.each<[string, string, boolean, number | null]>([
    ["12.5 kg", "Weight (kg)", false, 13],
    ["1.2 t", "Weight (kg)", false, 1200],
    ["1,200", "Weight (kg)", false, 1200],
    ["1.234,5 kg", "Weight (kg)", false, 1235],
    ["800 g", "Weight (kg)", false, 1],
    ["3500 kg", "Load (t)", true, 3],
    ["0.75 m³", "Volume (l)", false, 750],
    ["12", "Pallets", false, 12],
    ["12 kg", "Volume (l)", false, null],
    ["many", "Pallets", false, null],
  ])("%s of %s", (text, load, room, want) => expect(readAmount(text, load, { room })).toBe(want));

  test("a column takes the unit of its cells, and a finer one for small amounts", () => {
    expect(loadNamed("Weight", ["12 kg", "3 kg"])).toBe("Weight (kg)");
    expect(loadNamed("Volume (m³)", ["0.2", "0.35"])).toBe("Volume (l)");
    expect(loadNamed("Pallets", ["1", "2.5"])).toBe("Pallets");
    expect(amountText(12, "Weight (kg)", true)).toBe("12 kg");
    expect(amountText(25_300, "Weight (g)", true)).toBe("25.3 kg");
    expect(amountText(200_000, "Weight (g)", true)).toBe("200 kg");
    expect(amountText(999, "Weight (g)", true)).toBe("999 g");
  });

  test("numbers alone are of the column's own unit", () => {
    const { load, read } = loadOf("Volume (m³)", ["0.2", "0.35"]);
    expect([load, read("0.35"), read("2 l")]).toEqual(["Volume (l)", 350, 2]);
  });

  test("a capacity in tonnes meets amounts in kilograms", () => {
    const sheet = readText("name,lat,lon,weight\nA,51.5,-3,900 kg\nB,51.5,-3,1.1 t");
    const { stops, loads } = stopsOf(sheet, recognise(sheet));
    expect([loads, stops.map(({ amounts }) => amounts)]).toEqual([
      ["weight (kg)"],
      [[900], [1100]],
    ]);
    const fleet = readText('van,depot,payload\nNorth,"51.5, -3",3.5 t');
    const taken = vehiclesOf(fleet, recogniseFleet(fleet));
    const problem = withVehicles(withStops(EMPTY, stops, loads), taken.vehicles, taken.loads);
    expect(problem.loads).toEqual(["weight (kg)"]);
    expect(problem.vehicles[0]!.capacities).toEqual([3500]);
  });
});

describe("depots by address", () => {
  test("are kept to be looked for", () => {
    const fleet = readText('van,depot,end\nNorth,12 High Street,"51.5, -3"\nSouth,1 Quay Road,');
    const { vehicles, problems } = vehiclesOf(fleet, recogniseFleet(fleet));
    expect(problems).toEqual([]);
    expect(vehicles[0]).toMatchObject({
      start: null,
      startAddress: "12 High Street",
      end: [-3, 51.5],
    });
    expect(vehicles[1]).toMatchObject({ startAddress: "1 Quay Road", endAddress: "1 Quay Road" });
    expect(missing({ ...EMPTY, vehicles, stops: [placed("a")] })).toContain(
      "“12 High Street” of North has no place yet: find it, or show it on the map.",
    );
  });
});

const placed = (id: string, more: Partial<Stop> = {}): Stop => ({
  ...BLANK_STOP,
  id,
  name: id,
  at: [-3, 51.5],
  ...more,
});

describe("a stop that was not found", () => {
  const vehicle = { ...BLANK_VEHICLE, id: "v", start: [-3, 51.5] as const };
  const stops = [
    placed("a"),
    placed("lost", { at: null }),
    placed("from", { collects: true, shipment: "s" }),
    placed("to", { shipment: "s", at: null }),
  ];
  const problem = { ...EMPTY, stops, vehicles: [vehicle] };

  test("does not stop the others, and takes its shipment along", () => {
    expect(missing(problem)).toEqual([]);
    expect(lostStops(problem).map(({ id }) => id)).toEqual(["lost", "from", "to"]);
    const request = requestOf(problem);
    expect([request.jobs.map(({ id }) => id), request.shipments]).toEqual([["a"], undefined]);
  });

  test("is left out of the plan with the reason", () => {
    const { left } = readAnswer({ routes: [], unassigned: [] }, problem);
    expect(left.map(({ stop, reason }) => `${stop}: ${reason}`)).toEqual([
      "lost: it has no place yet",
      "from: the other end of its shipment has no place",
      "to: it has no place yet",
    ]);
  });

  test("stops everything where it is the only one", () => {
    expect(missing({ ...problem, stops: [stops[1]!] })).toEqual([
      "No stop has a place yet: find their places.",
    ]);
  });
});

describe("marks on the map", () => {
  test.each<[number[], string]>([
    [[3], "3"],
    [[3, 4, 5], "3–5"],
    [[3, 7], "3, 7"],
    [[3, 7, 12, 19], "3 +3"],
  ])("of stops %o are %s", (numbers, want) => expect(numbersText(numbers)).toBe(want));

  test("of one place are one", () => {
    const shapes = stopsApart([[-3, 51], [-3, 51], [-3, 52]], "#000000", "!"); // prettier-ignore
    expect(shapes.map(({ label }) => label)).toEqual(["!2", "!"]);
    const van = { ...BLANK_VEHICLE, start: [-3, 51] as const, end: [-3, 51] as const };
    expect(depotsOf([van, van])).toHaveLength(1);
  });

  test("windows in words", () => {
    expect(
      [
        [0, 61_200],
        [28_800, 86_400],
        [28_800, 36_000],
      ].map(([a, b]) => spanWords([a!, b!])),
    ).toEqual(["until 17:00", "from 08:00", "08:00–10:00"]);
  });
});
