import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { SNIPPETS } from "../src/call/snippets";

const body = { text: 'true "null" `tick` \\ é', on: true, off: false, no: null, list: [1, 2.5] };
const call = { method: "POST", url: "https://x.org/route?a=1", body, keyed: true } as const;

test("the JavaScript sends the call as it is", async () => {
  const code = SNIPPETS.JavaScript(call);
  let sent: unknown[] = [];
  const fetch = (...given: unknown[]) => {
    sent = given;
    return Promise.resolve({ ok: true, json: () => Promise.resolve("answer") });
  };
  const said: unknown[] = [];
  const run = new Function("fetch", "console", "process", `return (async () => {${code}})()`);
  await run(fetch, { log: (text: unknown) => said.push(text) }, { env: { API_KEY: "k" } });
  const [url, { method, headers, body: text }] = sent as [string, Record<string, string>];
  expect([url, method, JSON.parse(text!)]).toEqual([call.url, "POST", body]);
  expect(headers).toEqual({ Authorization: "Bearer k", "Content-Type": "application/json" });
  expect(said).toEqual(["answer"]);
  expect(SNIPPETS.JavaScript({ method: "GET", url: "https://x.org/" })).toContain(
    'await fetch("https://x.org/");',
  );
});

test("the Python has the body as a literal of its own", () => {
  const code = SNIPPETS.Python(call);
  expect(code.replaceAll(/\s+/g, " ")).toContain('"on": True, "off": False, "no": None');
  expect(code).toContain(String.raw`"text": "true \"null\" ${"`tick`"} \\ é"`);
  const literal = /json=(\{[\s\S]*?\}),\n/.exec(code)![1]!;
  const run = spawnSync("python3", ["-c", `import json; print(json.dumps(${literal}))`]);
  if (run.error) return; // there is no Python here
  expect(JSON.parse(run.stdout.toString())).toEqual(body);
});

test("the Go imports what it uses and quotes what a raw string cannot have", () => {
  const code = SNIPPETS.Go(call);
  expect(code).toContain(`strings.NewReader(${JSON.stringify(JSON.stringify(body)).slice(0, 3)}`);
  expect(SNIPPETS.Go({ ...call, body: { a: 1 } })).toContain('strings.NewReader(`{ "a": 1 }`)');
  const plain = SNIPPETS.Go({ method: "GET", url: "https://x.org/" });
  for (const name of ["os", "strings"]) expect(plain).not.toContain(`"${name}"`);
});
