import { send, type Call } from "../call/call";
import { formatCoordinates, parseCoordinates, type Bounds, type LonLat } from "../geo/coords";
import { isRecord } from "../call/record";
import { readFeatures, readRecord, type Found } from "./feature";
import { words } from "./kinds";
import { recents } from "./recent";
import { tr } from "../ui/translate";

/** One line below a search box. */
export interface Suggestion {
  /** The same for the same place from one answer to the next. */
  readonly key: string;
  readonly source: "coordinates" | "recent" | "own" | "place" | "kind";
  readonly at: LonLat;
  readonly id: string | null;
  readonly name: string;
  readonly detail: string;
  /** Of what is larger than a point. */
  readonly extent?: Bounds | null;
  /** Its row in the index's answer, from 1. */
  readonly row?: number;
}

export interface Suggestions {
  readonly list: readonly Suggestion[];
  /** What else there is to say, such as why nothing was found; "" for nothing. */
  readonly note: string;
}

export interface SuggestSetup {
  readonly apiKey: string | null;
  /** Settles the order of typed coordinates. */
  readonly bounds: Bounds | null;
  /** What is near here comes first. */
  readonly bias: () => LonLat | null;
  readonly lang: () => string;
  /** Whether kinds of places are suggested too, such as "petrol station". */
  readonly kinds?: boolean;
}

const MOST = 8;
const MOST_OWN = 3;
const MOST_KINDS = 2;

/** A query longer than this is no place. */
const MOST_TYPED = 200;

/**
 * What is suggested while somebody types: coordinates, own places, kinds of places, places of
 * the index.
 */
export class Suggester {
  private readonly setup: SuggestSetup;
  /** What this server said it does not offer; it is not asked for again. */
  private readonly missing = new Set<string>();
  /** Whether the last question for places had no answer. */
  private unanswered = false;

  constructor(setup: SuggestSetup) {
    this.setup = setup;
  }

  /** What there is without asking the server. */
  instant(text: string): Suggestions | null {
    const query = text.trim();
    if (query === "") {
      return { list: recents().map((r) => ({ ...r, key: keyOf(r), source: "recent" })), note: "" };
    }
    const at = parseCoordinates(query, this.setup.bounds ?? undefined);
    if (!at) return null;
    const name = formatCoordinates(at);
    const detail = tr("Coordinates");
    return { list: [{ key: name, source: "coordinates", at, id: null, name, detail }], note: "" };
  }

  /** Asks the server; null where the signal has ended it. */
  async ask(text: string, signal: AbortSignal): Promise<Suggestions | null> {
    const q = text.trim().slice(0, MOST_TYPED);
    const { apiKey, bias, lang } = this.setup;
    const near = bias();
    const [own, answer] = await Promise.all([
      apiKey
        ? this.answerTo({ path: "places/search", query: { q, limit: MOST_OWN } }, signal)
        : null,
      this.answerTo(
        {
          path: "geocode/suggest",
          query: {
            q,
            limit: MOST,
            bias: near?.map((x) => x.toFixed(4)).join(","),
            lang: lang().slice(0, 2),
          },
        },
        signal,
      ),
    ]);
    if (signal.aborted) return null;
    const list = [
      ...readPlaces(own)
        .slice(0, MOST_OWN)
        .map((found) => line(found, "own")),
      ...(this.setup.kinds ? readKinds(answer).slice(0, MOST_KINDS) : []).map((name) => ({
        key: `kind ${name}`,
        source: "kind" as const,
        at: near ?? ([0, 0] as const),
        id: null,
        name: words(name),
        detail: tr("All near here"),
      })),
      ...readPlaces(answer).map((found, index) => ({ ...line(found, "place"), row: index + 1 })),
    ].slice(0, MOST);
    return { list, note: list.length ? "" : this.nothing() };
  }

  /** Lets the server know which of its suggestions was picked. */
  picked({ source, id, row }: Suggestion, typed: string): void {
    if (source !== "place" || !id || !row) return;
    const q = typed.trim().slice(0, MOST_TYPED);
    const call = { path: "geocode/selection", query: { id, q, position: row } };
    void send(call, this.setup.apiKey, new AbortController().signal);
  }

  private nothing(): string {
    if (this.unanswered) return tr("The server did not answer: check your connection.");
    return this.missing.has("geocode/suggest")
      ? tr("This server has no index of places: type coordinates, or pick a point of the map.")
      : tr("Nothing found by this name.");
  }

  /** An answer; null where there is none, or where the signal has ended it. */
  private async answerTo(call: Call, signal: AbortSignal): Promise<unknown> {
    if (this.missing.has(call.path)) return null;
    const answered = await send(call, this.setup.apiKey, signal);
    if (!answered) return null;
    const failed = answered.kind === "failed";
    if (call.path === "geocode/suggest")
      this.unanswered = failed && answered.failure.kind === "network";
    if (failed) {
      const { failure } = answered;
      const gone = failure.kind === "answer" && [404, 501].includes(failure.status);
      if (gone) this.missing.add(call.path);
      return null;
    }
    return answered.body;
  }
}

/** The kinds of places of an answer of suggestions, in what people say for them. */
export function readKinds(body: unknown): string[] {
  const list = isRecord(body) ? body["kinds"] : null;
  if (!Array.isArray(list)) return [];
  return list
    .filter(isRecord)
    .map((kind) => kind["name"])
    .filter((name) => typeof name === "string");
}

/** Places of either form: features of the index, records of uploaded ones. */
export function readPlaces(body: unknown): Found[] {
  if (isRecord(body) && Array.isArray(body["features"])) return readFeatures(body);
  const list = isRecord(body) ? (body["places"] ?? body["results"]) : null;
  if (!Array.isArray(list)) return [];
  return list.map(readRecord).filter((found) => found !== null);
}

function line(found: Found, source: "own" | "place"): Suggestion {
  const { at, id, name, kind, address, extent } = found;
  const detail = [kind, address].filter(Boolean).join(" · ");
  // An id of an own place means nothing to the index.
  const typed = source === "place" && found.coordinates;
  return {
    key: keyOf(found),
    source: typed ? "coordinates" : source,
    at,
    id: source === "own" ? null : id,
    name,
    detail,
    extent,
  };
}

function keyOf({ id, name, at }: { id: string | null; name: string; at: LonLat }): string {
  return id ?? `${name} ${at.join(",")}`;
}
