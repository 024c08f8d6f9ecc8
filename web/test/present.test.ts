import { describe, expect, test } from "vitest";
import { attributionParts, planOf } from "../src/explorer";
import { formatLength, formatTime } from "../src/format";
import { darkColour, darkStyle } from "../src/dark";
import { emptyPlan } from "../src/plan";
import { acceptValue, COSTINGS, FIELDS } from "../src/options";
import { buildRequest } from "../src/request";

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
    expect(parts.map((part) => part.text)).toEqual(["© ", "OpenStreetMap", " & us"]);
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

describe("dark style", () => {
  const lightness = (colour: string) => Number(/([\d.]+)%, [\d.]+\)$/.exec(darkColour(colour))![1]);

  test("turns light and dark over and keeps the order", () => {
    const greys = ["#fff", "#eeeeee", "rgb(128, 128, 128)", "hsl(0, 0%, 20%)", "black"];
    const turned = greys.map(lightness);
    expect(turned).toEqual(turned.toSorted((a, b) => a - b));
    expect(turned[0]).toBeLessThan(15);
    expect(turned.at(-1)).toBeGreaterThan(80);
  });

  test("keeps hue and opacity", () => {
    expect(darkColour("rgba(0, 0, 255, 0.5)")).toMatch(/^hsla\(240, .*, 0\.5\)$/);
    expect(darkColour("#0000ff80")).toMatch(/^hsla\(240, .*, 0\.5\)$/);
  });

  test.each(["name", "interpolate", "#12", "rgb(1,2)", "transparent", "rgb(a,b,c)"])(
    "leaves %s alone",
    (text) => {
      expect(darkColour(text)).toBe(text);
    },
  );

  test("reaches into expressions of colours only, and leaves its input as it was", () => {
    const style = {
      layers: [
        {
          id: "a",
          type: "line",
          paint: { "line-color": ["match", ["get", "k"], "x", "#ffffff", "#000"], "line-width": 2 },
          layout: { "text-field": "#fff" },
        },
      ],
    };
    const copy = structuredClone(style);
    const dark = darkStyle(style) as typeof style;
    expect(style).toEqual(copy);
    expect(dark.layers[0]!.paint["line-color"].slice(0, 3)).toEqual(["match", ["get", "k"], "x"]);
    expect(dark.layers[0]!.paint["line-color"][3]).toMatch(/^hsla/);
    expect(dark.layers[0]!.layout["text-field"]).toBe("#fff");
  });
});
