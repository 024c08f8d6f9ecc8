import { describe, expect, test } from "vitest";
import { recognise, stopsOf } from "../src/dispatch/columns";
import type { Stop, Vehicle } from "../src/dispatch/model";
import {
  difference,
  moved,
  placeAt,
  schedule,
  type Places,
  type Ways,
} from "../src/dispatch/schedule";
import { MOST_ROWS, readText } from "../src/dispatch/sheet";
import { clock, lasting, readDuration, readTime, readWindow } from "../src/dispatch/times";

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
    ["noon", null],
    ["-1:00", null],
  ])("%s is %s", (text, want) => expect(readTime(text)).toBe(want));

  test.each<[string, readonly [number, number] | null]>([
    ["8:00-12:00", [28_800, 43_200]],
    ["8 am to 1 pm", [28_800, 46_800]],
    ["08:00 – 09:30", [28_800, 34_200]],
    ["8:00", null],
    ["a-b", null],
  ])("between %s", (text, want) => expect(readWindow(text)).toEqual(want));

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
      amount: 0,
      priority: 0,
      skills: ["crane", "fridge"],
    } satisfies Stop);
    expect(stops.map(({ id }) => id)).toEqual(["1", "1-2", "4", "5"]);
    expect(stops[1]!.at).toBeNull();
    expect(problems.map(({ row, text }) => `${row} ${text}`)).toEqual([
      "2 “95, -3” is no latitude and longitude",
      "2 has the reference 1 of a row above",
      "2 “x” in service cannot be read",
      "3 has neither coordinates nor an address",
      "4 has a window that ends before it begins",
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
    id: "van",
    name: "Van",
    start: [0, 0],
    end: [0, 0],
    shift: [28_800, 32_400],
    capacity: 3,
    skills: [],
  };
  const stop = (id: string, patch: Partial<Stop> = {}): Stop => ({
    id,
    name: id,
    address: "",
    at: [0, 0],
    service: 300,
    windows: [],
    amount: 1,
    priority: 0,
    skills: [],
    ...patch,
  });
  // Places on a line, 10 minutes and a kilometre apart: the depot, A, B, C; nothing leads to D.
  const apart = (by: number) =>
    [0, 1, 2, 3, 4].map((i) =>
      [0, 1, 2, 3, 4].map((j) => (i !== j && (i === 4 || j === 4) ? null : Math.abs(i - j) * by)),
    );
  const ways: Ways = { durations: apart(600), distances: apart(1000) };
  const places: Places = { stop: (id) => "-ABCD".indexOf(id), start: () => 0, end: () => 0 };
  const day = (...stops: Stop[]) => schedule({ vehicle: van, stops, ways, places });

  test("adds up driving, waiting and work", () => {
    const route = day(stop("A"), stop("B", { windows: [[31_000, 31_200]] }));
    expect(route.visits).toEqual([
      { stop: "A", arrival: 29_400, begin: 29_400, end: 29_700, late: 0 },
      { stop: "B", arrival: 30_300, begin: 31_000, end: 31_300, late: 0 },
    ]);
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
    ["too much on board", [stop("A", { amount: 4 })], ["it carries 4 of at most 3"]],
    ["a skill it lacks", [stop("A", { skills: ["crane"] })], ["A needs crane"]],
    ["no way", [stop("D")], ["there is no way to D", "there is no way to the end"]],
    ["no stop", [], []],
  ])("%s", (_, stops, broken) => expect(day(...stops).broken).toEqual(broken));

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
