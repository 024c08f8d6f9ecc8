import type { LonLat } from "../../geo/coords";
import { isRecord } from "../../call/record";
import { readFeatures } from "../../search/feature";
import { call } from "../../site/client";
import type { Stop } from "../problem/model";

/** The server takes as many queries in one call. */
const AT_ONCE = 100;

/** The stops with places where addresses were found, and how many were found and not. */
export async function geocoded(
  stops: readonly Stop[],
  apiKey: string | null,
  near: LonLat | null,
): Promise<{ stops: Stop[]; found: number; lost: number }> {
  const lost = stops.filter(({ at }) => !at);
  const places = new Map<string, LonLat>();
  for (let from = 0; from < lost.length; from += AT_ONCE) {
    const part = lost.slice(from, from + AT_ONCE);
    const body = {
      queries: part.map(({ address, name }) => ({
        q: (address || name).slice(0, 500),
        limit: 1,
        ...(near ? { bias: { lat: near[1], lon: near[0] } } : {}),
      })),
    };
    const answer = await call<unknown>({
      method: "POST",
      path: "geocode/batch",
      token: apiKey,
      body,
    });
    const results = isRecord(answer) && Array.isArray(answer["results"]) ? answer["results"] : [];
    results.forEach((result: unknown, i) => {
      if (!isRecord(result) || result["status"] !== 200) return;
      const [first] = readFeatures(result);
      if (first) places.set(part[i]!.id, first.at);
    });
  }
  return {
    stops: stops.map((stop) => ({ ...stop, at: stop.at ?? places.get(stop.id) ?? null })),
    found: places.size,
    lost: lost.length - places.size,
  };
}
