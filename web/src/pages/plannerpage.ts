import { Marker, type MapMouseEvent } from "maplibre-gl";
import type { LonLat } from "../geo/coords";
import { readAnswer } from "../dispatch/plan/answer";
import { joined, replanRequest } from "../dispatch/plan/day";
import { DayPanel } from "../dispatch/panel/daypanel";
import { PlanStore, placesOf } from "../dispatch/plan/store";
import type { Plan } from "../dispatch/plan/plan";
import { fleetPanel } from "../dispatch/panel/fleet";
import { DragOnMap } from "../dispatch/panel/dragonmap";
import { findPlaces } from "../dispatch/intake/geocode";
import { intake } from "../dispatch/intake/intake";
import { FollowPanel } from "../dispatch/panel/followpanel";
import { jobList } from "../dispatch/panel/joblist";
import { warmStart } from "../dispatch/plan/warmstart";
import { unreplannable } from "../dispatch/problem/missing";
import { BLANK_STOP, nextVehicle, type Problem, type Stop } from "../dispatch/problem/model";
import { STORED } from "../dispatch/plan/kept";
import { plansPanel } from "../dispatch/panel/planspanel";
import { Printed } from "../dispatch/panel/printed";
import { requestOf } from "../dispatch/plan/request";
import { resultPanel } from "../dispatch/panel/result";
import type { Ways } from "../dispatch/day/route";
import { depotsOf, stopsApart, stopsOn, turns, wayOf } from "../dispatch/plan/shapes";
import { solveFor } from "../dispatch/plan/balance";
import { inNames } from "../dispatch/plan/refused";
import { solve, type Solver } from "../dispatch/plan/solve";
import { stopList } from "../dispatch/panel/stoplist";
import { Timeline } from "../dispatch/panel/timeline";
import type { Finder, View } from "../dispatch/panel/view";
import { h } from "../ui/dom";
import { tr } from "../ui/translate";
import type { Explorer } from "../plan/explorer";
import { decodePolyline } from "../geo/polyline";
import { apiKey as storedKey } from "../call/secrets";
import { call } from "../site/client";
import { keyBox } from "../site/keybox";
import { announce, card, notice, page, refusal } from "../site/page";
import { PageMap } from "../site/pagemap";
import { dot, line, type Shape } from "../map/shape";

const apiKey = storedKey.get();

/** One call takes the ways between as many places. */
const MOST_WAYS = 500;

const TABS = [
  ["stops", tr("Stops")],
  ["vehicles", tr("Vehicles")],
  ["plan", tr("Plan")],
  ["day", tr("Today")],
] as const;

/** A piece of work: it may end with what it has, or without. */
interface Work {
  readonly enough: AbortController;
  readonly dropped: AbortController;
}

const AREA = "#6b4fa0";

type Signals = Pick<Solver, "enough" | "signal">;

/** The page: a problem, the plan of it, and the map and timeline that show both. */
class PlannerPage {
  private readonly store = new PlanStore();
  private readonly wrong = h("div", {});
  private readonly unkept = h("div", {});
  private readonly elsewhere = h("div", {});
  private readonly timeline = new Timeline(document.getElementById("timeline")!, this.store);
  private readonly today = new DayPanel(this.store);
  private readonly printed = new Printed(() => this.store.state.plan);
  private view: PageMap | null = null;
  private mark: Marker | null = null;
  private running: Work | null = null;
  /** How the map is to be drawn with the next frame. */
  private due: { readonly fit: boolean } | null = null;
  /** Of an area that is being drawn. */
  private corners: readonly LonLat[] = [];
  /** By the rounds of a plan: the vehicles whose way along roads was requested. */
  private readonly sought = new WeakMap<Plan["routes"], Set<string>>();
  /** Whether clicks on the map are corners. */
  private drawing = false;
  private readonly panels = new Map<string, HTMLElement>();
  private readonly tabs = new Map<string, HTMLInputElement>();

