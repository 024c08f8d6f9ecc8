import { send, type Answered } from "../call/call";
import type { Bounds } from "../geo/coords";
import type { Around } from "../map/shape";
import { MODES, type Stop, type Stops, type Vehicle, type Vehicles } from "./answers";
import { cellsOf, MOST_STOPS, STOPS_ZOOM, type Cell } from "./cells";
import { Glide } from "./glide";
import type { Drawn, TransitOverlay } from "./overlay";

/** How long a map rests before its stops and vehicles are asked for. */
const REST_MS = 350;
/** Between two questions for vehicles; feeds bring new positions about every half minute. */
const POLL_MS = 15_000;
/** The longest pause after failures. */
const LONGEST_MS = 240_000;
/** How long the stops of a cell are taken to be as they were. */
const FRESH_MS = 600_000;
const MOST_CELLS = 400;
/** The most vehicles that are drawn, and from how many on they do not glide. */
const MOST_VEHICLES = 500;
const MOST_GLIDING = 250;
/** Between two pictures of gliding vehicles. */
const FRAME_MS = 80;
/** Where the page draws fewer pictures than one in so long, nothing glides. */
const SLOWEST_MS = 300;
/** The most square degrees of a box. */
const WIDEST = 4;
/** A vehicle that was seen longer ago is drawn as stale. */
const STALE_S = 180;

/** What is known of a kind of thing on the map. */
export type Known = "nothing" | "some" | "missing" | "failed";

export interface LiveSetup {
  readonly apiKey: string | null;
  readonly overlay: TransitOverlay;
  readonly around: () => Around | null;
  readonly zoom: () => number;
  /** Hears of each change of what is known. */
  readonly changed: () => void;
}

/**
 * Keeps the stops and the vehicles of the visible map: stops by cells that are asked for
 * once, vehicles by polls while the page is seen.
 */
export class Live {
  stops: Known = "nothing";
  vehicles: Known = "nothing";
  /** Whether some cell has more stops than were given. */
  more = false;
  fleet: Vehicles | null = null;
  /** The newest answer about stops, for what it says of the timetable. */
  timetable: Stops | null = null;
  private readonly setup: LiveSetup;
  private readonly cells = new Map<string, { stops: readonly Stop[]; at: number }>();
  private shown = { stops: false, vehicles: false };
  private running: AbortController | null = null;
  private polling: AbortController | null = null;
  private rest: ReturnType<typeof setTimeout> | undefined;
  private poll: ReturnType<typeof setTimeout> | undefined;
  private failures = 0;
  /** After a failure no vehicles are asked for until then, however the map moves. */
  private pausedTo = 0;
  private readonly glide = new Glide();
  private frame = 0;
  private drawnAt = 0;
  /** When the last frame of a glide was; 0 where none is under way. */
  private framedAt = 0;

  constructor(setup: LiveSetup) {
    this.setup = setup;
    document.addEventListener("visibilitychange", () => this.turn());
  }

  /** Says what is to be shown. */
  show(shown: { readonly stops: boolean; readonly vehicles: boolean }): void {
    if (shown.stops === this.shown.stops && shown.vehicles === this.shown.vehicles) return;
    this.shown = { ...shown };
    if (!shown.stops) this.setup.overlay.showStops([]);
    if (!shown.vehicles) this.setup.overlay.showVehicles([]);
    this.moved();
  }

  /** Hears that the map has been moved. */
  moved(): void {
    clearTimeout(this.rest);
    this.rest = setTimeout(() => {
      void this.loadStops();
      this.turn();
    }, REST_MS);
  }

  /** The stops that are drawn. */
  get inView(): readonly Stop[] {
    const list = new Map<string, Stop>();
    for (const { key } of this.wanted()) {
      for (const stop of this.cells.get(key)?.stops ?? []) list.set(stop.id, stop);
    }
    return [...list.values()];
  }

  vehicle(id: string): Vehicle | null {
    return this.fleet?.features.find((one) => one.id === id) ?? null;
  }

  /** A stop that is or was in view. */
  stop(id: string): Stop | null {
    for (const { stops } of this.cells.values()) {
      const stop = stops.find((one) => one.id === id);
      if (stop) return stop;
    }
    return null;
  }

  private wanted(): Cell[] {
    const around = this.setup.around();
    const zoom = this.setup.zoom();
    return around && zoom >= STOPS_ZOOM ? cellsOf(around.bounds, zoom) : [];
  }

