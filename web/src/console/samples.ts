import type { LonLat } from "../geo/coords";
import type { Explorer } from "../plan/explorer";

/** A call to start from in the playground. */
export interface Sample {
  readonly title: string;
  readonly method: "GET" | "POST";
  /** Below the server's root, with its query. */
  readonly path: string;
  readonly body?: unknown;
}

/** Calls that this server can answer, with places of its own region where it has one. */
export function samples(explorer: Explorer | null): Sample[] {
  const out: Sample[] = [
    { title: "This key’s state and quota (free)", method: "GET", path: "v1/keys/self" },
    { title: "This key’s usage (free)", method: "GET", path: "v1/usage" },
  ];
  const pair = explorer ? places(explorer) : null;
  if (explorer && pair) {
    const [from, to] = pair;
    const locations = pair.map(([lon, lat]) => ({ lat, lon }));
    out.push(
      {
        title: "A route (1 unit)",
        method: "POST",
        path: "route",
        body: { locations, costing: "auto", units: "kilometers", language: "en-GB" },
      },
      {
        title: "A route for a lorry (20 units)",
        method: "POST",
        path: "route",
        body: { locations, costing: "truck", costing_options: { truck: { height: 4.2 } } },
      },
      {
        title: "A route, compatible endpoint (1 unit)",
        method: "GET",
        path: `route/v1/driving/${from.join(",")};${to.join(",")}?overview=simplified`,
      },
    );
  }
  if (explorer?.territory) {
    const [lon, lat] = pair?.[0] ?? explorer.center;
    const territory = encodeURIComponent(explorer.territory);
    out.push(
      {
        title: "A vector tile (1 unit)",
        method: "GET",
        path: `tiles/${territory}/${tileAt([lon, lat], TILE_ZOOM)}.mvt`,
      },
      {
        title: "What the tiles are (1 unit)",
        method: "GET",
        path: `tiles/${territory}/tiles.json`,
      },
    );
  }
  out.push({ title: "What the answers rest on (public)", method: "GET", path: "v1/platform" });
  return out;
}

const TILE_ZOOM = 12;

/** z/x/y of the web Mercator tile that a place lies in. */
export function tileAt([lon, lat]: LonLat, zoom: number): string {
  const side = 2 ** zoom;
  const inside = (at: number): number => Math.max(0, Math.min(side - 1, Math.floor(at * side)));
  const turn = (Math.max(-85, Math.min(85, lat)) * Math.PI) / 180;
  const x = inside((lon + 180) / 360);
  const y = inside((1 - Math.asinh(Math.tan(turn)) / Math.PI) / 2);
  return `${zoom}/${x}/${y}`;
}

/** Two places with a road between them: the ends of a plain example. */
function places(explorer: Explorer): [LonLat, LonLat] | null {
  const plain = explorer.examples.find((example) => !example.adr && example.points.length >= 2);
  const points = (plain ?? explorer.examples[0])?.points ?? [];
  const [from, to] = [points[0], points.at(-1)];
  return from && to && from !== to ? [from, to] : null;
}
