import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { announce, focusOn, notice } from "../../site/page";
import { readFile, readText, type Sheet } from "./sheet";

export interface DropZone {
  /** Of its input, on the page. */
  readonly id: string;
  /** What the text field is for. */
  readonly label: string;
  /** What can be dropped, as in “ or drop … here, or paste a table:”. */
  readonly kinds: string;
  readonly placeholder: string;
  readonly show: (sheet: Sheet) => void;
  /** The place for messages about a file. */
  readonly answer: HTMLElement;
  readonly also?: HTMLElement | null;
}

/** Where a table comes in: a file that is chosen or dropped, or a text that is pasted. */
export function dropZone({
  id,
  label,
  kinds,
  placeholder,
  show,
  answer,
  also,
}: DropZone): HTMLElement {
  const refuse = (error: unknown): void => {
    const text = error instanceof Error ? error.message : String(error);
    answer.replaceChildren(notice("danger", tr("This cannot be read"), h("p", {}, text)));
  };
  const take = (file: File): void => void readFile(file).then(show).catch(refuse);
  const file = h("input", {
    type: "file",
    class: "offscreen",
    id,
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
    "aria-label": label,
    placeholder,
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
      h("label", { for: id, class: "button second small" }, tr("Choose a file")),
      file,
      tr(" or drop {0} here, or paste a table:", kinds),
    ),
    text,
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", class: "button second small", onclick: read }, tr("Read it")),
      also,
    ),
  );
  return zone;
}

/** Says what was taken where its columns were, and has the focus go on from there. */
export function tookIn(answer: HTMLElement, text: string): void {
  const line = h("p", { class: "took-in" }, text);
  answer.replaceChildren(line);
  focusOn(line);
  announce(text);
}
