import { h, type Child } from "../ui/dom";
import { isRecord } from "../call/record";
import { at } from "../call/root";
import { call } from "../site/client";

/** What the server's metrics say of calls since it was started; pages and their files do not count. */
export interface Traffic {
  readonly calls: number;
  /** Answers with a status from 500 on, and from 400 to 499. */
  readonly failed: number;
  readonly refused: number;
  /** Seconds within which half of the calls, and 95 of 100, were answered, as buckets tell; null without calls. */
  readonly median: number | null;
  readonly p95: number | null;
  /** Names of regions whose files are damaged. */
  readonly damaged: readonly string[];
  readonly regions: readonly string[];
}

const LINE = /^(waygate_\w+)\{([^}]*(?:\}[^}]*)*)\} ([\d.e+-]+)$/;

/** Whether a route is one of the API and not a page, a file of it or what operators poll. */
function isCall(route: string): boolean {
  return !/^GET \/(?:assets|favicon|explorer\.json|metrics|health|ready|keys|console|admin|reference|welcome|themes|static-maps|downloads|planner|terms|$)/.test(
    route,
  );
}

/** Reads metrics in Prometheus' text format. */
export function readTraffic(metrics: string): Traffic {
  let [calls, failed, refused] = [0, 0, 0];
  const buckets = new Map<number, number>();
  const regions: string[] = [];
  const damaged: string[] = [];
  for (const line of metrics.split("\n")) {
    const [, name, labels = "", text] = LINE.exec(line) ?? [];
    const label = (key: string): string => new RegExp(`${key}="([^"]*)"`).exec(labels)?.[1] ?? "";
    const value = Number(text);
    if (name === "waygate_region_damaged") {
      regions.push(label("region"));
      if (value > 0) damaged.push(label("region"));
    }
    if (!isCall(label("route"))) continue;
    if (name === "waygate_requests_total") {
      const status = Number(label("status"));
      calls += value;
      if (status >= 500) failed += value;
      else if (status >= 400) refused += value;
    } else if (name === "waygate_request_seconds_bucket") {
      const bound = label("le") === "+Inf" ? Infinity : Number(label("le"));
      buckets.set(bound, (buckets.get(bound) ?? 0) + value);
    }
  }
  const bounds = [...buckets].toSorted(([a], [b]) => a - b);
  const all = buckets.get(Infinity) ?? 0;
  const within = (share: number): number | null =>
    all ? (bounds.find(([, count]) => count >= share * all)?.[0] ?? null) : null;
  return { calls, failed, refused, median: within(0.5), p95: within(0.95), damaged, regions };
}

/** "at most 20 ms"; "over 30 s" beyond the last bound. */
function latency(seconds: number | null): string {
  if (seconds === null) return "–";
  if (seconds === Infinity) return "over 30 s";
  return seconds < 1 ? `≤ ${Number((seconds * 1000).toPrecision(3))} ms` : `≤ ${seconds} s`;
}

/** What an operator looks at first: traffic, errors, latency, regions and feeds. */
export async function glance(token: string): Promise<HTMLElement> {
  const [health, metrics] = await Promise.all([
    call<unknown>({ path: "health" }).catch(() => null),
    fetch(at("metrics"), { headers: { Authorization: `Bearer ${token}` } })
      .then((answer) => (answer.ok ? answer.text() : null))
      .catch(() => null),
  ]);
  const traffic = metrics === null ? null : readTraffic(metrics);
  const feeds = feedsOf(health);
  const ill = feeds.filter(({ state }) => state !== "ok");
  const share = traffic?.calls ? ((100 * traffic.failed) / traffic.calls).toFixed(1) : "0";
  return h(
    "section",
    { class: "glance", "aria-label": "At a glance" },
    traffic && [
      tile("Calls since the start", traffic.calls.toLocaleString("en-GB"), ""),
      tile(
        "Errors of the server",
        `${share} %`,
        `${traffic.failed} of status 500 and above, ${traffic.refused} refused`,
        traffic.failed > 0,
      ),
      tile("Half of the calls", latency(traffic.median), `95 of 100 ${latency(traffic.p95)}`),
      tile(
        traffic.regions.length === 1 ? "Region" : "Regions",
        traffic.regions.join(", ") || "none",
        traffic.damaged.length ? `damaged: ${traffic.damaged.join(", ")}` : "all files are whole",
        traffic.damaged.length > 0,
      ),
    ],
    tile(
      "Feeds",
      feeds.length ? `${feeds.length - ill.length} of ${feeds.length} are well` : "none",
      ill.map(({ id, state }) => `${id}: ${state}`).join(", "),
      ill.length > 0,
    ),
    tile(
      "Service",
      isRecord(health) && health["status"] === "ok" ? "ok" : "not ok",
      isRecord(health) ? `${String(health["version"])}, ${String(health["backend"])}` : "",
      !isRecord(health) || health["status"] !== "ok",
    ),
    !traffic &&
      h(
        "p",
        { class: "hint" },
        "Traffic, errors, latency and regions are in GET /metrics, which this server does not give to this page: it has an address of its own, or is for its own machine alone.",
      ),
  );
}

function feedsOf(health: unknown): { id: string; state: string }[] {
  const feeds = isRecord(health) && Array.isArray(health["feeds"]) ? health["feeds"] : [];
  return feeds
    .filter(isRecord)
    .map((one) => ({ id: String(one["id"]), state: String(one["state"]) }));
}

function tile(name: string, value: Child, more: string, bad = false): HTMLElement {
  return h(
    "div",
    { class: bad ? "card tile bad" : "card tile" },
    h("h3", {}, name),
    h("p", { class: "tile-value" }, value),
    more && h("p", { class: "hint" }, more),
  );
}
