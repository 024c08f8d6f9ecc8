import { expect, test } from "vitest";
import { resolved } from "../src/reference/resolve";

const call = {
  parameters: [{ name: "estimate", schema: { enum: ["0", "1"] } }],
  responses: {
    200: { schema: { $ref: "#/components/schemas/Tree", description: "the largest" } },
    404: { $ref: "#/components/responses/Lost" },
    500: { $ref: "#/components/responses/Missing" },
  },
};
const doc = {
  paths: { "/trees": { get: call } },
  components: {
    responses: { Lost: { description: "not there" } },
    schemas: {
      Tree: {
        description: "a tree",
        properties: {
          height: { $ref: "#/components/schemas/Metres" },
          girth: { $ref: "#/components/schemas/Metres" },
          branches: { items: { $ref: "#/components/schemas/Tree" } },
        },
      },
      Metres: { type: "number" },
    },
  },
};

test("references of a call are replaced by what they name", () => {
  const metres = { type: "number", $$ref: "#/components/schemas/Metres" };
  expect(resolved(doc, ["paths", "/trees", "get"])).toEqual({
    parameters: call.parameters,
    responses: {
      200: {
        schema: {
          description: "the largest",
          $$ref: "#/components/schemas/Tree",
          properties: {
            height: metres,
            girth: metres,
            branches: { items: { $ref: "#/components/schemas/Tree" } }, // it has itself within
          },
        },
      },
      404: { description: "not there", $$ref: "#/components/responses/Lost" },
      500: call.responses[500],
    },
  });
});

test("a path that leads nowhere has no value", () => {
  expect(resolved(doc, ["paths", "/bushes", "get"])).toBeUndefined();
});
