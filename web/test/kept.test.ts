import { afterEach, describe, expect, test, vi } from "vitest";
import { KeptLinks, type Shelf } from "../src/driver/kept";
import { LinkedRound } from "../src/driver/linked";
import type { DrivenRound, Mark } from "../src/driver/round";
import { ageWords } from "../src/driver/view";

/** A storage of so many characters. */
function shelf(room = 10_000): Shelf & { keys(): string[] } {
  const all = new Map<string, string>();
  return {
    get length() {
      return all.size;
    },
    key: (n) => [...all.keys()][n] ?? null,
    keys: () => [...all.keys()],
    getItem: (key) => all.get(key) ?? null,
    removeItem: (key) => void all.delete(key),
    setItem: (key, text) => {
      const others = [...all]
        .filter(([one]) => one !== key)
        .flat()
        .join("").length;
      if (others + key.length + text.length > room)
        throw new DOMException("", "QuotaExceededError");
      all.set(key, text);
    },
  };
}

const NOW = Date.parse("2026-11-30T09:00:00Z");
const round: DrivenRound = {
  plan: "Monday",
  vehicle: "v1",
  name: "Van 1",
  begins_at: "2026-11-30T00:00:00+01:00",
  expires_at: "2100-01-01T00:00:00Z",
  costing: "auto",
  done: 0,
  failed: 0,
  delay_s: 0,
  stops: ["a", "b"].map((id) => ({ id, lat: 49, lon: -7, begin_s: 0, end_s: 0, state: "open", eta: "2026-11-30T08:00:00+01:00" })), // prettier-ignore
};
const until = Date.parse(round.expires_at);
const mark = (stop: string, note = ""): Mark => ({ stop, state: "done", at: "2026-11-30T08:00:00Z", note }); // prettier-ignore

describe("what a phone keeps of a link", () => {
  test("is there for the next page, and two pages lose no report of each other", () => {
    const storage = shelf();
    const [one, other] = [new KeptLinks(storage, "/"), new KeptLinks(storage, "/")];
    one.keepRound("T", { round, at: NOW, until });
    one.report("T", mark("a"));
    other.report("T", mark("b"));
    expect(one.marks("T").map(({ stop }) => stop)).toEqual(["a", "b"]);
    one.sent("T", [mark("a")]);
    expect(other.marks("T")).toEqual([mark("b")]);
    expect(new KeptLinks(storage, "/").round("T")?.round).toEqual(round);
    expect(new KeptLinks(storage, "/below/").tokens()).toEqual([]); // another server's
  });

  test("is gone with the link, and at the end of the plan", () => {
    const storage = shelf();
    const kept = new KeptLinks(storage, "/");
    kept.keepRound("T", { round, at: NOW, until: NOW + 3_600_000 });
    kept.report("T", mark("a"));
    kept.keepRound("U", { round, at: NOW, until });
    kept.expire(NOW);
    expect(kept.tokens()).toEqual(["T", "U"]);
    kept.expire(NOW + 3_600_000);
    expect(kept.tokens()).toEqual(["U"]);
    kept.forget("U");
    expect(storage.keys()).toEqual([]);
  });

  test("has room for reports before rounds", () => {
    const kept = new KeptLinks(shelf(1200), "/");
    kept.keepRound("old", { round, at: NOW, until });
    kept.keepRound("T", { round, at: NOW, until });
    for (let i = 0; i < 9; i++) kept.report("T", mark(`s${i}`));
    expect(kept.marks("T")).toHaveLength(9);
    expect([kept.fleeting, kept.round("old")]).toEqual([false, null]);
  });

  test("lasts for the page where the browser keeps nothing, which is known", () => {
    for (const storage of [null, shelf(0)]) {
      const kept = new KeptLinks(storage, "/");
      kept.keepRound("T", { round, at: NOW, until });
      kept.report("T", mark("a"));
      expect([kept.marks("T"), kept.fleeting, kept.round("T")]).toEqual([[mark("a")], true, null]);
      kept.sent("T", [mark("a")]);
      expect([kept.marks("T"), kept.fleeting]).toEqual([[], false]);
    }
  });
});

