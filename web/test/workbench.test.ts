import { describe, expect, test } from "vitest";
import { methodOf, pathOf } from "../src/call/call";
import { COSTINGS, FIELDS } from "../src/plan/options";
import { emptyPlan, inputsOf, stop, withInput, withStops, type Plan } from "../src/plan/plan";
import { readFeatures, readRecord } from "../src/search/feature";
import { FACTS } from "../src/search/here";
import { bearing, destination, distance } from "../src/geo/sphere";
import { errands, readErrands, withOffset } from "../src/task/errands";
import { onway } from "../src/task/onway";
import { readKinds } from "../src/search/suggest";
import { search } from "../src/task/search";
import { TASKS, taskOf } from "../src/task/tasks";
import { readUpload } from "../src/task/upload";
import { readCSV } from "../src/ui/csv";
import { outline, view } from "../src/task/view";

const A = [-7.2853, 49.3286] as const;
const way: Plan = withStops(emptyPlan(), [stop(A), stop([-7.07, 49.36], "Port Gwillan")]);

/** The plan with inputs of a task. */
function given(task: string, inputs: Record<string, string | number | boolean>): Plan {
  return Object.entries(inputs).reduce(
    (plan, [key, value]) => withInput(plan, task, key, value),
    way,
  );
}

describe("tasks", () => {
  test("no field's name in links is that of anything else in them", () => {
    const taken = new Set([
      ..."p names by units in do depart arrive avoid here place called".split(" "),
      ..."alt tab open layers theme map".split(" "),
      ...COSTINGS.flatMap((costing) => FIELDS[costing].map(({ key }) => key)),
    ]);
    for (const { name, fields = [] } of TASKS) {
      const keys = fields.map(({ key }) => key);
      expect(new Set(keys).size, name).toBe(keys.length);
      expect(
        keys.filter((key) => taken.has(key)),
        name,
      ).toEqual([]);
    }
  });

  test("names are unique, and an unknown one is the route", () => {
    expect(new Set(TASKS.map(({ name }) => name)).size).toBe(TASKS.length);
    expect(taskOf("harm").name).toBe("route");
  });

  test("a field at its default is not kept", () => {
    const plan = given("view", { fov: 90 });
    expect(inputsOf(withInput(plan, "view", "fov", undefined), "view")).toEqual({});
  });
});

describe("calls", () => {
  test("the method follows the body, and empty members are left out", () => {
    expect(methodOf({ path: "geocode" })).toBe("GET");
    expect(methodOf({ path: "route", body: {} })).toBe("POST");
    const query = { q: "a b&c", bias: "-7.2,49.3", lang: undefined, bbox: "" };
    expect(pathOf({ path: "geocode", query })).toBe("geocode?q=a+b%26c&bias=-7.2,49.3");
  });
});

describe("search", () => {
  const around = { centre: [-7.2, 49.3], bounds: [-7.4, 49.2, -7, 49.4] } as const;

  test("near the map first, only on it, or everywhere", () => {
    expect(search.request(way, around)).toBeNull();
    const query = (where: string) =>
      search.request(given("search", { q: "pub", where }), around)!.query;
    expect(query("near")).toMatchObject({ q: "pub", bias: "-7.2000,49.3000", bbox: undefined });
    expect(query("view")).toMatchObject({ bbox: "-7.40000,49.20000,-7.00000,49.40000" });
    expect(query("all")).toMatchObject({ bias: undefined, bbox: undefined });
  });

  test("features and records are read as far as they go", () => {
    const properties = {
      id: "poi.n1",
      name: "The Ferry Inn",
      type: "poi",
      street: "Quay",
      housenumber: "3",
      city: "Saltrey",
      categories: ["fast_food", "amenity"],
      details: { phone: "+44", bad: 7 },
      match: {
        words: [{ query: "fery", field: "name", text: "The Ferry Inn", quality: 0.9 }, "x"],
      },
      extent: [1, 2, 3],
    };
    const geometry = { type: "Point", coordinates: [-7, 49] };
    const features = [{ geometry, properties }, { geometry: null }, 7];
    expect(readFeatures({ features })).toEqual([
      {
        id: "poi.n1",
        at: [-7, 49],
        name: "The Ferry Inn",
        kind: "Fast food",
        address: "3 Quay, Saltrey",
        details: { phone: "+44" },
        match: [{ query: "fery", field: "name", text: "The Ferry Inn", quality: 0.9 }],
        extent: null,
        metres: null,
        coordinates: false,
      },
    ]);
    const nameless = { ...properties, name: "", street: "", housenumber: "" };
    expect(readFeatures({ features: [{ geometry, properties: nameless }] })[0]).toMatchObject({
      name: "Fast food",
      address: "Saltrey",
    });
    expect(() => readFeatures({ detail: "no" })).toThrow();
    expect(readRecord({ name: "no place" })).toBeNull();
    expect(readRecord({ lat: 1, lon: 2, name: "Yard", category: "yard" })?.kind).toBe("Yard");
  });
});

