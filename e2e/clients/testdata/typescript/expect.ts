import assert from "node:assert/strict";

/** Address and admin token of the gateway that is called. */
export const { WAYGATE_URL: url, WAYGATE_ADMIN: admin } = process.env as Record<string, string>;

export const from = { lat: 49.326622, lon: -7.267471 };
export const to = { lat: 49.321496, lon: -7.235719 };

/** There must be data and no error. */
export function data<D>(answer: { data?: D; error?: unknown }): NonNullable<D> {
  assert.equal(answer.error, undefined);
  assert.ok(answer.data !== undefined && answer.data !== null);
  return answer.data;
}

export { assert };
