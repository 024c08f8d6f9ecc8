import { tr } from "../../ui/translate";
import { parseCoordinates } from "../../geo/coords";
import { isRecord } from "../../call/record";
import { h, type Child } from "../../ui/dom";
import { complain, field } from "../../site/form";
import { announce } from "../../site/page";
import { readAmount } from "../problem/loads";
import type { Depot, Members, Window } from "../problem/model";
import { clock, DAY, readBound, spanTrouble } from "../problem/times";
import type { Finder } from "./view";
import { readWhole, words as wordsOf } from "../problem/values";

/** What an editor of one thing works on. */
export interface Editing<T> {
  /** Before the names by which its inputs find the focus again once they are drawn anew. */
  readonly key: string;
  readonly put: (patch: Partial<T>) => void;
  readonly finder: Finder;
}

interface Input<T> {
  readonly label: string;
  readonly type?: "text" | "number";
  readonly value: string;
  readonly hint?: string;
  /** What a text changes; in words what is wrong with it, or null where it cannot be read. */
  readonly read: (text: string) => Partial<T> | string | null;
}

/** An object of JSON; in words what it is not. */
function readMembers(text: string): Members | string {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : tr("It is no object: begin with { and end with }.");
  } catch {
    return tr("It is no JSON.");
  }
}

/** The inputs by which a thing is changed, each as soon as it is left. */
export class Editor<T> {
  private readonly editing: Editing<T>;

  constructor(editing: Editing<T>) {
    this.editing = editing;
  }

  input({ label, type = "text", value, hint, read }: Input<T>): HTMLElement {
    const control = h("input", {
      type,
      value,
      min: type === "number" ? 0 : null,
      "data-focus": `${this.editing.key}-${label}`,
      onchange: ({ currentTarget }: Event) => {
        const { value: text } = currentTarget as HTMLInputElement;
        const patch = read(text);
        if (patch === null) complain(currentTarget!, tr("“{0}” cannot be read", text));
        else if (typeof patch === "string") complain(currentTarget!, patch);
        else this.editing.put(patch);
      },
    });
    return field({ name: label, label, control, ...(hint ? { hint } : {}) }).element;
  }

  /** A text that is not empty. */
  name(label: string, value: string, put: (name: string) => Partial<T>): HTMLElement {
    const read = (text: string) => (text.trim() ? put(text.trim()) : null);
    return this.input({ label, value, read });
  }

  /** A list of words with commas between them. */
  words(label: string, value: readonly string[], put: (words: string[]) => Partial<T>) {
    return this.input({ label, value: value.join(", "), read: (text) => put(wordsOf(text)) });
  }

  /** An amount of a load, in its unit or one that is written after it. */
  amount(
    [label, load]: readonly [string, string],
    value: number,
    put: (amount: number) => Partial<T>,
  ): HTMLElement {
    return this.input({
      label,
      value: String(value),
      read: (text) => {
        const amount = readAmount(text === "" ? "0" : text, load);
        return amount === null ? null : put(amount);
      },
    });
  }

  /** The room for a load, in its unit or one that is written after it; null has no bound. */
  room(
    [label, load]: readonly [string, string],
    value: number | null,
    put: (room: number | null) => Partial<T>,
  ): HTMLElement {
    return this.input({
      label,
      value: value === null ? "" : String(value),
      read: (text) => {
        if (text.trim() === "") return put(null);
        const room = readAmount(text, load, { room: true });
        return room === null ? null : put(room);
      },
    });
  }

  /** A whole number from 0 on. */
  whole(
    label: string,
    value: number,
    put: (number: number) => Partial<T>,
    most = Number.MAX_SAFE_INTEGER,
  ): HTMLElement {
    return this.input({
      label,
      type: "number",
      value: String(value),
      read: (text) => {
        const number = readWhole(text);
        return number === null || number > most ? null : put(number);
      },
    });
  }

