import type { LonLat } from "./coords";
import { formatCoordinates } from "./coords";
import { h } from "./dom";
import { planOf, type Explorer } from "./explorer";
import { formatLength, formatTime } from "./format";
import type { MapView } from "./map";
import { COSTINGS, isCosting } from "./options";
import { footPanel, headPanel } from "./panel/head";
import { openMenu } from "./panel/menu";
import { resultPanel } from "./panel/result";
import { Sheet } from "./panel/sheet";
import { stopsPanel } from "./panel/stops";
import { taskPanel, taskTabs } from "./panel/task";
import { travelPanel } from "./panel/travel";
import type { Shape } from "./task/task";
import { Loading, progressBar, waitingLine } from "./loading";
import { readPermalink, writePermalink, writeView, type Camera } from "./permalink";
import {
  addStop,
  adopt,
  avoidPlace,
  addVia,
  clearStops,
  moveStop,
  placedStops,
  setDestination,
  setStart,
} from "./plan";
import { offRoad } from "./offroad";
import { Planner, type State } from "./planner";
import { boundsOf } from "./polyline";
import { apiKey as storedKey } from "./secrets";
import { Trail } from "./trail";

const panel = document.getElementById("panel")!;
const live = document.getElementById("live")!;

async function start(): Promise<void> {
  const apiKey = takeKey();
  // Both start loading at once; the panel does not wait for the map's code.
  const mapCode = Promise.all([import("./map"), import("./pins")]);
  const explorer = await loadExplorer(apiKey);
  document.title = `${explorer.name} · Waygate`;

  const link = readPermalink(location.hash);
  const loading = new Loading();
  const planner = new Planner(link.plan, link.panel, apiKey, loading);
  const trail = new Trail(
    history,
    () => location.pathname + location.search,
    writePermalink(link.plan),
  );
  const sheet = new Sheet(panel);
  let camera: Camera | null = link.camera;
  let view: MapView | null = null;
  // Found before the map was there, perhaps.
  let drawn: readonly Shape[] = [];

  const startExample = (index: number): void => {
    const example = explorer.examples[index];
    if (!example) return;
    planner.change(planOf(example, planner.state.plan), "elsewhere");
    const bounds = boundsOf(example.points);
    if (bounds) view?.fit(bounds);
  };
  const look = (line: readonly LonLat[]): void => {
    const bounds = boundsOf(line);
    if (!bounds) return;
    if (sheet.phone) sheet.set("half");
    view?.fit(bounds);
  };

  const known = explorer.costings.filter(isCosting);
  const glance = h("p", { class: "glance" });
  panel.replaceChildren(
    sheet.handle,
    progressBar(loading),
    glance,
    h(
      "div",
      { class: "panel-body" },
      headPanel(explorer, startExample),
      taskTabs(planner),
      stopsPanel({
        planner,
        trail,
        bounds: explorer.bounds ?? null,
        mapCentre: () => view?.centre() ?? null,
      }),
      travelPanel(planner, known.length ? known : COSTINGS),
      waitingLine(loading),
      taskPanel({
        planner,
        loading,
        apiKey,
        draw: (shapes) => {
          drawn = shapes;
          view?.show({ shapes });
        },
        fit: (bounds) => view?.fit(bounds),
      }),
      resultPanel({
        planner,
        explorer,
        loading,
        keyed: apiKey !== null,
        apiKey,
        highlight: (line) => view?.show({ step: line }),
        look,
        mark: (at) => view?.mark(at),
        travel: (place) => view?.travel(place?.at ?? null),
        fit: (bounds) => view?.fit(bounds),
        startExample,
      }),
      footPanel(explorer, {
        held: apiKey !== null,
        change: (key) => {
          storedKey.set(key);
          location.reload();
        },
      }),
    ),
  );

  const remember = (): void => {
    const { plan, panel: shown } = planner.state;
    trail.keep(writePermalink(plan), writeView(shown, camera));
  };
  planner.subscribe((state, before) => {
    glance.textContent = glanceOf(state);
    glance.classList.toggle(
      "found",
      state.plan.task === "route" && state.outcome.kind === "routes",
    );
    if (state.plan !== before.plan || state.panel !== before.panel) remember();
    if (state.outcome !== before.outcome) live.textContent = announcement(state);
  });
  // A link that was pasted, or a step through the history: our own entries do not
  // move the map.
  addEventListener("popstate", (event) => {
    const { plan, panel: shown, camera: next } = readPermalink(location.hash);
    trail.arrive(writePermalink(plan));
    const pasted = event.state === null;
    if (pasted && next) view?.go(next);
    planner.show(shown);
    planner.change(adopt(plan, planner.state.plan), pasted && next ? "map" : "elsewhere");
  });
  addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLElement && event.target.matches("input[type=text]");
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) trail.undo();
    else if (key === "y" || key === "z") trail.redo();
    else return;
    event.preventDefault();
  });
  planner.ask();

  const container = document.getElementById("map")!;
  try {
    const [{ MapView }, { Pins }] = await mapCode;
    view = await MapView.open({
      container,
      explorer,
      camera,
      apiKey,
      covered: () => ({
        left: sheet.phone ? 0 : panel.getBoundingClientRect().right,
        right: 0,
        top: 0,
        bottom: sheet.covered(),
      }),
      events: {
        onPick: (at) => planner.change(addStop(planner.state.plan, at), "map"),
        onMenu: (at, x, y) => mapMenu(planner, at, x, y),
        onChoose: (index) => planner.choose(index),
        onMove: (next) => {
          camera = next;
          remember();
        },
      },
    });
    view.show({ shapes: drawn });
    bindMap(
      planner,
      view,
      new Pins(view.map, (id, at) => {
        planner.change(moveStop(planner.state.plan, id, at), "map");
      }),
      link.camera !== null,
    );
  } catch {
    // Without WebGL there is no map, but typed points still give routes.
    container.replaceChildren(
      h("p", { class: "no-map" }, "The map cannot be drawn: this browser has no WebGL."),
    );
  }
}

