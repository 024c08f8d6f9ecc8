import { tr } from "../ui/translate";

/** What points are coloured by. */
export const COLOURINGS = ["height", "class", "intensity"] as const;
export type Colouring = (typeof COLOURINGS)[number];

/** The classes of the LAS specification (1.4 R15, table 17) and their colours. */
export const CLASSES: readonly (readonly [code: number, name: string, colour: string])[] = [
  [1, tr("Unclassified"), "#9aa1ad"],
  [2, tr("Ground"), "#a9744f"],
  [3, tr("Low vegetation"), "#b6d96b"],
  [4, tr("Medium vegetation"), "#66b447"],
  [5, tr("High vegetation"), "#2c8a4b"],
  [6, tr("Building"), "#d9534f"],
  [7, tr("Noise"), "#c026d3"],
  [9, tr("Water"), "#2f7fea"],
  [10, tr("Rail"), "#6b4fbb"],
  [11, tr("Road surface"), "#4b5563"],
  [13, tr("Wire guard"), "#f2c200"],
  [14, tr("Wire conductor"), "#ff9f1c"],
  [15, tr("Transmission tower"), "#e07a00"],
  [17, tr("Bridge deck"), "#00a6a6"],
  [18, tr("High noise"), "#e879f9"],
];

const OTHER = "#7a8290";

/** From low to high: even steps that people who do not tell red from green can tell apart. */
export const RAMP = ["#2b2a6b", "#2a6f97", "#2fa58b", "#9ccf5a", "#fbe45b"] as const;
/** From dark to bright. */
export const GREYS = ["#2a2d33", "#f5f6f8"] as const;

function rgb(colour: string): [number, number, number] {
  const n = Number.parseInt(colour.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
}

/** A table of 256 colours, four bytes each: for classes by code, else from low to high. */
export function tableOf(colouring: Colouring): Uint8Array {
  const table = new Uint8Array(4 * 256);
  const stops = (colouring === "intensity" ? GREYS : RAMP).map(rgb);
  const byClass = new Map(CLASSES.map(([code, , colour]) => [code, rgb(colour)]));
  for (let i = 0; i < 256; i++) {
    let colour = byClass.get(i) ?? rgb(OTHER);
    if (colouring !== "class") {
      const at = (i / 255) * (stops.length - 1);
      const low = Math.min(Math.floor(at), stops.length - 2);
      const [a, b] = [stops[low]!, stops[low + 1]!];
      colour = [0, 1, 2].map((c) => a[c]! + (b[c]! - a[c]!) * (at - low)) as typeof colour;
    }
    table.set([...colour.map(Math.round), 255], 4 * i);
  }
  return table;
}
