import { tr } from "../../ui/translate";
import { count, placeIn, readCell, type RowProblem } from "./columns";
import { byNames } from "./roles";
import { parseCoordinates } from "../../geo/coords";
import { loadOf } from "../problem/loads";
import { BLANK_VEHICLE, type Depot, type Vehicle, type Window } from "../problem/model";
import type { Sheet } from "./sheet";
import { DAY, readDuration, readTime, readWindows, spanTrouble } from "../problem/times";
import { readWhole } from "../problem/values";

/** The meanings that a column of vehicles can have, with their names on the page. */
export const FLEET_ROLES = [
  ["id", tr("Reference")],
  ["name", tr("Name")],
  ["start", tr("Starts at")],
  ["startLat", tr("Starts at, latitude")],
  ["startLon", tr("Starts at, longitude")],
  ["end", tr("Ends at")],
  ["endLat", tr("Ends at, latitude")],
  ["endLon", tr("Ends at, longitude")],
  ["shift", tr("Shift")],
  ["from", tr("Shift from")],
  ["to", tr("Shift to")],
  ["capacity", tr("Carries")],
  ["skills", tr("Can")],
  ["trips", tr("Trips of a shift")],
  ["stops", tr("Most stops")],
  ["driving", tr("Most driving")],
  ["kilometres", tr("Most kilometres")],
  ["perTrip", tr("Cost of a trip")],
  ["perHour", tr("Cost of an hour")],
  ["perKilometre", tr("Cost of a kilometre")],
] as const;

export type FleetRole = (typeof FLEET_ROLES)[number][0];

export type FleetColumns = readonly (FleetRole | null)[];

/** The meaning that several columns may have: each is a load of its own. */
export const FLEET_SEVERAL: FleetRole = "capacity";

const WORDS: readonly (readonly [FleetRole, RegExp])[] = [
  ["endLat", /^(end|finish|ziel) ?(lat|latitude)$/],
  ["endLon", /^(end|finish|ziel) ?(lon|lng|longitude)$/],
  ["startLat", /^((start|depot) ?)?(lat|latitude)$/],
  ["startLon", /^((start|depot) ?)?(lon|lng|longitude)$/],
  ["end", /^(end|finish|ends at|finish place|ziel)( coordinates?| location| address)?$/],
  ["from", /^(shift |work |time )?(from|start time|starts|begins?|opens?|earliest|von|ab)$/],
  ["to", /^(shift |work |time )?(to|until|end time|ends|closes?|latest|bis)$/],
  [
    "start",
    /^(start|depot|starts at|home|coordinates?|location|address|adresse)( coordinates?| location| address)?$/,
  ],
  ["shift", /shift|time windows?|hours|schicht|arbeitszeit/],
  ["perTrip", /fixed|(cost|price).*trip|fixkosten/],
  ["perHour", /^(?!.*task).*((cost|price|rate).*hour|per hour|hourly)/],
  ["perKilometre", /(cost|price|rate).*(km|kilomet)|per (km|kilomet)/],
  ["trips", /trips|reloads|fahrten/],
  ["driving", /driving|travel time|fahrzeit/],
  ["kilometres", /distance|range|kilomet|max km/],
  ["stops", /(max|most).*(tasks|stops)|max jobs/],
  ["skills", /skill|equipment|can\b|features?/],
  ["capacity", /capacit|load|carries|weight|pallets?|parcels?|volume|boxes|\bkg\b|menge|nutzlast/],
  ["id", /^(vehicle |van )?(id|ref|reference|code|plate|registration|kennzeichen|number|no)$/],
  ["name", /name|vehicle|driver|van|label|fahrer|fahrzeug/],
];

/** The meanings of the columns of a sheet of vehicles, by their names. */
export function recogniseFleet({ headers }: Sheet): FleetColumns {
  return byNames(headers, WORDS, FLEET_SEVERAL).columns;
}

/** The content of a sheet of vehicles. */
export interface FleetTaken {
  readonly vehicles: readonly Vehicle[];
  /** Names of the columns that are capacities. */
  readonly loads: readonly string[];
  readonly problems: readonly RowProblem[];
}