describe("a round on a phone", () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
  const problem = { "Content-Type": "application/problem+json" };
  /** A server that answers so, and the bodies that it got. */
  const served = (answer: (body: string) => Response | Promise<Response>): string[] => {
    const got: string[] = [];
    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
      got.push(String(init.body ?? ""));
      return answer(String(init.body ?? ""));
    });
    return got;
  };

  test("keeps its reports where a proxy answers for a server that is away", async () => {
    const kept = new KeptLinks(shelf(), "/");
    kept.report("T", mark("a"));
    for (const status of [404, 401, 502, 429]) {
      served(() => new Response("<html>", { status, headers: { "Content-Type": "text/html" } }));
      const linked = new LinkedRound("T", kept);
      expect([await linked.bring(), linked.reached, kept.marks("T")]).toEqual([true, false, [mark("a")]]); // prettier-ignore
    }
    served(() => new Response("{}", { status: 404, headers: problem }));
    expect(await new LinkedRound("T", kept).bring()).toBe(false);
    expect(kept.tokens()).toEqual([]);
  });

  test("loses no report to one that the server refuses", async () => {
    const kept = new KeptLinks(shelf(), "/");
    for (const stop of ["a", "bad", "b"]) kept.report("T", mark(stop));
    const got = served((body) =>
      body.includes("bad")
        ? new Response("{}", { status: 400, headers: problem })
        : Response.json(round),
    );
    const linked = new LinkedRound("T", kept);
    await linked.bring();
    expect(got.map((body) => body.match(/"stop":"\w+"/g)?.length ?? 0)).toEqual([3, 1, 1, 1, 0]);
    expect([linked.waiting, linked.reached]).toEqual([0, true]);
  });

  test("sends reports one by one to a server that takes no larger bodies", async () => {
    const kept = new KeptLinks(shelf(), "/");
    for (const stop of ["a", "b"]) kept.report("T", mark(stop));
    const got = served((body) =>
      body.includes('"b"') && body.includes('"a"')
        ? new Response("{}", { status: 413, headers: problem })
        : Response.json(round),
    );
    const linked = new LinkedRound("T", kept);
    expect([await linked.bring(), linked.waiting, got.length]).toEqual([true, 0, 4]);
    expect(linked.message).toBe("");
  });

  test("is open as long as the server says, by whatever clock the phone has", async () => {
    const now = vi.spyOn(Date, "now");
    const ends = NOW + 6 * 3_600_000;
    for (const ahead of [-86_400_000, 0, 86_400_000]) {
      const kept = new KeptLinks(shelf(), "/");
      const headers = { Date: new Date(NOW).toUTCString() };
      served(() => Response.json({ ...round, expires_at: new Date(ends).toISOString() }, { headers })); // prettier-ignore
      now.mockReturnValue(NOW + ahead);
      expect(await new LinkedRound("T", kept).bring()).toBe(true);
      kept.report("T", mark("a"));
      served(() => Response.error());
      for (const [at, left] of [
        [ends - 1000, ["T"]],
        [ends + 1000, []],
      ] as const) {
        // prettier-ignore
        now.mockReturnValue(at + ahead);
        const linked = new LinkedRound("T", kept);
        kept.expire();
        expect([kept.tokens(), linked.shown === null]).toEqual([left, left.length === 0]);
      }
    }
    // A page that stays open without a network.
    const kept = new KeptLinks(shelf(), "/");
    now.mockReturnValue(NOW);
    kept.keepRound("T", { round, at: NOW, until: ends });
    const linked = new LinkedRound("T", kept);
    expect(await linked.bring()).toBe(true);
    now.mockReturnValue(ends);
    expect([await linked.bring(), kept.tokens()]).toEqual([false, []]);
  });

  test("shows a report that waits with its own time", () => {
    const kept = new KeptLinks(shelf(), "/");
    kept.keepRound("T", { round, at: NOW, until });
    kept.report("T", mark("a", "left"));
    expect(new LinkedRound("T", kept).shown?.stops[0]).toMatchObject({ state: "done", report: "left", eta: "2026-11-30T09:00:00+01:00" }); // prettier-ignore
  });
});

test("how old something is, is said by the clock, on another day with the day", () => {
  const noon = new Date(2026, 10, 30, 12, 5).getTime();
  expect(ageWords(noon, noon + 720_000)).toBe("12:05, 12 min ago");
  expect(ageWords(noon, noon + 86_400_000)).toBe("30 November, 12:05");
});
