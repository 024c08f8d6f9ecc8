import { isRecord } from "./record";

/**
 * A dark rendering of any light map style: every colour keeps its hue, loses
 * some saturation and has its lightness turned over, so that what stood out
 * from a white page stands out from a black one.
 *
 * Only colours written as #hex, rgb(), rgba(), hsl(), hsla(), white or black
 * are changed, at any depth of an expression.
 */
export function darkStyle<T extends { layers?: unknown }>(style: T): T {
  if (!Array.isArray(style.layers)) return style;
  return { ...style, layers: style.layers.map(darkLayer) };
}

/** White roads would sink below the ground otherwise. */
const LINE_FLOOR = 0.27;

function darkLayer(layer: unknown): unknown {
  if (!isRecord(layer) || !isRecord(layer["paint"])) return layer;
  const floor = layer["type"] === "line" ? LINE_FLOOR : 0;
  const paint = Object.fromEntries(
    Object.entries(layer["paint"]).map(([key, value]) => [
      key,
      key.endsWith("-color") ? mapColours(value, floor) : value,
    ]),
  );
  return { ...layer, paint };
}

function mapColours(value: unknown, floor: number): unknown {
  if (typeof value === "string") return darkColour(value, floor);
  if (Array.isArray(value)) return value.map((item) => mapColours(item, floor));
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, mapColours(item, floor)]),
    );
  }
  return value;
}

/**
 * The colour on a dark map, with a lightness of at least floor (0 to 1); text that
 * is no colour comes back unchanged.
 */
export function darkColour(text: string, floor = 0): string {
  const colour = readColour(text);
  if (!colour) return text;
  const { h, s, l, a } = colour;
  // Light 1 becomes 0.11 and dark 0 becomes 0.86: neither pure black nor white.
  const turned = Math.max(floor, 0.86 - 0.75 * l);
  // Saturation overstates pale colours: what is kept is the chroma, or a
  // cream ground would turn brown.
  const chroma = s * (1 - Math.abs(2 * l - 1));
  if (chroma < 0.05) return hsla(215, 0.1, turned, a);
  return hsla(h, Math.min(1, (0.8 * chroma) / (1 - Math.abs(2 * turned - 1))), turned, a);
}

interface Colour {
  /** Degrees; the others from 0 to 1. */
  readonly h: number;
  readonly s: number;
  readonly l: number;
  readonly a: number;
}

function readColour(text: string): Colour | null {
  const clean = text.trim().toLowerCase();
  if (clean === "white") return { h: 0, s: 0, l: 1, a: 1 };
  if (clean === "black") return { h: 0, s: 0, l: 0, a: 1 };
  const hex = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(clean)?.[1];
  if (hex) {
    const full = hex.length < 6 ? [...hex].map((digit) => digit + digit).join("") : hex;
    const [r, g, b, a = 255] = full.match(/../g)!.map((pair) => parseInt(pair, 16));
    return fromRGB(r! / 255, g! / 255, b! / 255, a / 255);
  }
  const call = /^(rgb|hsl)a?\(([^)]*)\)$/.exec(clean);
  if (!call) return null;
  const parts = call[2]!.split(/[\s,/]+/).filter(Boolean);
  const numbers = parts.map((part) => (part.endsWith("%") ? 0.01 : 1) * parseFloat(part));
  const [x, y, z, a = 1] = numbers;
  if (x === undefined || y === undefined || z === undefined) return null;
  if (numbers.some(Number.isNaN)) return null;
  return call[1] === "hsl" ? { h: x, s: y, l: z, a } : fromRGB(x / 255, y / 255, z / 255, a);
}

function fromRGB(r: number, g: number, b: number, a: number): Colour {
  const max = Math.max(r, g, b);
  const min = Math.min(r, g, b);
  const spread = max - min;
  const l = (max + min) / 2;
  if (spread === 0) return { h: 0, s: 0, l, a };
  const s = spread / (1 - Math.abs(2 * l - 1));
  const h = max === r ? (g - b) / spread : max === g ? (b - r) / spread + 2 : (r - g) / spread + 4;
  return { h: (h * 60 + 360) % 360, s, l, a };
}

function hsla(h: number, s: number, l: number, a: number): string {
  return `hsla(${round(h)}, ${round(s * 100)}%, ${round(l * 100)}%, ${round(a)})`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
