import { send, type Answered, type Call } from "../call/call";
import { copyButton } from "../ui/code";
import { formatCoordinates } from "../geo/coords";
import { h } from "../ui/dom";
import { formatHours } from "../ui/hours";
import { uiIcon } from "../ui/icons";
import { addStop, setDestination, setStart, withSpot, type Plan, type Spot } from "../plan/plan";
import type { Planner } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import { stopOf } from "../transit/spot";
import { readFeature, readFeatures, type Found } from "../search/feature";
import { words } from "../search/kinds";
import { addressOf, clicked, shortName } from "../search/address";
import { inDirections, taskOf } from "../task/tasks";
import { factList } from "./facts";
import { tr } from "../ui/translate";

/** So many places round a click are looked at for the one that it means. */
const MOST_NEAR = 10;

export interface CardSetup {
  readonly planner: Planner;
  readonly apiKey: string | null;
  /** Hears of a card that opens, and of what it is about. */
  readonly opened: (spot: Spot) => void;
}

/** The card of the place that is looked at: what it is, what is here, and where to go from it. */
export function placeCard(setup: CardSetup): HTMLElement {
  const { planner, apiKey } = setup;
  const box = h("section", { class: "card", "aria-label": tr("Place"), hidden: true });
  let running: AbortController | null = null;
  let spot: Spot | null = null;
  /** That of the plan, which may have another card. */
  let shown: Spot | null = null;

  /** The facts about the point, asked for once they are looked at. */
  let here: HTMLElement | null = null;
  let reading: { readonly found: Found | null; readonly note: string } = { found: null, note: "" };

  const render = (): void => {
    if (!spot) return;
    const { found, note } = reading;
    const { at } = spot;
    const name = found?.name ?? (spot.name || formatCoordinates(at));
    const called = found ? shortName(found) : spot.name;
    const act = (change: typeof addStop, directions: boolean) => () => {
      const next = change(planner.state.plan, at, called);
      planner.change(directions ? inDirections(next) : next, "elsewhere");
    };
    const { first, journey, stops } = taskOf(planner.state.plan.task);
    const other =
      first || journey || stops === null
        ? {
            label: first ? tr("Make it point A") : tr("Add stop"),
            change: first ? setStart : addStop,
          }
        : { label: tr("Add point"), change: addStop };
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
            "aria-label": tr("Close the card"),
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
        copyButton(tr("Copy the coordinates"), formatCoordinates(at)),
      ),
      h(
        "div",
        { class: "card-actions" },
        chip(tr("Directions from here"), act(setStart, true)),
        chip(tr("Directions to here"), act(setDestination, true)),
        chip(other.label, act(other.change, stops === null)),
      ),
      here,
    );
  };

  planner.subscribe(({ plan }: { plan: Plan }, before) => {
    if (plan.spot === before.plan.spot && shown === plan.spot) {
      if (plan.task !== before.plan.task) render();
      return;
    }
    shown = plan.spot;
    // Stops of public transport have a card of their own.
    spot = stopOf(plan.spot) ? null : plan.spot;
    running?.abort();
    running = new AbortController();
    box.hidden = spot === null;
    if (!spot) return box.replaceChildren();
    const { signal } = running;
    const asked = spot;
    const { at } = asked;
    here = h(
      "details",
      { class: "here" },
      h("summary", { "data-focus": "here" }, tr("What is here")),
    );
    here.addEventListener("toggle", ({ currentTarget }) => {
      const fold = currentTarget as HTMLDetailsElement;
      if (fold.open && fold.childElementCount === 1) fold.append(factList(at, apiKey, signal));
    });
    box.replaceChildren();
    reading = { found: null, note: "" };
    render();
    setup.opened(spot);
    void send(callOf(spot, plan.language), apiKey, signal).then((answered) => {
      if (!answered) return;
      reading = readSpot(answered, asked);
      render();
    });
  });
  return box;
}

function chip(label: string, act: () => void): HTMLElement {
  return h("button", { type: "button", class: "chip", onclick: act }, label);
}

/** The call for what a place is: by its id, else by where it is. */
function callOf({ id, at: [lon, lat] }: Spot, language: string): Call {
  const lang = language.slice(0, 2);
  return id
    ? { path: "geocode/retrieve", query: { id, lang } }
    : { path: "geocode/reverse", query: { lon, lat, lang, limit: MOST_NEAR } };
}

/** The place that an answer is about, with what else there is to say of it. */
function readSpot(answered: Answered, { id, name }: Spot): { found: Found | null; note: string } {
  if (answered.kind === "failed") {
    const { failure } = answered;
    const missing = failure.kind === "answer" && failure.status === 501;
    return { found: null, note: missing ? "" : tr("The details could not be had.") };
  }
  const { body } = answered;
  try {
    if (id) return { found: readFeature(body) ?? readFeatures(body)[0] ?? null, note: "" };
    const near = readFeatures(body);
    const found = clicked(near, name);
    const address = found ? "" : addressOf(near);
    return { found, note: address && address[0]!.toUpperCase() + address.slice(1) };
  } catch {
    return { found: null, note: tr("The details could not be had.") };
  }
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
  opening_hours: tr("Open"),
  wheelchair: tr("Wheelchair"),
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
  if (key === "opening_hours") return formatHours(value).replaceAll(/;\s*/g, "\n");
  return value;
}
