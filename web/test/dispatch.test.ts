import { describe, expect, test } from "vitest";
import { stopsOf } from "../src/dispatch/intake/columns";
import { recognise } from "../src/dispatch/intake/roles";
import { readAreas } from "../src/dispatch/problem/areas";
import {
  BLANK_BREAK,
  BLANK_STOP,
  BLANK_VEHICLE,
  type Stop,
  type Vehicle,
} from "../src/dispatch/problem/model";
import { difference, moved, movedWhole, placeAt } from "../src/dispatch/day/orders";
import { schedule } from "../src/dispatch/day/schedule";
import type { Places, Ways } from "../src/dispatch/day/route";
import { MOST_ROWS, readText } from "../src/dispatch/intake/sheet";
import {
  clock,
  lasting,
  readDuration,
  readTime,
  readWindow,
  readWindows,
} from "../src/dispatch/problem/times";

describe("times", () => {
  test.each<[string, number | null]>([
    ["8:30", 30_600],
    ["08.30", 30_600],
    ["0830", 30_600],
    ["8h30", 30_600],
    ["8:30 am", 30_600],
    ["8:30 pm", 73_800],
    ["12:00 am", 0],
    ["8 am", 28_800],
    ["2026-11-23T08:30", 30_600],
    ["08:30:15", 30_615],
    ["0.375", 32_400],
    ["24:00", 86_400],
    ["", null],
    ["8", null],
    ["24:01", null],
    ["8:60", null],
    ["soon", null],
    ["-1:00", null],
  ])("%s is %s", (text, want) => expect(readTime(text)).toBe(want));

  test.each<[string, readonly [number, number] | null]>([
    ["8:00-12:00", [28_800, 43_200]],
    ["8 am to 1 pm", [28_800, 46_800]],
    ["08:00 – 09:30", [28_800, 34_200]],
    ["8:00", null],
    ["a-b", null],
  ])("between %s", (text, want) => expect(readWindow(text)).toEqual(want));

  test("several in one cell", () => {
    expect(readWindows("8:00-9:00; 14:00 to 15:00")).toEqual([
      [28_800, 32_400],
      [50_400, 54_000],
    ]);
    expect([readWindows("8:00-9:00; later"), readWindows("")]).toEqual([null, null]);
  });

  test.each<[string, number | null]>([
    ["5", 300],
    ["2,5 min", 150],
    ["90 s", 90],
    ["1 h", 3600],
    ["0:05", 300],
    ["-5", null],
    ["soon", null],
  ])("for %s", (text, want) => expect(readDuration(text)).toBe(want));

  test("are written as they are read", () => {
    expect([clock(30_600), clock(86_400 + 60), clock(0)]).toEqual(["08:30", "00:01 +1", "00:00"]);
    expect([lasting(40), lasting(-65 * 60), lasting(300, true)]).toEqual([
      "40 s",
      "−1 h 05 min",
      "+5 min",
    ]);
  });
});