  /** A place, by an address or coordinates; it may be empty. */
  place(label: string, { at, address }: Depot, put: (depot: Depot) => Partial<T>): HTMLElement {
    const { finder } = this.editing;
    const coordinates = at ? `${at[1]}, ${at[0]}` : "";
    const control = h("input", {
      type: "text",
      value: address || coordinates,
      "data-focus": `${this.editing.key}-${label}`,
      onchange: (event: Event) => {
        const input = event.currentTarget as HTMLInputElement;
        const text = input.value.trim();
        const place = parseCoordinates(text);
        if (place || text === "") return this.editing.put(put({ at: place, address: "" }));
        void finder.find(text).then(
          (found) => {
            this.editing.put(put({ at: found, address: text }));
            if (!found) announce(tr("“{0}” was not found.", text));
          },
          () => complain(input, tr("The address cannot be looked for now")),
        );
      },
    });
    const hint =
      at === null && address
        ? tr("Not found yet: write it otherwise, or show it on the map.")
        : address
          ? coordinates
          : "";
    const element = field({ name: label, label, control, ...(hint ? { hint } : {}) }).element;
    const here = (): void => {
      const middle = finder.middle();
      if (middle) this.editing.put(put({ at: middle, address: "" }));
    };
    const click = ({ currentTarget }: Event): void => {
      const waits = finder.point((found) => this.editing.put(put({ at: found, address: "" })));
      if (waits) (currentTarget as HTMLElement).textContent = tr("click on the map now");
    };
    return h(
      "div",
      { class: "place-of" },
      element,
      this.link(tr("show it on the map"), `${label}-point`, click),
      " ",
      this.link(tr("at the map’s middle"), label, here),
    );
  }

  /**
   * Spans of a day, in their order and apart; an empty list is shown as one that is empty. One
   * that would end before it begins ends on the day after.
   */
  spans(
    labels: readonly [string, string],
    list: readonly Window[],
    put: (list: readonly Window[]) => Partial<T>,
  ): HTMLElement {
    const shown: readonly (Window | null)[] = list.length ? list : [null];
    const numbered = (label: string, i: number) => (i ? `${label}, ${i + 1}` : label);
    const rows = shown.map((span, i) => {
      const bound = (side: 0 | 1) => (text: string) => {
        const time = readBound(text);
        if (time === null) return text === "" ? put(list.toSpliced(i, 1)) : null;
        const next: [number, number] = [span?.[0] ?? 0, span?.[1] ?? DAY];
        next[side] = time;
        if (next[1] < next[0]) next[1] = (next[1] % DAY) + Math.floor(next[0] / DAY) * DAY;
        if (next[1] < next[0]) next[1] += DAY;
        const all = list.toSpliced(i, 1, next).toSorted(([a], [b]) => a - b);
        return spanTrouble(all) ?? put(all);
      };
      const input = (side: 0 | 1) =>
        this.input({
          label: numbered(labels[side], i),
          value: span ? clock(span[side]) : "",
          read: bound(side),
        });
      return h("div", { class: "pairs" }, input(0), input(1));
    });
    const [, last] = list.at(-1) ?? [0, 0];
    const more = (): void => {
      this.editing.put(put([...list, [Math.min(last + 3600, DAY - 3600), DAY - 60]]));
    };
    const room = list.length > 0 && last < DAY - 3600;
    return h(
      "div",
      { class: "spans" },
      rows,
      room && this.link(tr("and at another time"), labels[0], more),
      list.length > 1 &&
        this.link(tr("not at the last of these times"), `${labels[0]}-less`, () =>
          this.editing.put(put(list.slice(0, -1))),
        ),
    );
  }

  /** Members of the API's JSON that have no input of their own. */
  members(value: Members, put: (more: Members) => Partial<T>): HTMLElement {
    const control = h("textarea", {
      rows: 3,
      class: "mono",
      spellcheck: "false",
      value: Object.keys(value).length ? JSON.stringify(value, null, 1) : "",
      "data-focus": `${this.editing.key}-members`,
      onchange: ({ currentTarget }: Event) => {
        const more = readMembers((currentTarget as HTMLTextAreaElement).value);
        if (typeof more === "string") complain(currentTarget!, more);
        else this.editing.put(put(more));
      },
    });
    const hint = tr("As POST /optimise takes them, before what the inputs say.");
    return h(
      "details",
      { class: "fold", open: Object.keys(value).length > 0 },
      h("summary", {}, tr("More, as JSON")),
      field({ name: "members", label: tr("Other members"), hint, control }).element,
    );
  }

  /** A link that does something. */
  link(label: Child, name: string, act: (event: Event) => void): HTMLElement {
    const focus = `${this.editing.key}-${name}-link`;
    return h("button", { type: "button", class: "link", "data-focus": focus, onclick: act }, label);
  }
}