/**
 * The vehicles of a sheet. A value that cannot be read is a problem that names it; the
 * rest of the row is taken.
 */
export function vehiclesOf(
  { headers, rows, numbers = [] }: Sheet,
  columns: FleetColumns,
): FleetTaken {
  const problems: RowProblem[] = [];
  const ids = new Set<string>();
  const cellsOf = (i: number): string[] => rows.map((row) => row[i] ?? "");
  const carried = headers.flatMap((header, i) =>
    columns[i] === FLEET_SEVERAL ? [{ ...loadOf(header, cellsOf(i), true), i }] : [],
  );
  const vehicles = rows.map((row, index): Vehicle => {
    const wrong = (text: string): void =>
      void problems.push({ row: numbers[index] ?? index + 1, text });
    const cell = (role: FleetRole): string => row[columns.indexOf(role)] ?? "";
    const line = { headers, row, wrong };
    const read = <T>(role: FleetRole, reader: (text: string) => T | null, usual: T): T =>
      readCell(line, columns.indexOf(role), reader, usual);
    const place = (
      pair: FleetRole,
      lat: FleetRole,
      lon: FleetRole,
    ): Pick<Depot, "at" | "address"> => {
      const written = cell(pair);
      // A text that is no pair of coordinates is an address, to be looked for.
      return written !== "" && !parseCoordinates(written)
        ? { at: null, address: written }
        : { at: placeIn([written, cell(lat), cell(lon)], wrong), address: "" };
    };
    const start = place("start", "startLat", "startLon");
    const given = place("end", "endLat", "endLon");
    const none = ({ at, address }: Depot): boolean => at === null && address === "";
    if (none(start) && none(given)) wrong(tr("has neither a start nor an end"));
    const end = none(given) ? start : given;
    let id = cell("id") || cell("name") || `van-${index + 1}`;
    if (ids.has(id)) {
      wrong(tr("has the reference {0} of a row above", id));
      for (let n = 2, like = id; ids.has(id); n++) id = `${like}-${n}`;
    }
    ids.add(id);
    const trips = read("trips", readTrips, 1);
    return {
      ...BLANK_VEHICLE,
      id,
      name: cell("name") || id,
      start: start.at,
      startAddress: start.address,
      end: end.at,
      endAddress: end.address,
      shifts: shiftsOf(read("shift", readWindows, null), [cell("from"), cell("to")], wrong),
      capacities: carried.map(({ i, read: reader }) =>
        readCell<number | null>(line, i, reader, null),
      ),
      skills: cell("skills")
        .split(/[;|,]/)
        .map((word) => word.trim())
        .filter(Boolean),
      trips,
      mostStops: read("stops", count, 0),
      mostDriving: read("driving", (text) => readDuration(text), 0),
      mostMetres: read("kilometres", count, 0) * 1000,
      perTrip: read("perTrip", readWhole, 0),
      perHour: read("perHour", readWhole, BLANK_VEHICLE.perHour),
      perKilometre: read("perKilometre", readWhole, 0),
    };
  });
  return { vehicles, loads: carried.map(({ load }) => load), problems };
}

function readTrips(text: string): number | null {
  const trips = Number(text);
  return Number.isInteger(trips) && trips >= 1 && trips <= 5 ? trips : null;
}

/** The shifts of a row; one that ends before it begins ends on the day after. */
function shiftsOf(
  several: readonly Window[] | null,
  [from, to]: readonly [string, string],
  wrong: (text: string) => void,
): readonly Window[] {
  const bound = (text: string, usual: number): number => {
    const time = text === "" ? usual : readTime(text);
    if (time === null) wrong(tr("“{0}” is no time of day", text));
    return time ?? usual;
  };
  const given = several ?? (from || to ? [[bound(from, 0), bound(to, DAY)] as const] : []);
  const shifts = given
    .map(([begin, end]): Window => [begin, end < begin ? end + DAY : end])
    .toSorted(([a], [b]) => a - b);
  const trouble = spanTrouble(shifts);
  if (trouble) wrong(tr("has a shift that cannot be: {0}", trouble));
  return trouble ? [] : shifts;
}
