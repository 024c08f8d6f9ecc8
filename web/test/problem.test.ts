import { describe, expect, test } from "vitest";
import { narrate, type Narration } from "../src/call/problem";

function told(status: number, body: unknown, retryAfter: string | null = null): Narration {
  return narrate({ kind: "answer", status, body, retryAfter }, 3);
}

describe("narrate", () => {
  test("a problem that names its location", () => {
    const narration = told(400, {
      type: "urn:svc-gateway:problem:bad-request",
      title: "No road near this location",
      status: 400,
      detail: "Location 1 (43.5, 10.2) is too far from any road.",
      location_index: 1,
      nearest_road_m: 4210,
    });
    expect(narration).toEqual({
      title: "Point B: no road near this location",
      text: "Location 1 (43.5, 10.2) is too far from any road.",
      notes: ["The nearest road is 4.2 km away."],
      points: [1],
      places: [],
      blocked: null,
    });
  });

  test("a way that is blocked is told by the page's letters, with what is to be seen", () => {
    const narration = told(400, {
      title: "The engine refused the request",
      detail:
        "no truck route leads from locations[0] (-7.1,49.3) to locations[2] (-7.2,49.4); without height = 4 there is one",
      error_code: 442,
      location_index: 2,
      nearest_road: { lon: -7.2, lat: 49.4 },
      nearest_road_m: 0,
      blocked_by: { constraint: "height", value: 4, location: { lon: -7.15, lat: 49.35 } },
    });
    expect(narration).toEqual({
      title: "No route between these points",
      text: "No truck route leads from point A to point C; without height = 4 there is one.",
      notes: [],
      points: [2],
      places: [{ label: "Show what blocks", at: [-7.15, 49.35] }],
      blocked: [-7.15, 49.35],
    });
  });

  test("a point in the sea is told once, with the nearest road", () => {
    expect(
      told(400, {
        title: "The engine refused the request",
        detail: "locations[1] (1,2) has no road within 2000 m; the nearest is 2.6 km away",
        error_code: 171,
        location_index: 1,
        nearest_road: { lon: 1, lat: 2.02 },
        nearest_road_m: 2623,
      }),
    ).toMatchObject({
      title: "Point B: no road within reach",
      text: "Point B has no road within 2000 m; the nearest is 2.6 km away.",
      notes: [],
      places: [{ label: "Show the nearest road", at: [1, 2.02] }],
      blocked: null,
    });
  });

  test("the page's own letters are used where rows are empty in between", () => {
    const failure = {
      kind: "answer",
      status: 400,
      body: { title: "No", location_index: 1 },
    } as const;
    expect(narrate(failure, 2, ["A", "C"]).title).toBe("Point C: no");
  });

  test("field errors name the field, the value and mark the points", () => {
    const narration = told(422, {
      title: "Unprocessable Entity",
      detail: "validation failed",
      errors: [
        { location: "body.locations[2].lat", message: "expected number <= 90", value: 91 },
        { location: "body.costing", message: "expected one of auto, truck", value: { a: 1 } },
      ],
    });
    expect(narration.notes).toEqual([
      "locations[2].lat: expected number <= 90 (was 91)",
      "costing: expected one of auto, truck",
    ]);
    expect(narration.points).toEqual([2]);
  });

  test("an index outside the request marks nothing", () => {
    for (const index of [-1, 3, 1.5, "1", null]) {
      expect(told(400, { title: "No", location_index: index }).points).toEqual([]);
    }
  });

  test("the routing engine's own error body", () => {
    const body = {
      error_code: 171,
      error: "No suitable edges near location",
      status: "Bad Request",
    };
    expect(told(400, body)).toMatchObject({
      title: "Bad Request",
      text: "No suitable edges near location",
    });
  });

  test("a list of problems is shown line by line", () => {
    expect(told(400, { title: "Invalid avoid", problems: ["uturn is no word", 7] }).notes).toEqual([
      "uturn is no word",
    ]);
  });

  test.each<[number, string | null, string]>([
    [429, "30", "Try again in 30 seconds."],
    [429, "1", "Try again in 1 second."],
    [429, null, "Wait a moment and try again."],
    [429, "Fri, 31 Dec 1999 23:59:59 GMT", "Wait a moment and try again."],
    [401, null, "Put your key into “API key” at the end of this panel, or get one at “Get a key”."],
    [503, null, "Try again in a moment."],
  ])("status %d with Retry-After %s says what to do next", (status, retryAfter, note) => {
    expect(told(status, {}, retryAfter).notes).toEqual([note]);
  });

  test.each([undefined, null, [], "text", 5])("a body that is no object: %j", (body) => {
    const narration = told(502, body);
    expect(narration.title).toBe("The routing engine failed");
    expect(narration.text).toBe("The server answered with status 502.");
  });

  test("no answer at all", () => {
    expect(narrate({ kind: "network" }, 2).title).toBe("The server did not answer");
  });
});