  async open(): Promise<void> {
    const explorer = await call<Explorer>({ path: "explorer.json", token: apiKey });
    const { store } = this;
    const middle = (): LonLat | null => {
      const centre = this.view?.map.getCenter();
      return centre ? [Number(centre.lng.toFixed(6)), Number(centre.lat.toFixed(6))] : null;
    };
    const finder: Finder = {
      middle,
      find: async (address) => (await findPlaces([address], apiKey, middle()))[0] ?? null,
      point: (heard) => {
        const { clicks } = this.drawingTools;
        clicks((at) => {
          clicks(null);
          heard(at);
        });
        return this.view !== null;
      },
    };
    const bounds = () => {
      const [[west, south], [east, north]] = this.view?.map.getBounds().toArray() ?? [[], []];
      const all = [west, south, east, north].map((one) => Number(one?.toFixed(6)));
      return all.every(Number.isFinite) ? (all as [number, number, number, number]) : null;
    };
    const example = (): Stop[] => {
      const { stops, depot } = exampleOf(explorer);
      if (store.state.problem.vehicles.length === 0) {
        const vehicles = [nextVehicle([], depot)];
        store.change({
          ...store.state.problem,
          vehicles: [...vehicles, nextVehicle(vehicles, null)],
        });
      }
      return stops;
    };
    this.panels.set(
      "stops",
      card(
        tr("Stops"),
        intake(store, example, explorer.bounds ?? null),
        stopList({ store, apiKey, finder }),
      ),
    );
    this.panels.set(
      "vehicles",
      card(tr("Vehicles"), fleetPanel(store, { ...finder, bounds, ...this.drawingTools })),
    );
    const result = resultPanel({
      store,
      keyed: apiKey !== null,
      solve: (problem) => void this.solve(problem),
      stop: () => this.stop(),
      print: (plan) => this.printed.print(plan, apiKey),
    });
    const key = keyBox(tr("With a key it is solved as a job."));
    const jobs = apiKey && jobList(apiKey);
    const follow = apiKey
      ? new FollowPanel(store, apiKey).element
      : h("p", { class: "hint" }, tr("With a key drivers get links to their rounds."));
    const kept = h(
      "details",
      { class: "fold" },
      h("summary", {}, tr("Kept plans, days and files")),
      plansPanel(store),
    );
    // Opening another problem drops what is worked out for the one before.
    store.subscribe(({ solving }, before) => {
      if (!solving && before.solving) this.running?.dropped.abort();
    });
    this.panels.set("plan", card(tr("Plan"), this.wrong, result, kept, jobs, key));
    this.panels.set("day", card(tr("Today"), this.today.element, this.replanButton(), follow));
    const warnings = h("div", { class: "warnings" }, this.unkept, this.elsewhere);
    page.replaceChildren(this.tabBar(), warnings, ...this.panels.values());
    this.warn();
    this.show("stops");
    this.view = await PageMap.open({ container: document.getElementById("map")!, apiKey });
    if (this.view) {
      const { map } = this.view;
      new DragOnMap({ map, store, timeline: this.timeline, free: () => !this.drawing });
    }
    store.subscribe((state, before) => {
      if (state === before || state.plan !== before.plan || state.problem !== before.problem) {
        const moved =
          state.plan !== before.plan || state.problem.stops.length !== before.problem.stops.length;
        this.drawSoon(moved && (!state.plan || !before.plan));
      }
      if (state === before || state.stop !== before.stop) this.markStop(state.stop);
    });
    // That of before a reload.
    if (store.state.plan) void this.measure(store.state.plan);
  }

  /** Says where work may be lost: without room in the browser, or beside another tab. */
  private warn(): void {
    this.store.subscribe(({ unkept }, before) => {
      if (unkept === before.unkept) return;
      const text = tr("This browser has no room for it: it lasts as long as this page. Take it along as a file, or delete kept plans."); // prettier-ignore
      this.unkept.replaceChildren(...(unkept ? [notice("warning", tr("Not kept"), h("p", {}, text))] : [])); // prettier-ignore
    });
    addEventListener("storage", ({ key }) => {
      if (key !== STORED || this.elsewhere.firstChild) return;
      const text = tr("Another tab works on a plan too. A new one begins with what was changed last: keep this one under a name to have both."); // prettier-ignore
      this.elsewhere.replaceChildren(notice("warning", tr("Two tabs"), h("p", {}, text)));
    });
  }

  /** What drawing by hand needs of the map. */
  private readonly drawingTools = this.makeDrawingTools();

  private makeDrawingTools(): Pick<View, "clicks" | "sketch"> {
    let heard: ((event: MapMouseEvent) => void) | null = null;
    const clicks: View["clicks"] = (hear) => {
      const map = this.view?.map;
      if (!map) return;
      if (heard) map.off("click", heard);
      heard =
        hear &&
        (({ lngLat, point }) => {
          const at: LonLat = [Number(lngLat.lng.toFixed(6)), Number(lngLat.lat.toFixed(6))];
          hear(at, ([lon, lat]) => map.project([lon, lat]).dist(point));
        });
      this.drawing = heard !== null;
      if (heard) map.on("click", heard);
      map.getCanvas().style.cursor = heard ? "crosshair" : "";
      if (heard) map.doubleClickZoom.disable();
      else map.doubleClickZoom.enable();
    };
    const sketch: View["sketch"] = (corners) => {
      this.corners = corners;
      this.draw();
    };
    return { clicks, sketch };
  }

