import { h } from "../ui/dom";
import { isRecord } from "../call/record";
import { dayName, moment, monthName } from "./dates";
import { counted, exactMoney, grouped, pounds } from "./money";
import { facts, table } from "./table";

type Entry = Record<string, unknown>;

/** Names whose words say too little once the underscores are gone. */
const NAMES: Readonly<Record<string, string>> = {
  mrr_billed_pence: "Billed each month",
  mrr_billed_accounts: "Accounts billed each month",
  median_ttfc_seconds: "Median time to the first call",
  p90_ttfc_seconds: "90th percentile of that time",
  rpm_per_ip: "Calls a minute for one client",
  distinct_ips_today: "Distinct addresses today",
  max_issuances_per_hour: "Most issuances an hour",
  new_7d: "New in 7 days",
  new_30d: "New in 30 days",
  window_days: "Days counted",
  retention_proxy: "Retention by month",
  last_30d: "Last 30 days",
  id: "Id",
};

/** A field's name in words: "credited_total_pence" is "Credited total". */
export function title(name: string): string {
  const known = NAMES[name];
  if (known) return known;
  const words = name
    .replace(/_(pence|millipence|mib|seconds)$/, "")
    .replaceAll("_", " ")
    .replace(/\bmau\b/g, "active users")
    .replace(/\bstripe\b/g, "Stripe")
    .replace(/\bsdk\b/g, "SDK")
    .replace(/\bemail\b/g, "e-mail");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A value in words, by its field's name: money, sizes, times, shares. */
export function words(name: string, value: unknown): string | HTMLElement {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") {
    if (/^\d{4}-\d{2}-\d{2}T/.test(value)) return moment(value);
    if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return dayName(value);
    if (/^\d{4}-\d{2}$/.test(value)) return monthName(value);
    return value;
  }
  if (typeof value !== "number") return JSON.stringify(value);
  if (name.endsWith("millipence")) return exactMoney(value);
  if (name.endsWith("pence")) return pounds(value);
  if (/_mib$/.test(name)) return `${grouped(value)} MiB`;
  if (/_seconds$/.test(name)) return duration(value);
  if (/_rate$|_share$/.test(name) && value >= 0 && value <= 1) return `${tenths(value * 100)}%`;
  return Number.isInteger(value) ? grouped(value) : tenths(value);
}

/** "45 s", "12 min", "3 h 05 min", "2 days 4 h", from whole seconds. */
export function duration(seconds: number): string {
  if (seconds < 60) return `${Math.round(seconds)} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return `${hours} h ${String(minutes % 60).padStart(2, "0")} min`;
  return `${counted(Math.floor(hours / 24), "day")} ${hours % 24} h`;
}

function tenths(value: number): string {
  return String(Math.round(value * 10) / 10);
}

/**
 * Any block of figures: single values as facts, lists as tables, blocks within
 * as parts with a heading. What the server adds later shows without a change here.
 */
export function report(block: unknown, level: 3 | 4 = 3): HTMLElement[] {
  if (!isRecord(block)) return [h("p", { class: "empty" }, words("", block))];
  const out: HTMLElement[] = [];
  const single = Object.entries(block).filter(([, value]) => !isPart(value));
  if (single.length)
    out.push(facts(single.map(([name, value]) => [title(name), words(name, value)])));
  for (const [name, value] of Object.entries(block)) {
    if (!isPart(value)) continue;
    const head = level === 3 ? h("h3", {}, title(name)) : h("h4", {}, title(name));
    const inner = Array.isArray(value) ? [list(title(name), value)] : report(value, 4);
    out.push(h("div", { class: "part" }, head, inner));
  }
  return out;
}

function list(caption: string, rows: readonly unknown[]): HTMLElement {
  if (!rows.every(isRecord)) {
    return h("p", {}, rows.length ? rows.map((row) => String(row)).join(", ") : "–");
  }
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return table<Entry>(
    caption,
    names.map((name, i) => ({
      title: title(name),
      figure: rows.some((row) => typeof row[name] === "number"),
      heads: i === 0,
      cell: (row) => {
        const value = words(name, row[name]);
        return typeof row[name] === "string" ? h("span", { class: "prose" }, value) : value;
      },
    })),
    rows,
  );
}

/** Neither a single value nor an empty list of them. */
function isPart(value: unknown): boolean {
  return Array.isArray(value) || isRecord(value);
}
