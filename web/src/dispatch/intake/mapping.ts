import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import type { RowProblem } from "./columns";
import type { Sheet } from "./sheet";

/** The result of a sheet, once the meaning of its columns is known. */
export interface Reading {
  readonly words: string;
  readonly problems: readonly RowProblem[];
  /** What can be done with it, the first above all. */
  readonly ways: readonly (readonly [label: string, act: () => void])[];
}

export interface Mapping<R extends string> {
  readonly sheet: Sheet;
  readonly roles: readonly (readonly [R, string])[];
  /** The meanings that several columns may have. */
  readonly several: R;
  /** The meaning of each column, as far as it was recognised. */
  readonly columns: readonly (R | null)[];
  readonly read: (columns: readonly (R | null)[]) => Reading;
}

/** What each column of a sheet is taken for, to be changed, and ways to take its rows. */
export function mapping<R extends string>(setup: Mapping<R>): HTMLElement {
  const { sheet, roles, several, read } = setup;
  let { columns } = setup;
  const found = h("div", { "aria-live": "polite" });
  const selects = sheet.headers.map((header, index) => {
    const select = h(
      "select",
      {
        "aria-label": tr("What {0} holds", header),
        onchange: () => {
          const role = (select.value || null) as R | null;
          // No two columns have the same meaning, except for amounts.
          columns = columns.map((other, i) =>
            i === index ? role : other === role && role !== several ? null : other,
          );
          show();
        },
      },
      h("option", { value: "" }, tr("nothing needed")),
      roles.map(([role, label]) => h("option", { value: role }, label)),
    );
    return select;
  });
  const show = (): void => {
    selects.forEach((select, i) => (select.value = columns[i] ?? ""));
    const { words, problems, ways } = read(columns);
    reconcile(
      found,
      h("p", {}, words),
      problems.length > 0 &&
        h(
          "details",
          { class: "fold", open: problems.length < 6 },
          h("summary", {}, tr("{0} {0|thing|things} that could not be read", problems.length)),
          h(
            "ul",
            { class: "row-problems" },
            problems
              .slice(0, 100)
              .map(({ row, text }) => h("li", {}, tr("Row {0} {1}.", row, text))),
          ),
        ),
      h(
        "div",
        { class: "buttons" },
        ways.map(([label, act], i) =>
          h(
            "button",
            { type: "button", class: `button ${i ? "second " : ""}small`, onclick: act },
            label,
          ),
        ),
      ),
    );
  };
  const cells = (row: readonly string[]) =>
    h(
      "tr",
      {},
      row.map((cell) => h("td", {}, cell)),
    );
  const element = h(
    "div",
    { class: "mapping" },
    h(
      "div",
      {
        class: "scroll",
        role: "region",
        "aria-label": tr("Columns"),
        tabindex: 0,
        // A browser leaves what is half in view where it is.
        onfocusin: ({ target }: FocusEvent) => {
          if (target instanceof Element && target.matches("select:focus-visible")) {
            target.scrollIntoView({ block: "nearest", inline: "nearest" });
          }
        },
      },
      h(
        "table",
        {},
        h("caption", { class: "offscreen" }, tr("What the columns hold")),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            sheet.headers.map((header, i) => h("th", { scope: "col" }, header, selects[i]!)),
          ),
        ),
        h("tbody", {}, sheet.rows.slice(0, 3).map(cells)),
      ),
    ),
    found,
  );
  show();
  return element;
}
