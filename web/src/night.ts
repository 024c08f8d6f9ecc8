/**
 * A dark rendering of any light map style: every colour keeps its hue, loses
 * some saturation and has its lightness turned over, so that what stood out
 * from a white page stands out from a black one.
 *
 * Only colours written as #hex, rgb(), rgba(), hsl(), hsla(), white or black
 * are changed, at any depth of an expression.
 */
export function nightStyle<T extends { layers?: unknown }>(style: T): T {
  if (!Array.isArray(style.layers)) return style;
  return { ...style, layers: style.layers.map(nightLayer) };
}

function nightLayer(layer: unknown): unknown {
  if (!isRecord(layer) || !isRecord(layer["paint"])) return layer;
  const paint = Object.fromEntries(
    Object.entries(layer["paint"]).map(([key, value]) => [
      key,
      key.endsWith("-color") ? mapColours(value) : value,
    ]),
  );
  return { ...layer, paint };
}

function mapColours(value: unknown): unknown {
  if (typeof value === "string") return nightColour(value);
  if (Array.isArray(value)) return value.map(mapColours);
  if (isRecord(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapColours(item)]));
  }
  return value;
}

/** The colour by night; text that is no colour comes back unchanged. */
export function nightColour(text: string): string {
  const colour = readColour(text);
  if (!colour) return text;
  const { h, s, l, a } = colour;
  // Light 1 becomes 0.11 and dark 0 becomes 0.86: neither pure black nor white.
  const turned = 0.86 - 0.75 * l;
  return `hsla(${round(h)}, ${round(s * 65)}%, ${round(turned * 100)}%, ${round(a)})`;
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

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
