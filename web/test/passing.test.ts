import { afterEach, describe, expect, test, vi } from "vitest";
import type { RouteView } from "../src/route/answer";
import { Clips, voicesFor } from "../src/route/clips";
import { Drive } from "../src/route/drive";
import { cuesOf, passedOf, type Passed } from "../src/route/passing";

/** A route of steps, each with its seconds and its instruction, along the equator. */
function drive(...steps: readonly (readonly [number, string])[]): Drive {
  const legs = [
    {
      steps: steps.map(([time, instruction], i) => ({
        type: 8,
        instruction,
        time,
        length: 1,
        line: [
          [i / 100, 0],
          [(i + 1) / 100, 0],
        ],
      })),
    },
  ];
  return new Drive({ legs } as unknown as RouteView);
}

const passed = (metres: number, say = "x".repeat(28)): Passed => ({
  kind: "observation",
  metres,
  at: [0, 0],
  subject: "",
  say,
  note: "",
});

test("a journey comes to a place in proportion to the way", () => {
  const journey = drive([100, "a"], [50, "b"]);
  expect(journey.when(0)).toBe(0);
  expect(journey.when(556.6)).toBeCloseTo(50, 0);
  expect(journey.when(1113.2 + 556.6)).toBeCloseTo(125, 0);
  expect(journey.when(1e6)).toBe(150);
});

describe("what is passed is said between the instructions", () => {
  const journey = drive([300, "a"], [300, "b"], [0, "c"]);
  const starts = journey.cues.map(({ when }) => when);

  test("clear of each of them, and one after the other", () => {
    const cues = cuesOf(
      [0, 500, 510, 1050, 1110, 1120].map((metres) => passed(metres)),
      journey,
    );
    expect(cues.length).toBe(6);
    cues.forEach(({ when }, i) => {
      for (const start of starts) {
        expect(when + 2 + 8 <= start || when >= start + 6).toBe(true);
      }
      if (i > 0) expect(when).toBeGreaterThanOrEqual(cues[i - 1]!.when + 2);
    });
  });

  test("and not where it is long behind", () => {
    const many = Array.from({ length: 60 }, () => passed(400, "x".repeat(140)));
    const cues = cuesOf(many, journey);
    expect(cues.length).toBeGreaterThan(2);
    expect(cues.length).toBeLessThan(10);
  });
});

test("observations and heritage lines are in the order of the way", () => {
  const list = passedOf(
    [
      [0, 0],
      [0.01, 0],
    ],
    {
      route: { length_m: 1113 },
      observations: [{ at_m: 800, kind: "crossing", subject: "Usk", say: "You cross the Usk." }],
      attribution: [],
      caveat: "",
    },
    {
      route: { length_m: 1113 },
      lines: [{ at_m: 200, subject: "Mill", say: "A mill stood here.", basis: "plaque" }],
      attribution: [],
      caveat: "",
    },
  );
  expect(list.map(({ subject, note }) => `${subject}: ${note}`)).toEqual([
    "Mill: Plaque",
    "Usk: Crossing",
  ]);
  expect(list[1]!.at[0]).toBeCloseTo(0.0072, 4);
  expect(passedOf([[0, 0]], null, null)).toEqual([]);
});

test("voices of a language: its region's first, then the language's, then those of all", () => {
  const voices = [
    { id: "all", language: "*" },
    { id: "us", language: "en-US" },
    { id: "gb", language: "en-GB" },
    { id: "de", language: "de" },
  ];
  expect(voicesFor(voices, "en-GB").map(({ id }) => id)).toEqual(["gb", "us", "all"]);
  expect(voicesFor(voices, "de-AT").map(({ id }) => id)).toEqual(["de", "all"]);
  expect(voicesFor(voices.slice(1), "sv")).toEqual([]);
});

describe("clips", () => {
  afterEach(() => vi.unstubAllGlobals());
  const answers = (...list: readonly (() => Response)[]): string[] => {
    const asked: string[] = [];
    vi.stubGlobal("document", { baseURI: "http://h/" });
    vi.stubGlobal("fetch", (url: URL, { headers }: RequestInit) => {
      asked.push(`${url.pathname}${url.search} ${JSON.stringify(headers)}`);
      return Promise.resolve(list[asked.length - 1]!());
    });
    return asked;
  };
  const sound = () => new Response("OggS", { headers: { "Content-Type": "audio/ogg" } });

  test("are asked for once, with the key", async () => {
    const asked = answers(sound);
    const clips = new Clips("k", () => true);
    const [one, two] = await Promise.all([
      clips.get("Left.", "en-GB", "v"),
      clips.get("Left.", "en-GB", "v"),
    ]);
    expect(one).toBe(two);
    expect(one!.size).toBe(4);
    expect(asked).toEqual([
      '/v1/voice/speech?text=Left.&language=en-GB&voice=v&format=opus {"Authorization":"Bearer k"}',
    ]);
  });

  test("that fail are none, and are asked for again", async () => {
    const asked = answers(
      () => new Response("{}", { status: 504 }),
      () => new Response("<html>", { headers: { "Content-Type": "text/html" } }),
      sound,
    );
    const clips = new Clips(null, () => false);
    expect(await clips.get("Left.", "de", "v")).toBeNull();
    expect(await clips.get("Left.", "de", "v")).toBeNull();
    expect(await clips.get("Left.", "de", "v")).not.toBeNull();
    expect(asked.at(-1)).toContain("format=wav {}");
  });
});
