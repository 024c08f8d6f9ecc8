import type { LonLat } from "./coords";
import { formatCoordinates } from "./coords";
import { h } from "./dom";
import { planOf, type Explorer } from "./explorer";
import { formatLength, formatTime } from "./format";
import type { Handles } from "./handles";
import { Loading, progressBar, waitingLine } from "./loading";
import type { MapView } from "./map";
import { offRoad } from "./offroad";
import { COSTINGS, isCosting } from "./options";
import { placeCard } from "./panel/card";
import { Drawer } from "./panel/drawer";
import { factList } from "./panel/facts";
import { examplesButton, footPanel } from "./panel/foot";
import { layersButton, ownPlaces } from "./panel/layers";
import { openMenu } from "./panel/menu";
import { rail } from "./panel/rail";
import { resultPanel } from "./panel/result";
import { searchBox } from "./panel/searchbox";
import { Sheet } from "./panel/sheet";
import { isShown } from "./panel/state";
import { stopsPanel } from "./panel/stops";
import { TaskPanel } from "./panel/task";
import { travelPanel } from "./panel/travel";
import { readPermalink, writePermalink, writeView, type Camera } from "./permalink";
import {
  addStop,
  addVia,
  adopt,
  avoidPlace,
  clearStops,
  moveStop,
  placedStops,
  setDestination,
  setStart,
  withSpot,
  type Spot,
} from "./plan";
import { Planner, type State } from "./planner";
import { boundsOf } from "./polyline";
import { Suggester } from "./search/suggest";
import { apiKey as storedKey } from "./secrets";
import { positionsOf, type Shape } from "./task/task";
import { taskOf } from "./task/tasks";
import { chosenTheme } from "./themes";
import { Trail } from "./trail";

const panel = document.getElementById("panel")!;
const top = document.getElementById("search")!;
const live = document.getElementById("live")!;

/** What one drags is as many pixels across as a hand can tell apart. */
const HANDY = 200;

