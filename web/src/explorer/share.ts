import type { LonLat } from "../geo/coords";
import { encodePolyline } from "../geo/polyline";
import { alongs, placeAt } from "../route/heights";

/** So many points draw the line of a link's picture. */
const PICTURE_POINTS = 120;

/**
 * The address of a state to send to others. The state stands in the query, where the server
 * reads the points and the line to offer a picture of them; the page moves it to the fragment.
 */
export function shareAddress(page: string, fragment: string, line: readonly LonLat[]): string {
  const state = fragment.replace(/^#/, "").replaceAll(";", "%3B");
  if (state === "") return page;
  const drawn = line.length > 1 ? `&line=${encodeURIComponent(drawnLine(line))}` : "";
  return `${page}?${state}${drawn}`;
}

/** The line with few points, as Google's polyline of five decimals. */
function drawnLine(line: readonly LonLat[]): string {
  if (line.length <= PICTURE_POINTS) return encodePolyline(line, 5);
  const along = alongs(line);
  const step = along.at(-1)! / (PICTURE_POINTS - 1);
  const points = Array.from({ length: PICTURE_POINTS }, (_, i) => placeAt(line, along, i * step));
  return encodePolyline(points, 5);
}

/** The fragment of a state that came in a query; null where the query has none. */
export function sharedFragment(search: string): string | null {
  const parts = search.replace(/^\?/, "").split("&");
  if (!parts.some((part) => /^(p|here|do|map)=/.test(part))) return null;
  return parts
    .filter((part) => part !== "" && !part.startsWith("line="))
    .join("&")
    .replaceAll(/%3b/gi, ";");
}
