import type { Spot } from "../plan/plan";

/** How ids of stops begin where a place is looked at; those of the index of places do not. */
const PREFIX = "stop:";

/** A stop as the place that is looked at. */
export function stopSpot({
  id,
  name,
  lat,
  lon,
}: {
  readonly id: string;
  readonly name: string;
  readonly lat: number;
  readonly lon: number;
}): Spot {
  return { at: [lon, lat], id: PREFIX + id, name };
}

/** The id of the stop that is looked at; null where it is no stop. */
export function stopOf(spot: Spot | null): string | null {
  return spot?.id?.startsWith(PREFIX) ? spot.id.slice(PREFIX.length) : null;
}
