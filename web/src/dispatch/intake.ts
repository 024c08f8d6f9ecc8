import { h, refill } from "../dom";
import { announce, notice } from "../site/page";
import { unlike } from "./areas";
import { recognise, ROLES, SEVERAL, stopsOf, type Columns, type Role } from "./columns";
import type { Desk } from "./desk";
import { withStops } from "./merge";
import type { Stop } from "./model";
import { readFile, readText, type Sheet } from "./sheet";

/** Where stops come in: a file that is chosen or dropped, or a table that is pasted. */
export function intake(desk: Desk, example: (() => Stop[]) | null): HTMLElement {
  const told = h("div", { class: "intake-told" });
  const show = (sheet: Sheet): void => {
    const areas = takeAreas(desk, sheet);
    if (areas) told.replaceChildren(notice("calm", "Areas taken", h("p", {}, areas)));
    else told.replaceChildren();
    if (sheet.rows.length) told.append(mapping(desk, sheet, () => told.replaceChildren()));
  };
  const refuse = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    told.replaceChildren(notice("danger", "This cannot be read", h("p", {}, text)));
  };
  const take = (file: File): void => void readFile(file).then(show).catch(refuse);
  const file = h("input", {
    type: "file",
    class: "offscreen",
    id: "stops-file",
    accept: ".csv,.tsv,.txt,.xlsx,.json,.geojson",
    onchange: () => {
      const [chosen] = file.files ?? [];
      if (chosen) take(chosen);
      file.value = "";
    },
  });
  const text = h("textarea", {
    rows: 4,
    class: "mono",
    spellcheck: "false",
    "aria-label": "A table of stops",
    placeholder: "name, address, from, to, minutes\nBakery, 12 High Street, 8:00, 10:00, 5",
  });
  const read = (): void => {
    try {
      show(readText(text.value));
    } catch (error) {
      refuse(error);
    }
  };
  // What is pasted whole is read at once.
  text.addEventListener("paste", () => setTimeout(read));
  const over = (on: boolean) => (event: DragEvent) => {
    event.preventDefault();
    zone.classList.toggle("over", on);
    const [dropped] = event.type === "drop" ? (event.dataTransfer?.files ?? []) : [];
    if (dropped) take(dropped);
  };
  const zone = h(
    "div",
    { class: "drop", ondragover: over(true), ondragleave: over(false), ondrop: over(false) },
    h(
      "p",
      {},
      h("label", { for: "stops-file", class: "button second small" }, "Choose a file"),
      file,
      " or drop CSV, XLSX or GeoJSON here, or paste a table:",
    ),
    text,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button second small", onclick: read }, "Read it"),
      example &&
        h(
          "button",
          {
            type: "button",
            class: "button second small",
            onclick: () => {
              const stops = example();
              desk.change({ ...desk.state.problem, stops });
            },
          },
          "Take an example",
        ),
    ),
  );
  return h("div", { class: "intake" }, zone, told);
}

/** Takes the areas of a sheet beside those there are, and says what it took; "" is nothing. */
function takeAreas(desk: Desk, { areas = [] }: Sheet): string {
  if (areas.length === 0) return "";
  const { problem } = desk.state;
  const names = new Set(problem.areas.map(({ name }) => name));
  const added = areas.map((area) => {
    const name = unlike(area.name, names);
    names.add(name);
    return { ...area, name };
  });
  desk.change({ ...problem, areas: [...problem.areas, ...added] });
  return `${added.map(({ name }) => name).join(", ")}: bind vehicles to them below “Vehicles”.`;
}

/** What each column of a sheet is taken for, to be changed, and a way to take its stops. */
function mapping(desk: Desk, sheet: Sheet, done: () => void): HTMLElement {
  let columns: Columns = recognise(sheet);
  const found = h("div", { "aria-live": "polite" });
  const selects = sheet.headers.map((header, index) => {
    const select = h(
      "select",
      {
        "aria-label": `What ${header} holds`,
        onchange: () => {
          const role = (select.value || null) as Role | null;
          // Two columns do not hold the same, but for amounts.
          columns = columns.map((other, i) =>
            i === index ? role : other === role && role !== SEVERAL ? null : other,
          );
          show();
        },
      },
      h("option", { value: "" }, "nothing needed"),
      ROLES.map(([role, label]) => h("option", { value: role }, label)),
    );
    return select;
  });
  const show = (): void => {
    selects.forEach((select, i) => (select.value = columns[i] ?? ""));
    const { stops, loads, problems } = stopsOf(sheet, columns);
    const placed = stops.filter(({ at }) => at).length;
    const give = (keep: readonly Stop[]): void => {
      desk.change(withStops({ ...desk.state.problem, stops: keep }, stops, loads));
      announce(`${stops.length} stops taken.`);
      done();
    };
    const old = desk.state.problem.stops;
    refill(
      found,
      h("p", {}, `${stops.length} stops, ${placed} of them with coordinates.`),
      problems.length > 0 &&
        h(
          "details",
          { class: "fold", open: problems.length < 6 },
          h("summary", {}, `${problems.length} things that could not be read`),
          h(
            "ul",
            { class: "row-problems" },
            problems.slice(0, 100).map(({ row, text }) => h("li", {}, `Row ${row} ${text}.`)),
          ),
        ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          { type: "button", class: "button small", onclick: () => give([]) },
          old.length ? "Take these in place of the others" : "Take these stops",
        ),
        old.length > 0 &&
          h(
            "button",
            { type: "button", class: "button second small", onclick: () => give(old) },
            "Add them",
          ),
      ),
    );
  };
  const element = h(
    "div",
    { class: "mapping" },
    h(
      "div",
      { class: "scroll", role: "region", "aria-label": "Columns", tabindex: 0 },
      h(
        "table",
        {},
        h("caption", { class: "offscreen" }, "What the columns hold"),
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            sheet.headers.map((header, i) => h("th", { scope: "col" }, header, selects[i]!)),
          ),
        ),
        h(
          "tbody",
          {},
          sheet.rows.slice(0, 3).map((row) =>
            h(
              "tr",
              {},
              row.map((cell) => h("td", {}, cell)),
            ),
          ),
        ),
      ),
    ),
    found,
  );
  show();
  return element;
}