  private async loadStops(): Promise<void> {
    this.running?.abort();
    if (!this.shown.stops) return;
    const { signal } = (this.running = new AbortController());
    const cells = this.wanted();
    this.drawStops();
    for (const { key, centre, radius } of cells) {
      const known = this.cells.get(key);
      if (known && Date.now() - known.at < FRESH_MS) continue;
      const [lon, lat] = centre;
      const query = { lat, lon, radius_m: radius, limit: MOST_STOPS, modes: MODES.join(",") };
      const call = { path: "v1/transit/stops", query };
      const answered = await send(call, this.setup.apiKey, signal);
      if (!answered) return;
      if (answered.kind === "failed") {
        this.stops = knownOf(answered);
        this.setup.changed();
        return;
      }
      this.timetable = answered.body as Stops;
      const { stops } = this.timetable;
      this.stops = "some";
      this.cells.delete(key);
      this.cells.set(key, { stops, at: Date.now() });
      for (const old of this.cells.keys()) {
        if (this.cells.size <= MOST_CELLS) break;
        this.cells.delete(old);
      }
      this.drawStops();
    }
  }

  private drawStops(): void {
    this.more = this.wanted().some(
      ({ key }) => (this.cells.get(key)?.stops.length ?? 0) >= MOST_STOPS,
    );
    this.setup.overlay.showStops(this.inView);
    this.setup.changed();
  }

  /** Begins or ends polling, as the page and the map are. */
  private turn(): void {
    clearTimeout(this.poll);
    this.polling?.abort();
    if (!this.shown.vehicles || document.hidden || this.vehicles === "missing") return;
    const pause = this.pausedTo - Date.now();
    if (pause > 0) this.poll = setTimeout(() => this.turn(), pause);
    else void this.loadVehicles();
  }

  private async loadVehicles(): Promise<void> {
    const { apiKey, around, changed } = this.setup;
    const view = around();
    if (!view || areaOf(view.bounds) > WIDEST) {
      this.fleet = null;
      this.setup.overlay.showVehicles([]);
      return changed();
    }
    const { signal } = (this.polling = new AbortController());
    const query = { bbox: view.bounds.map((x) => x.toFixed(5)).join(","), limit: MOST_VEHICLES };
    const answered = await send({ path: "v1/transit/vehicles", query }, apiKey, signal);
    if (!answered) return;
    this.vehicles = knownOf(answered);
    if (answered.kind === "ok") {
      this.failures = 0;
      this.take(answered.body as Vehicles);
    } else this.failures++;
    changed();
    if (this.vehicles === "missing") return;
    const pause = Math.min(LONGEST_MS, POLL_MS * 2 ** this.failures);
    if (this.failures > 0) this.pausedTo = Date.now() + pause;
    this.poll = setTimeout(() => this.turn(), pause);
  }

  private take(fleet: Vehicles): void {
    this.fleet = fleet;
    const still =
      fleet.features.length > MOST_GLIDING ||
      matchMedia("(prefers-reduced-motion: reduce)").matches;
    this.glide.take(
      fleet.features.map(({ id, geometry, properties }) => ({
        id,
        at: geometry.coordinates,
        seen: Date.parse(properties.recorded_at),
      })),
      performance.now(),
      still,
    );
    this.framedAt = 0;
    this.draw(performance.now());
  }

  /** Draws the vehicles where they are now, and again until the last stands still. */
  private draw(now: number): void {
    cancelAnimationFrame(this.frame);
    if (this.framedAt > 0 && now - this.framedAt > SLOWEST_MS) this.glide.finish();
    if (now - this.drawnAt >= FRAME_MS || !this.glide.moving(now)) {
      this.drawnAt = now;
      const stopped = this.fleet?.feed.status === "stale";
      this.setup.overlay.showVehicles(
        (this.shown.vehicles ? (this.fleet?.features ?? []) : []).map((vehicle): Drawn => {
          const at = this.glide.at(vehicle.id, now) ?? vehicle.geometry.coordinates;
          return { vehicle, at, stale: stopped || vehicle.properties.age_s > STALE_S };
        }),
      );
    }
    const moves = this.shown.vehicles && this.glide.moving(now);
    this.framedAt = moves ? now : 0;
    if (moves) {
      this.frame = requestAnimationFrame((next) => this.draw(next));
    }
  }
}

/** Square degrees. */
function areaOf([west, south, east, north]: Bounds): number {
  return (east < west ? east + 360 - west : east - west) * (north - south);
}

function knownOf(answered: Answered): Known {
  if (answered.kind === "ok") return "some";
  const { failure } = answered;
  const missing = failure.kind === "answer" && (failure.status === 501 || failure.status === 404);
  return missing ? "missing" : "failed";
}
