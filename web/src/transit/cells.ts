import type { Bounds, LonLat } from "../geo/coords";
import { distance } from "../geo/sphere";
import type { Stop } from "./answers";

/** From how near stops are drawn. */
export const STOPS_ZOOM = 13;

/** The most stops that a call gives. */
export const MOST_STOPS = 50;

/** The farthest that stops are looked for, in metres. */
const FARTHEST = 2000;

/** A cell of a grid over the globe, whose stops are one call. */
export interface Cell {
  readonly key: string;
  readonly centre: LonLat;
  /** From the centre to a corner, in whole metres. */
  readonly radius: number;
}

/** At most so many cells are looked at at once. */
const MOST_CELLS = 20;

/**
 * The cells of a view, those near its middle first: squares of a grid that is finer the
 * nearer one looks, as a call gives the stops of a circle and few of them.
 */
export function cellsOf([west, south, east, north]: Bounds, zoom: number): Cell[] {
  const level = Math.max(STOPS_ZOOM, Math.min(16, Math.floor(zoom)));
  // Of the latitude, of which a step is as long everywhere.
  const step = 0.024 / 2 ** (level - STOPS_ZOOM);
  const middle = (south + north) / 2;
  // Whole bands of latitude share a width, so that a cell is the same in every view.
  const band = Math.min(80, Math.abs(Math.round(middle / 5) * 5));
  const wide = step / Math.cos((band * Math.PI) / 180);
  const right = east < west ? east + 360 : east;
  const cells: { cell: Cell; away: number }[] = [];
  const eye: LonLat = [(west + right) / 2, middle];
  for (let row = Math.floor(south / step); row * step < north; row++) {
    for (let column = Math.floor(west / wide); column * wide < right; column++) {
      if (cells.length >= 400) break;
      const lat = (row + 0.5) * step;
      const lon = (column + 0.5) * wide;
      const corner = distance([lon, lat], [lon + wide / 2, lat + step / 2]);
      const radius = Math.min(FARTHEST, Math.ceil(corner));
      const centre: LonLat = [((((lon + 180) % 360) + 360) % 360) - 180, lat];
      const key = `${level}/${band}/${row}/${column}`;
      cells.push({ cell: { key, centre, radius }, away: distance([lon, lat], eye) });
    }
  }
  return cells
    .toSorted((a, b) => a.away - b.away)
    .slice(0, MOST_CELLS)
    .map(({ cell }) => cell);
}

/** Stops of one name that lie together, such as the two sides of a road. */
export interface Group {
  readonly name: string;
  readonly locality: string | null;
  readonly stops: readonly Stop[];
  readonly metres: number;
}

/** Stops of a name within so many metres are of one group. */
const TOGETHER = 250;

/** Stops by name and place, the nearest to a point first, as a list has them. */
export function groupsOf(stops: Iterable<Stop>, from: LonLat): Group[] {
  const groups: { name: string; locality: string | null; stops: Stop[]; metres: number }[] = [];
  const away = ({ lon, lat }: Stop): number => distance(from, [lon, lat]);
  for (const stop of [...stops].toSorted((a, b) => away(a) - away(b))) {
    const group = groups.find(
      ({ name, stops: [first] }) =>
        name === stop.name && distance([first!.lon, first!.lat], [stop.lon, stop.lat]) <= TOGETHER,
    );
    if (group) group.stops.push(stop);
    else {
      const { name, locality } = stop;
      groups.push({ name, locality, stops: [stop], metres: away(stop) });
    }
  }
  return groups;
}

const NUMBERS = new Intl.Collator("en", { numeric: true });

/** The lines of some stops, each once, in the order of their numbers. */
export function linesOf(stops: readonly Stop[]): string[] {
  return [...new Set(stops.flatMap(({ lines }) => lines))].toSorted(NUMBERS.compare);
}
