import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readRoute, writeRoute, type Route } from "../src/admin/routes";
import { samples, tileAt } from "../src/console/samples";
import { standing } from "../src/console/self";
import type { Explorer } from "../src/plan/explorer";
import { daysOf, dayName, monthName, monthOf, monthsBetween } from "../src/site/dates";
import { lines } from "../src/site/lines";
import { cut, sliceOf } from "../src/site/pager";
import { duration, title, words } from "../src/site/report";
import { at, atTyped } from "../src/call/root";

describe("months", () => {
  test.each([
    ["2026-11", 30],
    ["2026-12", 31],
    ["2028-02", 29],
    ["2026-02", 28],
  ])("the days of %s", (month, count) => {
    const days = daysOf(month);
    expect(days).toHaveLength(count);
    expect(days[0]).toBe(`${month}-01`);
    expect(days.at(-1)).toBe(`${month}-${count}`);
  });

  test("from the first to the last, latest first, over a year's end", () => {
    const months = monthsBetween(new Date("2026-11-30T23:59:59Z"), new Date("2027-01-31T12:00Z"));
    expect(months).toEqual(["2027-01", "2026-12", "2026-11"]);
  });

  test("this month even where the clock says that it is not yet", () => {
    const months = monthsBetween(new Date("2027-01-01T00:00Z"), new Date("2026-12-31T00:00Z"));
    expect(months).toEqual(["2026-12"]);
  });

  test("never more than asked for", () => {
    expect(monthsBetween(new Date(0), new Date("2026-01-01T00:00Z"))).toHaveLength(24);
  });

  test("names, and what is no date as it came", () => {
    expect(monthName("2026-11")).toBe("November 2026");
    expect(dayName("2026-11-05")).toBe("5 Nov 2026");
    expect(dayName("never")).toBe("never");
    expect(monthOf(new Date("2026-11-30T23:30:00-02:00"))).toBe("2026-12");
  });
});

describe("pieces of a list", () => {
  const rows = Array.from({ length: 7 }, (_, i) => i);

  test("of a server's answer", () => {
    const answer = { total: 120, limit: 50, offset: 50, identities: rows };
    expect(sliceOf(answer, "identities", 50)).toEqual({ rows, offset: 50, total: 120 });
  });

  test("of an answer without the list", () => {
    for (const answer of [undefined, null, {}, { keys: null }, "no"]) {
      expect(sliceOf(answer, "keys", 0)).toEqual({ rows: [], offset: 0, total: 0 });
    }
  });

  test("put together they are the list", () => {
    const all: number[] = [];
    for (let offset = 0; ; offset += 3) {
      const slice = cut(rows, { offset, limit: 3 });
      all.push(...slice.rows);
      if (offset + slice.rows.length >= slice.total) break;
    }
    expect(all).toEqual(rows);
  });
});

describe("figures in words", () => {
  test.each<[string, unknown, string]>([
    ["balance_pence", 123456, "£1,234.56"],
    ["notional_millipence", 1_234, "£0.01234"],
    ["used_mib", 8192, "8,192 MiB"],
    ["median_ttfc_seconds", 3905, "1 h 05 min"],
    ["conversion_rate", 0.257, "25.7%"],
    ["conversion_rate", 0, "0%"],
    ["p90_ttfc_seconds", null, "–"],
    ["enabled", false, "no"],
    ["month", "2026-11", "November 2026"],
    ["last_active", "2026-11-05", "5 Nov 2026"],
    ["total", 1234567, "1,234,567"],
    ["subject", "<b>x</b>", "<b>x</b>"],
  ])("%s of %j", (name, value, want) => {
    expect(words(name, value)).toBe(want);
  });

  test("names", () => {
    expect(title("credited_total_pence")).toBe("Credited total");
    expect(title("issuances_this_hour")).toBe("Issuances this hour");
  });

  test("durations", () => {
    expect([0, 59, 60, 3599, 3600, 200_000].map(duration)).toEqual([
      "0 s",
      "59 s",
      "1 min",
      "59 min",
      "1 h 00 min",
      "2 days 7 h",
    ]);
  });
});

