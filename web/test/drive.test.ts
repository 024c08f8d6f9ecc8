import { describe, expect, test } from "vitest";
import type { RouteView, Step } from "../src/route/answer";
import { Drive } from "../src/route/drive";
import { distance } from "../src/geo/sphere";
import { directionsOf } from "../src/route/lanes";

const line = [
  [0, 0],
  [0.01, 0],
  [0.01, 0.01],
] as const;

function step(part: Partial<Step>): Step {
  return {
    type: 8,
    instruction: "Go on.",
    time: 0,
    length: 0,
    begin_shape_index: 0,
    end_shape_index: 0,
    line: [],
    ...part,
  };
}

const route: RouteView = {
  summary: { time: 200, length: 2 },
  miles: false,
  language: "en-GB",
  legs: [
    {
      line: [],
      summary: { time: 200, length: 2 },
      steps: [
        step({ instruction: "Head east.", time: 100, line: line.slice(0, 2) }),
        step({
          instruction: "Turn left.",
          time: 100,
          line: line.slice(1),
          verbal_transition_alert_instruction: "Turn left ahead.",
          verbal_pre_transition_instruction: "Turn left now.",
          verbal_post_transition_instruction: "Continue.",
        }),
        step({ type: 4, instruction: "Arrived.", line: line.slice(2) }),
      ],
    },
  ],
  line: [...line],
  bounds: [0, 0, 0.01, 0.01],
  clockwise: false,
  scenic: false,
};

describe("a drive", () => {
  const drive = new Drive(route);

  test("is where time says, facing along the road", () => {
    expect(drive.seconds).toBe(200);
    const half = drive.place(50)!;
    expect(half.at[0]).toBeCloseTo(0.005, 6);
    expect(half.bearing).toBeCloseTo(90, 3);
    expect(half.toNext).toBeCloseTo(distance([0.005, 0], [0.01, 0]), 1);
    expect(half.left).toBe(150);
    const later = drive.place(150)!;
    expect(later.step).toBe(1);
    expect(later.at[1]).toBeCloseTo(0.005, 6);
    expect(later.bearing).toBeCloseTo(0, 3);
  });

  test("stays within the journey", () => {
    expect(drive.place(-5)!.at).toEqual([0, 0]);
    const end = drive.place(1e9)!;
    expect(end.at).toEqual([0.01, 0.01]);
    expect([end.left, end.toNext]).toEqual([0, 0]);
  });

  test("speaks ahead of a turn, at it and after it, in order", () => {
    expect(drive.cues).toEqual([
      { when: 0, text: "Head east." },
      { when: 70, text: "Turn left ahead." },
      { when: 93, text: "Turn left now." },
      { when: 103, text: "Continue." },
      { when: 193, text: "Arrived." },
    ]);
  });

  test("a route without steps has no place", () => {
    const empty = new Drive({ ...route, legs: [] });
    expect(empty.place(0)).toBeNull();
    expect(empty.cues).toEqual([]);
  });
});

test("directions of a lane are named from left to right", () => {
  expect(directionsOf(2 | 64)).toEqual(["straight", "right"]);
  expect(directionsOf(8 | 2)).toEqual(["left", "straight"]);
  expect(directionsOf(0)).toEqual([]);
});
