import { h } from "../ui/dom";
import { isRecord } from "../call/record";
import { grouped } from "./money";

/** A piece of a list. */
export interface Slice<Row> {
  readonly rows: readonly Row[];
  readonly offset: number;
  /** How many there are in all. */
  readonly total: number;
}

/** One page of a list, out of an answer {total, [name]: rows}. */
export function sliceOf<Row>(answer: unknown, name: string, offset: number): Slice<Row> {
  const record = isRecord(answer) ? answer : {};
  const found = record[name];
  const rows = (Array.isArray(found) ? found : []) as Row[];
  const given = record["total"];
  const total = typeof given === "number" ? given : offset + rows.length;
  return { rows, offset, total };
}

/** A piece of a list that is here as a whole. */
export function cut<Row>(
  rows: readonly Row[],
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Slice<Row> {
  const piece = rows.slice(offset, offset + limit);
  return { rows: piece, offset, total: rows.length };
}

/** "1–50 of 120", and buttons to the pieces before and after; nothing for a list of one piece. */
export function pager(
  slice: Slice<unknown>,
  limit: number,
  go: (offset: number) => void,
): HTMLElement | null {
  const { offset, rows, total } = slice;
  const last = offset + rows.length;
  const more = last < total && rows.length > 0;
  if (offset === 0 && !more) return null;
  const button = (label: string, to: number, on: boolean): HTMLElement =>
    h(
      "button",
      {
        type: "button",
        class: "button second small",
        "aria-disabled": on ? null : "true",
        onclick: () => on && go(to),
      },
      label,
    );
  const range = rows.length ? `${grouped(offset + 1)}–${grouped(last)}` : "None";
  return h(
    "nav",
    { class: "pager", "aria-label": "Pages of the list" },
    button("Previous", Math.max(0, offset - limit), offset > 0),
    h("span", {}, `${range} of ${grouped(total)}`),
    button("Next", offset + limit, more),
  );
}

/** A list that is here as a whole, shown in pieces by draw. */
export function paged<Row>(
  rows: readonly Row[],
  limit: number,
  draw: (rows: readonly Row[]) => HTMLElement,
): HTMLElement {
  const container = h("div");
  const go = (offset: number): void => {
    const slice = cut(rows, { offset, limit });
    const nav = pager(slice, limit, go);
    container.replaceChildren(draw(slice.rows), ...(nav ? [nav] : []));
  };
  go(0);
  return container;
}
