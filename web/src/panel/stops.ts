import { formatCoordinates, parseCoordinates, type Bounds, type LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import {
  addEmpty,
  clearStops,
  moveStop,
  removeStop,
  reorderStop,
  reverseStops,
  stopLetter,
  type Stop,
} from "../plan/plan";
import { Combobox } from "../ui/combobox";
import { remember } from "../search/recent";
import type { Suggester } from "../search/suggest";
import { taskOf } from "../task/tasks";
import type { Planner } from "../explorer/planner";
import { refill } from "../ui/reconcile";
import { openMenu } from "./menu";
import type { PlanHistory } from "../explorer/history";
import { tr } from "../ui/translate";

/** Pixels before a press is a drag. */
const SLOP_PX = 4;

export interface StopsSetup {
  readonly planner: Planner;
  readonly planHistory: PlanHistory;
  /** Settles the order of typed coordinates; see parseCoordinates. */
  readonly bounds: Bounds | null;
  /** The middle of the visible map, for use without a pointer. */
  readonly mapCentre: () => LonLat | null;
  readonly suggester: Suggester;
}

/** The list of stops: type, pick, reorder, remove. */
export function stopsPanel(setup: StopsSetup): HTMLElement {
  const { planner, planHistory } = setup;
  const list = h("ol", { class: "stops" });
  /** Text that is typed but not (or not yet) a place, by stop id. */
  const drafts = new Map<number, string>();
  const refused = new Set<number>();
  /** Whether a press of a letter became a drag, which may end in a click too. */
  let dragged = false;

  /** Takes what was typed; false where it is no place. */
  const commit = (stop: Stop, text: string): boolean => {
    // As it stands there: a place that was picked by its name stays that.
    if (drafts.get(stop.id) === undefined) return true;
    const at = parseCoordinates(text, setup.bounds ?? undefined);
    refused.delete(stop.id);
    drafts.delete(stop.id);
    if (at || text.trim() === "") {
      // Coordinates that were typed stay what they are.
      const name = at ? formatCoordinates(at) : "";
      planner.change(moveStop(planner.state.plan, stop.id, at, name), "elsewhere");
    } else {
      drafts.set(stop.id, text);
      refused.add(stop.id);
    }
    render();
    return !refused.has(stop.id);
  };

  /** The keyboard goes on to the next row that waits for a place, else to the next. */
  const goOn = (id: number): void => {
    const { stops } = planner.state.plan;
    const at = stops.findIndex((s) => s.id === id);
    const next = stops.slice(at + 1).find((s) => !s.at) ?? stops[at + 1];
    if (!next) return;
    const input = list.querySelector<HTMLInputElement>(`[data-focus="stop-${next.id}"]`);
    input?.focus();
    input?.select();
  };

  const row = (stop: Stop, index: number, count: number, alone: boolean): HTMLElement => {
    const letter = stopLetter(index);
    const { outcome } = planner.state;
    const bad = outcome.kind === "failed" && outcome.bad.has(stop.id);
    const { journey } = taskOf(planner.state.plan.task);
    const place = index === 0 ? tr("Start") : index === count - 1 ? tr("Destination") : tr("Via");
    const name = journey ? place : tr("Point {0}", letter);
    const lone = count === 2 || alone;
    const note = `stop-note-${stop.id}`;
    const isRefused = refused.has(stop.id);
    const input = h("input", {
      type: "text",
      class: "stop-input",
      value: drafts.get(stop.id) ?? shownAs(stop),
      placeholder: index === 0 ? tr("Search, or click the map") : tr("{0}: search or click", name),
      "aria-label": tr("{0} (point {1}), place or latitude and longitude", place, letter),
      "aria-invalid": isRefused || bad ? "true" : null,
      "aria-describedby": isRefused ? note : null,
      autocomplete: "off",
      spellcheck: "false",
      enterkeyhint: index < count - 1 ? "next" : "go",
      "data-focus": `stop-${stop.id}`,
      oninput: () => drafts.set(stop.id, input.value),
      onchange: () => commit(stop, input.value),
    });
    const box = new Combobox(input, {
      suggester: setup.suggester,
      pick: ({ at, id, name: called, detail, source }) => {
        const known = source !== "coordinates";
        if (known) remember({ at, id, name: called, detail });
        drafts.delete(stop.id);
        refused.delete(stop.id);
        const { plan } = planner.state;
        planner.change(moveStop(plan, stop.id, at, called), "elsewhere");
        render();
        goOn(stop.id);
      },
      enter: (text) => commit(stop, text) && goOn(stop.id),
      eager: () => true,
    });
    return h(
      "li",
      {
        class: `stop${bad ? " bad" : ""}`,
        "data-role": index === 0 ? "start" : index === count - 1 ? "destination" : "via",
      },
      h(
        "button",
        {
          type: "button",
          class: "stop-letter",
          title: tr("Drag to reorder, press for more, or use the up and down keys"),
          "aria-label": tr("Point {0}: move with the up and down keys", letter),
          "data-focus": `move-${stop.id}`,
          onkeydown: (event: KeyboardEvent) => {
            const step = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
            if (!step) return;
            event.preventDefault();
            planner.change(reorderStop(planner.state.plan, stop.id, index + step), "elsewhere");
          },
          onpointerdown: (event: PointerEvent) => startDrag(event, stop.id),
          "aria-haspopup": "menu",
          onclick: (event: MouseEvent) => openMoves(event, stop, index, count),
        },
        letter,
      ),
      input,
      box.element,
      !stop.at &&
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            title: tr("Use the middle of the map"),
            "aria-label": tr("Set point {0} to the middle of the map", letter),
            "data-focus": `centre-${stop.id}`,
            onclick: () => toCentre(stop.id),
          },
          uiIcon("centre"),
        ),
      (stop.at || !lone) &&
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            title: lone ? tr("Empty") : tr("Remove"),
            "aria-label": tr("Remove point {0}", letter),
            "data-focus": `remove-${stop.id}`,
            onclick: () => {
              drafts.delete(stop.id);
              refused.delete(stop.id);
              const { plan } = planner.state;
              const next = alone ? moveStop(plan, stop.id, null) : removeStop(plan, stop.id);
              planner.change(next, "map");
            },
          },
          uiIcon("close"),
        ),
      isRefused &&
        h(
          "p",
          { class: "stop-note", id: note },
          tr("Pick one of the places suggested, or try 51.5007, -0.1246 or 51°30'2\"N 0°7'29\"W."),
        ),
    );
  };

  /** What dragging a point or its pin does, for who presses its letter (WCAG 2.5.7). */
  const openMoves = (event: MouseEvent, stop: Stop, index: number, count: number): void => {
    if (dragged) return;
    const to = (place: number) => () =>
      planner.change(reorderStop(planner.state.plan, stop.id, place), "elsewhere");
    const { left, bottom } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    openMenu(left, bottom, tr("Point {0}", stopLetter(index)), [
      ...(index > 0 ? [{ label: tr("Move up"), act: to(index - 1) }] : []),
      ...(index < count - 1 ? [{ label: tr("Move down"), act: to(index + 1) }] : []),
      { label: tr("Use the middle of the map"), act: () => toCentre(stop.id) },
    ]);
  };

  const toCentre = (id: number): void => {
    const at = setup.mapCentre();
    if (at) planner.change(moveStop(planner.state.plan, id, at), "map");
  };

  /** Follows the pointer from a letter and moves its row where it is let go. */
  const startDrag = (down: PointerEvent, id: number): void => {
    dragged = false;
    if (down.button !== 0) return;
    const rows = [...list.querySelectorAll<HTMLElement>(".stop")];
    const from = planner.state.plan.stops.findIndex((s) => s.id === id);
    const row = rows[from];
    if (!row) return;
    const middles = rows.map((r) => r.offsetTop + r.offsetHeight / 2);
    let to = from;
    const move = (event: PointerEvent): void => {
      const shift = event.clientY - down.clientY;
      row.style.transform = `translateY(${shift}px)`;
      row.classList.add("dragged");
      dragged ||= Math.abs(shift) > SLOP_PX;
      const middle = middles[from]! + shift;
      to = middles.filter((other, i) => i !== from && other < middle).length;
      rows.forEach((r, i) => {
        r.classList.toggle("drop-above", to < from && i === to);
        r.classList.toggle("drop-below", to > from && i === to);
      });
    };
    const end = (event: PointerEvent): void => {
      removeEventListener("pointermove", move);
      removeEventListener("pointerup", end);
      removeEventListener("pointercancel", end);
      setTimeout(() => (dragged = false)); // after that click
      if (event.type === "pointerup" && to !== from) {
        planner.change(reorderStop(planner.state.plan, id, to), "elsewhere");
      } else render();
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", end);
    addEventListener("pointercancel", end);
  };

  const tool = (
    name: "add" | "reverse" | "close",
    label: string,
    act: () => void,
    enabled: boolean,
  ): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "tool",
        "data-focus": `tool-${name}`,
        "aria-disabled": enabled ? null : "true",
        onclick: () => enabled && act(),
      },
      uiIcon(name),
      label,
    );

  const step = (name: "undo" | "redo", label: string, enabled: boolean): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "quiet",
        title: label,
        "aria-label": label,
        "data-focus": `tool-${name}`,
        "aria-disabled": enabled ? null : "true",
        onclick: () => planHistory[name](),
      },
      uiIcon(name),
    );

  const tools = h("div", { class: "tools" });
  const steps = h("span", { class: "undo-redo" });
  planHistory.listen(() =>
    refill(
      steps,
      step("undo", tr("Undo (Ctrl+Z)"), planHistory.canUndo),
      step("redo", tr("Redo (Ctrl+Y)"), planHistory.canRedo),
    ),
  );
  const render = (): void => {
    const { plan } = planner.state;
    // Where point A alone matters, the others wait for a task in which they do.
    const alone = taskOf(plan.task).first === true;
    refill(
      list,
      (alone ? plan.stops.slice(0, 1) : plan.stops).map((stop, index) =>
        row(stop, index, plan.stops.length, alone),
      ),
    );
    const any = plan.stops.some((s) => s.at) || plan.stops.length > 2;
    refill(
      tools,
      !alone &&
        tool(
          "add",
          tr("Add stop"),
          () => planner.change(addEmpty(planner.state.plan), "map"),
          true,
        ),
      !alone &&
        tool(
          "reverse",
          tr("Reverse"),
          () => planner.change(reverseStops(planner.state.plan), "elsewhere"),
          any,
        ),
      steps,
      !alone &&
        tool(
          "close",
          tr("Clear"),
          () => {
            drafts.clear();
            refused.clear();
            planner.change(clearStops(planner.state.plan), "map");
          },
          any,
        ),
    );
  };

  planner.subscribe((state, before) => {
    if (state.plan.stops !== before.plan.stops) {
      // A place given another way wins over half-typed text.
      for (const { id, at } of state.plan.stops) {
        const old = before.plan.stops.find((s) => s.id === id);
        if (at && old?.at !== at) {
          drafts.delete(id);
          refused.delete(id);
        }
      }
    }
    if (
      state === before ||
      state.plan.stops !== before.plan.stops ||
      state.plan.task !== before.plan.task ||
      state.outcome !== before.outcome
    ) {
      render();
    }
  });
  const use = h("p", { class: "hint" });
  const section = h("section", { "aria-label": tr("Points") }, use, list, tools);
  planner.subscribe(({ plan }) => {
    const { stops } = taskOf(plan.task);
    section.hidden = stops === null;
    use.hidden = !stops;
    use.textContent = stops;
  });
  return section;
}

function shownAs({ at, name }: Stop): string {
  return name ?? (at ? formatCoordinates(at) : "");
}
