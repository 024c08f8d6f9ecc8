import { addProtocol, type StyleSpecification } from "maplibre-gl";

const SCHEME = "glyphs";

/**
 * A style whose letters are drawn by this device where the server's fonts have none of their
 * range, as of Hebrew, Arabic, Georgian or Armenian. MapLibre draws a letter itself where its
 * file cannot be had, and leaves it out where a file comes without it.
 */
export function drawnHere(style: StyleSpecification): StyleSpecification {
  const { glyphs } = style;
  if (!glyphs || glyphs.startsWith(`${SCHEME}://`)) return style;
  return { ...style, glyphs: `${SCHEME}://${glyphs}` };
}

addProtocol(SCHEME, async ({ url }, { signal }) => {
  const answer = await fetch(url.slice(SCHEME.length + 3), { signal });
  if (!answer.ok) throw new Error(`${answer.status} ${answer.statusText}`);
  const data = await answer.arrayBuffer();
  if (!hasGlyphs(new Uint8Array(data))) throw new Error("The server's fonts have no such letters.");
  return { data };
});

/** Whether a glyph file has a glyph: in its stack, one field (1) of the file, those are field 3. */
export function hasGlyphs(file: Uint8Array): boolean {
  let at = 0;
  const number = (): number => {
    let value = 0;
    for (let shift = 1; at < file.length; shift *= 128) {
      const byte = file[at++]!;
      value += (byte & 127) * shift;
      if (byte < 128) break;
    }
    return value;
  };
  number(); // the stack's tag
  number(); // and length
  while (at < file.length) {
    if (number() >> 3 === 3) return true;
    const length = number();
    at += length;
  }
  return false;
}
