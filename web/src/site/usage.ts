/** The answer of GET /v1/usage. Days without calls may be left out. */
export interface Usage {
  readonly from?: string;
  readonly to?: string;
  readonly days?: readonly UsageDay[] | null;
}

export interface UsageDay {
  /** YYYY-MM-DD, UTC. */
  readonly date: string;
  readonly total_units: number;
  readonly endpoints?: readonly EndpointUsage[] | null;
}

export interface EndpointUsage {
  readonly endpoint: string;
  readonly class: string;
  readonly calls: number;
  readonly units: number;
}

/** Sums by endpoint and class over all days, most units first, then most calls. */
export function byEndpoint(usage: Usage): EndpointUsage[] {
  const sums = new Map<string, EndpointUsage>();
  for (const day of usage.days ?? []) {
    for (const entry of day.endpoints ?? []) {
      const key = `${entry.class} ${entry.endpoint}`;
      const sum = sums.get(key);
      sums.set(key, {
        ...entry,
        calls: (sum?.calls ?? 0) + entry.calls,
        units: (sum?.units ?? 0) + entry.units,
      });
    }
  }
  return [...sums.values()].sort(
    (a, b) => b.units - a.units || b.calls - a.calls || (a.endpoint < b.endpoint ? -1 : 1),
  );
}

/** Units by day, stacked by endpoint, for a chart. */
export interface Stacks {
  /** What a stack's parts are, the largest first; the last may be the sum of the rest. */
  readonly names: readonly string[];
  readonly days: readonly StackedDay[];
}

export interface StackedDay {
  readonly date: string;
  /** Units, one for each of the names. */
  readonly parts: readonly number[];
  readonly total: number;
  readonly calls: number;
}

export const REST = "all others";

/**
 * The units of the given days, in their order, with the limit - 1 endpoints
 * that used most and the rest as one. Endpoints that cost nothing have no part.
 */
export function stackDays(usage: Usage, dates: readonly string[], limit: number): Stacks {
  const units = new Map<string, number>();
  for (const { endpoint, units: some } of byEndpoint(usage)) {
    if (some > 0) units.set(endpoint, (units.get(endpoint) ?? 0) + some);
  }
  const ranked = [...units].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const named = ranked.length > limit ? ranked.slice(0, limit - 1) : ranked;
  const names = ranked.length > limit ? [...named, REST] : named;
  const place = new Map(named.map((name, index) => [name, index]));
  const known = new Map((usage.days ?? []).map((day) => [day.date, day]));
  const days = dates.map((date) => {
    const parts = names.map(() => 0);
    let calls = 0;
    for (const entry of known.get(date)?.endpoints ?? []) {
      calls += entry.calls;
      if (entry.units > 0) parts[place.get(entry.endpoint) ?? names.length - 1]! += entry.units;
    }
    return { date, parts, total: parts.reduce((sum, part) => sum + part, 0), calls };
  });
  return { names, days };
}

/** The sum over days. */
export function totals(stacks: Stacks): { units: number; calls: number } {
  return stacks.days.reduce(
    (sum, day) => ({ units: sum.units + day.total, calls: sum.calls + day.calls }),
    { units: 0, calls: 0 },
  );
}
