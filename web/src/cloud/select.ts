import { childrenOf, nameOf, type Key, type Node } from "./copc";

/** A box in the plane of the map: west, north, east, south in its units, 0 to 1. */
export type Box = readonly [west: number, north: number, east: number, south: number];

/** What is needed of a cloud to choose nodes. */
export interface Octree {
  /** The node of a name; undefined where there is none or it is not known yet. */
  readonly node: (name: string) => Node | undefined;
  readonly box: (key: Key) => Box;
  /** How far points of a level are apart, in units of the map. */
  readonly spacing: (level: number) => number;
}

/** What the map shows. */
export interface Sight {
  readonly box: Box;
  /** A pixel in units of the map. */
  readonly pixel: number;
  /** The most points to draw. */
  readonly budget: number;
}

export interface Choice {
  /** In the order in which they are to be loaded: coarse ones first. */
  readonly nodes: readonly Node[];
  /** Pages of the hierarchy that are needed to choose on. */
  readonly pages: readonly Node[];
  readonly points: number;
  /** Whether finer nodes were left out because of the budget. */
  readonly full: boolean;
}

/** Points nearer to each other than this on the screen need no finer ones between them. */
const APART_PX = 1.6;

/** Chooses the nodes to draw: those in sight, level by level, until points are dense or too many. */
export function choose(tree: Octree, { box, pixel, budget }: Sight): Choice {
  const nodes: Node[] = [];
  const pages: Node[] = [];
  let points = 0;
  let full = false;
  let level: Key[] = [[0, 0, 0, 0]];
  while (level.length > 0) {
    const next: Key[] = [];
    for (const key of nearestFirst(level, tree, box)) {
      const node = tree.node(nameOf(key));
      if (!node || !touch(tree.box(key), box)) continue;
      if (node.points < 0) {
        pages.push(node);
        continue;
      }
      if (points + node.points > budget) {
        full = true;
        continue;
      }
      if (node.points > 0) nodes.push(node);
      points += node.points;
      if (tree.spacing(key[0]) > APART_PX * pixel) next.push(...childrenOf(key));
    }
    level = next;
  }
  return { nodes, pages, points, full };
}

/** Nodes of a level, those at the middle of the view first: there the budget is spent. */
function nearestFirst(keys: readonly Key[], tree: Octree, sight: Box): Key[] {
  const far = (key: Key): number => {
    const [x, y] = middle(tree.box(key));
    const [atX, atY] = middle(sight);
    return Math.hypot(x - atX, y - atY);
  };
  return keys
    .filter((key) => tree.node(nameOf(key)))
    .map((key) => [far(key), key] as const)
    .sort(([a], [b]) => a - b)
    .map(([, key]) => key);
}

function middle([west, north, east, south]: Box): [number, number] {
  return [(west + east) / 2, (north + south) / 2];
}

function touch(a: Box, b: Box): boolean {
  return a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
}
