import type { Map as MapLibre } from "maplibre-gl";
import type { Overlay } from "../map/overlay";
import type { Colouring } from "./colours";
import { cubeOf, nameOf, type Head, type Key, type Node } from "./copc";
import type { Done, Layout, Points, Task } from "./decode";
import { PointLayer } from "./layer";
import { degreesAt, mercator, metreAt, outlineOf, placeOf, type Place } from "./place";
import { choose, type Box, type Choice, type Octree } from "./select";
import { Source } from "./source";

/** How a cloud is drawn. */
export interface Look {
  readonly colouring: Colouring;
  /** The most points that are drawn. */
  readonly budget: number;
}

/** How far a cloud has come. */
export interface State {
  readonly points: number;
  readonly bytes: number;
  readonly waiting: number;
  /** Whether there are finer points that the budget leaves out. */
  readonly full: boolean;
  readonly error: string | null;
}

export interface CloudSetup {
  readonly address: string;
  readonly wkt: string;
  readonly apiKey: string | null;
  readonly changed: (state: State) => void;
}

const LAYER = "waygate-cloud";
/** How many nodes are loaded at once. */
const AT_ONCE = 4;
/** Points that are kept though they are out of sight, as a share of the budget. */
const KEPT = 1.5;

/** A hosted cloud over the map, loaded by ranges as the map moves. */
export class Cloud implements Overlay {
  private readonly ending = new AbortController();
  private readonly source: Source;
  private readonly layer = new PointLayer(LAYER);
  private readonly nodes = new Map<string, Node>();
  private readonly pages = new Set<number>();
  private readonly boxes = new Map<string, Box>();
  /** Nodes whose points are there, with their number, the last seen at the end. */
  private readonly there = new Map<string, number>();
  private readonly loading = new Set<string>();
  private readonly decoding = new Map<number, (done: Done) => void>();
  private readonly worker: Worker;
  private serial = 0;
  private map: MapLibre | null = null;
  private head: Head | null = null;
  private choice: Choice = { nodes: [], pages: [], points: 0, full: false };
  private look: Look = { colouring: "height", budget: 1_000_000 };
  private error: string | null = null;

  private constructor(
    private readonly setup: CloudSetup,
    private readonly place: Place,
  ) {
    this.source = new Source(setup.address, setup.apiKey, this.ending.signal);
    this.worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
    this.worker.onmessage = ({ data }: MessageEvent<Done>) => {
      this.decoding.get(data.id)?.(data);
      this.decoding.delete(data.id);
    };
    this.worker.onerror = () => this.fail("the decompressor could not be started");
  }

  /** Reads what says where points are; throws where that cannot be read. */
  static async open(setup: CloudSetup): Promise<Cloud> {
    const cloud = new Cloud(setup, placeOf(setup.wkt));
    try {
      cloud.head = await cloud.source.head();
      for (const node of await cloud.source.page(cloud.head.root)) cloud.know(node);
    } catch (error) {
      cloud.end();
      throw error;
    }
    return cloud;
  }

  /** The outline of all points in degrees. */
  get outline(): [number, number][] {
    const { min, max } = this.head!;
    return outlineOf(this.place, min, max).map(([x, y]) => degreesAt(x, y));
  }

  /** The heights in metres of the lowest and the highest point. */
  get heights(): [number, number] {
    const { min, max } = this.head!;
    return [min[2] * this.place.metres, max[2] * this.place.metres];
  }

  draw(look: Look): void {
    this.look = look;
    const { min, max } = this.head!;
    const high = Math.max(1, (max[2] - min[2]) * this.place.metres);
    this.layer.colour(look.colouring, [0, high], 2.5);
    this.moved();
  }

  add(map: MapLibre): void {
    this.map = map;
    if (!map.getLayer(LAYER)) map.addLayer(this.layer);
    this.moved();
  }

  at(): null {
    return null;
  }

  /** Chooses anew what is drawn; to be called after each movement of the map. */
  readonly moved = (): void => {
    const { map } = this;
    if (!map || !this.head || this.ending.signal.aborted) return;
    const bounds = map.getBounds();
    const [west, north] = mercator(bounds.getWest(), bounds.getNorth());
    const [east, south] = mercator(bounds.getEast(), bounds.getSouth());
    const pixel = 1 / (512 * 2 ** map.getZoom());
    const sight = { box: [west, north, east, south] as const, pixel, budget: this.look.budget };
    this.choice = choose(this.tree, sight);
    const names = this.choice.nodes.map(({ key }) => nameOf(key));
    for (const name of names) {
      const points = this.there.get(name);
      if (points === undefined) continue;
      this.there.delete(name);
      this.there.set(name, points);
    }
    this.layer.show(names);
    this.trim(new Set(names));
    this.load();
  };

