import { generateKeyPairSync, sign } from "node:crypto";
import { expect, test } from "vitest";
import { holds, size } from "../src/territory/signature";

test("a signature holds over the text it was made of, by the key that made it", async () => {
  const { publicKey, privateKey } = generateKeyPairSync("ed25519");
  const key = new Uint8Array(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  const text = '{"territories":[]} ä';
  const signature = new Uint8Array(sign(null, Buffer.from(text), privateKey));
  expect(await holds(text, signature, key)).toBe("good");
  expect(await holds(`${text} `, signature, key)).toBe("bad");
  const other = generateKeyPairSync("ed25519").publicKey.export({ format: "der", type: "spki" });
  expect(await holds(text, signature, new Uint8Array(other.subarray(-32)))).toBe("bad");
});

test.each([
  [0, "0 bytes"],
  [999, "999 bytes"],
  [1000, "1.0 kB"],
  [999_600, "1.0 MB"],
  [23_400_000, "23 MB"],
  [1_240_000_000, "1.2 GB"],
])("%i bytes are %s", (bytes, words) => expect(size(bytes)).toBe(words));
