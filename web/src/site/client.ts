import type { Failure } from "../call/problem";
import { at } from "../call/root";

export interface Call {
  readonly method?: "GET" | "POST" | "PUT" | "DELETE";
  /** Below the server's root. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  /** Sent as bearer: a session, an admin token or a key. */
  readonly token?: string | null;
  readonly body?: unknown;
}

/** An answer that is not the one hoped for. */
export class Refused extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind === "network" ? "no answer" : `status ${failure.status}`);
    this.failure = failure;
  }

  /** The HTTP status; 0 where no answer came. */
  get status(): number {
    return this.failure.kind === "network" ? 0 : this.failure.status;
  }
}

/**
 * Calls the API and gives the JSON of the answer (undefined where it has none).
 * Throws Refused on a status from 400 and where no answer comes.
 */
export async function call<T>({ method = "GET", path, query, token, body }: Call): Promise<T> {
  const url = new URL(at(path));
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== "") url.searchParams.set(name, String(value));
  }
  const headers: Record<string, string> = { Accept: "application/json" };
  if (token) headers["Authorization"] = `Bearer ${token}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  let text: string;
  try {
    const init = body === undefined ? {} : { body: JSON.stringify(body) };
    response = await fetch(url, { method, headers, cache: "no-store", ...init });
    text = await response.text();
  } catch {
    throw new Refused({ kind: "network" });
  }
  const answer = parseJSON(text);
  if (response.ok) return answer as T;
  throw new Refused({
    kind: "answer",
    status: response.status,
    body: answer,
    retryAfter: response.headers.get("Retry-After"),
  });
}

export function parseJSON(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
