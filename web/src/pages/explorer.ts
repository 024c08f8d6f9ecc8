import { send } from "../call/call";
import { apiKey as storedKey } from "../call/secrets";
import { Address, nameless } from "../explorer/address";
import { listenForUndo, PlanHistory } from "../explorer/history";
import { Naming } from "../explorer/naming";
import { readPermalink } from "../explorer/permalink";
import { Planner } from "../explorer/planner";
import { sharedFragment } from "../explorer/share";
import { isShown } from "../explorer/state";
import { positionsOf } from "../map/shape";
import { chosenTheme } from "../map/themes";
import type { MapEvents } from "../map/view";
import { fillPanel, searchOf, type Parts } from "../panel/content";
import { ownPlaces } from "../panel/layers";
import { LazyMap, loadMapCode, type MapCode } from "../panel/lazymap";
import { mapMenu } from "../panel/mapmenu";
import { showPlan } from "../panel/onmap";
import { Sheet } from "../panel/sheet";
import { announcement, Summary } from "../panel/summary";
import type { TaskPanel } from "../panel/task";
import type { Explorer } from "../plan/explorer";
import { moveStop, withSpot } from "../plan/plan";
import { pick } from "../task/tasks";
import { announce, h } from "../ui/dom";
import { Loading } from "../ui/loading";
import { tr } from "../ui/translate";

const panel = document.getElementById("panel")!;
const top = document.getElementById("search")!;

async function start(): Promise<void> {
  const apiKey = takeKey();
  takeShared();
  // Both start loading at once; the panel does not wait for the map's code.
  const mapCode = loadMapCode();
  const explorer = await loadExplorer(apiKey);
  document.title = `${explorer.name} · Waygate`;

  const link = readPermalink(location.hash);
  const loading = new Loading();
  // Where a link does not name the map's theme, it is the one that was chosen here last.
  const shown = { ...link.panel, theme: link.panel.theme || chosenTheme.get() };
  const planner = new Planner(link.plan, shown, apiKey, loading);
  const bare = () => location.pathname + location.search;
  const planHistory = new PlanHistory(history, bare, nameless(link.plan));
  const sheet = new Sheet(panel);
  const map = new LazyMap(sheet);
  const parts: Parts = {
    explorer,
    apiKey,
    loading,
    planner,
    planHistory,
    sheet,
    map,
    summary: new Summary(planner),
    open: (spot) => planner.change(withSpot(planner.state.plan, spot), "map"),
  };
  const address = new Address({
    planner,
    planHistory,
    camera: link.camera,
    go: (camera) => map.go(camera),
  });
  const tasks = fillPanel(panel, parts);
  top.replaceChildren(searchOf(parts));
  follow(parts, address);
  listenForUndo(planHistory);
  addEventListener("online", () => planner.online());
  new Naming(planner, (call) => send(call, apiKey, new AbortController().signal));
  planner.ask();
  await showMap(parts, { mapCode, address, tasks });
}

/** Brings address, announcements and the map's look up to date with each change. */
function follow({ planner, map, summary, apiKey }: Parts, address: Address): void {
  planner.subscribe((state, before) => {
    summary.show(state);
    if (state.plan !== before.plan || state.panel !== before.panel) address.write();
    if (state.outcome !== before.outcome) announce(announcement(state));
    if (state.panel.theme !== before.panel.theme) wear(planner, map);
    if (state === before || state.panel.layers !== before.panel.layers) {
      map.showLayers((layer) => isShown(state.panel, layer));
      void ownPlaces(isShown(state.panel, "own"), apiKey).then((shapes) => map.showOwn(shapes));
    }
  });
}

/** Draws the map in the panel's theme; the usual one replaces one that is not there. */
function wear(planner: Planner, map: LazyMap): void {
  const { theme } = planner.state.panel;
  void map.wear(theme).then((worn) => {
    if (worn || theme === "") return;
    announce(tr("There is no style {0} here.", theme));
    planner.show({ theme: "" });
  });
}

interface MapParts {
  readonly mapCode: Promise<MapCode>;
  readonly address: Address;
  readonly tasks: TaskPanel;
}

async function showMap(parts: Parts, { mapCode, address, tasks }: MapParts): Promise<void> {
  const { explorer, apiKey, loading, planner, sheet, map } = parts;
  const { camera } = address;
  const container = document.getElementById("map")!;
  const loaded = loading.begin(tr("Loading the map…"), null);
  try {
    const code = await mapCode;
    const view = await map.open(code, {
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
      events: eventsOf(parts, address, tasks),
    });
    loaded();
    tasks.mapped();
    wear(planner, map);
    map.showLayers((layer) => isShown(planner.state.panel, layer));
    const pins = new code[1].Pins(view.map, (id, at) => {
      planner.change(moveStop(planner.state.plan, id, at), "map");
    });
    view.lay(pins.room);
    showPlan(planner, view, pins, camera !== null);
    if (!camera) lookAtPlan(parts);
  } catch {
    loaded();
    // Without WebGL there is no map, but typed points still give routes.
    container.replaceChildren(
      h("p", { class: "no-map" }, tr("The map cannot be drawn: this browser has no WebGL.")),
    );
  }
}

function eventsOf(
  { planner, apiKey, map, sheet, open }: Parts,
  address: Address,
  tasks: TaskPanel,
): MapEvents {
  return {
    onPick: ({ at, name }) => {
      const filled = pick(planner.state.plan, at, name);
      if (filled) planner.change(filled, "map");
      else open({ at, id: null, name });
    },
    onMenu: (at, x, y) =>
      mapMenu({ planner, apiKey, centre: (place) => map.centreOn(place) }, at, x, y),
    onItem: (item, chosen) => {
      if (chosen && sheet.phone) sheet.atLeast("half");
      tasks.light(item, chosen);
    },
    onChoose: (index) => planner.choose(index),
    onMove: (camera) => address.moved(camera),
  };
}

/** Brings the place of a link or its points into view; a route is once it is found. */
function lookAtPlan({ planner, map }: Parts): void {
  const { spot, stops, task } = planner.state.plan;
  const placed = stops.flatMap(({ at }) => (at ? [at] : []));
  if (spot) map.look([spot.at]);
  else if (task !== "route") map.look([...placed, ...map.shapes.flatMap(positionsOf)]);
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

/** Moves a state that came in the address's query, as a link that was shared has it, to the fragment. */
function takeShared(): void {
  const fragment = location.hash === "" ? sharedFragment(location.search) : null;
  if (fragment !== null) history.replaceState(null, "", `${location.pathname}#${fragment}`);
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
      h("h2", {}, tr("The map explorer could not start")),
      h("p", {}, error instanceof Error ? error.message : String(error)),
      h(
        "button",
        { type: "button", class: "tool", onclick: () => location.reload() },
        tr("Reload"),
      ),
    ),
  );
});
