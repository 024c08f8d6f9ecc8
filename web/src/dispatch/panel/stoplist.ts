import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { actionButton, field } from "../../site/form";
import { announce, refusal } from "../../site/page";
import type { PlanStore } from "../plan/store";
import { Editor } from "./editor";
import { geocoded } from "../intake/geocode";
import { amountText } from "../problem/loads";
import { BLANK_STOP, type Stop } from "../problem/model";
import type { Finder } from "./view";
import { lasting, spanWords } from "../problem/times";

export interface StopListSetup {
  readonly store: PlanStore;
  readonly apiKey: string | null;
  readonly finder: Finder;
}

/** The stops, each to be looked at and changed; those without a place to be found. */
export function stopList({ store, apiKey, finder }: StopListSetup): HTMLElement {
  const box = h("div", { class: "stop-list" });
  const wrong = h("div", {});
  const find = actionButton(
    tr("Find their places"),
    async () => {
      wrong.replaceChildren();
      const asked = store.state.problem;
      const { problem, found, lost } = await geocoded(asked, apiKey, finder.middle());
      if (store.state.problem !== asked) throw new Error(tr("The stops have changed meanwhile."));
      store.change(problem);
      announce(tr("{0} {0|place|places} found, {1} not.", found, lost));
    },
    (error) => wrong.replaceChildren(refusal(error)),
    "button small",
  );
  const lostPlaces = h("span", {});
  const finding = h("p", { class: "lost-places" }, lostPlaces, " ", find);
  /** What was taken out last, all at once. */
  let emptied: readonly Stop[] = [];
  const empty = (): void => {
    emptied = store.state.problem.stops;
    store.look(null);
    store.change({ ...store.state.problem, stops: [] });
  };
  const putBack = (): void => store.change({ ...store.state.problem, stops: emptied });
  const draw = (): void => {
    const { problem, stop: chosen } = store.state;
    const { stops } = problem;
    const lost = stops.filter(({ at }) => !at).length;
    lostPlaces.textContent = tr(
      "{0} of {1} {0|has no place yet, and stands|have no place yet, and stand} first. A plan is made without {0|it|them}.",
      lost,
      stops.length,
    );
    reconcile(
      box,
      lost > 0 && finding,
      wrong,
      stops.length > 0 &&
        h(
          "ul",
          { class: "stops", "aria-label": tr("Stops") },
          [...stops.filter(({ at }) => !at), ...stops.filter(({ at }) => at)].map((stop) =>
            h(
              "li",
              { class: stop.at ? null : "lost-place", "data-key": stop.id },
              h(
                "button",
                {
                  type: "button",
                  class: "stop-row",
                  "aria-expanded": String(stop.id === chosen),
                  "data-focus": `stop-${stop.id}`,
                  onclick: () => store.look(stop.id === chosen ? null : stop.id),
                },
                h("strong", {}, stop.name),
                h("span", {}, aboutStop(stop, problem.loads)),
              ),
              stop.id === chosen && editorOf(store, stop, finder),
            ),
          ),
        ),
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          "data-focus": "add-stop",
          onclick: () => {
            addStop(store, finder.middle());
            const name = box.querySelector<HTMLInputElement>(`[data-focus="edit-${tr("Name")}"]`);
            name?.focus();
            name?.select();
          },
        },
        tr("Add a stop at the map’s middle"),
      ),
      (stops.length > 0 || emptied.length > 0) &&
        h(
          "button",
          {
            type: "button",
            class: "link",
            "data-focus": "empty",
            onclick: stops.length > 0 ? empty : putBack,
          },
          stops.length > 0
            ? tr("Take out all stops")
            : tr("Put back {0} {0|stop|stops}", emptied.length),
        ),
    );
  };
  store.subscribe((state, before) => {
    if (state === before || state.problem !== before.problem || state.stop !== before.stop) draw();
  });
  return box;
}

