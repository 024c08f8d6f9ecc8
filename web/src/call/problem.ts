import type { LonLat } from "../geo/coords";
import { stopLetter } from "../plan/plan";
import { isRecord } from "./record";
import { tr } from "../ui/translate";

/** What came back instead of a route. */
export type Failure =
  | { readonly kind: "network" }
  | {
      readonly kind: "answer";
      readonly status: number;
      /** The parsed JSON body; undefined when it was not JSON. */
      readonly body: unknown;
      /** The Retry-After header, seconds or an HTTP date. */
      readonly retryAfter?: string | null;
    };

/** A failure in words for the person at the map. */
export interface Narration {
  readonly title: string;
  readonly text: string;
  /** Further lines: single field errors, what to do next. */
  readonly notes: readonly string[];
  /** Indices into the request's locations of the points to mark. */
  readonly points: readonly number[];
  /** What there is to see on the map. */
  readonly places: readonly { readonly label: string; readonly at: LonLat }[];
  /** Where a road keeps the traveller from going on. */
  readonly blocked: LonLat | null;
}

/** What the engine refuses most, by its number of the error. */
const REFUSED: Record<number, string> = {
  171: tr("No road within reach"),
  442: tr("No route between these points"),
};
const NO_ROUTE = 442;

/** From how far a road is worth showing, in metres. */
const APART = 30;

/**
 * Says what went wrong and at which point. Reads problem+json (RFC 9457) with
 * the gateway's extra fields, and the routing engine's own error bodies.
 *
 * locations is the number of locations in the request; an index outside it is
 * not marked. letters are their names on the page, by default A, B, C, ….
 */
