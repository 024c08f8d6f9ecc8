import type { Failure } from "./problem";

/** A call of the API. */
export interface Call {
  /** By default POST with a body, else GET. */
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Path without the leading slash. */
  readonly path: string;
  /** Members that are undefined or "" are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: unknown;
}

/** What came of a call of the API; a body that is no JSON is undefined. */
export type Answered =
  | {
      readonly kind: "ok";
      readonly status: number;
      readonly body: unknown;
      readonly tookMS: number;
      /** What the answer costs in units of a quota; null where the server does not say. */
      readonly units?: number | null;
    }
  | { readonly kind: "failed"; readonly failure: Failure };

export function methodOf({ method, body }: Call): NonNullable<Call["method"]> {
  return method ?? (body === undefined ? "GET" : "POST");
}

/** Path and query of a call, without the leading slash. */
export function pathOf({ path, query = {} }: Call): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
  const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  // Commas may stand as they are, and are easier to read.
  return text ? `${path}?${text.replaceAll("%2C", ",")}` : path;
}

/** Makes a call of this server; null where the signal has ended it. */
export async function send(
  call: Call,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<Answered | null> {
  const started = performance.now();
  const { body } = call;
  const headers: Record<string, string> = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (apiKey) headers["Authorization"] = `Bearer ${apiKey}`;
  try {
    const response = await fetch(new URL(pathOf(call), document.baseURI), {
      method: methodOf(call),
      headers,
      signal,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const answer = await readJSON(response);
    if (signal.aborted) return null;
    const { ok, status } = response;
    if (ok) {
      const units = response.headers.get("X-Svc-Quota-Units");
      const tookMS = performance.now() - started;
      return {
        kind: "ok",
        status,
        body: answer,
        tookMS,
        units: units === null ? null : Number(units),
      };
    }
    const retryAfter = response.headers.get("Retry-After");
    return { kind: "failed", failure: { kind: "answer", status, body: answer, retryAfter } };
  } catch {
    return signal.aborted ? null : { kind: "failed", failure: { kind: "network" } };
  }
}

async function readJSON(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
