import type { CoverageBlock, RouteAnswer } from "../route/answer";
import { readRoutes, tunnelLocation } from "../route/answer";
import type { Answered, Call } from "../call/call";
import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { coverageNotice, VERDICTS } from "../route/notices";
import { placedStops, type Plan } from "../plan/plan";
import { boundsOf, encodePolyline } from "../geo/polyline";
import { conditions, costed } from "../plan/request";
import { distance } from "../geo/sphere";
import {
  afterOf,
  detourOf,
  dotsOf,
  lengthOf,
  list,
  openOf,
  pointAt,
  shortly,
  speedOf,
  STATES,
  type Coverage,
  type Item,
} from "./ahead";
import { withOffset } from "./errands";
import type { TaskContext, Finding, Task } from "./task";
import { line, swatch } from "../map/shape";
import { ago, BANDS, drawn as trafficLines, type Answer as Traffic } from "./traffic";
import { words, type Sample } from "./weather";
import { decimal, tr } from "../ui/translate";

const WAY = "#2f5bea";

/** What lies on a way, by kind: how it is called, its colour, and its endpoint. */
const KINDS = {
  incident: [tr("Incidents"), "#a3123a", "v1/incidents/along"],
  camera: [tr("Cameras"), "#5b6472", "v1/cameras/along"],
  fuel: [tr("Fuel"), "#1f7a54", "v1/fuel/along"],
  charger: [tr("Chargers"), "#6d4bd8", "v1/charging/along"],
  weather: [tr("Weather"), "#2a6f97", "v1/weather/along"],
  zone: [tr("Zones"), "#8a5a00", null],
  restriction: [tr("Restrictions"), "#3d4656", null],
} as const;

export type Kind = keyof typeof KINDS;

/** What one thing of a kind is called. */
const NAMES: Readonly<Record<Kind, string>> = {
  incident: tr("Incident"),
  camera: tr("Camera"),
  fuel: tr("Fuel"),
  charger: tr("Charger"),
  weather: tr("Weather"),
  zone: tr("Zone"),
  restriction: tr("Restriction"),
};

/** One thing on the way. */
export interface Found extends Item {
  readonly kind: Kind;
  /** Metres from the start. */
  readonly arc: number;
}

/** The kinds that are left out of the list, until the page is left. */
const hidden = new Set<Kind>();

/** What the answers about the way ahead have that is shown here. */
interface Along {
  readonly coverage: readonly Coverage[];
  readonly attribution: readonly string[];
  readonly incidents?: readonly (Place & {
    readonly kind: string;
    readonly road: string | null;
    readonly description: string | null;
    readonly to_arc_m: number;
    readonly on_route: boolean;
    readonly closes_route: boolean;
  })[];
  readonly cameras?: readonly (Place & { readonly limit_kph: number | null })[];
  readonly samples?: readonly (Sample & Place)[];
  readonly stations?: readonly (Place & {
    readonly name: string;
    readonly detour_s: number;
    readonly price_per_litre?: number;
    readonly currency?: string;
    readonly stale?: boolean | null;
    readonly opening_hours?: string | null;
    readonly amenities?: readonly string[];
    readonly power_kw?: number | null;
    readonly availability?: { readonly available: number };
  })[];
}

interface Place {
  readonly arc_m: number;
  readonly lat: number;
  readonly lon: number;
  readonly source?: string;
}

/** How far along a line, in metres, the place of it is that is nearest to another. */
export function arcOf(way: readonly LonLat[], at: LonLat): number {
  let [best, arc, done] = [Infinity, 0, 0];
  way.forEach((point, index) => {
    if (index > 0) done += distance(way[index - 1]!, point);
    const away = distance(point, at);
    if (away < best) [best, arc] = [away, done];
  });
  return arc;
}

function lineOf(body: unknown): readonly LonLat[] {
  const [route] = readRoutes(body as RouteAnswer);
  if (!route) throw new Error("no route");
  return route.line;
}

