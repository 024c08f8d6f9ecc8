import { call } from "../site/client";
import { counted } from "../site/money";

/** Whether a signature is valid; unchecked if the browser or the server makes the check impossible. */
export type Signature = "good" | "bad" | "unchecked";

interface Platform {
  readonly territory_key?: string | null;
}

/** Checks a document against its signature by the key of GET /v1/platform. */
export async function verified(text: string, signature: () => Promise<string>): Promise<Signature> {
  try {
    const [{ territory_key: key }, signed] = await Promise.all([
      call<Platform>({ path: "v1/platform" }),
      signature(),
    ]);
    if (!key) return "unchecked";
    return await holds(text, bytesOf(signed), bytesOf(key));
  } catch {
    return "unchecked";
  }
}

/** Whether an Ed25519 signature over a text is of a public key of 32 bytes. */
export async function holds(
  text: string,
  signature: Uint8Array<ArrayBuffer>,
  key: Uint8Array<ArrayBuffer>,
): Promise<Signature> {
  // Outside secure contexts there is no subtle; older browsers have no Ed25519.
  const subtle = globalThis.crypto?.subtle;
  if (!subtle) return "unchecked";
  const by = await subtle.importKey("raw", key, "Ed25519", false, ["verify"]);
  const document = new TextEncoder().encode(text);
  return (await subtle.verify("Ed25519", by, signature, document)) ? "good" : "bad";
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
}

/** "512 bytes", "3.4 MB", "1.2 GB": by powers of ten, as disks are counted. */
export function size(bytes: number): string {
  if (bytes < 1000) return counted(bytes, "byte");
  const units = ["kB", "MB", "GB", "TB"];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit++;
  }
  return `${value.toFixed(value < 10 ? 1 : 0)} ${units[unit]}`;
}
