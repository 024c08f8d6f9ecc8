import type { Area } from "../problem/areas";
import type { Vehicle } from "../problem/model";
import type { Call } from "./trips";

/** Times and lengths between places, by the places' numbers; null where there is no way. */
export interface Ways {
  readonly durations: readonly (readonly (number | null)[])[];
  readonly distances: readonly (readonly (number | null)[])[];
}

/** The indices in Ways of the stops and of the ends of vehicles; -1 for none. */
export interface Places {
  readonly stop: (id: string) => number;
  /** -1 where the vehicle has none. */
  readonly start: (vehicle: string) => number;
  readonly end: (vehicle: string) => number;
}

/** A visit of a route. All times are seconds from midnight. */
export interface Visit {
  readonly stop: string;
  /** From 0; the vehicle is loaded anew between two. */
  readonly trip: number;
  readonly arrival: number;
  /** When the work begins: later than the arrival where one must wait. */
  readonly begin: number;
  readonly end: number;
  /** Seconds after the last window. */
  readonly late: number;
}

/** A break or a loading between two visits of a vehicle. */
export interface Rest {
  readonly name: string;
  readonly begin: number;
  readonly end: number;
}

/** The day of one vehicle. */
export interface Route {
  readonly vehicle: string;
  readonly visits: readonly Visit[];
  readonly rests: readonly Rest[];
  readonly departure: number;
  readonly finish: number;
  /** Seconds of driving. */
  readonly driving: number;
  /** Metres. */
  readonly distance: number;
  /** The rules that it breaks, in words. */
  readonly broken: readonly string[];
}

export interface Given {
  readonly vehicle: Vehicle;
  readonly calls: readonly Call[];
  readonly ways: Ways;
  readonly places: Places;
  readonly loads: readonly string[];
  readonly areas: readonly Area[];
}