/** The findings of one answer, each with the age of its source. */
export function foundIn(kind: Kind, answer: Along, plan: Plan): Found[] {
  const row = (place: Place, title: string, ...details: Item["details"]): Found => {
    const from = answer.coverage.find(({ source }) => source === place.source);
    return {
      kind,
      arc: place.arc_m,
      at: [place.lon, place.lat],
      title,
      details: [...details, from && shortly([from.name, aged(from)])],
    };
  };
  const incidents = (answer.incidents ?? []).map((one) =>
    row(
      one,
      shortly([one.kind.replaceAll("_", " "), one.road]),
      shortly([
        one.closes_route && tr("closes the way"),
        !one.on_route && tr("beside the way"),
        one.to_arc_m > one.arc_m && tr("for {0}", lengthOf(plan, one.to_arc_m - one.arc_m)),
      ]),
      one.description,
    ),
  );
  const cameras = (answer.cameras ?? []).map((one) =>
    row(
      one,
      one.limit_kph === null
        ? tr("Speed camera")
        : tr("Speed camera · {0}", speedOf(plan, one.limit_kph)),
      null,
    ),
  );
  const samples = (answer.samples ?? []).map((one) =>
    row(
      one,
      one.temperature_c === null ? tr("Weather not known") : `${Math.round(one.temperature_c)} °C`,
      words(one).join(", "),
    ),
  );
  const stations = (answer.stations ?? []).map((one) =>
    row(
      one,
      kind === "fuel"
        ? `${money(one.price_per_litre ?? 0, one.currency ?? "GBP")} · ${one.name}`
        : tr("{0} kW · {1}", one.power_kw ?? "?", one.name),
      shortly([
        detourOf(one.detour_s),
        one.stale && tr("price more than a day old"),
        one.availability && tr("{0} free", one.availability.available),
      ]),
      openOf(one.opening_hours),
      one.amenities?.map((word) => word.replaceAll("_", " ")).join(", "),
    ),
  );
  return [...incidents, ...cameras, ...samples, ...stations];
}

function money(hundredths: number, currency: string): string {
  return currency === "GBP"
    ? `${decimal(hundredths, 1)}p`
    : `${decimal(hundredths / 100, 3)} ${currency}`;
}

function aged({ age_s: age, state }: Coverage): string {
  return shortly([age !== null && ago(age), STATES[state]]);
}

/** The findings of the route itself: zones that it enters, and tunnels that its load is checked for. */
function foundOn(answer: RouteAnswer, way: readonly LonLat[]): Found[] {
  const zones = (answer.zones?.zones ?? []).flatMap((zone): Found[] =>
    zone.route !== 0
      ? []
      : zone.passages.map(({ enter_arc_m: arc }) => ({
          kind: "zone",
          arc,
          at: pointAt(way, arc),
          title: `${zone.name} · ${VERDICTS[zone.verdict] ?? zone.verdict}`,
          details: [
            zone.text,
            zone.sources.charges?.checked &&
              tr("{0}, checked {1}", zone.sources.charges.publisher, zone.sources.charges.checked),
          ],
        })),
  );
  const tunnels = (answer.adr?.tunnels ?? []).flatMap((tunnel): Found[] => {
    const at = tunnelLocation(tunnel);
    if (!at) return [];
    const title = tr("Tunnel{0}", tunnel.category ? tr(" of category {0}", tunnel.category) : "");
    return [{ kind: "restriction", arc: arcOf(way, at), at, title, details: [] }];
  });
  return [...zones, ...tunnels];
}

/** The answers beside the route, by kind and in the order of the calls. */
const ASKED = (Object.keys(KINDS) as Kind[]).filter((kind) => KINDS[kind][2] !== null);

/** All that lies on a way, in the order in which one comes to it. */
export function inOrder(found: readonly Found[]): Found[] {
  return found.toSorted((a, b) => a.arc - b.arc);
}

/** How a question went that has no answer; what is not enabled is no failure. */
function unanswered(name: string, answered: Answered): string | null {
  if (answered.kind === "ok") return null;
  const { failure } = answered;
  if (failure.kind === "answer" && failure.status === 501) return tr("{0}: not enabled here", name);
  return tr("{0}: could not be asked", name);
}