describe("what is here", () => {
  test.each([
    ["Height", { elevations: [{ elevation_m: 47.6 }] }, "48 m above the sea"],
    ["Height", { elevations: [{ elevation_m: null }] }, ""],
    [
      "Time",
      {
        timezone_id: "Europe/London",
        local_time: "2026-11-22T19:34:55Z",
        abbreviation: "GMT",
      },
      "19:34 GMT · Europe/London",
    ],
    [
      "In",
      {
        admins: [
          { admin_level: 2, name: "United Kingdom", drive_on_right: false },
          { admin_level: 8, name: "Tarrowside", drive_on_right: null },
        ],
      },
      "Tarrowside, United Kingdom · drives on the left",
    ],
    ["In", { admins: [] }, ""],
    ["In", 7, ""],
  ])("%s of %j", (label, answer, words) => {
    expect(FACTS.find((fact) => fact.label === label)!.read(answer)).toBe(words);
  });
});

describe("errands", () => {
  test("what is typed becomes at most five, with minutes where they stand", () => {
    expect(readErrands(" pharmacy, post office 15;pub 500 min\n\n7 eleven ,a,b,c")).toEqual([
      { category: "pharmacy", dwell: null },
      { category: "post office", dwell: 15 },
      { category: "pub", dwell: 240 },
      { category: "7 eleven", dwell: null },
      { category: "a", dwell: null },
    ]);
  });

  test("times have the offset of the reader's clock", () => {
    const text = withOffset("2026-07-01T09:30");
    expect(text).toMatch(/^2026-07-01T09:30:00[+-]\d\d:\d\d$/);
    expect(Date.parse(text)).toBe(new Date("2026-07-01T09:30").getTime());
  });

  test("from the first stop to the last", () => {
    expect(errands.request(way, null)).toBeNull();
    const plan = given("errands", { errands: "pub", until: "2026-07-01T09:30", detour: 20 });
    expect(errands.request(plan, null)!.body).toMatchObject({
      origin: { lon: -7.2853, lat: 49.3286 },
      destination: { lon: -7.07, lat: 49.36, name: "Port Gwillan" },
      errands: [{ id: "errand-1", category: "pub" }],
      max_detour_minutes: 20,
    });
  });
});

describe("on the way", () => {
  test("a kind of places along the way, in the words of whoever asks", () => {
    expect(onway.request(way, null)).toBeNull();
    expect(onway.request(given("onway", { kind: "  " }), null)).toBeNull();
    const plan = given("onway", { kind: " Apotheke ", opennow: true, aside: 0.5 });
    expect(onway.request(plan, null)).toMatchObject({
      path: "route/along",
      body: { kind: "Apotheke", open_now: true, corridor_m: 500 },
    });
  });
});

describe("suggestions", () => {
  test("kinds are read as far as they go", () => {
    const kinds = [{ name: "petrol station", categories: ["fuel"] }, { categories: [] }, 7];
    expect(readKinds({ features: [], kinds })).toEqual(["petrol station"]);
    expect(readKinds(null)).toEqual([]);
  });
});

describe("in view", () => {
  test("a cone has its eye at point A, and turns with its handles", () => {
    const plan = given("view", { bearing: 350, fov: 40, radius: 1000, what: "Pub, bus stop" });
    expect(view.request(plan, null)!.query).toMatchObject({
      bearing_deg: 350,
      categories: "Pub, bus stop",
      fov_deg: 40,
    });
    const [ahead, edge] = view.handles!(plan);
    expect(bearing(A, edge!.at)).toBeCloseTo(10, 0);
    const turned = ahead!.move(plan, destination(A, 90, 2000));
    expect(inputsOf(turned, "view")).toMatchObject({ bearing: 90, radius: 2000 });
    // Over the north, and never wider than all round.
    const wide = edge!.move(plan, destination(A, 30, 700));
    expect(inputsOf(wide, "view")["fov"]).toBe(80);
  });

  test("its outline begins and ends at the eye, but where it is all round", () => {
    const sector = { from: A, bearing: 0, fov: 90, radius: 500 };
    const ring = outline(sector);
    expect([ring[0], ring.at(-1)]).toEqual([A, A]);
    expect(distance(A, ring[1]!)).toBeCloseTo(500, 0);
    expect(outline({ ...sector, fov: 360 })[0]).not.toEqual(A);
  });
});

describe("uploads", () => {
  test("CSV as spreadsheets write it", () => {
    expect(readCSV('a;b\r\n"x; ""y""";2\n')).toEqual([
      ["a", "b"],
      ['x; "y"', "2"],
    ]);
    const text = "\uFEFFName,Latitude,lng,category,Bays\nDepot,49.3,-7.2,depot;yard,4\n,1,2,,\n";
    expect(readUpload(text)).toEqual({
      places: [
        {
          id: "place-1",
          name: "Depot",
          lat: 49.3,
          lon: -7.2,
          categories: ["depot", "yard"],
          properties: { Bays: "4" },
        },
      ],
      skipped: 1,
    });
  });

  test("GeoJSON points, with what else they say as properties", () => {
    const point = { type: "Point", coordinates: [-7.2, 49.3] };
    const features = [
      { id: "d1", geometry: point, properties: { name: "Depot", city: "Saltrey", bays: 4 } },
      { geometry: { type: "LineString", coordinates: [] }, properties: { name: "Road" } },
    ];
    expect(readUpload(JSON.stringify({ type: "FeatureCollection", features }))).toEqual({
      places: [
        {
          id: "d1",
          name: "Depot",
          lat: 49.3,
          lon: -7.2,
          locality: "Saltrey",
          properties: { bays: 4 },
        },
      ],
      skipped: 1,
    });
    expect(() => readUpload("{")).toThrow();
  });
});
