/** The views of the page, in the order of its navigation. */
export const NAV = [
  ["overview", "Overview"],
  ["commercial", "Commercial"],
  ["identities", "Identities"],
  ["keys", "Keys"],
  ["feeds", "Feeds"],
  ["issues", "Map issues"],
  ["retros", "Retros"],
] as const;

export type View = (typeof NAV)[number][0];

/** What the fragment of the address says: #identities?q=example&offset=50. */
export interface Route {
  readonly view: View;
  readonly offset?: number;
  readonly q?: string;
  readonly order?: string;
  /** The one identity, or the one key, that is looked at. */
  readonly one?: string;
}

export function readRoute(fragment: string): Route {
  const [, name = "", search = ""] = /^#?([^?]*)\??(.*)$/.exec(fragment) ?? [];
  const view = NAV.find(([known]) => known === name)?.[0] ?? "overview";
  const parameters = new URLSearchParams(search);
  const offset = Number(parameters.get("offset"));
  const route: { -readonly [K in keyof Route]: Route[K] } = { view };
  if (Number.isSafeInteger(offset) && offset > 0) route.offset = offset;
  for (const key of ["q", "order", "one"] as const) {
    const value = parameters.get(key);
    if (value) route[key] = value;
  }
  return route;
}

/** The fragment of a route, with its #. */
export function writeRoute({ view, ...rest }: Route): string {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(rest)) {
    if (value !== undefined && value !== "" && value !== 0) parameters.set(key, String(value));
  }
  const search = parameters.toString();
  return `#${view}${search ? `?${search}` : ""}`;
}
