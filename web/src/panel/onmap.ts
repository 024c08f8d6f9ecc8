import type { Planner, State } from "../explorer/planner";
import { boundsOf } from "../geo/polyline";
import type { Pins } from "../map/pins";
import type { MapView } from "../map/view";
import { insertAfter, placedStops, withinStops } from "../plan/plan";
import { offRoad } from "../route/offroad";

/**
 * Shows the plan's points and its routes on the map, and brings new routes into view.
 * placed says that a link has said where the map looks.
 */
export function showPlan(planner: Planner, view: MapView, pins: Pins, placed: boolean): void {
  // Such a link decides the first view. Without one, the plan's points are brought into
  // view even though the whole region shows them.
  let keepView = placed;
  let first = !placed && placedStops(planner.state.plan).length > 0;
  let shown: State["outcome"] | null = null;
  planner.subscribe((state) => {
    const { outcome } = state;
    const fresh = outcome !== shown;
    shown = outcome;
    pins.show(state.plan.stops, outcome.kind === "failed" ? outcome.bad : new Set());
    drawRoutes(view, state, fresh);
    letDrag(planner, view);
    if (!fresh || outcome.kind === "none") return;
    const bounds = boundsOfPlan(state);
    // While the view moves, what it shows now says nothing about where it ends.
    const out = bounds !== null && (first || view.map.isMoving() || !view.sees(bounds));
    first = false;
    if (bounds && out && !keepView && planner.reason === "elsewhere") view.fit(bounds);
    keepView = false;
  });
}

/** fresh says that the outcome is another one than before: the marks on the old one go. */
function drawRoutes(view: MapView, state: State, fresh: boolean): void {
  const { outcome, plan, chosen, busy } = state;
  const routes = outcome.kind === "routes" ? outcome.routes : [];
  const route = routes[chosen];
  view.show({
    apart: route && !busy ? offRoad(plan, route) : [],
    avoid: plan.avoid,
    spot: plan.spot?.at ?? null,
    routes,
    chosen,
    stale: busy,
    ...(fresh ? { step: null } : {}),
  });
  if (fresh) view.mark(outcome.kind === "failed" ? outcome.narration.blocked : null);
}

/** Lets the route's line be dragged to a point on the way, while it is that of the plan. */
function letDrag(planner: Planner, view: MapView): void {
  const { outcome, plan, chosen, busy } = planner.state;
  const route = outcome.kind === "routes" && !busy ? outcome.routes[chosen] : undefined;
  const stops = placedStops(plan);
  const whole = route?.legs.length === stops.length - 1 && withinStops(plan);
  view.drag(
    route && whole
      ? {
          legs: route.legs.map(({ line }) => line),
          points: stops.map(({ at }) => at),
          via: (leg, at) =>
            planner.change(insertAfter(planner.state.plan, stops[leg]!.id, at), "map"),
        }
      : null,
  );
}

/** The bounds of a plan's points and its first route. */
function boundsOfPlan({ outcome, plan }: State): ReturnType<typeof boundsOf> {
  const routes = outcome.kind === "routes" ? outcome.routes : [];
  const [west, south, east, north] = routes[0]?.bounds ?? [];
  return boundsOf([
    ...placedStops(plan).map(({ at }) => at),
    ...(north === undefined ? [] : [[west!, south!] as const, [east!, north] as const]),
  ]);
}
