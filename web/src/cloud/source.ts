import { HEAD_BYTES, readHead, readPage, type Head, type Node, type Page } from "./copc";

/** A hosted file that is read by ranges. */
export class Source {
  private tag: string | null = null;
  /** Bytes that were read. */
  read = 0;

  constructor(
    private readonly address: string,
    private readonly apiKey: string | null,
    private readonly signal: AbortSignal,
  ) {}

  async head(): Promise<Head> {
    return readHead(await this.range({ offset: 0, bytes: HEAD_BYTES }));
  }

  async page(page: Page): Promise<Node[]> {
    return readPage(await this.range(page));
  }

  /** Reads a part; throws where the server sends anything else. */
  async range({ offset, bytes }: Page): Promise<ArrayBuffer> {
    const headers: Record<string, string> = { Range: `bytes=${offset}-${offset + bytes - 1}` };
    if (this.apiKey) headers["Authorization"] = `Bearer ${this.apiKey}`;
    const answer = await fetch(this.address, { headers, signal: this.signal });
    if (answer.status !== 206) {
      await answer.body?.cancel();
      throw new Error(wrong(answer));
    }
    const tag = answer.headers.get("ETag");
    if (this.tag && tag !== this.tag) throw new Error("the file was changed; load the page again");
    this.tag = tag;
    const data = await answer.arrayBuffer();
    if (data.byteLength !== bytes) {
      throw new Error(`the server sent ${data.byteLength} bytes and not ${bytes}`);
    }
    this.read += bytes;
    return data;
  }
}

function wrong({ status }: Response): string {
  switch (status) {
    case 200:
      return "something between here and the server sends whole files in place of parts";
    case 402:
    case 429:
      return "the quota or the rate of this key is used up for now";
    default:
      return `the server answered with status ${status}`;
  }
}