/** Keeps pins, lines and the view in step with the planner. */
function bindMap(
  planner: Planner,
  view: MapView,
  pins: { show: InstanceType<typeof import("./pins").Pins>["show"] },
  placed: boolean,
): void {
  // A link that says where to look has the last word on the first view; where it
  // does not, its points are brought into view though the whole region shows them.
  let keepView = placed;
  let first = !placed && placedStops(planner.state.plan).length > 0;
  let shown: State["outcome"] | null = null;
  planner.subscribe((state) => {
    const { outcome } = state;
    pins.show(state.plan.stops, outcome.kind === "failed" ? outcome.bad : new Set());
    const routes = outcome.kind === "routes" ? outcome.routes : [];
    const fresh = outcome !== shown;
    shown = outcome;
    const chosen = routes[state.chosen];
    view.show({
      apart: chosen && !state.busy ? offRoad(state.plan, chosen) : [],
      avoid: state.plan.avoid,
      routes,
      chosen: state.chosen,
      stale: state.busy,
      ...(fresh ? { step: null } : {}),
    });
    if (fresh) view.mark(outcome.kind === "failed" ? outcome.narration.blocked : null);
    if (!fresh || outcome.kind === "none") return;
    const [west, south, east, north] = routes[0]?.bounds ?? [];
    const bounds = boundsOf([
      ...placedStops(state.plan).map((s) => s.at),
      ...(north === undefined ? [] : [[west!, south!] as const, [east!, north] as const]),
    ]);
    // While the view still moves, what it sees now says nothing about its end.
    const out = bounds !== null && (first || view.map.isMoving() || !view.sees(bounds));
    first = false;
    if (bounds && out && !keepView && planner.reason === "elsewhere") view.fit(bounds);
    keepView = false;
  });
}

function mapMenu(planner: Planner, at: LonLat, x: number, y: number): void {
  const act = (change: typeof addStop) => () =>
    planner.change(change(planner.state.plan, at), "map");
  openMenu(x, y, formatCoordinates(at), [
    { label: "Route from here", act: act(setStart) },
    { label: "Route to here", act: act(setDestination) },
    { label: "Go via here", act: act(addVia) },
    { label: "Avoid the road here", act: act(avoidPlace) },
    {
      label: "Clear all points",
      act: () => planner.change(clearStops(planner.state.plan), "map"),
    },
  ]);
}

/** One line for the lowered sheet of a phone. */
function glanceOf({ outcome, busy, chosen }: State): string {
  switch (outcome.kind) {
    case "routes": {
      const route = outcome.routes[chosen] ?? outcome.routes[0]!;
      const { time, length } = route.summary;
      return `${formatTime(time)} · ${formatLength(length, route.miles)}`;
    }
    case "failed":
      return outcome.narration.title;
    default:
      return busy ? "Finding a route…" : "Tap the map to plan a route";
  }
}

function announcement(state: State): string {
  const { outcome } = state;
  if (outcome.kind === "routes") return `Route found: ${glanceOf(state)}.`;
  // A failure is announced by its own alert.
  return "";
}

/** The key to send: one in the address moves into this tab's storage, out of sight. */
function takeKey(): string | null {
  const address = new URL(location.href);
  const given = address.searchParams.get("api_key");
  if (given) {
    storedKey.set(given);
    address.searchParams.delete("api_key");
    history.replaceState(null, "", address);
  }
  return storedKey.get();
}

async function loadExplorer(apiKey: string | null): Promise<Explorer> {
  const response = await fetch(new URL("explorer.json", document.baseURI), {
    headers: apiKey ? { Authorization: `Bearer ${apiKey}` } : {},
  });
  if (!response.ok) throw new Error(`explorer.json answered with status ${response.status}`);
  return (await response.json()) as Explorer;
}

start().catch((error: unknown) => {
  panel.replaceChildren(
    h(
      "div",
      { class: "notice danger", role: "alert" },
      h("h2", {}, "The map explorer could not start"),
      h("p", {}, error instanceof Error ? error.message : String(error)),
      h("button", { type: "button", class: "tool", onclick: () => location.reload() }, "Reload"),
    ),
  );
});
