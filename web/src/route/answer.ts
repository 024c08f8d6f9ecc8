import type { Bounds, LonLat } from "../geo/coords";
import type { Lane } from "./lanes";
import { boundsOf, decodePolyline } from "../geo/polyline";

/** The parts of an answer of POST /route that the page shows. */
export interface RouteAnswer {
  readonly trip?: Trip;
  readonly alternates?: readonly { readonly trip?: Trip }[];
  readonly adr?: AdrBlock;
  readonly rationale?: Rationale;
  readonly warnings?: readonly Warning[];
  readonly zones?: ZonesBlock;
  readonly restriction_coverage?: CoverageBlock;
  readonly scenic?: ScenicBlock;
}

/** What is found about a route's scenery; one that is not available has a note alone. */
export interface ScenicBlock {
  readonly available: boolean;
  readonly note?: string | null;
  readonly chosen?: "fastest" | "scenic";
  readonly features?: readonly {
    readonly kind: string;
    readonly metres: number;
    readonly name: string | null;
  }[];
  readonly comparison?: { readonly spoken: string };
  readonly alternative?: { readonly trip?: Trip };
  readonly coverage?: { readonly route_share_measured: number };
  readonly caveats?: readonly string[];
}

/** The clean-air zones that routes run through. */
export interface ZonesBlock {
  readonly zones: readonly {
    /** 0 is the route, 1 its first alternate. */
    readonly route: number;
    readonly name: string;
    readonly verdict: string;
    readonly reason: string;
    readonly text: string;
    readonly hours: string | null;
    readonly passages: readonly { readonly enter_arc_m: number; readonly enters_at: string }[];
    readonly sources: {
      readonly charges?: { readonly publisher: string; readonly checked: string | null };
    };
  }[];
  readonly daily_charges: readonly { readonly amount: number; readonly currency: string }[];
  readonly caveat: string;
}

/** How densely restrictions for lorries are tagged where a route leads. */
export interface CoverageBlock {
  readonly cells_traversed: number;
  readonly by_grade: Readonly<Record<"well_tagged" | "partial" | "sparse" | "none", number>>;
  readonly caveat: string;
}

interface Trip {
  readonly legs: readonly Leg[];
  readonly summary: Summary;
  readonly units?: string;
  /** BCP 47 tag of the instructions. */
  readonly language?: string;
}

interface Leg {
  readonly maneuvers?: readonly Manoeuvre[];
  readonly summary: Summary;
  readonly shape: string;
}

export interface Summary {
  /** Seconds. */
  readonly time: number;
  /** In the trip's units. */
  readonly length: number;
  readonly has_toll?: boolean;
  readonly has_highway?: boolean;
  readonly has_ferry?: boolean;
  readonly has_time_restrictions?: boolean;
}

export interface Manoeuvre {
  readonly type: number;
  readonly instruction: string;
  readonly street_names?: readonly string[];
  readonly time: number;
  readonly length: number;
  readonly begin_shape_index: number;
  readonly end_shape_index: number;
  readonly toll?: boolean;
  readonly ferry?: boolean;
  readonly rough?: boolean;
  readonly gate?: boolean;
  readonly roundabout_exit_count?: number;
  readonly lanes?: readonly Lane[];
  /** The instruction by a place that one knows the turn by. */
  readonly landmark_instruction?: string;
  readonly verbal_transition_alert_instruction?: string;
  readonly verbal_pre_transition_instruction?: string;
  readonly verbal_post_transition_instruction?: string;
}

export interface Rationale {
  readonly avoided: readonly {
    readonly kind: string;
    readonly reason: string;
    readonly location: LonLat;
    readonly divergence: { readonly start: LonLat; readonly end: LonLat };
  }[];
  readonly caveats: string;
  readonly note?: string;
  readonly metering: { readonly engine_computations: number };
}

export interface AdrBlock {
  readonly enforced_by?: string;
  readonly tunnel_code?: string | null;
  readonly hazmat?: boolean;
  readonly costing_options?: unknown;
  readonly tunnels?: readonly AdrTunnel[];
  readonly caveats?: readonly string[];
}

export interface AdrTunnel {
  readonly category?: string | null;
  readonly decision?: string | { readonly status?: string; readonly reason?: string };
  readonly location?: unknown;
  readonly way_id?: number | string;
}

