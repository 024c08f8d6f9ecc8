import { send } from "../call/call";
import { copyButton } from "../ui/code";
import { formatCoordinates } from "../geo/coords";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { addStop, setDestination, setStart, withSpot, type Plan, type Spot } from "../plan/plan";
import type { Planner } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import { stopOf } from "../transit/spot";
import { readFeature, readFeatures, words, type Found } from "../search/feature";
import { factList } from "./facts";

export interface CardSetup {
  readonly planner: Planner;
  readonly apiKey: string | null;
  /** Hears of a card that opens, and of what it is about. */
  readonly opened: (spot: Spot) => void;
}

/** The card of the place that is looked at: what it is, what is here, and where to go from it. */
export function placeCard(setup: CardSetup): HTMLElement {
  const { planner, apiKey } = setup;
  const box = h("section", { class: "card", "aria-label": "Place", hidden: true });
  let running: AbortController | null = null;
  let spot: Spot | null = null;
  /** That of the plan, which may have another card. */
  let shown: Spot | null = null;

  const render = (found: Found | null, note = ""): void => {
    if (!spot || !running) return;
    const { at } = spot;
    const name = found?.name ?? (spot.name || formatCoordinates(at));
    const act = (change: typeof addStop) => () => {
      planner.change(change(planner.state.plan, at, found?.name ?? spot?.name), "elsewhere");
    };
    const { signal } = running;
    const here = h("details", { class: "here" }, h("summary", {}, "What is here"));
    const facts = (): void => {
      if (here.open && here.childElementCount === 1) here.append(factList(at, apiKey, signal));
    };
    here.addEventListener("toggle", facts);
    // For a point without a name the facts are loaded at once.
    here.open = spot.id === null && !spot.name;
    refill(
      box,
      h(
        "header",
        { class: "card-head" },
        h(
          "div",
          {},
          h("h2", {}, name),
          found?.kind && h("p", { class: "card-kind" }, found.kind),
          found?.address && h("p", {}, found.address),
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": "Close the card",
            onclick: () => planner.change(withSpot(planner.state.plan, null), "map"),
          },
          uiIcon("close"),
        ),
      ),
      note && h("p", { class: "hint" }, note),
      found && details(found),
      h(
        "p",
        { class: "card-coordinates" },
        name !== formatCoordinates(at) && h("span", {}, formatCoordinates(at)),
        copyButton("Copy the coordinates", formatCoordinates(at)),
      ),
      h(
        "div",
        { class: "card-actions" },
        h("button", { type: "button", class: "chip", onclick: act(setStart) }, "Route from"),
        h("button", { type: "button", class: "chip", onclick: act(setDestination) }, "Route to"),
        h("button", { type: "button", class: "chip", onclick: act(addStop) }, "Add stop"),
      ),
      here,
    );
    facts();
  };

  planner.subscribe(({ plan }: { plan: Plan }, before) => {
    if (plan.spot === before.plan.spot && shown === plan.spot) return;
    shown = plan.spot;
    // Stops of public transport have a card of their own.
    spot = stopOf(plan.spot) ? null : plan.spot;
    running?.abort();
    running = new AbortController();
    box.hidden = spot === null;
    if (!spot) return box.replaceChildren();
    render(null);
    setup.opened(spot);
    if (!spot.id) return;
    const { signal } = running;
    const call = {
      path: "geocode/retrieve",
      query: { id: spot.id, lang: plan.language.slice(0, 2) },
    };
    void send(call, apiKey, signal).then((answered) => {
      if (!answered) return;
      if (answered.kind === "failed") return render(null, "The details could not be had.");
      const { body } = answered;
      try {
        render(readFeature(body) ?? readFeatures(body)[0] ?? null);
      } catch {
        render(null, "The details could not be had.");
      }
    });
  });
  return box;
}

/** What is shown as more than words. */
function details({ details: all }: Found): HTMLElement | false {
  const rows = Object.entries(all).map(([key, value]) =>
    h(
      "div",
      {},
      h("dt", {}, LABELS[key] ?? words(key.replaceAll(":", " "))),
      h("dd", {}, shown(key, value)),
    ),
  );
  return rows.length > 0 && h("dl", { class: "facts" }, rows);
}

const LABELS: Readonly<Record<string, string>> = {
  opening_hours: "Open",
  wheelchair: "Wheelchair",
  iata: "IATA",
};

function shown(key: string, value: string): HTMLElement | string {
  const away = { target: "_blank", rel: "noopener noreferrer" };
  if (/website|url$/.test(key) && /^https?:\/\//i.test(value)) {
    return h("a", { href: value, ...away }, value.replace(/^https?:\/\/(www\.)?|\/$/gi, ""));
  }
  if (/phone/.test(key)) return h("a", { href: `tel:${value.replace(/[^\d+;]/g, "")}` }, value);
  if (/email/.test(key)) return h("a", { href: `mailto:${value}` }, value);
  if (key === "wikidata" && /^Q\d+$/.test(value)) {
    return h("a", { href: `https://www.wikidata.org/wiki/${value}`, ...away }, value);
  }
  const wiki = /^([a-z-]+):(.+)$/.exec(key === "wikipedia" ? value : "");
  if (wiki) {
    const page = encodeURIComponent(wiki[2]!.replaceAll(" ", "_"));
    return h("a", { href: `https://${wiki[1]}.wikipedia.org/wiki/${page}`, ...away }, wiki[2]!);
  }
  if (key === "opening_hours") return value.replaceAll(/;\s*/g, "\n");
  return value;
}
