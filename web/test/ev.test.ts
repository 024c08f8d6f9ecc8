import { expect, test } from "vitest";
import { emptyPlan, stop, withStops, type Plan } from "../src/plan/plan";
import { ev } from "../src/task/ev";
import { plotted } from "../src/task/evplot";
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

test("a vehicle takes the place of the battery, and calls say what is asked of them", () => {
  const ends = two.stops.map(({ at }) => stop(at));
  const call = { ...stop([9.55, 47.15]), stay: { minutes: 30, charger: 0 } };
  const plan: Plan = {
    ...withStops(emptyPlan(), [ends[0]!, call, ends[1]!]),
    task: "ev",
    inputs: { ev: { car: "bmw-i3-60-ah-2013", battery: 20 } },
  };
  expect(ev.request(plan, null)!.body).toMatchObject({
    locations: [{}, { lat: 47.15, lon: 9.55, dwell_s: 1800, charger_kw: 0 }, {}],
    vehicle: { id: "bmw-i3-60-ah-2013" },
  });
  // A point that was put to an end is no call.
  const last = { ...plan, stops: plan.stops.slice(0, 2) };
  expect(JSON.stringify(ev.request(last, null)!.body)).not.toContain("dwell_s");
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