async function start(): Promise<void> {
  const apiKey = takeKey();
  // Both start loading at once; the panel does not wait for the map's code.
  const mapCode = Promise.all([import("./map"), import("./pins"), import("./handles")]);
  const explorer = await loadExplorer(apiKey);
  document.title = `${explorer.name} · Waygate`;

  const link = readPermalink(location.hash);
  const loading = new Loading();
  // A link says how its map looks; where it does not, it looks as here last.
  const shown = { ...link.panel, theme: link.panel.theme || chosenTheme.get() };
  const planner = new Planner(link.plan, shown, apiKey, loading);
  const trail = new Trail(
    history,
    () => location.pathname + location.search,
    writePermalink(link.plan),
  );
  const sheet = new Sheet(panel);
  let camera: Camera | null = link.camera;
  let view: MapView | null = null;
  let handles: Handles | null = null;
  // Found before the map was there, perhaps.
  let drawn: readonly Shape[] = [];
  let own: readonly Shape[] = [];
  let held: Parameters<Handles["show"]> | null = null;
  const showShapes = (): void => view?.show({ shapes: [...own, ...drawn] });

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
  const open = (spot: Spot | null): void =>
    planner.change(withSpot(planner.state.plan, spot), "map");

  const bounds = explorer.bounds ?? null;
  const suggester = new Suggester({
    apiKey,
    bounds,
    bias: () => view?.centre() ?? null,
    lang: () => planner.state.plan.language,
  });
  const drawer = new Drawer(planner, apiKey !== null);
  const known = explorer.costings.filter(isCosting);
  const glance = h("p", { class: "glance" });
  /** What came of the task that is on, in a line. */
  let gist: string | null = null;
  const showGlance = (state: State): void => {
    const route = state.plan.task === "route";
    glance.textContent = route ? glanceOf(state) : (gist ?? "Tap the map to add a point");
    glance.classList.toggle("found", route ? state.outcome.kind === "routes" : gist !== null);
  };
  const tasks = new TaskPanel({
    planner,
    loading,
    apiKey,
    drawer,
    around: () => view?.around() ?? null,
    draw: (shapes) => {
      drawn = shapes;
      showShapes();
    },
    handles: (list, moved) => {
      held = [list, moved];
      handles?.show(list, moved);
    },
    // What one drags on the map must not move below the hand.
    fit: (box) => !(held?.[0].length && view?.sees(box, HANDY)) && view?.fit(box),
    mark: (at) => view?.mark(at),
    open,
    glance: (text) => {
      gist = text;
      showGlance(planner.state);
    },
  });
  top.replaceChildren(
    searchBox({
      planner,
      suggester,
      region: explorer.name,
      pick: ({ at, id, name, source, extent }) => {
        open({ at, id, name: source === "coordinates" ? "" : name });
        look(extent ? [at, [extent[0], extent[1]], [extent[2], extent[3]]] : [at]);
      },
    }),
  );
  panel.replaceChildren(
    sheet.handle,
    progressBar(loading),
    glance,
    h(
      "div",
      { class: "bench" },
      rail(planner, examplesButton(explorer, startExample), layersButton(planner, apiKey)),
      h(
        "div",
        { class: "panel-column" },
        h(
          "div",
          { class: "panel-body" },
          placeCard({
            planner,
            apiKey,
            opened: () => sheet.phone && sheet.atLeast("half"),
          }),
          stopsPanel({
            planner,
            trail,
            bounds,
            mapCentre: () => view?.centre() ?? null,
            suggester,
          }),
          travelPanel(planner, known.length ? known : COSTINGS),
          waitingLine(loading),
          tasks.element,
          resultPanel({
            planner,
            explorer,
            loading,
            apiKey,
            highlight: (line) => view?.show({ step: line }),
            look,
            mark: (at) => view?.mark(at),
            travel: (place) => view?.travel(place?.at ?? null),
            fit: (box) => view?.fit(box),
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
        drawer.element,
      ),
    ),
  );

  const wear = (theme: string): void => {
    void view?.wear(theme).then((worn) => {
      if (worn || theme === "") return;
      live.textContent = `There is no style ${theme} here.`;
      planner.show({ theme: "" });
    });
  };
  const remember = (): void => {
    const { plan, panel: shown } = planner.state;
    trail.keep(writePermalink(plan), writeView(shown, camera));
  };
  planner.subscribe((state, before) => {
    showGlance(state);
    if (state.plan !== before.plan || state.panel !== before.panel) remember();
    if (state.outcome !== before.outcome) live.textContent = announcement(state);
    if (state.panel.theme !== before.panel.theme) wear(state.panel.theme);
    if (state === before || state.panel.layers !== before.panel.layers) {
      view?.layers((layer) => isShown(state.panel, layer));
      void ownPlaces(isShown(state.panel, "own"), apiKey).then((shapes) => {
        own = shapes;
        showShapes();
      });
    }
  });
  // A link that was pasted, or a step through the history: our own entries do not
  // move the map.
  addEventListener("popstate", (event) => {
    const { plan, panel: shown, camera: next } = readPermalink(location.hash);
    trail.arrive(writePermalink(plan));
    const pasted = event.state === null;
    if (pasted && next) view?.go(next);
    const reason = pasted && next ? "map" : "elsewhere";
    planner.restore(adopt(plan, planner.state.plan), shown, reason);
  });
  addEventListener("keydown", (event) => {
    const { target } = event;
    const typing = target instanceof HTMLElement && target.matches("input[type=text], textarea");
    if (typing || !(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    if (key === "z" && !event.shiftKey) trail.undo();
    else if (key === "y" || key === "z") trail.redo();
    else return;
    event.preventDefault();
  });
  planner.ask();

  const container = document.getElementById("map")!;
  const mapped = loading.begin("Loading the map…", null);
  try {
    const [{ MapView }, { Pins }, { Handles }] = await mapCode;
    view = await MapView.open({
      container,
      explorer,
      camera,
      apiKey,
      theme: planner.state.panel.theme,
      covered: () => ({
        left: sheet.phone ? 0 : panel.getBoundingClientRect().right,
        right: 0,
        top: sheet.phone ? top.getBoundingClientRect().bottom : 0,
        bottom: sheet.covered(),
      }),
      events: {
        onPick: (at) => {
          const { plan } = planner.state;
          const { stops, first } = taskOf(plan.task);
          if (stops === null) open({ at, id: null, name: "" });
          else planner.change(first ? setStart(plan, at) : addStop(plan, at), "map");
        },
        onMenu: (at, x, y) => mapMenu(planner, apiKey, at, x, y),
        onItem: (item, chosen) => {
          if (chosen && sheet.phone) sheet.atLeast("half");
          tasks.light(item, chosen);
        },
        onChoose: (index) => planner.choose(index),
        onMove: (next) => {
          camera = next;
          remember();
        },
      },
    });
    mapped();
    tasks.mapped();
    wear(planner.state.panel.theme);
    showShapes();
    view.layers((layer) => isShown(planner.state.panel, layer));
    handles = new Handles(view.map);
    if (held) handles.show(...(held as Parameters<Handles["show"]>));
    bindMap(
      planner,
      view,
      new Pins(view.map, (id, at) => {
        planner.change(moveStop(planner.state.plan, id, at), "map");
      }),
      link.camera !== null,
    );
    const { spot, stops, task } = planner.state.plan;
    const placed = stops.flatMap(({ at }) => (at ? [at] : []));
    // A route is brought into view once it is found.
    if (!link.camera && spot) look([spot.at]);
    else if (!link.camera && task !== "route") look([...placed, ...drawn.flatMap(positionsOf)]);
  } catch {
    mapped();
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
      spot: state.plan.spot?.at ?? null,
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

function mapMenu(planner: Planner, apiKey: string | null, at: LonLat, x: number, y: number): void {
  const act = (change: typeof addStop) => () =>
    planner.change(change(planner.state.plan, at), "map");
  const running = new AbortController();
  openMenu(
    x,
    y,
    formatCoordinates(at),
    [
      { label: "Route from here", act: act(setStart) },
      { label: "Route to here", act: act(setDestination) },
      { label: "Go via here", act: act(addVia) },
      { label: "Avoid the road here", act: act(avoidPlace) },
      {
        label: "Keep what is here",
        act: () => planner.change(withSpot(planner.state.plan, { at, id: null, name: "" }), "map"),
      },
      {
        label: "Clear all points",
        act: () => planner.change(clearStops(planner.state.plan), "map"),
      },
    ],
    factList(at, apiKey, running.signal),
    () => running.abort(),
  );
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