describe("tables of stops", () => {
  test.each<[string, string, (string | null)[]]>([
    [
      "names of columns",
      "Order No,Customer,Lat,Lng,Service time (min),Earliest,Latest,Parcels,Phone\n1,A,51.5,-3,5,8:00,9:00,2,0",
      ["id", "name", "lat", "lon", "service", "from", "to", "amount", null],
    ],
    [
      "German ones, with semicolons",
      "Kunde;Straße;PLZ;Ort;Zeitfenster;Gewicht\nBäcker;Weg 1;10115;Berlin;8:00-9:00;3",
      ["name", "address", "postcode", "city", "window", "amount"],
    ],
    ["cells alone", "51.5073,-3.1234\n51.6001,-3.0101", ["lat", "lon"]],
    [
      "what a spreadsheet pastes",
      "Stop\tWhere\tTime window\nA\t51.5, -3.0\t8-9\n",
      ["name", "place", "window"],
    ],
    ["addresses", "Who,Where\nPub,12 High Street", ["name", "address"]],
  ])("%s", (_, text, want) => expect(recognise(readText(text))).toEqual(want));

  test("GeoJSON", () => {
    const feature = (name: string, lon: number) => ({
      type: "Feature",
      properties: { name, service_min: 5 },
      geometry: { type: "Point", coordinates: [lon, 51.5] },
    });
    const sheet = readText(
      JSON.stringify({
        type: "FeatureCollection",
        features: [feature("A", -3), feature("B", -3.1)],
      }),
    );
    const { stops, problems } = stopsOf(sheet, recognise(sheet));
    expect(problems).toEqual([]);
    expect(stops.map(({ name, at, service }) => [name, at, service])).toEqual([
      ["A", [-3, 51.5], 300],
      ["B", [-3.1, 51.5], 300],
    ]);
  });

  test("shipments, several loads and windows, by their names and kept apart", () => {
    const sheet = readText(
      [
        "id,name,lat,lon,type,shipment,max ride time (min),Weight kg,Pallets,tw start,tw end,tw start 2,tw end 2",
        "1,A,51.5,-3,pickup,X,30,12.5,2,8:00,9:00,14:00,15:00",
        "2,B,51.5,-3,delivery,X,,12.5,2,,,,",
        "3,C,51.5,-3,dance,,,1,,8:00,9:00,8:30,10:00",
      ].join("\n"),
    );
    const { stops, loads, problems } = stopsOf(sheet, recognise(sheet));
    expect(loads).toEqual(["Weight kg", "Pallets"]);
    expect(stops[0]).toMatchObject({
      collects: true,
      shipment: "X",
      ride: 1800,
      amounts: [13, 2],
      windows: [
        [28_800, 32_400],
        [50_400, 54_000],
      ],
    });
    expect([stops[1]!.collects, stops[1]!.windows, stops[2]!.amounts]).toEqual([false, [], [1, 0]]);
    expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
      "4 has a window that cannot be: 08:30 lies in the time before it",
      "4 “dance” in type cannot be read",
    ]);
  });

  test("polygons of GeoJSON are areas, beside points or alone", () => {
    const ring = [[0, 0], [1, 0], [1, 1], [0, 0]]; // prettier-ignore
    const area = (type: string, coordinates: unknown) => ({
      type: "Feature",
      properties: { name: "West" },
      geometry: { type, coordinates },
    });
    const polygon = area("Polygon", [ring]);
    const alone = readText(JSON.stringify(polygon));
    expect([alone.rows.length, alone.areas!.map(({ name }) => name)]).toEqual([0, ["West"]]);
    const point = area("Point", [0, 0]);
    const features = [polygon, area("MultiPolygon", [[ring], [ring]]), point];
    const both = readText(JSON.stringify({ type: "FeatureCollection", features }));
    expect(both.areas!.map(({ name, polygons }) => [name, polygons.length])).toEqual([
      ["West", 1],
      ["West 2", 2],
    ]);
    expect(both.rows).toHaveLength(1);
    const long = area("Polygon", [Array.from({ length: 1001 }, () => [0, 0])]);
    expect(() => readText(JSON.stringify(long))).toThrow(/1001 positions; at most 1000/);
    const many = Array.from({ length: 65 }, () => polygon);
    expect(() => readText(JSON.stringify({ features: many }))).toThrow(/65 polygons; at most 64/);
  });

  test("a row's troubles are named, and what can be read of it is taken", () => {
    const sheet = readText(
      [
        "id,name,lat,lon,from,to,service,needs",
        "1,A,51.5,-3,8:00,9:00,5,crane|fridge",
        "1,B,95,-3,,,x,",
        "3,,,,,,,",
        "4,D,51.5,-3,10:00,9:00,,",
        "5,E,,,,,,",
      ].join("\n"),
    );
    const { stops, problems } = stopsOf(sheet, recognise(sheet));
    expect(stops[0]).toEqual({
      id: "1",
      name: "A",
      address: "",
      at: [-3, 51.5],
      service: 300,
      windows: [[28_800, 32_400]],
      amounts: [],
      collects: false,
      shipment: "",
      ride: 0,
      priority: 0,
      skills: ["crane", "fridge"],
      more: {},
    } satisfies Stop);
    expect(stops.map(({ id }) => id)).toEqual(["1", "1-2", "4", "5"]);
    expect(stops[1]!.at).toBeNull();
    expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
      "3 “95, -3” is no latitude and longitude",
      "3 has the reference 1 of a row above",
      "3 “x” in service cannot be read",
      "4 has neither coordinates nor an address",
      "5 has a window that cannot be: 10:00 to 09:00 ends before it begins",
    ]);
  });

  test.each([
    ["", /nothing in it/],
    ["id,name\n", /no row below/],
    ["{", /no GeoJSON/],
    ['{"features": 1}', /no GeoJSON of points/],
    [`a\n${"b\n".repeat(MOST_ROWS + 1)}`, /2001 rows; at most 2000/],
  ])("what is no table says so", (text, why) => expect(() => readText(text)).toThrow(why));
});

