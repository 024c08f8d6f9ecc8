import { call, type Call } from "../site/client";
import { sliceOf, type Slice } from "../site/pager";

/** How many rows a list of the page has. */
export const LIMIT = 50;

/** The admin endpoints with the operator's token. */
export class AdminClient {
  readonly token: string;

  constructor(token: string) {
    this.token = token;
  }

  get<T>(path: string, query: NonNullable<Call["query"]> = {}): Promise<T> {
    return call<T>({ path: `admin/${path}`, query, token: this.token });
  }

  post<T>(path: string, body: unknown): Promise<T> {
    return call<T>({ method: "POST", path: `admin/${path}`, body, token: this.token });
  }

  async remove(path: string): Promise<void> {
    await call({ method: "DELETE", path: `admin/${path}`, token: this.token });
  }

  /** One page of a list; the rows are the answer's member name. */
  async list<Row>(
    path: string,
    name: string,
    offset = 0,
    query: NonNullable<Call["query"]> = {},
  ): Promise<Slice<Row>> {
    const answer = await this.get(path, { ...query, limit: LIMIT, offset });
    return sliceOf<Row>(answer, name, offset);
  }
}
