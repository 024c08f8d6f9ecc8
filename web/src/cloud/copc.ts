/**
 * Reads the parts of COPC files (https://copc.io/, version 1.0) that say where points are:
 * the LAS header with the record behind it, and the pages of the hierarchy.
 */

/** How many bytes a reader needs first: the header, and the record of COPC. */
export const HEAD_BYTES = 589;

/** What is read of a header. */
export interface Head {
  readonly points: number;
  readonly format: number;
  /** Bytes of an uncompressed point. */
  readonly recordBytes: number;
  readonly scale: Vector;
  readonly offset: Vector;
  readonly min: Vector;
  readonly max: Vector;
  /** The cube of the root, and how far its points are apart. */
  readonly centre: Vector;
  readonly half: number;
  readonly spacing: number;
  readonly root: Page;
}

export type Vector = readonly [x: number, y: number, z: number];

/** A page of the hierarchy in the file. */
export interface Page {
  readonly offset: number;
  readonly bytes: number;
}

/** A node of the octree: its level and its place there. */
export type Key = readonly [level: number, x: number, y: number, z: number];

export interface Node extends Page {
  readonly key: Key;
  /** 0 has none, -1 stands for a page with it and what is below it. */
  readonly points: number;
}

/** The most bytes of a page, and of a node's points, that are read. */
const MOST_BYTES = 64 << 20;
/** The most points of a node that are read. */
const MOST_POINTS = 5_000_000;
const ENTRY_BYTES = 32;

/** Reads the header; throws where it is not one of a COPC file. */
export function readHead(bytes: ArrayBuffer): Head {
  const view = new DataView(bytes);
  const text = (at: number, length: number): string =>
    String.fromCharCode(...new Uint8Array(bytes, at, length)).replace(/\0.*$/, "");
  if (bytes.byteLength < HEAD_BYTES || text(0, 4) !== "LASF" || text(377, 16) !== "copc") {
    throw new TypeError("this is no COPC file");
  }
  const float = (at: number): number => view.getFloat64(at, true);
  const vector = (at: number, step = 8): Vector => [
    float(at),
    float(at + step),
    float(at + 2 * step),
  ];
  const format = view.getUint8(104) & 63;
  const head: Head = {
    points: long(view, 247),
    format,
    recordBytes: view.getUint16(105, true),
    scale: vector(131),
    offset: vector(155),
    max: vector(179, 16),
    min: vector(187, 16),
    centre: vector(429),
    half: float(453),
    spacing: float(461),
    root: { offset: long(view, 469), bytes: long(view, 477) },
  };
  const numbers = [...head.scale, ...head.offset, ...head.min, ...head.max, ...head.centre];
  if (
    format < 6 ||
    format > 8 ||
    !(head.half > 0 && head.spacing > 0 && head.spacing < Infinity) ||
    !numbers.every(Number.isFinite) ||
    !readable(head.root)
  ) {
    throw new TypeError("the header of this COPC file is damaged");
  }
  return head;
}

/** A number of 64 bits; those above what JavaScript counts in are not met. */
function long(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}

function readable({ offset, bytes }: Page): boolean {
  return Number.isSafeInteger(offset) && offset > 0 && bytes > 0 && bytes <= MOST_BYTES;
}

/** Reads a page of the hierarchy; leaves entries out that point nowhere. */
export function readPage(bytes: ArrayBuffer): Node[] {
  const view = new DataView(bytes);
  const nodes: Node[] = [];
  for (let at = 0; at + ENTRY_BYTES <= bytes.byteLength; at += ENTRY_BYTES) {
    const int = (by: number): number => view.getInt32(at + by, true);
    const node: Node = {
      key: [int(0), int(4), int(8), int(12)],
      offset: long(view, at + 16),
      bytes: int(24),
      points: int(28),
    };
    const [level, x, y, z] = node.key;
    const inside = [x, y, z].every((n) => n >= 0 && n < 2 ** level);
    if (level < 0 || level > 30 || !inside || node.points < -1 || node.points > MOST_POINTS)
      continue;
    if (node.points !== 0 && !readable(node)) continue;
    nodes.push(node);
  }
  return nodes;
}

/** The name of a node in maps. */
export function nameOf([level, x, y, z]: Key): string {
  return `${level}-${x}-${y}-${z}`;
}

/** The eight places of children. */
export function childrenOf([level, x, y, z]: Key): Key[] {
  return Array.from({ length: 8 }, (_, i) => [
    level + 1,
    2 * x + (i & 1),
    2 * y + ((i >> 1) & 1),
    2 * z + ((i >> 2) & 1),
  ]);
}

/** The least and the greatest corner of a node's cube. */
export function cubeOf({ centre, half }: Head, [level, x, y, z]: Key): [Vector, Vector] {
  const side = (2 * half) / 2 ** level;
  const low = [x, y, z].map((n, i) => centre[i]! - half + n * side) as unknown as Vector;
  return [low, low.map((v) => v + side) as unknown as Vector];
}
