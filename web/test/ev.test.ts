import { expect, test } from "vitest";
import { emptyPlan, stop, withStops, type Plan } from "../src/plan";
import { ev, plotted } from "../src/task/ev";
import { ruleFor, zones, type ListedZone } from "../src/task/zones";

const two: Plan = withStops(emptyPlan(), [stop([9.5, 47.1]), stop([9.6, 47.2])]);

test("an electric journey asks for what was said, and a battery in any case", () => {
  expect(ev.request(emptyPlan(), null)).toBeNull();
  expect(ev.request(two, null)).toMatchObject({
    path: "v1/ev/plan",
    body: {
      locations: [
        { lat: 47.1, lon: 9.5 },
        { lat: 47.2, lon: 9.6 },
      ],
      vehicle: { battery_kwh: 60 },
    },
  });
});

test("the plot falls with the charge and knows no ground where there are gaps", () => {
  const profile = [
    { distance_m: 0, soc_pct: 100, height_m: 10 },
    { distance_m: 500, soc_pct: 50, height_m: 200 },
    { distance_m: 1000, soc_pct: 0, height_m: 10 },
  ];
  expect(plotted(profile).charge).toBe("M0.0 0.0L160.0 60.0L320.0 120.0");
  expect(plotted(profile).ground).toMatch(/^M0 120L.*L320 120Z$/);
  expect(plotted([profile[0]!, { ...profile[1]!, height_m: null }]).ground).toBeNull();
});

test("the first rule that is for a vehicle counts", () => {
  const rule = { effect: "charge", hours: null, amount: 8, currency: "GBP", per: "day" } as const;
  const zone: ListedZone = {
    name: "Z",
    rules_known: true,
    rules: [
      {
        ...rule,
        vehicle_categories: ["car"],
        fuels: ["diesel", "petrol"],
        minimum_euro: { diesel: 6 },
      },
      { ...rule, effect: "ban", vehicle_categories: ["hgv"], fuels: [], minimum_euro: {} },
    ],
    sources: { boundary: { publisher: "P" } },
  };
  const of = (vehicle_category: string, fuel: string, euro_standard?: number): string | undefined =>
    ruleFor(zone, {
      vehicle_category,
      fuel,
      ...(euro_standard === undefined ? {} : { euro_standard }),
    })?.effect;
  expect(of("car", "diesel", 5)).toBe("charge");
  expect(of("car", "diesel", 6)).toBeUndefined();
  expect(of("car", "petrol", 6)).toBe("charge");
  expect(of("car", "electric")).toBeUndefined();
  expect(of("hgv", "electric")).toBe("ban");
  expect(zones.request(emptyPlan(), null)).toMatchObject({ path: "v1/zones" });
  expect(zones.request(two, null)!.body).toMatchObject({ emissions: { euro_standard: 5 } });
});
