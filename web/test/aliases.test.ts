import { expect, test } from "vitest";
import { withoutAliases } from "../src/reference/aliases";

test("a call of two addresses is listed once, and names the other", () => {
  const call = { description: "Plans.", security: [{ bearer: [] }], tags: ["plan"] };
  const { paths } = withoutAliases({
    paths: {
      "/optimise": { post: call, get: { description: "Plans." } },
      "/optimize": { post: call },
      "/open": { post: { ...call, security: [] } },
      "/silent": { get: {} },
      "/mute": { get: {} },
    },
  });
  expect(Object.keys(paths)).toEqual(["/optimise", "/open", "/silent", "/mute"]);
  expect(paths["/optimise"]!["post"]!.description).toBe("Plans.\n\nAlso at `/optimize`.");
  expect(paths["/optimise"]!["get"]!.description).toBe("Plans.");
});
