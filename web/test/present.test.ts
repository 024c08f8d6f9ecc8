import { describe, expect, test } from "vitest";
import { attributionParts, planOf } from "../src/plan/explorer";
import { formatLength, formatTime } from "../src/ui/format";
import { emptyPlan } from "../src/plan/plan";
import { acceptValue, COSTINGS, FIELDS } from "../src/plan/options";
import { buildRequest } from "../src/plan/request";

test.each<[number, string]>([
  [0, "0 s"],
  [59.4, "59 s"],
  [60, "1 min"],
  [3569, "59 min"],
  [3600, "1 h 00 min"],
  [7500, "2 h 05 min"],
])("%d seconds", (seconds, want) => {
  expect(formatTime(seconds)).toBe(want);
});

test.each<[number, boolean, string]>([
  [0.038, false, "40 m"],
  [0.999, false, "1.0 km"],
  [12.34, false, "12.3 km"],
  [120.4, false, "120 km"],
  [0.01, true, "50 ft"],
  [0.1, true, "550 ft"],
  [1.44, true, "1.4 mi"],
  [12.6, true, "13 mi"],
])("length %d, miles %s", (length, miles, want) => {
  expect(formatLength(length, miles)).toBe(want);
});

describe("attributionParts", () => {
  const whole = (text: string) =>
    attributionParts(text)
      .map((part) => part.text)
      .join("");

  test("names OpenStreetMap whatever the server says", () => {
    expect(whole("© OpenStreetMap contributors")).toBe("© OpenStreetMap contributors");
    expect(whole("")).toBe("© OpenStreetMap contributors");
    expect(whole("Ordnance Survey")).toBe("Ordnance Survey · © OpenStreetMap contributors");
  });

  test("links only OpenStreetMap's copyright page and takes markup as text", () => {
    const parts = attributionParts('&copy; <a href="https://x.example">OpenStreetMap</a> &amp; us');
    expect(parts.map((part) => part.text)).toEqual(["© OpenStreetMap", " & us"]);
    expect(parts.flatMap((part) => part.href ?? [])).toEqual([
      "https://www.openstreetmap.org/copyright",
    ]);
  });
});

test("an example becomes the request it describes", () => {
  const adr = {
    dimensions: { height_m: 4, width_m: 2.5, length_m: 12, gross_weight_t: 18 },
    tunnel_code: "C/E",
    hazmat: true,
  };
  const plan = planOf(
    {
      title: "t",
      costing: "truck",
      costing_options: { truck: { use_tolls: 0, unheard_of: 1 } },
      adr,
      points: [
        [1, 2],
        [3, 4],
      ],
    },
    { ...emptyPlan(), units: "miles", language: "cy-GB" },
  );
  expect(buildRequest(plan)).toMatchObject({
    costing: "truck",
    units: "miles",
    language: "cy-GB",
    costing_options: { truck: { use_tolls: 0 } },
    adr: { tunnel_code: "C/E", hazmat: true, dimensions: { height_m: 4, axle_count: 5 } },
  });
});

describe("options", () => {
  test.each(COSTINGS)("every default of %s is a value its own field accepts", (costing) => {
    for (const field of FIELDS[costing]) {
      expect(acceptValue(field, field.default)).toBe(field.default);
      expect(acceptValue(field, String(field.default))).toBe(field.default);
    }
  });

  test("numbers out of range and values of other types are refused", () => {
    const height = FIELDS.truck.find((field) => field.key === "height")!;
    for (const value of [-1, 11, "", "tall", NaN, null, undefined, true, {}]) {
      expect(acceptValue(height, value)).toBeNull();
    }
  });
});