describe("addresses of the admin page", () => {
  test.each<Route>([
    { view: "overview" },
    { view: "identities", q: "a+b@example.com & co", order: "email", offset: 50 },
    { view: "identities", one: "o'neil+maps@example.com" },
    { view: "keys", one: "4f6c" },
  ])("%j is read as it was written", (route) => {
    expect(readRoute(writeRoute(route))).toEqual(route);
  });

  test.each(["", "#", "#nonsense", "#overview?offset=-3", "#overview?offset=1.5"])(
    "%j shows the overview",
    (fragment) => {
      expect(readRoute(fragment)).toEqual({ view: "overview" });
    },
  );
});

describe("paths of this server", () => {
  test("stay on it", () => {
    expect(at("/v1/keys")).toBe(at("v1/keys"));
    expect(atTyped("//evil.example/x")).toBe(at("evil.example/x"));
    expect(atTyped("v1/usage?from=2026-11-01")).toBe(at("v1/usage") + "?from=2026-11-01");
    for (const path of ["https://evil.example/x", "data:text/html,x", "javascript:1"]) {
      expect(atTyped(path)).toBeNull();
    }
  });
});

describe("where a key stands", () => {
  const now = new Date("2026-11-21T12:00:00Z");
  test.each([
    ["verified", null, null, "verified"],
    ["provisional", "2026-11-24T12:00:00Z", null, "provisional"],
    ["provisional", "2026-11-21T12:00:00Z", null, "expired"],
    ["verified", null, "2026-11-20T12:00:00Z", "revoked"],
    ["provisional", "2026-11-20T12:00:00Z", "2026-11-20T12:00:00Z", "revoked"],
  ])("%s until %s, revoked %s", (state, expires_at, revoked_at, want) => {
    expect(standing({ state, expires_at, revoked_at }, now).word).toBe(want);
  });
});

describe("playground", () => {
  test.each<[readonly [number, number], number, string]>([
    [[0, 0], 0, "0/0/0"],
    [[-0.1276, 51.5072], 12, "12/2046/1362"],
    [[180, -90], 3, "3/7/7"],
    [[-180, 90], 3, "3/0/0"],
  ])("the tile at %j, zoom %d", (place, zoom, want) => {
    expect(tileAt(place, zoom)).toBe(want);
  });

  test("a server without a region has calls too", () => {
    const explorer: Explorer = {
      territory: "",
      name: "",
      bounds: null,
      center: [0, 20, 1],
      attribution: "",
      costings: [],
      version: "0",
      examples: [],
    };
    for (const facts of [null, explorer]) {
      expect(samples(facts).every(({ path }) => !/route|tiles/.test(path))).toBe(true);
      expect(samples(facts).length).toBeGreaterThan(0);
    }
  });

  test("places are those of a plain example", () => {
    const found = samples({
      territory: "a b",
      name: "",
      center: [0, 0, 1],
      attribution: "",
      costings: ["auto"],
      version: "0",
      examples: [
        {
          title: "",
          costing: "truck",
          adr: {},
          points: [
            [9, 9],
            [8, 8],
          ],
        },
        {
          title: "",
          costing: "auto",
          points: [
            [1, 2],
            [5, 5],
            [3, 4],
          ],
        },
      ],
    });
    const route = found.find(({ path }) => path === "route")!;
    expect(route.body).toMatchObject({
      locations: [
        { lon: 1, lat: 2 },
        { lon: 3, lat: 4 },
      ],
    });
    expect(found.some(({ path }) => path.startsWith("tiles/a%20b/12/"))).toBe(true);
  });
});

test("lines", () => {
  expect(lines(" https://a.example \r\n\n\thttps://b.example\n")).toEqual([
    "https://a.example",
    "https://b.example",
  ]);
});

test("nothing turns text into markup or code", () => {
  const folder = join(import.meta.dirname, "../src");
  const sources = readdirSync(folder, { recursive: true, encoding: "utf8" });
  const scripts = sources.filter((name) => name.endsWith(".ts"));
  expect(scripts.length).toBeGreaterThan(40);
  for (const name of scripts) {
    const text = readFileSync(join(folder, name), "utf8");
    // A file read as XML is never put into the page.
    expect(text, name).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|DOMParser(?!\(\)\.parseFromString\(\w+, "application\/xml"\))|createContextualFragment|setHTML|\beval\(|new Function/,
    );
  }
});
