import type { LonLat } from "../geo/coords";
import { decodePolyline } from "../geo/polyline";
import { call } from "../site/client";

interface Routed {
  readonly trip: { readonly legs: readonly { readonly shape: string }[] };
}

/** The way of a car along roads by some places. */
export async function alongRoads(
  stops: readonly LonLat[],
  apiKey: string | null,
): Promise<LonLat[]> {
  const { trip } = await call<Routed>({
    method: "POST",
    path: "route",
    token: apiKey,
    body: { locations: stops.map(([lon, lat]) => ({ lat, lon })), costing: "auto" },
  });
  return trip.legs.flatMap(({ shape }) => decodePolyline(shape));
}
