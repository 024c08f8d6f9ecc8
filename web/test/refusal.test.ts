import { describe, expect, test } from "vitest";
import { wait } from "../src/call/problem";
import { explain, slugOf, type Explanation } from "../src/site/refusal";

function told(status: number, body: unknown, retryAfter: string | null = null): Explanation {
  return explain({ kind: "answer", status, body, retryAfter });
}

const URN = "urn:svc-gateway:problem:";

describe("explain", () => {
  test("no answer", () => {
    expect(explain({ kind: "network" }).title).toBe("The server did not answer");
  });

  test("a problem's own words, and its fields by name", () => {
    const { title, text, fields } = told(400, {
      type: `${URN}bad-request`,
      title: "The request is not valid",
      detail: "allowed_origins has 1 entry that is no origin",
      errors: [
        {
          location: "body.allowed_origins[2]",
          message: "must not have a path",
          value: "https://a.b/c",
        },
        { location: "label", message: "at most 120 characters", value: "x" },
      ],
    });
    expect(title).toBe("The request is not valid");
    expect(text).toBe("allowed_origins has 1 entry that is no origin");
    expect(fields).toEqual([
      {
        name: "allowed_origins",
        text: "allowed_origins[2]: must not have a path (was https://a.b/c)",
      },
      { name: "label", text: "label: at most 120 characters (was x)" },
    ]);
  });

  test.each([
    ["invalid-email", "email"],
    ["tos-not-accepted", "accept_tos"],
    ["key-cap", "email"],
  ])("%s is about %s", (slug, name) => {
    const { fields } = told(400, { type: URN + slug, title: "No", detail: "why" });
    expect(fields).toEqual([{ name, text: "why" }]);
  });

  test("a wait that the server asks for", () => {
    const body = { type: `${URN}issuance-velocity`, title: "Too many keys", detail: "3 a day" };
    expect(told(429, body, "86000").notes).toEqual(["Try again in 24 hours."]);
    expect(told(429, body, "soon").notes).toEqual([]);
    expect(told(503, {}).notes).toEqual(["Try again in a moment."]);
  });

  test("the plain JSON of a 402", () => {
    const { title, notes } = told(402, {
      code: "payment_required",
      balance_millipence: 1_500,
      upgrade: "https://example.com/console",
    });
    expect(title).toBe("Payment needed");
    expect(notes).toEqual(["The credit left is £0.015: buy more in the console."]);
  });

  test.each([undefined, null, "<html>", 7, [], { title: 3, detail: {}, errors: "x" }])(
    "an answer that is no problem: %j",
    (body) => {
      expect(told(418, body)).toEqual({
        title: "The server answered with 418",
        text: "",
        notes: [],
        fields: [],
      });
    },
  );
});

test("a slug is the end of the gateway's own URN only", () => {
  expect(slugOf(`${URN}key-cap`)).toBe("key-cap");
  for (const other of ["about:blank", "key-cap", undefined, 4]) expect(slugOf(other)).toBe("");
});

test.each<[number, string]>([
  [0.2, "1 second"],
  [90, "90 seconds"],
  [121, "3 minutes"],
  [7200, "120 minutes"],
  [7201, "3 hours"],
])("a wait of %d s", (seconds, want) => {
  expect(wait(seconds)).toBe(want);
});
