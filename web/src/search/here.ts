import { send, type Call } from "../call/call";
import type { LonLat } from "../geo/coords";
import { isRecord } from "../call/record";
import { readFeatures } from "./feature";
import { tr } from "../ui/translate";

/** One thing to know about a point, and how to ask for it. */
export interface Fact {
  readonly label: string;
  readonly call: (at: LonLat) => Call;
  /** The answer in words; "" if it says nothing. */
  readonly read: (answer: unknown) => string;
}

/** The questions about a point of the map. Each is a call; those that a server lacks are left out. */
export const FACTS: readonly Fact[] = [
  {
    label: tr("Nearest"),
    call: ([lon, lat]) => ({ path: "geocode/reverse", query: { lon, lat } }),
    read(answer) {
      const [nearest] = readFeatures(answer);
      if (!nearest) return "";
      const { name, address, metres } = nearest;
      const away = metres !== null && metres >= 1 ? tr(" ({0} m away)", Math.round(metres)) : "";
      return [name, address].filter(Boolean).join(", ") + away;
    },
  },
  {
    label: tr("Height"),
    call: ([lon, lat]) => ({ path: "elevation", body: { locations: [{ lat, lon }] } }),
    read(answer) {
      const list = isRecord(answer) ? answer["elevations"] : null;
      const first: unknown = Array.isArray(list) ? list[0] : null;
      const metres = isRecord(first) ? first["elevation_m"] : null;
      return typeof metres === "number" ? tr("{0} m above the sea", Math.round(metres)) : "";
    },
  },
  {
    label: tr("Time"),
    call: ([lon, lat]) => ({ path: "timezone", query: { lat, lon } }),
    read(answer) {
      if (!isRecord(answer)) return "";
      const { timezone_id: zone, local_time: local, abbreviation } = answer;
      if (typeof zone !== "string" || typeof local !== "string") return "";
      const clock = local.slice(11, 16);
      return `${clock} ${typeof abbreviation === "string" ? abbreviation : ""} · ${zone}`;
    },
  },
  {
    label: tr("In"),
    call: ([lon, lat]) => ({ path: "boundary", query: { lat, lon } }),
    read(answer) {
      const admins = isRecord(answer) ? answer["admins"] : null;
      if (!Array.isArray(admins)) return "";
      const areas = admins.filter(isRecord);
      const level = (area: Record<string, unknown>): number => Number(area["admin_level"]) || 0;
      const names = areas
        .toSorted((a, b) => level(b) - level(a))
        .map((area) => area["name"])
        .filter((name) => typeof name === "string");
      const side = areas.find((area) => typeof area["drive_on_right"] === "boolean");
      const drives = side && tr("drives on the {0}", side["drive_on_right"] ? "right" : "left");
      return [names.join(", "), drives].filter(Boolean).join(" · ");
    },
  },
];

/** What is known of the wait for a fact: its words, or why there are none. */
export type Known = { readonly kind: "known" | "none" | "missing" | "failed"; text: string };

/** Asks for one fact; null where the signal has ended it. */
export async function know(
  fact: Fact,
  at: LonLat,
  apiKey: string | null,
  signal: AbortSignal,
): Promise<Known | null> {
  const answered = await send(fact.call(at), apiKey, signal);
  if (!answered) return null;
  if (answered.kind === "failed") {
    const { failure } = answered;
    const missing = failure.kind === "answer" && failure.status === 501;
    return missing
      ? { kind: "missing", text: tr("not on this server") }
      : { kind: "failed", text: tr("could not be had") };
  }
  try {
    const text = fact.read(answered.body);
    return text ? { kind: "known", text } : { kind: "none", text: tr("nothing known") };
  } catch {
    return { kind: "failed", text: tr("could not be had") };
  }
}
