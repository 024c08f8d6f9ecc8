import { at } from "./root";

/** What came of a call by a link: an answer, nothing new, a link that opens nothing, or no answer. */
export type Heard<T> =
  | { readonly kind: "answer"; readonly answer: T }
  | { readonly kind: "same" | "closed" | "refused" | "away" };

/** A connection that is dead without saying so gives no answer for minutes. */
const TIMEOUT_MS = 20_000;

/** Calls by the token of a link, which stands after the # of the page's address. */
export class Link {
  readonly token: string;
  /** Milliseconds by which this clock is ahead of the server's, at its last answer. */
  ahead = 0;
  private tag = "";

  constructor(token: string) {
    this.token = token;
  }

  /** The answer of a GET where it is another one than before. */
  async get<T>(path: string): Promise<Heard<T>> {
    return this.send<T>(path, this.tag ? { headers: { "If-None-Match": this.tag } } : {});
  }

  async post<T>(path: string, body: unknown): Promise<Heard<T>> {
    const headers = { "Content-Type": "application/json" };
    return this.send<T>(path, { method: "POST", headers, body: JSON.stringify(body) });
  }

  private async send<T>(path: string, init: RequestInit): Promise<Heard<T>> {
    try {
      const response = await fetch(at(path), {
        ...init,
        cache: "no-store",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        headers: {
          ...init.headers,
          Accept: "application/json",
          Authorization: `Bearer ${this.token}`,
        },
      });
      if (response.ok || response.status === 304) {
        this.ahead = Date.now() - (Date.parse(response.headers.get("Date") ?? "") || Date.now());
      }
      if (response.status === 304) return { kind: "same" };
      // What stands between, as a proxy without its server, has a 404 of its own.
      const ours = response.headers.get("Content-Type")?.startsWith("application/problem+json");
      if (ours && [401, 404].includes(response.status)) return { kind: "closed" };
      if (ours && [400, 413].includes(response.status)) return { kind: "refused" };
      if (!response.ok) return { kind: "away" };
      this.tag = response.headers.get("ETag") ?? "";
      return { kind: "answer", answer: (await response.json()) as T };
    } catch {
      return { kind: "away" };
    }
  }
}

/** The token of the page's address. */
export function tokenHere(): string {
  return location.hash.slice(1);
}
