import { describe, expect, test } from "vitest";
import { recogniseFleet, vehiclesOf } from "../src/dispatch/intake/fleetcolumns";
import { withVehicles } from "../src/dispatch/problem/merge";
import { BLANK_STOP, EMPTY } from "../src/dispatch/problem/model";
import { requestOf } from "../src/dispatch/plan/request";
import { readText } from "../src/dispatch/intake/sheet";
import { readTime } from "../src/dispatch/problem/times";

const read = (text: string) => {
  const sheet = readText(text);
  return vehiclesOf(sheet, recogniseFleet(sheet));
};

describe("vehicles of a table", () => {
  test.each([
    [
      "name,lat,lon,from,to,capacity,skills,max stops,max km",
      ["name", "startLat", "startLon", "from", "to", "capacity", "skills", "stops", "kilometres"],
    ],
    [
      "Fahrer;Depot;Schicht;Nutzlast kg;Paletten;Cost per hour;Fixed costs;Per task hour",
      ["name", "start", "shift", "capacity", null, "perHour", "perTrip", null],
    ],
    [
      "vehicle_id,start_lat,start_lon,end_lat,end_lon,time_window,weight,pallets",
      ["id", "startLat", "startLon", "endLat", "endLon", "shift", "capacity", "capacity"],
    ],
  ])("recognises %s", (names, roles) => {
    const sheet = readText(`${names}\n${names.replaceAll(/[^,;]+/g, "1")}`);
    expect(recogniseFleet(sheet)).toEqual(roles);
  });

  test("takes what can be read and tells the rest", () => {
    const { vehicles, loads, problems } = read(
      [
        "van,depot,shift,load,trips,cost per km",
        'North,"51.5, -3",22:00-6:00,12,2,3',
        "North,nowhere,8:00-25:00,many,9,0.5",
      ].join("\n"),
    );
    expect(vehicles[0]).toMatchObject({
      id: "North",
      start: [-3, 51.5],
      end: [-3, 51.5],
      shifts: [[79_200, 108_000]],
      capacities: [12],
      trips: 2,
      perKilometre: 3,
    });
    expect(vehicles[1]).toMatchObject({ id: "North-2", start: null, shifts: [], trips: 1 });
    expect(loads).toEqual(["load"]);
    expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
      "3 has the reference North of a row above",
      "3 “9” in trips cannot be read",
      "3 “8:00-25:00” in shift cannot be read",
      "3 “many” in load cannot be read",
      "3 “0.5” in cost per km cannot be read",
    ]);
  });

  test("reads what it would send", () => {
    const { vehicles } = read(
      ["name,lat,lon,from,to,load,fixed,max stops", "Van 1,51,-3,8:00,17:00,40,100,30"].join("\n"),
    );
    const problem = {
      ...EMPTY,
      vehicles: vehicles.map((vehicle) => ({ ...vehicle, mostDriving: 3600, mostMetres: 5000 })),
      stops: [{ ...BLANK_STOP, id: "a", at: [-3, 51] as const, amounts: [1] }],
    };
    const again = read(JSON.stringify(requestOf(problem)));
    expect(again.problems).toEqual([]);
    expect(again.vehicles[0]).toEqual({ ...problem.vehicles[0], id: "Van 1", name: "Van 1" });
  });

  test("goes beside others, with loads by name", () => {
    const { vehicles, loads } = read("name,lat,lon,boxes,kg\nA,51,-3,4,100");
    const both = withVehicles({ ...EMPTY, loads: ["kg"] }, vehicles, loads);
    expect(both.loads).toEqual(["boxes", "kg"]);
    const more = withVehicles(both, read("name,lat,lon,kg\nA,51,-3,50").vehicles, ["kg"]);
    expect(more.vehicles.map(({ id, capacities }) => [id, capacities])).toEqual([
      ["A", [4, 100]],
      ["A 2", [null, 50]],
    ]);
  });
});

test.each([
  ["6:00 +1", 108_000],
  ["06.00+2", 194_400],
  ["0:00 +1", 86_400],
  ["+1", null],
  ["6:00 +9", null],
])("the time %s", (text, seconds) => expect(readTime(text)).toBe(seconds));
