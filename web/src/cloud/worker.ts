import createLazPerf, { type LazPerf } from "laz-perf/lib/worker/laz-perf.js";
import wasm from "laz-perf/lib/worker/laz-perf.wasm?url";
import type { Done, Points, Task } from "./decode";
import { placeOf, type Place } from "./place";

/** The decompressor, which is loaded once. */
const loaded = createLazPerf({ locateFile: () => new URL(wasm, import.meta.url).href });

let system = "";
let place: Place | null = null;

function placeFor(wkt: string): Place {
  if (!place || wkt !== system) [place, system] = [placeOf(wkt), wkt];
  return place;
}

self.onmessage = ({ data }: MessageEvent<Task>) => void answer(data);

async function answer(task: Task): Promise<void> {
  let done: Done;
  try {
    done = { id: task.id, points: decode(await loaded, task) };
  } catch (error) {
    done = { id: task.id, error: error instanceof Error ? error.message : String(error) };
  }
  const transfer =
    "points" in done ? [done.points.positions.buffer, done.points.attributes.buffer] : [];
  self.postMessage(done, { transfer: transfer as Transferable[] });
}

function decode(laz: LazPerf, { layout, chunk, points: count }: Task): Points {
  const { format, recordBytes, scale, offset, ground, wkt } = layout;
  const { at, metres } = placeFor(wkt);
  const input = laz._malloc(chunk.byteLength);
  const output = laz._malloc(recordBytes);
  const decoder = new laz.ChunkDecoder();
  try {
    laz.HEAPU8.set(new Uint8Array(chunk), input);
    decoder.open(format, recordBytes, input);
    const positions = new Float32Array(3 * count);
    const attributes = new Uint16Array(2 * count);
    let origin: [number, number] = [0, 0];
    for (let i = 0; i < count; i++) {
      decoder.getPoint(output);
      // The memory of the decompressor may grow, and is another one then.
      const view = new DataView(laz.HEAPU8.buffer, output, recordBytes);
      const coordinate = (axis: 0 | 1 | 2): number =>
        view.getInt32(4 * axis, true) * scale[axis] + offset[axis];
      const [x, y] = at(coordinate(0), coordinate(1));
      if (i === 0) origin = [x, y];
      positions[3 * i] = x - origin[0];
      positions[3 * i + 1] = y - origin[1];
      positions[3 * i + 2] = (coordinate(2) - ground) * metres;
      attributes[2 * i] = view.getUint8(16);
      attributes[2 * i + 1] = view.getUint16(12, true);
    }
    return { count, origin, positions, attributes, bright: brightOf(attributes) };
  } finally {
    decoder.delete();
    laz._free(input);
    laz._free(output);
  }
}

/** The intensity below which 98 of 100 points are, of at most some thousand of them. */
function brightOf(attributes: Uint16Array): number {
  const step = Math.max(1, Math.floor(attributes.length / 2 / 4096));
  const some: number[] = [];
  for (let i = 1; i < attributes.length; i += 2 * step) some.push(attributes[i]!);
  some.sort((a, b) => a - b);
  return Math.max(1, some[Math.floor(0.98 * some.length)] ?? 1);
}