  private tabBar(): HTMLElement {
    return h(
      "fieldset",
      { class: "shows tabs" },
      h("legend", { class: "offscreen" }, tr("What to work on")),
      TABS.map(([name, label]) => {
        const input = h("input", {
          type: "radio",
          name: "tab",
          value: name,
          onchange: () => this.show(name),
        });
        this.tabs.set(name, input);
        return h("label", { class: "show" }, input, label);
      }),
    );
  }

  private show(name: string): void {
    for (const [other, panel] of this.panels) panel.hidden = other !== name;
    this.tabs.get(name)!.checked = true;
  }

  private async solve(problem: Problem): Promise<void> {
    const { plan } = this.store.state;
    const request = requestOf(problem);
    await this.work(async (signals) => {
      const progressed = (solving: { text: string; share: number | null }): void =>
        this.store.solving(solving);
      const aimed = await solveFor(
        problem,
        plan?.fixed.length && this.store.keep ? warmStart(request, plan) : request,
        {
          solve: async (body, words) => {
            // What there is suffices, or is not wanted.
            if (words && (signals.enough.aborted || signals.signal.aborted)) return null;
            return solve({
              apiKey,
              kind: "optimise",
              body,
              progressed: (solving) =>
                progressed(words ? { ...solving, text: `${solving.text} (${words})` } : solving),
              ...signals,
            }).catch((error: unknown) => {
              throw inNames(error, body, problem);
            });
          },
          cluster: (body) => call({ method: "POST", path: "v1/cluster", token: apiKey, body }),
        },
      );
      if (aimed === null || signals.signal.aborted) return;
      this.store.take(aimed.answer, problem, aimed.before);
      this.said();
    });
  }

  /** Ends what runs with the best so far; asked once more without. */
  private stop(): void {
    const { enough, dropped } = this.running ?? {};
    if (enough?.signal.aborted) dropped?.abort();
    enough?.abort();
  }

  /** Runs one piece of work at a time, and shows what went wrong with it. */
  private async work(act: (signals: Signals) => Promise<void>): Promise<void> {
    this.running?.dropped.abort();
    const running = { enough: new AbortController(), dropped: new AbortController() };
    this.running = running;
    this.wrong.replaceChildren();
    this.show("plan");
    try {
      await act({ enough: running.enough.signal, signal: running.dropped.signal });
    } catch (error) {
      this.wrong.replaceChildren(refusal(error));
    } finally {
      if (this.running === running) this.store.solving(null);
    }
  }

  private said(): void {
    const { plan } = this.store.state;
    if (!plan) return;
    announce(
      tr(
        "Solved: {0} {0|round|rounds}, {1} {1|stop|stops} left out.",
        plan.routes.length,
        plan.left.length,
      ),
    );
    void this.measure(plan);
  }

  private replanButton(): HTMLElement {
    const button = h(
      "button",
      { type: "button", class: "button", onclick: () => void this.replan() },
      tr("Plan the rest of the day anew"),
    );
    const why = h("p", { class: "hint" });
    this.store.subscribe(({ plan }) => {
      const trouble = plan && unreplannable(plan.problem);
      button.disabled = plan === null || trouble !== null;
      why.textContent = trouble;
    });
    return h("div", {}, button, why);
  }

  private async replan(): Promise<void> {
    const { plan, problem } = this.store.state;
    if (!plan) return;
    const { day } = this.today;
    await this.work(async (signals) => {
      const progressed = (solving: { text: string; share: number | null }): void =>
        this.store.solving(solving);
      const request = replanRequest(plan, problem, day);
      const asked = { apiKey, kind: "replan", body: request, progressed, ...signals } as const;
      const body = await solve(asked).catch((error: unknown) => {
        throw inNames(error, request, plan.problem);
      });
      if (body === null) return;
      const known = new Set(problem.stops.map(({ id }) => id));
      const gone = plan.problem.stops.filter(({ id }) => !known.has(id));
      const whole = { ...problem, stops: [...problem.stops, ...gone] };
      const answer = readAnswer(body, whole);
      this.store.take({ ...answer, routes: joined(plan.routes, answer.routes, day) }, whole);
      this.said();
    });
  }

  /** Asks for the ways between all places of a plan, by which moves by hand are judged. */
  private async measure(plan: Plan): Promise<void> {
    const { list } = placesOf(plan.problem);
    if (list.length < 2 || list.length > MOST_WAYS) return;
    const points = list.map(([lon, lat]) => ({ lat, lon }));
    const { costing } = plan.problem;
    try {
      const ways = await call<Ways>({
        method: "POST",
        path: "matrix",
        token: apiKey,
        body: { sources: points, targets: points, costing },
      });
      if (this.store.state.plan?.problem !== plan.problem) return;
      this.store.ways = ways;
      this.timeline.ready();
    } catch {
      // Without them the plan can be looked at, and not moved.
    }
  }

