/// <reference types="node" />
import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { curlCommand, prettyJSON, shellQuote } from "../src/call/curl";

test.each([
  "plain",
  "",
  "two words",
  "it's",
  `"$HOME" \`id\` \\`,
  "a\nb",
  "(—)",
  "'''",
  "a;b&c?d*",
])("a shell reads %j back as it was", (text) => {
  const out = execFileSync("sh", ["-c", `printf %s ${shellQuote(text)}`], { encoding: "utf8" });
  expect(out).toBe(text);
});

test("a command with a body", () => {
  const command = curlCommand({
    method: "POST",
    url: "http://localhost:8080/route",
    body: { costing: "auto" },
    keyed: true,
  });
  expect(command).toBe(
    [
      "curl -s -X POST http://localhost:8080/route \\",
      '  -H "Authorization: Bearer $API_KEY" \\',
      "  -H 'Content-Type: application/json' \\",
      `  -d '{ "costing": "auto" }'`,
    ].join("\n"),
  );
});

test("an address with a list and a query is quoted", () => {
  expect(curlCommand({ method: "GET", url: "http://x/1,2;3,4?a=b&c=d" })).toBe(
    "curl -s 'http://x/1,2;3,4?a=b&c=d'",
  );
});

test("pretty JSON is the same JSON", () => {
  const value = {
    list: Array.from({ length: 30 }, (_, i) => ({ i, text: `"${i}"`, nothing: null })),
    empty: [],
    none: {},
    deep: { a: { b: [[1, 2], [true]] } },
  };
  const text = prettyJSON(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(Math.max(...text.split("\n").map((line) => line.length))).toBeLessThanOrEqual(88);
});
