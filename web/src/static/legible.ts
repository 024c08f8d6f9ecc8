import type { StyleSpecification } from "maplibre-gl";
import { hasGlyphs } from "../map/glyphs";

/** The letters of a script: from one to another, and a usual one of them. */
type Script = readonly [from: string, to: string, sample: string];

/** Scripts of which a machine without their fonts draws boxes. */
const SCRIPTS: readonly Script[] = [
  ["\u0590", "\u05ff", "א"],
  ["\u0600", "\u06ff", "ع"],
  ["\u0900", "\u097f", "क"],
  ["\u0980", "\u09ff", "ক"],
  ["\u0a00", "\u0a7f", "ਕ"],
  ["\u0a80", "\u0aff", "ક"],
  ["\u0b00", "\u0b7f", "କ"],
  ["\u0b80", "\u0bff", "க"],
  ["\u0c00", "\u0c7f", "క"],
  ["\u0c80", "\u0cff", "ಕ"],
  ["\u0d00", "\u0d7f", "ക"],
  ["\u0d80", "\u0dff", "ක"],
  ["\u0e00", "\u0e7f", "ก"],
  ["\u0e80", "\u0eff", "ກ"],
  ["\u0f00", "\u0fff", "ཀ"],
  ["\u1000", "\u109f", "က"],
  ["\u10a0", "\u10ff", "ქ"],
  ["\u1200", "\u137f", "አ"],
  ["\u1780", "\u17ff", "ក"],
  ["\u3040", "\u30ff", "か"],
  ["\u4e00", "\u9fff", "中"],
  ["\uac00", "\ud7a3", "가"],
];

/** A character that no font has: it is drawn as a box. */
const NONE = "\u{10fffd}";

const SIDE = 24;

/** What a letter looks like as this machine draws it. */
function looks(letter: string): string {
  const canvas = new OffscreenCanvas(SIDE, SIDE);
  const to = canvas.getContext("2d", { willReadFrequently: true })!;
  to.font = `${SIDE * 0.7}px sans-serif`;
  to.fillText(letter, 2, SIDE * 0.8);
  return to.getImageData(0, 0, SIDE, SIDE).data.join(",");
}

/** Whether the server's fonts have letters of a script; null where it does not say. */
async function served(glyphs: string, [, , sample]: Script): Promise<boolean | null> {
  const first = sample.codePointAt(0)! & ~255;
  const range = `${first}-${first + 255}`;
  const address = glyphs.replace("{fontstack}", "Go Regular").replace("{range}", range);
  try {
    const answer = await fetch(address);
    return answer.ok ? hasGlyphs(new Uint8Array(await answer.arrayBuffer())) : null;
  } catch {
    return null;
  }
}

/** What was found out, of one server's letters. */
let known: { readonly glyphs: string; readonly scripts: readonly Script[] } | null = null;

/** The scripts that neither this machine nor the server has a font for. */
async function missing(glyphs: string): Promise<readonly Script[]> {
  if (known?.glyphs === glyphs) return known.scripts;
  const box = looks(NONE);
  const here = SCRIPTS.filter(([, , sample]) => looks(sample) === box);
  const there = await Promise.all(here.map((script) => served(glyphs, script)));
  const scripts = here.filter((_, index) => !there[index]);
  if (!there.includes(null)) known = { glyphs, scripts };
  return scripts;
}

/** The style with Latin names, or none, in the place of those that would be boxes. */
export async function legible(style: StyleSpecification): Promise<StyleSpecification> {
  const { glyphs } = style;
  return glyphs ? withoutScripts(style, await missing(glyphs)) : style;
}

/** The style without names that begin with letters of some scripts. */
export function withoutScripts(
  style: StyleSpecification,
  scripts: readonly Script[],
): StyleSpecification {
  if (scripts.length === 0) return style;
  const amended = (value: unknown): unknown => {
    if (!Array.isArray(value)) return value;
    if (value[0] === "case" && Array.isArray(value[1]) && value[1][0] === "is-supported-script") {
      const name: unknown = value[1][1];
      const begins = scripts.map(([from, to]) => [
        "all",
        [">=", name, from],
        ["<=", name, `${to}\uffff`],
      ]);
      const latin = ["en", "de", "fr", "es"].map((language) => ["get", `name:${language}`]);
      return ["case", ["any", ...begins], ["coalesce", ...latin, ""], ...value.slice(1)];
    }
    return value.map(amended);
  };
  const layers = style.layers.map((layer) =>
    layer.type === "symbol" && layer.layout?.["text-field"] !== undefined
      ? { ...layer, layout: { ...layer.layout, "text-field": amended(layer.layout["text-field"]) } }
      : layer,
  );
  return { ...style, layers: layers as StyleSpecification["layers"] };
}
