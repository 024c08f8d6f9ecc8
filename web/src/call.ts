import type { Failure } from "./problem";

/** What came of a call of the API. */
export type Answered =
  | { readonly kind: "ok"; readonly body: unknown; readonly tookMS: number }
  | { readonly kind: "failed"; readonly failure: Failure };

/**
 * Posts a body as JSON to a path of this server; null where the signal has
 * ended the call.
 */
export async function post(
  path: string,
  body: string,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<Answered | null> {
  const started = performance.now();
  const headers: Record<string, string> = { "Content-Type": "application/json" };
  if (apiKey) headers["Authorization"] = `Bearer ${apiKey}`;
  try {
    const url = new URL(path, document.baseURI);
    const response = await fetch(url, { method: "POST", headers, body, signal });
    const answer = await readJSON(response);
    if (signal.aborted) return null;
    if (response.ok) return { kind: "ok", body: answer, tookMS: performance.now() - started };
    const retryAfter = response.headers.get("Retry-After");
    return {
      kind: "failed",
      failure: { kind: "answer", status: response.status, body: answer, retryAfter },
    };
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
