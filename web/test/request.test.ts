import { describe, expect, test } from "vitest";
import type { LonLat } from "../src/geo/coords";
import type { Costing, Options } from "../src/plan/options";
import { emptyPlan, stop, withInput, withStops, type Plan } from "../src/plan/plan";
import { buildRequest, compatibleRequest } from "../src/plan/request";

const A: LonLat = [9.5209, 47.141];
const B: LonLat = [9.527, 47.238];

function plan(costing: Costing, options: Options = {}, points: (LonLat | null)[] = [A, B]): Plan {
  const base = withStops(
    emptyPlan(),
    points.map((at) => stop(at)),
  );
  return { ...base, costing, options: { [costing]: options } };
}

describe("buildRequest", () => {
  test("nothing to ask before two points have a place", () => {
    expect(buildRequest(plan("auto", {}, [A, null]))).toBeNull();
    expect(buildRequest(emptyPlan())).toBeNull();
  });

  test("two points, all defaults", () => {
    expect(buildRequest(plan("auto", { use_tolls: 0.5, shortest: false }))).toEqual({
      locations: [
        { lat: 47.141, lon: 9.5209, type: "break" },
        { lat: 47.238, lon: 9.527, type: "break" },
      ],
      costing: "auto",
      units: "kilometers",
      language: "en-GB",
      landmarks: true,
      turn_lanes: true,
      alternates: 2,
    });
  });

  test("a scenic route is asked for by car only", () => {
    const scenic = (costing: Costing): Plan => withInput(plan(costing), "route", "scenic", true);
    expect(buildRequest(scenic("auto"))).toMatchObject({ scenic: true });
    expect(compatibleRequest(scenic("auto"))!.missing).toEqual(["scenic route"]);
    expect(buildRequest(scenic("bicycle"))).not.toHaveProperty("scenic");
    expect(buildRequest(plan("auto"))).not.toHaveProperty("scenic");
  });

  test("rows without a place are left out, and alternatives with more than two", () => {
    const request = buildRequest(plan("auto", {}, [A, null, B, A]))!;
    expect(request.locations.map((l) => l.lat)).toEqual([47.141, 47.238, 47.141]);
    expect(request).not.toHaveProperty("alternates");
  });

  test("changed options only, under the costing's name", () => {
    const request = buildRequest(plan("bicycle", { bicycle_type: "Road", use_hills: 0.25 }))!;
    expect(request.costing_options).toEqual({ bicycle: { bicycle_type: "Road" } });
  });

  test("the hiking grade is a number on the wire", () => {
    const request = buildRequest(plan("pedestrian", { max_hiking_difficulty: "3" }))!;
    expect(request.costing_options).toEqual({ pedestrian: { max_hiking_difficulty: 3 } });
  });

  test("a lorry without a tunnel code has no ADR profile", () => {
    const request = buildRequest(plan("truck", { height: 4.2, hazmat: true }))!;
    expect(request.costing_options).toEqual({ truck: { height: 4.2, hazmat: true } });
    expect(request).not.toHaveProperty("adr");
  });

  test("a tunnel code makes a whole ADR profile and leaves nothing to conflict with it", () => {
    const request = buildRequest(
      plan("truck", {
        height: 4.2,
        axle_load: 11.5,
        tunnel_code: "B/D",
        hazmat: true,
        use_tolls: 0,
      }),
    )!;
    expect(request.adr).toEqual({
      dimensions: {
        height_m: 4.2,
        width_m: 2.6,
        length_m: 21.64,
        gross_weight_t: 21.77,
        axle_load_t: 11.5,
        axle_count: 5,
      },
      tunnel_code: "B/D",
      hazmat: true,
    });
    expect(request.costing_options).toEqual({ truck: { use_tolls: 0 } });
  });

  test("lorry options stay behind when another costing is chosen", () => {
    const lorry = plan("truck", { tunnel_code: "E" });
    expect(buildRequest({ ...lorry, costing: "auto" })).not.toHaveProperty("adr");
  });
});

describe("compatibleRequest", () => {
  test("points are lon,lat pairs and the profile has the endpoint's name", () => {
    expect(compatibleRequest(plan("auto"))).toEqual({
      path: "route/v1/driving/9.5209,47.141;9.527,47.238?overview=full&steps=true&alternatives=true",
      missing: [],
    });
    expect(compatibleRequest(plan("pedestrian", {}, [A, B, A]))!.path).toBe(
      "route/v1/walking/9.5209,47.141;9.527,47.238;9.5209,47.141?overview=full&steps=true",
    );
  });

  test("what has a parameter becomes one, what has none is named", () => {
    const { path, missing } = compatibleRequest(
      plan("truck", {
        height: 4.2,
        tunnel_code: "B/D",
        use_tolls: 0,
        use_ferry: 0.2,
        axle_load: 8,
      }),
    )!;
    expect(path).toContain("&height=4.2&");
    expect(path).toContain("tunnel_code=B%2FD");
    expect(path).toContain("avoid_tolls=true");
    expect(missing).toEqual(["Axle load", "Ferries"]);
  });
});
