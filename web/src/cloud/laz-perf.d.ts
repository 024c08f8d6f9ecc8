/** The part of laz-perf that is used; its own types need those of Emscripten. */
declare module "laz-perf/lib/worker/laz-perf.js" {
  export interface LazPerf {
    readonly HEAPU8: Uint8Array;
    _malloc(bytes: number): number;
    _free(at: number): void;
    readonly ChunkDecoder: new () => {
      open(format: number, recordBytes: number, at: number): void;
      getPoint(at: number): void;
      delete(): void;
    };
  }
  export default function createLazPerf(options: {
    locateFile: (name: string) => string;
  }): Promise<LazPerf>;
}