describe("a day that is moved by hand", () => {
  const van: Vehicle = {
    ...BLANK_VEHICLE,
    id: "van",
    name: "Van",
    start: [0, 0],
    end: [0, 0],
    shifts: [[28_800, 32_400]],
    capacities: [3],
  };
  const stop = (id: string, patch: Partial<Stop> = {}): Stop => ({
    ...BLANK_STOP,
    id,
    name: id,
    at: [0, 0],
    service: 300,
    amounts: [1],
    ...patch,
  });
  // Places on a line, 10 minutes and a kilometre apart: the depot, A, B, C; nothing leads to D.
  const apart = (by: number) =>
    [0, 1, 2, 3, 4].map((i) =>
      [0, 1, 2, 3, 4].map((j) => (i !== j && (i === 4 || j === 4) ? null : Math.abs(i - j) * by)),
    );
  const ways: Ways = { durations: apart(600), distances: apart(1000) };
  const places: Places = { stop: (id) => "-ABCD".indexOf(id), start: () => 0, end: () => 0 };
  const given = { ways, places, loads: ["Boxes"], areas: [] };
  const of = (vehicle: Vehicle, ...stops: Stop[]) =>
    schedule({ ...given, vehicle, calls: stops.map((one) => ({ stop: one, trip: 0 })) });
  const day = (...stops: Stop[]) => of(van, ...stops);
  const long: Vehicle = { ...van, shifts: [[28_800, 61_200]] };

  test("adds up driving, waiting and work", () => {
    const route = day(stop("A"), stop("B", { windows: [[31_000, 31_200]] }));
    expect(route.visits).toEqual([
      { stop: "A", trip: 0, arrival: 30_100, begin: 30_100, end: 30_400, late: 0 },
      { stop: "B", trip: 0, arrival: 31_000, begin: 31_000, end: 31_300, late: 0 },
    ]);
    expect(route.departure).toBe(29_500); // as late as its end allows
    expect([route.driving, route.distance, route.finish]).toEqual([2400, 4000, 32_500]);
    expect(route.broken).toEqual(["the shift is 2 min too short"]);
  });

  test.each<[string, Stop[], string[]]>([
    ["a window missed", [stop("A", { windows: [[0, 29_000]] })], ["A is reached 7 min late"]],
    [
      "a second window met",
      [
        stop("A", {
          windows: [
            [0, 100],
            [29_000, 30_000],
          ],
        }),
      ],
      [],
    ],
    ["too much on board", [stop("A", { amounts: [4] })], ["it carries 4 of at most 3"]],
    ["a skill it lacks", [stop("A", { skills: ["crane"] })], ["A needs crane"]],
    ["no way", [stop("D")], ["there is no way to D", "there is no way to the end"]],
    ["no stop", [], []],
    [
      "what is collected fills the room of what was brought",
      [stop("A", { amounts: [3] }), stop("B", { amounts: [3], collects: true })],
      [],
    ],
    [
      "what is collected before it is brought",
      [stop("A", { amounts: [1], collects: true }), stop("B", { amounts: [3] })],
      ["it carries 4 of at most 3"],
    ],
  ])("%s", (_, stops, broken) => expect(day(...stops).broken).toEqual(broken));

  const sent = (id: string, patch: Partial<Stop>) => stop(id, { shipment: "S", ...patch });

  test("a shipment is on board between its stops alone, and no longer than it may be", () => {
    const [from, to] = [sent("A", { collects: true, ride: 900 }), sent("C", {})];
    expect(of(long, from, to).broken).toEqual(["shipment S is on board for 20 min"]);
    expect(of(long, to, from).broken).toEqual(["C comes before A"]);
    expect(of({ ...long, capacities: [1] }, from, to, stop("B")).broken).toEqual(
      ["shipment S is on board for 20 min", "it carries 2 of at most 1"].toReversed(),
    );
  });

  test.each([
    ["collected", [2], []],
    ["brought", [], [2]],
  ])("a shipment whose amount is told where it is %s", (_, there, here) => {
    const first = sent("A", { collects: true, amounts: there });
    const round = (...stops: Stop[]) => of({ ...long, capacities: [2] }, ...stops).broken;
    const next = stop("C", { collects: true, amounts: [2] });
    expect(round(first, sent("B", { amounts: here }), next)).toEqual([]);
    expect(round(first, next, sent("B", { amounts: here }))).toEqual(["it carries 4 of at most 2"]);
  });

  test("both stops of a shipment go to another vehicle together", () => {
    const stops = [sent("A", { collects: true }), sent("B", {}), stop("C")];
    const orders = { van: ["A", "C", "B"], other: [] };
    const move = (id: string) =>
      movedWhole({ stops } as never, orders, { stop: id, vehicle: "other", index: 0 });
    expect(move("A")).toEqual({ van: ["C"], other: ["A", "B"] });
    expect(move("B")).toEqual({ van: ["C"], other: ["A", "B"] });
    expect(move("C")).toEqual({ van: ["A", "B"], other: ["C"] });
  });

  test("a shipment is loaded later where it would wait on board", () => {
    const [from, to] = [sent("A", { collects: true, ride: 700 }), sent("B", {})];
    const first = stop("C", { windows: [[30_600, 30_600]] });
    const waiting = { ...to, windows: [[36_000, 36_000]] as const };
    const route = of(long, first, from, waiting);
    expect(route.visits.map(({ begin }) => begin)).toEqual([30_600, 35_000, 36_000]);
    expect(route.broken).toEqual([]);
    const early = of(long, first, { ...from, windows: [[0, 33_000]] }, waiting);
    expect(early.broken).toEqual(["shipment S is on board for 1 h 00 min"]);
  });

  test("breaks are taken when their time has come, or before it is over", () => {
    const lunch = { ...BLANK_BREAK, windows: [[30_000, 30_600]] as const, lasts: 600 };
    const route = of({ ...long, breaks: [lunch] }, stop("A"), stop("C"));
    expect(route.rests).toEqual([{ name: "Break 1", begin: 30_000, end: 30_600 }]);
    expect(route.visits[1]!.arrival).toBe(31_500); // it is on the way by then
    const late = of({ ...long, breaks: [{ ...lunch, windows: [[0, 28_000]] }] }, stop("A"));
    expect(late.broken).toEqual(["Break 1 is 14 min late"]);
  });

  test("a break waits for a load that it allows, and says where there is none", () => {
    const lunch = { ...BLANK_BREAK, windows: [], lasts: 600, loads: [0] };
    const round = (...stops: Stop[]) => of({ ...long, breaks: [lunch] }, ...stops);
    const empty = round(stop("A"));
    expect([empty.rests[0]!.begin >= empty.visits[0]!.end, empty.broken]).toEqual([true, []]);
    const stays = { collects: true, amounts: [2] };
    expect(round(stop("A", stays), stop("B")).broken).toEqual([
      "Break 1 has 2 of at most 0 Boxes on board",
    ]);
  });

  test("a break of a vehicle that has nothing to do is none", () => {
    const lunch = { ...BLANK_BREAK, windows: [], lasts: 600 };
    expect(of({ ...long, breaks: [lunch] })).toMatchObject({ departure: 28_800, rests: [] });
  });

  test("a vehicle is loaded anew between its trips", () => {
    const calls = [stop("A", { amounts: [3] }), stop("B", { amounts: [3] })];
    const route = schedule({
      ...given,
      vehicle: { ...long, trips: 2, reload: 120 },
      calls: calls.map((one, trip) => ({ stop: one, trip })),
    });
    expect(route.rests).toEqual([{ name: "Loading", begin: 30_300, end: 30_420 }]);
    expect([route.driving, route.broken]).toEqual([3600, []]);
  });

  test("bounds are of each trip", () => {
    const round = (patch: Partial<Vehicle>) =>
      schedule({
        ...given,
        vehicle: { ...long, capacities: [], trips: 2, ...patch },
        calls: [stop("A"), stop("C")].map((one, trip) => ({ stop: one, trip })),
      }).broken;
    expect(round({ mostStops: 1, mostDriving: 3600, mostMetres: 6000 })).toEqual([]);
    expect(round({ mostDriving: 3599, mostMetres: 5999 })).toEqual([
      "a trip drives 1 h 00 min",
      "a trip drives 6.0 km",
    ]);
  });

  test("a shipment is not left on board between two trips", () => {
    const route = schedule({
      ...given,
      vehicle: { ...long, trips: 2 },
      calls: [sent("A", { collects: true }), sent("B", {})].map((one, trip) => ({
        stop: one,
        trip,
      })),
    });
    expect(route.broken).toEqual(["B is on another trip than A"]);
  });

  test("work that does not fit into a shift waits for the next", () => {
    const shifts = [
      [28_800, 29_500],
      [40_000, 50_000],
    ] as const;
    const route = of({ ...van, shifts }, stop("A"));
    expect([route.visits[0]!.begin, route.broken]).toEqual([40_000, []]);
    const [at] = of({ ...van, shifts }, stop("C")).visits; // the way takes half an hour
    expect(at!.begin).toBe(41_100);
  });

  test("a vehicle that is bound to an area, and to so many stops", () => {
    const square = [[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]]; // prettier-ignore
    const file = { type: "Feature", properties: { name: "Home" }, geometry: { type: "Polygon", coordinates: [square] } }; // prettier-ignore
    const bound = { ...long, areas: ["Home"], mostStops: 1 };
    const calls = [stop("A"), stop("B", { at: [2, 0] })].map((one) => ({ stop: one, trip: 0 }));
    expect(schedule({ ...given, vehicle: bound, calls, areas: readAreas(file) }).broken).toEqual([
      "B lies outside Home",
      "it has 2 stops of at most 1",
    ]);
  });

  test("a stop goes to another place, and what that costs is told", () => {
    const orders = { van: ["A", "B", "C"], other: [] };
    expect(moved(orders, "A", "van", 2)).toEqual({ van: ["B", "C", "A"], other: [] });
    expect(moved(orders, "B", "other", 9)).toEqual({ van: ["A", "C"], other: ["B"] });
    const before = day(stop("A"), stop("B"));
    const after = day(stop("B"), stop("A", { windows: [[0, 29_400]] }));
    expect(difference([after], [before])).toEqual({
      driving: 0,
      distance: 0,
      broken: ["A is reached 25 min late"],
    });
    expect(placeAt(before, 0, "")).toBe(0);
    expect(placeAt(before, 30_000, "")).toBe(1);
    expect(placeAt(before, 30_000, "A")).toBe(0);
    expect(placeAt(undefined, 30_000, "")).toBe(0);
  });
});