/** The sources with their age, state and area, once each. */
function sources(answers: readonly (readonly [string, Along])[]): HTMLElement {
  return h(
    "ul",
    { class: "plain", "aria-label": tr("Sources") },
    answers.flatMap(([name, { coverage }]) =>
      coverage.map((one) =>
        h(
          "li",
          { class: "found-detail" },
          shortly([`${name}: ${one.name}`, one.area, aged(one) || tr("age not known")]),
        ),
      ),
    ),
  );
}

/** What is known of traffic, and how old that is. */
function trafficLine(body: unknown, traffic: Traffic | null): string {
  const { trip } = body as {
    trip: { legs: readonly { traffic?: { shares: { live: number } } }[] };
  };
  const live = trip.legs[0]?.traffic?.shares.live ?? 0;
  const source = traffic?.sources.find(({ kind }) => kind === "traffic");
  if (!traffic) return tr("Live traffic: not enabled here");
  const share = tr("Live traffic on {0} % of the way", Math.round(live * 100));
  return shortly([share, source && ago(source.age_s), source?.stale && tr("out of date")]);
}

/** What the colours of the way mean. */
function legend(): HTMLElement {
  return h(
    "ul",
    { class: "chips found-detail", "aria-label": tr("Colours of the way") },
    [["", WAY, tr("Not known")] as const, ...BANDS].map(([, colour, meaning]) =>
      h("li", { class: "sample" }, swatch(colour, "bar"), meaning),
    ),
  );
}

/** The list with a switch for each kind; switching shows and hides on the map too. */
function listed(
  found: readonly Found[],
  base: Finding["shapes"],
  context: TaskContext,
): HTMLElement {
  const box = h("div");
  const kinds = (Object.keys(KINDS) as Kind[]).filter((kind) =>
    found.some((one) => one.kind === kind),
  );
  const shown = (): Found[] => found.filter(({ kind }) => !hidden.has(kind));
  const fill = (focus: Kind | null): void => {
    box.replaceChildren(
      h(
        "div",
        { class: "chips", role: "group", "aria-label": tr("What is listed") },
        kinds.map((kind) =>
          h(
            "button",
            {
              type: "button",
              class: "chip",
              "aria-pressed": String(!hidden.has(kind)),
              "data-kind": kind,
              onclick: () => {
                if (!hidden.delete(kind)) hidden.add(kind);
                fill(kind);
                context.draw([...base, ...dotsOf(shown(), WAY)]);
              },
            },
            `${KINDS[kind][0]} ${found.filter((one) => one.kind === kind).length}`,
          ),
        ),
      ),
      shown().length > 0
        ? list(shown(), WAY, context)
        : h("p", { class: "empty" }, tr("Nothing is known of on the way.")),
    );
    if (focus) box.querySelector<HTMLElement>(`[data-kind=${focus}]`)?.focus();
  };
  fill(null);
  return box;
}

function read(
  body: unknown,
  plan: Plan,
  context: TaskContext,
  _: Call,
  beside: readonly Answered[] = [],
): Finding {
  const way = lineOf(body);
  const route = body as RouteAnswer & { readonly restriction_coverage?: CoverageBlock };
  const answers = ASKED.flatMap((kind, index): (readonly [Kind, Along])[] => {
    const answered = beside[index];
    return answered?.kind === "ok" ? [[kind, answered.body as Along]] : [];
  });
  const flow = beside[ASKED.length];
  const traffic = flow?.kind === "ok" ? (flow.body as Traffic) : null;
  const found = inOrder([
    ...foundOn(route, way),
    ...answers.flatMap(([kind, answer]) => foundIn(kind, answer, plan)),
  ]).map((one) => ({
    ...one,
    colour: KINDS[one.kind][1],
    details: [
      shortly([NAMES[one.kind], afterOf(plan, one.arc), one.details[0]]),
      ...one.details.slice(1),
    ],
  }));
  const missing = ASKED.flatMap((kind, index) => {
    const answered = beside[index];
    return answered ? (unanswered(KINDS[kind][0], answered) ?? []) : [];
  });
  const base = [line(way, WAY), ...(traffic ? trafficLines(traffic, near(way)) : [])];
  const dots = dotsOf(
    found.filter(({ kind }) => !hidden.has(kind)),
    WAY,
  );
  const credits = [...new Set(answers.flatMap(([, { attribution }]) => attribution))];
  return {
    shapes: [...base, ...dots],
    summary: summaryOf(found, traffic),
    content: h(
      "div",
      {},
      h("p", { class: "hint" }, trafficLine(body, traffic)),
      traffic !== null && legend(),
      listed(found, base, context),
      missing.length > 0 &&
        h(
          "ul",
          { class: "plain", "aria-label": tr("Not stated") },
          missing.map((text) => h("li", { class: "found-detail" }, text)),
        ),
      route.restriction_coverage && coverageNotice(route.restriction_coverage),
      sources(answers.map(([kind, answer]) => [KINDS[kind][0], answer])),
      h(
        "p",
        { class: "hint" },
        tr("What no source reports is missing here, which does not mean that it is not there."),
      ),
      credits.length > 0 && h("p", { class: "found-detail" }, credits.join(" · ")),
    ),
  };
}