export interface Warning {
  readonly code?: number | string;
  readonly text?: string;
}

/** One way to go, ready to be drawn and listed. */
export interface RouteView {
  readonly summary: Summary;
  readonly miles: boolean;
  /** BCP 47 tag of the instructions. */
  readonly language: string;
  readonly legs: readonly LegView[];
  readonly line: readonly LonLat[];
  readonly bounds: Bounds;
  /** Whether it goes round its roundabouts clockwise, as where one drives on the left. */
  readonly clockwise: boolean;
  /** It is the one that is called scenic. */
  readonly scenic: boolean;
}

export interface LegView {
  readonly summary: Summary;
  readonly line: readonly LonLat[];
  readonly steps: readonly Step[];
}

export interface Step extends Manoeuvre {
  /** The part of the road it covers; a single point for the arrival. */
  readonly line: readonly LonLat[];
}

/** The manoeuvre that enters a roundabout and follows it to its exit. */
const ROUNDABOUT = 26;

/**
 * The routes of an answer, the recommended one first and a scenic one last unless it is one of
 * the alternates; empty when the body is
 * no route answer. Throws a RangeError on a damaged shape.
 */
export function readRoutes(answer: RouteAnswer): RouteView[] {
  if (!answer.trip) return [];
  const trips = [answer.trip, ...(answer.alternates ?? []).flatMap(({ trip }) => trip ?? [])];
  const shapeOf = (trip: Trip): string => trip.legs.map(({ shape }) => shape).join(" ");
  const scenic = answer.scenic?.alternative?.trip;
  const scenicShape = scenic && shapeOf(scenic);
  if (scenic && !trips.some((trip) => shapeOf(trip) === scenicShape)) trips.push(scenic);
  return trips.flatMap((trip) => {
    const legs: LegView[] = [];
    const line: LonLat[] = [];
    for (const leg of trip.legs) {
      const shape = decodePolyline(leg.shape);
      // Legs share their joint; drawing it twice would put a knot in the line.
      line.push(...(line.length ? shape.slice(1) : shape));
      legs.push({
        summary: leg.summary,
        line: shape,
        steps: (leg.maneuvers ?? []).map((manoeuvre) => ({
          ...manoeuvre,
          line: shape.slice(manoeuvre.begin_shape_index, manoeuvre.end_shape_index + 1),
        })),
      });
    }
    const bounds = boundsOf(line);
    if (!bounds) return [];
    const { summary, units, language = "en-GB" } = trip;
    const turned = legs
      .flatMap(({ steps }) => steps)
      .filter(({ type }) => type === ROUNDABOUT)
      .reduce((sum, step) => sum + turning(step.line), 0);
    const miles = units === "miles";
    const clockwise = turned > 0;
    const isScenic = shapeOf(trip) === scenicShape;
    return [{ summary, miles, language, legs, line, bounds, clockwise, scenic: isScenic }];
  });
}

/**
 * Degrees by which a line turns to the right, from its first piece to its last;
 * negative to the left.
 */
function turning(line: readonly LonLat[]): number {
  let turned = 0;
  let before: number | null = null;
  for (let i = 1; i < line.length; i++) {
    const [[lonA, latA], [lonB, latB]] = [line[i - 1]!, line[i]!];
    const east = (lonB - lonA) * Math.cos((latA * Math.PI) / 180);
    if (east === 0 && latA === latB) continue;
    const course = (Math.atan2(east, latB - latA) * 180) / Math.PI;
    if (before !== null) turned += ((course - before + 540) % 360) - 180;
    before = course;
  }
  return turned;
}

/** A tunnel's place, given as {lat, lon} or [lon, lat]; null for anything else. */
export function tunnelLocation(tunnel: AdrTunnel): LonLat | null {
  const at = tunnel.location;
  if (Array.isArray(at) && typeof at[0] === "number" && typeof at[1] === "number") {
    return [at[0], at[1]];
  }
  if (at !== null && typeof at === "object" && "lat" in at && "lon" in at) {
    if (typeof at.lat === "number" && typeof at.lon === "number") return [at.lon, at.lat];
  }
  return null;
}