export function narrate(
  failure: Failure,
  locations: number,
  letters: readonly string[] = Array.from({ length: locations }, (_, i) => stopLetter(i)),
): Narration {
  if (failure.kind === "network") {
    return {
      title: tr("The server did not answer"),
      text: tr("Check your connection, and that the gateway is running; then try again."),
      notes: [],
      points: [],
      places: [],
      blocked: null,
    };
  }
  const body = isRecord(failure.body) ? failure.body : {};
  const fieldErrors = readFieldErrors(body["errors"]);
  const points = new Set<number>();
  const index = body["location_index"];
  if (typeof index === "number") points.add(index);
  for (const error of fieldErrors) {
    const match = /locations(?:\[|\.|\/)(\d+)/.exec(error.location);
    if (match) points.add(Number(match[1]));
  }
  const marked = [...points].filter((i) => Number.isInteger(i) && i >= 0 && i < locations);

  const detail = spoken(text(body["detail"]) ?? text(body["error"]), letters);
  // What the detail says already is not said again.
  const notes = fieldErrors
    .filter(({ message }) => !detail?.includes(message))
    .map((error) => fieldNote(error));
  const nearest = body["nearest_road_m"];
  const code = typeof body["error_code"] === "number" ? body["error_code"] : 0;
  if (typeof nearest === "number" && code !== NO_ROUTE && !detail?.includes(" away")) {
    notes.push(tr("The nearest road is {0} away.", distance(nearest)));
  }
  notes.push(...list(body["problems"]).map(problemNote).filter(Boolean));
  notes.push(...nextStep(failure.status, failure.retryAfter));

  const known = body["blocked_by"] !== undefined || body["location_index"] !== undefined;
  const title =
    (known ? REFUSED[code] : undefined) ??
    text(body["title"]) ??
    text(body["status"]) ??
    STATUS[failure.status];
  // Where there is no way, it is not one of its ends that is wrong.
  const named = code === NO_ROUTE ? "" : marked.map((i) => letters[i]).join(", ");
  const blocked = isRecord(body["blocked_by"]) ? position(body["blocked_by"]["location"]) : null;
  const road = position(body["nearest_road"]);
  const places = [];
  if (blocked) places.push({ label: tr("Show what blocks"), at: blocked });
  if (road && typeof nearest === "number" && nearest >= APART) {
    places.push({ label: tr("Show the nearest road"), at: road });
  }
  return {
    title: named
      ? tr("Point {0}: {1}", named, lowerFirst(title ?? tr("cannot be used")))
      : (title ?? tr("The request failed ({0})", failure.status)),
    text:
      detail ??
      (fieldErrors.length ? "" : tr("The server answered with status {0}.", failure.status)),
    notes,
    points: marked,
    places,
    blocked,
  };
}

/** A detail with the points by their letters, as a sentence. */
function spoken(detail: string | undefined, letters: readonly string[]): string | undefined {
  const named = detail?.replace(/locations\[(\d+)\](?: \([-\d., ]+\))?/g, (all, index: string) => {
    const letter = letters[Number(index)];
    return letter ? tr("point {0}", letter) : all;
  });
  if (!named || named === detail) return named;
  return named[0]!.toUpperCase() + named.slice(1) + (/[.?!]$/.test(named) ? "" : ".");
}

function position(value: unknown): LonLat | null {
  if (!isRecord(value)) return null;
  const { lon, lat } = value;
  return typeof lon === "number" && typeof lat === "number" ? [lon, lat] : null;
}

/** What a status means where the answer does not say. */
export const STATUS: Record<number, string> = {
  400: tr("The request was refused"),
  401: tr("A key is needed"),
  402: tr("Payment needed"),
  403: tr("Not permitted"),
  404: tr("Not found"),
  422: tr("The request was refused"),
  429: tr("Too many requests"),
  500: tr("The server failed"),
  501: tr("Not available on this server"),
  502: tr("The routing engine failed"),
  503: tr("The routing engine is unavailable"),
  504: tr("The routing engine took too long"),
};

function nextStep(status: number, retryAfter?: string | null): string[] {
  switch (status) {
    case 401:
      return [
        tr("Put your key into “API key” at the end of this panel, or get one at “Get a key”."),
      ];
    case 429: {
      const seconds = Number(retryAfter);
      if (retryAfter && Number.isFinite(seconds)) {
        return [tr("Try again in {0}.", wait(seconds))];
      }
      return [tr("Wait a moment and try again.")];
    }
    case 502:
    case 503:
    case 504:
      return [tr("Try again in a moment.")];
    default:
      return [];
  }
}

/** One of a problem's errors. */
export interface FieldError {
  readonly location: string;
  readonly message: string;
  readonly value: unknown;
}

export function readFieldErrors(value: unknown): FieldError[] {
  if (!Array.isArray(value)) return [];
  return value.filter(isRecord).map((entry) => ({
    location: text(entry["location"]) ?? "",
    message: text(entry["message"]) ?? tr("not accepted"),
    value: entry["value"],
  }));
}

/** "locations[1].lat: must be at most 90 (was 91)", without an echo of whole objects. */
export function fieldNote({ location, message, value }: FieldError): string {
  const where = location.replace(/^body\.?/, "");
  const scalar = ["string", "number", "boolean"].includes(typeof value);
  const was = scalar && !message.includes(String(value)) ? tr(" (was {0})", String(value)) : "";
  return `${where ? `${where}: ` : ""}${message}${was}`;
}

function distance(metres: number): string {
  return metres < 1000 ? `${Math.round(metres)} m` : tr("{0} km", (metres / 1000).toFixed(1));
}

function lowerFirst(title: string): string {
  return /^[A-Z][a-z]/.test(title) ? title[0]!.toLowerCase() + title.slice(1) : title;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** As much of a list as is worth reading. */
function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value.slice(0, 10) : [];
}

/** A problem as text, or that of one place of an upload: "Place 3 (depot), lat: must be a number". */
function problemNote(problem: unknown): string {
  if (typeof problem === "string") return problem;
  if (!isRecord(problem)) return "";
  const { index, id, field, message } = problem;
  const named = typeof id === "string" && id !== "" ? ` (${id})` : "";
  return tr("Place {0}{1}, {2}: {3}", Number(index) + 1, named, String(field), String(message));
}

/** "1 second", "90 seconds", "5 minutes", "3 hours": rounded up, never too soon. */
export function wait(seconds: number): string {
  if (seconds <= 120) return tr("{0} {0|second|seconds}", Math.ceil(seconds));
  if (seconds <= 7200) return tr("{0} {0|minute|minutes}", Math.ceil(seconds / 60));
  return tr("{0} {0|hour|hours}", Math.ceil(seconds / 3600));
}
