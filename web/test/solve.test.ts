// A job goes on while the server cannot be reached, and its plan is taken once it answers again.
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { progressOf, solve } from "../src/dispatch/plan/solve";
import { usePageLanguage } from "../src/ui/translate";
import type { Solving } from "../src/dispatch/plan/store";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/** Solves while calls are answered one after the other; the last answer stays. */
async function solved(...answers: readonly (object | number)[]) {
  let calls = 0;
  vi.stubGlobal("fetch", () => {
    const answer = answers[Math.min(calls++, answers.length - 1)]!;
    if (answer === 0) return Promise.reject(new TypeError("Failed to fetch"));
    const [status, body] = typeof answer === "number" ? [answer, {}] : [200, answer];
    return Promise.resolve(Response.json(body, { status }));
  });
  const said: Solving[] = [];
  const { signal } = new AbortController();
  const ended = solve({
    apiKey: "key",
    kind: "optimise",
    body: {},
    progressed: (solving) => said.push(solving),
    enough: signal,
    signal,
  }).then(
    (result) => ({ result }),
    (error: { status: number }) => ({ status: error.status }),
  );
  await vi.runAllTimersAsync();
  return { ...(await ended), said: said.map(({ text }) => text) };
}

const made = { id: "job" };
const running = { state: "running" };

test("a request is sent again to a server that was away for a while", async () => {
  const { said, ...end } = await solved(made, running, 0, 503, 0, running, { state: "succeeded", result: 7 }); // prettier-ignore
  expect(end).toEqual({ result: 7 });
  expect(said.filter((text) => text.startsWith("The server does not answer"))).toHaveLength(3);
});

test.each([
  [[made, running, 404], 404],
  [[made, running, 0], 0],
  [[0], 0],
])("a job that is lost, or a server that stays away, is refused: %j", async (answers, status) => {
  expect(await solved(...answers)).toMatchObject({ status });
});

test("costs are written as the page's language writes numbers", () => {
  usePageLanguage("de", {});
  expect(progressOf({ progress: { best_cost: 12_345 } }).text).toContain("12.345");
  usePageLanguage("en", {});
});