  /** Takes the cloud off the map and ends what is under way. */
  end(): void {
    this.ending.abort();
    this.worker.terminate();
    if (this.map?.getLayer(LAYER)) this.map.removeLayer(LAYER);
    this.map = null;
  }

  private know(node: Node): void {
    this.nodes.set(nameOf(node.key), node);
  }

  private readonly tree: Octree = {
    node: (name) => this.nodes.get(name),
    box: (key) => this.boxOf(key),
    spacing: (level) => {
      const { half, spacing, centre } = this.head!;
      // What a length of the cloud is on the map, at its middle.
      const [west, north, east] = this.boxOf([0, 0, 0, 0]);
      return (east - west || metreAt(north) * centre[0]) * (spacing / (2 * half)) * 2 ** -level;
    },
  };

  private boxOf(key: Key): Box {
    const name = nameOf(key);
    let box = this.boxes.get(name);
    if (!box) {
      const around = outlineOf(this.place, ...cubeOf(this.head!, key));
      const [xs, ys] = [around.map(([x]) => x), around.map(([, y]) => y)];
      box = [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
      this.boxes.set(name, box);
    }
    return box;
  }

  /** Lets go of what was seen longest ago, where there is too much. */
  private trim(seen: ReadonlySet<string>): void {
    let all = [...this.there.values()].reduce((sum, n) => sum + n, 0);
    for (const [name, points] of this.there) {
      if (all <= KEPT * this.look.budget) break;
      if (seen.has(name)) continue;
      this.there.delete(name);
      this.layer.drop(name);
      all -= points;
    }
  }

  private load(): void {
    for (const page of this.choice.pages) {
      if (this.loading.size >= AT_ONCE) break;
      if (!this.pages.has(page.offset)) void this.loadPage(page);
    }
    for (const node of this.choice.nodes) {
      if (this.loading.size >= AT_ONCE) break;
      const name = nameOf(node.key);
      if (!this.there.has(name) && !this.loading.has(name)) void this.loadNode(name, node);
    }
    this.tell();
  }

  private async loadPage(page: Node): Promise<void> {
    const name = `page ${page.offset}`;
    this.pages.add(page.offset);
    this.loading.add(name);
    try {
      for (const node of await this.source.page(page)) {
        if (node.points >= 0 || node.offset !== page.offset) this.know(node);
      }
      this.loading.delete(name);
      this.moved();
    } catch (error) {
      this.loading.delete(name);
      this.fail(error);
    }
  }

  private async loadNode(name: string, node: Node): Promise<void> {
    this.loading.add(name);
    try {
      const points = await this.decode(await this.source.range(node), node.points);
      this.there.set(name, points.count);
      this.layer.put(name, points);
    } catch (error) {
      this.fail(error);
    } finally {
      this.loading.delete(name);
    }
    if (!this.error) this.load();
  }

  private decode(chunk: ArrayBuffer, points: number): Promise<Points> {
    const { format, recordBytes, scale, offset, min } = this.head!;
    const layout: Layout = {
      format,
      recordBytes,
      scale,
      offset,
      ground: min[2],
      wkt: this.setup.wkt,
    };
    const id = this.serial++;
    return new Promise((resolve, reject) => {
      this.decoding.set(id, (done) =>
        "points" in done ? resolve(done.points) : reject(new Error(done.error)),
      );
      this.worker.postMessage({ id, layout, chunk, points } satisfies Task, [chunk]);
    });
  }

  private fail(error: unknown): void {
    if (this.ending.signal.aborted) return;
    this.error = error instanceof Error ? error.message : String(error);
    this.tell();
  }

  private tell(): void {
    const { nodes, full } = this.choice;
    const names = nodes.map(({ key }) => nameOf(key));
    const points = names.reduce((sum, name) => sum + (this.there.get(name) ?? 0), 0);
    const waiting = names.filter((name) => !this.there.has(name)).length;
    this.setup.changed({ points, bytes: this.source.read, waiting, full, error: this.error });
  }
}
