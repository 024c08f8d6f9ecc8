import type { RouteView } from "./answer";
import { tr } from "../ui/translate";

/** A road that is less than this share of a route does not name it. */
const LEAST_SHARE = 0.1;

/** Lengths of a route by the name of the road, the longest first. */
function roadsOf({ legs }: RouteView): [name: string, length: number][] {
  const lengths = new Map<string, number>();
  for (const { street_names: names = [], length } of legs.flatMap(({ steps }) => steps)) {
    for (const name of names.slice(0, 1)) lengths.set(name, (lengths.get(name) ?? 0) + length);
  }
  return [...lengths].toSorted(([, a], [, b]) => b - a);
}

/**
 * What each route is called by: the longest of its roads that no other uses, else its longest
 * roads; "" where no road of it has a name.
 */
export function viaNames(routes: readonly RouteView[]): string[] {
  const all = routes.map(roadsOf);
  return all.map((roads, index) => {
    const least = (routes[index]?.summary.length ?? 0) * LEAST_SHARE;
    const long = roads.filter(([, length]) => length >= least).map(([name]) => name);
    const others = new Set(
      all.flatMap((road, other) => (other === index ? [] : road.map(([name]) => name))),
    );
    const own = long.find((name) => !others.has(name));
    const names = own === undefined ? long.slice(0, 2) : [own];
    return names.join(tr(" and "));
  });
}

/** The indexes of routes in the order of their times. */
export function byTime(routes: readonly RouteView[]): number[] {
  return routes
    .map((_, index) => index)
    .toSorted((a, b) => routes[a]!.summary.time - routes[b]!.summary.time);
}
