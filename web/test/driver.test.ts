import { describe, expect, test } from "vitest";
import {
  clockAt,
  nextStop,
  onItsDay,
  readMarks,
  spanOf,
  wayTo,
  withMarks,
  without,
  type DrivenRound,
  type Mark,
  type RoundStop,
} from "../src/driver/round";

const stop = (id: string, patch: Partial<RoundStop> = {}): RoundStop => ({
  id,
  lat: 49.5,
  lon: -7.25,
  begin_s: 0,
  end_s: 61_200,
  state: "open",
  eta: "2026-11-30T08:30:00+01:00",
  ...patch,
});
const round: DrivenRound = {
  plan: "Monday",
  name: "Van 1",
  vehicle: "v1",
  begins_at: "2026-11-30T00:00:00+01:00",
  expires_at: "2026-12-07T00:00:00+01:00",
  costing: "auto",
  done: 1,
  failed: 0,
  delay_s: 0,
  stops: [stop("a", { state: "done" }), stop("b"), stop("c")],
};
const mark = (id: string, state: Mark["state"], at: string, note = ""): Mark => ({
  stop: id,
  state,
  at,
  note,
});

describe("a round with reports that are not sent", () => {
  test("has of each stop the last report", () => {
    const shown = withMarks(round, [
      mark("b", "done", "1"),
      mark("b", "failed", "2", "closed"),
      mark("a", "open", "3"),
    ]);
    expect(shown.stops.map(({ state }) => state)).toEqual(["open", "failed", "open"]);
    expect(shown.stops[1]!.report).toBe("closed");
    expect(nextStop(shown)?.id).toBe("a");
    expect(nextStop(withMarks(round, [mark("b", "done", "1"), mark("c", "done", "2")]))).toBeNull();
  });

  test("keeps what came while others were sent", () => {
    const sent = [mark("a", "done", "1"), mark("b", "done", "2")];
    const all = [...sent, mark("b", "open", "3")];
    expect(without(all, sent)).toEqual([mark("b", "open", "3")]);
  });

  test.each([null, "", "[", "{}", "[1,null,{}]", '[{"stop":1,"at":"x","state":"done"}]'])(
    "reads %s as nothing",
    (text) => expect(readMarks(text)).toEqual([]),
  );

  test("reads what it has written", () => {
    const marks = [mark("a", "failed", "2026-11-30T08:30:00Z", "nobody there")];
    expect(readMarks(JSON.stringify(marks))).toEqual(marks);
  });
});

test.each([
  ["2026-11-30T00:00:00+01:00", 30_600, "08:30"],
  ["2026-11-30T00:00:00Z", 30_600, "08:30"],
  ["2026-11-30T00:00:00-03:30", 90_000, "01:00"],
  ["2026-11-29T23:00:00+00:00", 60, "23:01"],
])("the clock of %s after %d seconds is %s", (begins, seconds, clock) => {
  expect(clockAt(begins, seconds)).toBe(clock);
});

test("the way to a stop is a link of the explorer, with nothing of other stops", () => {
  expect(wayTo(stop("a"), "auto", null)).toBe("#p=;-7.25,49.5");
  expect(wayTo(stop("a", { name: "A & B; C" }), "truck", [1, 2])).toBe(
    "#p=1.000000,2.000000;-7.25,49.5&names=;A%20%26%20B%2C%20C&by=truck",
  );
});

test.each([
  ["08:00", "00:00", "from 08:00"],
  ["00:00", "17:00", "until 17:00"],
  ["08:00", "10:00", "08:00–10:00"],
  ["22:00", "02:00", "22:00–02:00"],
  ["00:00", "00:00", ""],
])("the window %s to %s is %s", (from, to, words) => expect(spanOf(from, to)).toBe(words));

test.each([
  ["2026-11-29T23:59:00+01:00", false],
  ["2026-11-30T00:00:00+01:00", true],
  ["2026-11-30T23:59:00+01:00", true],
  ["2026-12-01T00:00:00+01:00", false],
])("a round until 17:00 of 30 November is on its day at %s: %s", (now, on) => {
  expect(onItsDay(round.begins_at, round.stops, Date.parse(now))).toBe(on);
});

test("a round of the night is on its day until six hours after its end", () => {
  const night = [stop("a", { end_s: 28 * 3600 })];
  expect(onItsDay(round.begins_at, night, Date.parse("2026-12-01T09:59:00+01:00"))).toBe(true);
  expect(onItsDay(round.begins_at, night, Date.parse("2026-12-01T10:00:00+01:00"))).toBe(false);
});
