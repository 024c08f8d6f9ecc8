import { tr } from "../ui/translate";
// The answers of /v1/transit, as far as they are shown.

/** What a timetable has. */
export interface Coverage {
  readonly first_day: string | null;
  readonly last_day: string | null;
  readonly expired: boolean;
}

/** A stop of GET /v1/transit/stops. */
export interface Stop {
  readonly id: string;
  readonly name: string;
  readonly indicator: string | null;
  readonly locality: string | null;
  readonly lat: number;
  readonly lon: number;
  readonly modes: readonly string[];
  readonly lines: readonly string[];
}

export interface Stops {
  readonly stops: readonly Stop[];
  readonly coverage: Coverage;
  readonly attribution: readonly string[];
}

/** A departure of GET /v1/transit/departures; times are RFC 3339 in the zone of the stop. */
export interface Departure {
  readonly line: string;
  readonly destination: string;
  readonly mode: string;
  readonly colour?: string | null;
  readonly text_colour?: string | null;
  readonly scheduled_at: string;
  /** When it is expected, where a feed says so. */
  readonly expected_at?: string | null;
  /** How old what the feed says is. */
  readonly expected_age_s?: number | null;
  readonly cancelled?: boolean | null;
  /** Whether the vehicle runs and does not call at the stop. */
  readonly skipped?: boolean | null;
  readonly trip: string;
  /** Seconds between vehicles, where the timetable has no times. */
  readonly every_s?: number;
  readonly live?: { readonly vehicle: string; readonly distance_m: number; readonly age_s: number };
  readonly booking?: "phone" | "driver";
  /** The trip that the vehicle goes on as, with its passengers. */
  readonly continues_as?: { readonly line: string; readonly destination: string };
}

export interface Board {
  readonly stop: Omit<Stop, "modes" | "lines">;
  readonly at: string;
  readonly window_minutes: number;
  readonly label: string;
  readonly departures: readonly Departure[];
  readonly coverage: Coverage;
  readonly attribution: readonly string[];
}

/** A vehicle of GET /v1/transit/vehicles. */
export interface Vehicle {
  readonly id: string;
  readonly geometry: { readonly coordinates: readonly [number, number] };
  readonly properties: {
    readonly line: string | null;
    readonly colour?: string | null;
    readonly operator: string | null;
    readonly destination: string | null;
    /** Degrees clockwise from north; null where it is not known. */
    readonly bearing: number | null;
    readonly recorded_at: string;
    readonly age_s: number;
  };
}

export interface Vehicles {
  readonly features: readonly Vehicle[];
  readonly truncated: boolean;
  readonly feed: { readonly status: "ok" | "stale" | "unknown"; readonly age_s: number | null };
  readonly attribution: readonly string[];
}

/** Kinds of vehicle, in the order of the page. */
export const MODES = ["bus", "coach", "tram", "metro", "rail", "ferry", "cable_car", "other"];

const MODE_NAMES: Readonly<Record<string, string>> = {
  bus: tr("Bus"),
  coach: tr("Coach"),
  tram: tr("Tram"),
  metro: tr("Underground"),
  rail: tr("Train"),
  ferry: tr("Ferry"),
  cable_car: tr("Cable car"),
  walk: tr("Walk"),
};

/** A kind of vehicle as people call it. */
export function modeName(mode: string): string {
  return MODE_NAMES[mode] ?? tr("Public transport");
}
