import { h, type Child } from "../ui/dom";
import { grouped } from "./money";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Child;
  /** Figures stand at the right. */
  readonly figure?: boolean;
  /** The column that names the row. */
  readonly heads?: boolean;
}

/**
 * A table in a box of its own that scrolls sideways where the screen is narrow;
 * the box takes the focus so that the keyboard can scroll it.
 */
export function table<Row>(
  caption: string,
  columns: readonly Column<Row>[],
  rows: readonly Row[],
  empty: Child = "None yet.",
): HTMLElement {
  if (rows.length === 0) return h("p", { class: "empty" }, empty);
  const style = (column: Column<Row>): string | null => (column.figure ? "figure" : null);
  return h(
    "div",
    { class: "scroll", role: "region", "aria-label": caption, tabindex: 0 },
    h(
      "table",
      {},
      h("caption", { class: "offscreen" }, caption),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          columns.map((column) => h("th", { scope: "col", class: style(column) }, column.title)),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) =>
          h(
            "tr",
            {},
            columns.map((column) =>
              column.heads
                ? h(
                    "th",
                    { scope: "row", class: style(column) },
                    h("span", { class: "name" }, column.cell(row)),
                  )
                : h("td", { class: style(column) }, column.cell(row) ?? "–"),
            ),
          ),
        ),
      ),
    ),
  );
}

/** A whole number for a cell; a dash where there is none. */
export function count(value: number | null | undefined): string {
  return typeof value === "number" ? grouped(value) : "–";
}

/** Names and values in two columns. */
export function facts(entries: readonly (readonly [string, Child])[]): HTMLElement {
  return h(
    "dl",
    { class: "facts" },
    entries.map(([name, value]) =>
      h("div", {}, h("dt", {}, name), h("dd", {}, value === null || value === "" ? "–" : value)),
    ),
  );
}
