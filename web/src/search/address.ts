import type { Call } from "../call/call";
import { isRecord } from "../call/record";
import type { LonLat } from "../geo/coords";
import { tr } from "../ui/translate";
import { readFeatures, type Found } from "./feature";

/** A house this near in metres is the address of a point, also where a street is nearer. */
const HOUSE_M = 30;

/** A point this near in metres is at a place, and one that is not so far is near it. */
const AT_M = 100;
const NEAR_M = 1000;

/** The call that asks for the addresses of points, answered in their order. */
export function addressesCall(points: readonly LonLat[], language: string): Call {
  const lang = language.slice(0, 2);
  const queries = points.map(([lon, lat]) => ({
    lat,
    lon,
    kinds: ["address", "street"],
    limit: 5,
    lang,
  }));
  return { path: "geocode/batch", body: { queries } };
}

/** What each point of the call is called; "" where nothing is known near it. */
export function readAddresses(answer: unknown): string[] {
  const results = isRecord(answer) ? answer["results"] : null;
  if (!Array.isArray(results)) throw new TypeError("no results in the answer");
  return results.map((result) => {
    const found = isRecord(result) && result["status"] === 200 ? readFeatures(result) : [];
    return addressOf(found);
  });
}

/** What a point is called by the places round it, the nearest first. */
export function addressOf(found: readonly Found[]): string {
  const house = found.find(({ id, metres }) => id?.startsWith("address.") && near(metres, HOUSE_M));
  const nearest = house ?? found[0];
  if (!nearest || !near(nearest.metres, NEAR_M)) return "";
  const name = shortName(nearest);
  return near(nearest.metres, AT_M) ? name : tr("near {0}", name);
}

/** What a place is called: by its own name, or as "36 Quay Street, Stannerford". */
export function shortName({ id, name, address }: Found): string {
  if (id?.startsWith("poi.")) return name;
  const [first] = address.split(", ");
  return [name, first].filter(Boolean).join(", ");
}

/**
 * The place that was clicked, of those round it, the nearest first: that of the name where the
 * map has one, else the nearest that is here; null where none is.
 */
export function clicked(found: readonly Found[], name: string): Found | null {
  const same = ({ name: other }: Found): boolean =>
    other.localeCompare(name, undefined, { sensitivity: "base" }) === 0;
  if (name) return found.find((one) => same(one) && near(one.metres, AT_M)) ?? null;
  return found.find(({ metres }) => near(metres, HOUSE_M)) ?? null;
}

/** Whether a distance is at most so many metres; an unknown one is not. */
function near(metres: number | null, most: number): boolean {
  return metres !== null && metres <= most;
}