/** What matters most of the way, in a line. */
export function summaryOf(found: readonly Found[], traffic: Traffic | null): string {
  const number = (kind: Kind): number => found.filter((f) => f.kind === kind).length;
  const [incidents, zones, cameras] = [number("incident"), number("zone"), number("camera")];
  return (
    shortly([
      incidents > 0 && tr("{0} {0|incident|incidents}", incidents),
      zones > 0 && tr("{0} {0|zone|zones}", zones),
      cameras > 0 && tr("{0} {0|camera|cameras}", cameras),
      traffic !== null && tr("live traffic"),
    ]) ||
    (found.length > 0 ? tr("{0} on the way", found.length) : tr("Nothing is known of on the way"))
  );
}

/** Whether a place is on a way, give or take the width of a road. */
function near(way: readonly LonLat[]): (at: LonLat) => boolean {
  const cell = ([lon, lat]: LonLat): string =>
    `${Math.round(lon * 5000)},${Math.round(lat * 5000)}`;
  const cells = new Set<string>();
  let before = way[0]!;
  for (const point of way) {
    const steps = Math.ceil(distance(before, point) / 10);
    for (let i = 0; i <= steps; i++) {
      const part = steps ? i / steps : 0;
      cells.add(
        cell([
          before[0] + (point[0] - before[0]) * part,
          before[1] + (point[1] - before[1]) * part,
        ]),
      );
    }
    before = point;
  }
  return (at) => cells.has(cell(at));
}

/** All that is known of the way ahead, in one list in the order of the way. */
export const wayahead: Task = {
  name: "ahead",
  label: tr("Ahead"),
  icon: "M4 20 9 4M20 20 15 4M12 5v2.5M12 11v2.5M12 17v2.5",
  stops: tr("The way through the points is looked along."),
  journey: true,
  travel: true,
  waiting: tr("Looking along the way…"),
  hint: tr("Give a start and a destination: all that is known of the way between them is listed."),
  request(plan) {
    const locations = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    if (locations.length < 2) return null;
    return {
      path: "route",
      body: {
        locations,
        ...costed(plan),
        date_time: { type: 0 },
        ...conditions(plan),
        traffic: true,
        language: plan.language,
      },
    };
  },
  beside(answer, plan) {
    const way = lineOf(answer);
    const { when } = plan;
    const body = {
      shape: encodePolyline(way),
      ...costed(plan),
      language: plan.language,
      ...(when?.kind === "depart" ? { depart_at: withOffset(when.at) } : {}),
    };
    const [west, south, east, north] = boundsOf(way)!;
    const wide = east - west > 2 || north - south > 2;
    const bbox = [west, south, east, north].map((v) => v.toFixed(4)).join(",");
    return [
      ...ASKED.map((kind) => ({ path: KINDS[kind][2]!, body })),
      ...(wide ? [] : [{ path: "v1/traffic", query: { bbox } }]),
    ];
  },
  read,
};
