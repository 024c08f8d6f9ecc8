/** A bar's piece in pixels, y downwards. */
export interface Piece {
  readonly series: number;
  readonly y: number;
  readonly height: number;
}

/**
 * The marks of an axis from 0 to at least max in at most count steps of 1, 2 or
 * 5 times a power of ten; whole numbers only, as units are.
 */
export function marks(max: number, count = 4): number[] {
  let step = 1;
  for (let power = 1; step * count < max; power *= 10) {
    step = [1, 2, 5].map((n) => n * power).find((n) => n * count >= max) ?? step * 10;
  }
  const steps = Math.max(1, Math.ceil(max / step));
  return Array.from({ length: steps + 1 }, (_, i) => i * step);
}

/**
 * The pieces of one bar, the first at the bottom, of a chart that is height
 * pixels high for top units. Pieces touch; a part of 0 has none.
 */
export function pieces(parts: readonly number[], top: number, height: number): Piece[] {
  const out: Piece[] = [];
  let below = 0;
  parts.forEach((part, series) => {
    if (part <= 0) return;
    const from = height - (below / top) * height;
    below += part;
    const to = height - (below / top) * height;
    out.push({ series, y: to, height: from - to });
  });
  return out;
}

/** Where count bars stand in a width: their left edges and their common width. */
export function bars(count: number, width: number): { lefts: number[]; wide: number } {
  const slot = width / Math.max(1, count);
  const wide = Math.max(1, Math.min(slot * 0.72, 34));
  return { lefts: Array.from({ length: count }, (_, i) => i * slot + (slot - wide) / 2), wide };
}

/** "1,200", "12k", "3.4M": short enough for an axis. */
export function shortCount(value: number): string {
  if (value < 10_000) return value.toLocaleString("en-GB");
  const [by, unit] = value < 1_000_000 ? [1_000, "k"] : [1_000_000, "M"];
  return `${Number((value / by).toFixed(1))}${unit}`;
}
