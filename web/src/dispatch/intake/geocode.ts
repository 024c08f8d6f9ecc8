import type { LonLat } from "../../geo/coords";
import { isRecord } from "../../call/record";
import { readFeatures } from "../../search/feature";
import { call } from "../../site/client";
import type { Problem } from "../problem/model";

/** The server takes as many queries in one call. */
const AT_ONCE = 100;

/** An address as it is looked for: spreadsheets have lines in a cell. */
export function queryOf(address: string): string {
  return address
    .trim()
    .replaceAll(/[\s,]*[\r\n]+[\s,]*/g, ", ")
    .slice(0, 500);
}

/** The places of addresses, each null where it is not found. */
export async function findPlaces(
  addresses: readonly string[],
  apiKey: string | null,
  near: LonLat | null,
): Promise<(LonLat | null)[]> {
  const bias = near ? { bias: { lat: near[1], lon: near[0] } } : {};
  const places: (LonLat | null)[] = [];
  for (let from = 0; from < addresses.length; from += AT_ONCE) {
    const part = addresses.slice(from, from + AT_ONCE);
    const answer = await call<unknown>({
      method: "POST",
      path: "geocode/batch",
      token: apiKey,
      body: { queries: part.map((text) => ({ q: queryOf(text), limit: 1, ...bias })) },
    });
    const results: unknown[] =
      isRecord(answer) && Array.isArray(answer["results"]) ? answer["results"] : [];
    for (const i of part.keys()) {
      const result = results[i];
      const found = isRecord(result) && result["status"] === 200 ? readFeatures(result) : [];
      places.push(found[0]?.at ?? null);
    }
  }
  return places;
}

/** A problem with the places of its stops and depots that were found, and how many were found and not. */
export async function geocoded(
  problem: Problem,
  apiKey: string | null,
  near: LonLat | null,
): Promise<{ problem: Problem; found: number; lost: number }> {
  const wanted = new Set(wantedIn(problem));
  const addresses = [...wanted];
  const places = await findPlaces(addresses, apiKey, near);
  const found = new Map(addresses.map((address, i) => [address, places[i] ?? null]));
  const of = (at: LonLat | null, text: string): LonLat | null => at ?? found.get(text) ?? null;
  const next = {
    ...problem,
    stops: problem.stops.map((stop) => ({ ...stop, at: of(stop.at, stop.address || stop.name) })),
    vehicles: problem.vehicles.map((one) => ({
      ...one,
      start: of(one.start, one.startAddress),
      end: of(one.end, one.endAddress),
    })),
  };
  const lost = wantedIn(next).length;
  return { problem: next, found: wantedIn(problem).length - lost, lost };
}

/** What is to be looked for, once for each stop and depot. */
function wantedIn({ stops, vehicles }: Problem): string[] {
  return [
    ...stops.flatMap(({ at, address, name }) => (at ? [] : [address || name])),
    ...vehicles.flatMap(({ start, startAddress, end, endAddress }) => [
      ...(!start && startAddress ? [startAddress] : []),
      ...(!end && endAddress ? [endAddress] : []),
    ]),
  ];
}
