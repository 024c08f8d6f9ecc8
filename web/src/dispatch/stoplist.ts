import { parseCoordinates } from "../coords";
import { h, refill } from "../dom";
import { actionButton, field } from "../site/form";
import { announce, refusal } from "../site/page";
import type { Desk } from "./desk";
import { geocoded } from "./geocode";
import type { Stop } from "./model";
import { clock, lasting, readTime } from "./times";

export interface StopListSetup {
  readonly desk: Desk;
  readonly apiKey: string | null;
  /** Where the map looks. */
  readonly middle: () => readonly [number, number] | null;
}

/** The stops, each to be looked at and changed; those without a place to be found. */
export function stopList({ desk, apiKey, middle }: StopListSetup): HTMLElement {
  const box = h("div", { class: "stop-list" });
  const wrong = h("div", {});
  const find = actionButton(
    "Find their places",
    async () => {
      wrong.replaceChildren();
      const { problem } = desk.state;
      const { stops, found, lost } = await geocoded(problem.stops, apiKey, middle());
      desk.change({ ...desk.state.problem, stops });
      announce(`${found} places found, ${lost} not.`);
    },
    (error) => wrong.replaceChildren(refusal(error)),
    "button small",
  );
  const draw = (): void => {
    const { problem, stop: chosen } = desk.state;
    const { stops } = problem;
    const lost = stops.filter(({ at }) => !at).length;
    refill(
      box,
      lost > 0 &&
        h("p", { class: "lost-places" }, `${lost} of ${stops.length} have no place yet. `, find),
      wrong,
      stops.length > 0 &&
        h(
          "ul",
          { class: "stops", "aria-label": "Stops" },
          stops.map((stop) =>
            h(
              "li",
              { class: stop.at ? null : "lost-place" },
              h(
                "button",
                {
                  type: "button",
                  class: "stop-row",
                  "aria-expanded": String(stop.id === chosen),
                  "data-focus": `stop-${stop.id}`,
                  onclick: () => desk.look(stop.id === chosen ? null : stop.id),
                },
                h("strong", {}, stop.name),
                h("span", {}, aboutStop(stop)),
              ),
              stop.id === chosen && editor(desk, stop, middle),
            ),
          ),
        ),
      stops.length > 0 &&
        h(
          "button",
          {
            type: "button",
            class: "link",
            onclick: () => desk.change({ ...desk.state.problem, stops: [] }),
          },
          "Take out all stops",
        ),
    );
  };
  desk.subscribe((state, before) => {
    if (state === before || state.problem !== before.problem || state.stop !== before.stop) draw();
  });
  return box;
}

/** "09:00–10:00 · 5 min · 2 on board · no place yet". */
export function aboutStop({ windows, service, amount, at, skills }: Stop): string {
  return [
    ...windows.map(([from, to]) => `${clock(from)}–${clock(to)}`),
    service > 0 && lasting(service),
    amount > 0 && `carries ${amount}`,
    skills.length > 0 && `needs ${skills.join(", ")}`,
    !at && "no place yet",
  ]
    .filter((part) => part !== false)
    .join(" · ");
}

function editor(desk: Desk, stop: Stop, middle: StopListSetup["middle"]): HTMLElement {
  const put = (patch: Partial<Stop>): void => {
    const stops = desk.state.problem.stops.map((one) =>
      one.id === stop.id ? { ...one, ...patch } : one,
    );
    desk.change({ ...desk.state.problem, stops });
  };
  const input = (
    label: string,
    type: "text" | "time" | "number",
    value: string,
    read: (text: string) => Partial<Stop> | null,
  ): HTMLElement => {
    const control = h("input", {
      type,
      value,
      min: type === "number" ? 0 : null,
      "data-focus": `edit-${label}`,
      onchange: () => {
        const patch = read(control.value);
        if (patch) put(patch);
        else made.complain(`“${control.value}” cannot be read`);
      },
    });
    const made = field({ name: label, label, control });
    return made.element;
  };
  const [window] = stop.windows;
  const bound = (index: 0 | 1) => (text: string) => {
    const time = readTime(text);
    const span: [number, number] = [window?.[0] ?? 0, window?.[1] ?? 86_400];
    if (time === null) return text === "" ? { windows: [] } : null;
    span[index] = time;
    return span[0] <= span[1] ? { windows: [span] } : null;
  };
  const whole = (text: string): number | null => {
    const number = Number(text);
    return text !== "" && Number.isInteger(number) && number >= 0 ? number : null;
  };
  const at = stop.at ? `${stop.at[1]}, ${stop.at[0]}` : "";
  return h(
    "div",
    { class: "stop-editor" },
    input("Name", "text", stop.name, (text) => (text.trim() ? { name: text.trim() } : null)),
    input("Address", "text", stop.address, (address) => ({ address, at: null })),
    input("Coordinates", "text", at, (text) => {
      const place = parseCoordinates(text);
      return place ? { at: place } : text.trim() === "" ? { at: null } : null;
    }),
    h(
      "button",
      {
        type: "button",
        class: "button second small",
        onclick: () => {
          const place = middle();
          if (place) put({ at: place });
        },
      },
      "Put it at the map’s middle",
    ),
    h(
      "div",
      { class: "pairs" },
      input("Not before", "time", window ? clock(window[0]) : "", bound(0)),
      input("Not after", "time", window ? clock(Math.min(window[1], 86_340)) : "", bound(1)),
      input("Minutes there", "number", String(Math.round(stop.service / 60)), (text) => {
        const minutes = whole(text);
        return minutes === null ? null : { service: minutes * 60 };
      }),
      input("Amount", "number", String(stop.amount), (text) => {
        const amount = whole(text);
        return amount === null ? null : { amount };
      }),
      input("Priority, 0 to 100", "number", String(stop.priority), (text) => {
        const priority = whole(text);
        return priority === null || priority > 100 ? null : { priority };
      }),
      input("Needs", "text", stop.skills.join(", "), (text) => ({ skills: words(text) })),
    ),
    h(
      "button",
      {
        type: "button",
        class: "link",
        onclick: () => {
          const { problem } = desk.state;
          desk.look(null);
          desk.change({ ...problem, stops: problem.stops.filter(({ id }) => id !== stop.id) });
        },
      },
      "Take this stop out",
    ),
  );
}

/** The words of a list with commas. */
export function words(text: string): string[] {
  return text
    .split(",")
    .map((word) => word.trim())
    .filter(Boolean);
}