/** Adds a stop and opens it. */
function addStop(store: PlanStore, at: Stop["at"]): void {
  const { problem } = store.state;
  const taken = new Set(problem.stops.map((stop) => stop.id));
  let number = problem.stops.length + 1;
  while (taken.has(String(number))) number++;
  const added = { ...BLANK_STOP, id: String(number), name: `Stop ${number}`, at };
  store.change({ ...problem, stops: [...problem.stops, added] });
  store.look(added.id);
}

/** "09:00–10:00 · 5 min · carries 2 · no place yet". */
export function aboutStop(stop: Stop, loads: readonly string[]): string {
  const { windows, service, amounts, at, skills, collects, shipment } = stop;
  const carried = amounts.flatMap((amount, i) =>
    amount > 0 ? amountText(amount, loads[i] ?? "", loads.length === 1) : [],
  );
  return [
    ...windows.map(spanWords),
    service > 0 && lasting(service),
    carried.length > 0 &&
      (collects ? tr("collects {0}", carried.join(", ")) : tr("brings {0}", carried.join(", "))),
    shipment && tr("shipment {0}", shipment),
    skills.length > 0 && tr("needs {0}", skills.join(", ")),
    !at && tr("no place yet"),
  ]
    .filter(Boolean)
    .join(" · ");
}

function editorOf(store: PlanStore, stop: Stop, finder: Finder): HTMLElement {
  const { loads } = store.state.problem;
  const put = (patch: Partial<Stop>): void => {
    const { problem } = store.state;
    const stops = problem.stops.map((one) => (one.id === stop.id ? { ...one, ...patch } : one));
    store.change({ ...problem, stops });
  };
  const editor = new Editor<Stop>({ key: "edit", put, finder });
  const minutes = (seconds: number): number => Math.round(seconds / 60);
  return h(
    "div",
    { class: "stop-editor" },
    editor.name(tr("Name"), stop.name, (name) => ({ name })),
    // Where a stop is shown by hand it keeps the address that it came with.
    editor.place(tr("Address, or latitude, longitude"), stop, ({ at, address }) =>
      at && address === "" ? { at } : { at, address },
    ),
    editor.spans([tr("Not before"), tr("Not after")], stop.windows, (windows) => ({ windows })),
    h(
      "div",
      { class: "pairs" },
      editor.whole(tr("Minutes there"), minutes(stop.service), (n) => ({ service: n * 60 })),
      editor.whole(tr("Priority, 0 to 100"), stop.priority, (priority) => ({ priority }), 100),
      loads.map((load, i) =>
        editor.amount([load, load], stop.amounts[i] ?? 0, (amount) => ({
          amounts: loads.map((_, k) => (k === i ? amount : (stop.amounts[k] ?? 0))),
        })),
      ),
      collecting(stop, put),
      editor.input({
        label: tr("Shipment"),
        value: stop.shipment,
        hint: tr("The same at two stops: from one that collects to one that does not."),
        read: (text) => ({ shipment: text.trim() }),
      }),
      stop.shipment !== "" &&
        editor.whole(tr("Most minutes on board, 0 for any"), minutes(stop.ride), (n) => ({
          ride: n * 60,
        })),
      editor.words(tr("Needs"), stop.skills, (skills) => ({ skills })),
    ),
    editor.members(stop.more, (more) => ({ more })),
    editor.link(tr("Take this stop out"), "out", () => {
      const { problem } = store.state;
      store.look(null);
      store.change({ ...problem, stops: problem.stops.filter(({ id }) => id !== stop.id) });
    }),
  );
}

function collecting({ collects }: Stop, put: (patch: Partial<Stop>) => void): HTMLElement {
  const control = h(
    "select",
    {
      "data-focus": "edit-collects",
      onchange: ({ currentTarget }: Event) =>
        put({ collects: (currentTarget as HTMLSelectElement).value === "collect" }),
    },
    h("option", { value: "bring" }, tr("is brought there")),
    h("option", { value: "collect" }, tr("is collected there")),
  );
  control.value = collects ? "collect" : "bring";
  return field({ name: "collects", label: tr("It"), control }).element;
}