  /** Draws the map once in a frame, and not while the panels are drawn. */
  private drawSoon(fit: boolean): void {
    const due = this.due !== null;
    this.due = { fit: fit || this.due?.fit === true };
    if (due) return;
    requestAnimationFrame(() => {
      this.draw();
      if (this.due?.fit) this.view?.fit();
      this.due = null;
    });
  }

  private draw(): void {
    const { plan, problem } = this.store.state;
    const shapes: Shape[] = [];
    const { stops, vehicles } = plan?.problem ?? problem;
    for (const { polygons } of problem.areas) {
      const coordinates = polygons.map((rings) =>
        rings.map((ring) => ring.map(([x, y]) => [x, y])),
      );
      shapes.push({ geometry: { type: "MultiPolygon", coordinates }, colour: AREA });
    }
    for (const vehicle of plan ? vehicles : []) {
      const way = wayOf(plan!, vehicle);
      shapes.push(...way);
      if (way.length && !plan!.lines[vehicle.id])
        void this.findLine(plan!, vehicle.id, turns(plan!, vehicle));
    }
    for (const vehicle of vehicles) {
      if (plan) shapes.push(...stopsOn(plan, vehicle));
    }
    shapes.push(...depotsOf(vehicles));
    const served = new Set(plan?.routes.flatMap(({ visits }) => visits.map(({ stop }) => stop)));
    const open = stops.flatMap(({ id, at }) => (at && !served.has(id) ? [at] : []));
    shapes.push(...stopsApart(open, plan ? "#b3261e" : "#2f5bea", plan ? "!" : ""));
    const { corners } = this;
    if (corners.length > 1) shapes.push({ ...line([...corners, corners[0]!], AREA), dotted: true });
    corners.forEach((at, i) => shapes.push(dot(at, AREA, String(i + 1))));
    this.view?.draw(shapes);
  }

  /** The way along roads of a round that was moved by hand, requested once for the same rounds. */
  private async findLine(plan: Plan, vehicle: string, points: readonly LonLat[]): Promise<void> {
    if (!plan.touched.includes(vehicle) || points.length < 2 || points.length > 50) return;
    const sought = this.sought.get(plan.routes) ?? new Set();
    if (sought.has(vehicle)) return;
    this.sought.set(plan.routes, sought.add(vehicle));
    try {
      const { trip } = await call<{ trip: { legs: { shape: string }[] } }>({
        method: "POST",
        path: "route",
        token: apiKey,
        body: {
          locations: points.map(([lon, lat]) => ({ lat, lon })),
          costing: plan.problem.costing,
        },
      });
      if (this.store.state.plan?.routes !== plan.routes) {
        sought.delete(vehicle);
        return;
      }
      this.store.draw(
        vehicle,
        trip.legs.flatMap(({ shape }) => decodePolyline(shape)),
      );
    } catch {
      // Straight lines stay.
    }
  }

  private markStop(id: string | null): void {
    this.mark?.remove();
    this.mark = null;
    const { plan, problem } = this.store.state;
    const stop = [...problem.stops, ...(plan?.problem.stops ?? [])].find((one) => one.id === id);
    if (!stop?.at || !this.view) return;
    const [lon, lat] = stop.at;
    this.mark = new Marker({ color: "#b3467a" }).setLngLat([lon, lat]).addTo(this.view.map);
    if (!this.view.map.getBounds().contains([lon, lat]))
      this.view.map.jumpTo({ center: [lon, lat] });
  }
}

/** Stops to try the page with: the places of the explorer's examples. */
function exampleOf({ examples }: Explorer): { stops: Stop[]; depot: LonLat | null } {
  const points = new Map(
    examples.flatMap(({ points: all }) => all).map((point) => [point.join(), point]),
  );
  const [depot = null, ...rest] = [...points.values()];
  const stops = rest.slice(0, 24).map((at, index): Stop => {
    const from = 8 * 3600 + (index % 4) * 5400;
    return {
      ...BLANK_STOP,
      id: String(index + 1),
      name: `Stop ${index + 1}`,
      at,
      service: 300 + (index % 3) * 300,
      windows: index % 2 ? [[from, from + 3 * 3600]] : [],
      amounts: [1 + (index % 3)],
    };
  });
  return { stops, depot };
}

void new PlannerPage().open().catch((error: unknown) => page.replaceChildren(refusal(error)));
