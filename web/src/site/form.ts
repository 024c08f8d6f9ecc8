import { h, type Child } from "../ui/dom";
import { Refused } from "./client";
import { announce, refusal } from "./page";
import { explain } from "./refusal";

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

/** A labelled control with room for a hint and for what is wrong with it. */
export interface Field {
  /** The body's field that it fills. */
  readonly name: string;
  readonly control: Control;
  readonly element: HTMLElement;
  complain(text: string | null): void;
}

export interface FieldSetup {
  readonly name: string;
  readonly label: Child;
  readonly hint?: Child;
  readonly control: Control;
}

let fields = 0;

const complaining = new WeakMap<EventTarget, Field["complain"]>();

/** Says at a control of a field what is wrong with it. */
export function complain(control: EventTarget, text: string): void {
  complaining.get(control)?.(text);
}

export function field({ name, label, hint, control }: FieldSetup): Field {
  const id = `field-${++fields}`;
  const tick = control instanceof HTMLInputElement && control.type === "checkbox";
  control.id = id;
  control.name = name;
  const complaint = h("p", {
    class: "complaint",
    id: `${id}-complaint`,
    hidden: true,
    "data-own": true,
  });
  const described = hint ? [`${id}-hint`] : [];
  const complain = (text: string | null): void => {
    complaint.textContent = text ?? "";
    complaint.hidden = text === null;
    if (text === null) control.removeAttribute("aria-invalid");
    else control.setAttribute("aria-invalid", "true");
    const by = text === null ? described : [...described, complaint.id];
    if (by.length) control.setAttribute("aria-describedby", by.join(" "));
    else control.removeAttribute("aria-describedby");
  };
  complain(null);
  for (const type of ["input", "reconcile"]) control.addEventListener(type, () => complain(null));
  complaining.set(control, complain);
  const text = h("label", { for: id }, label);
  const element = h(
    "div",
    // Label and control are drawn anew together, or neither is.
    { class: tick ? "control tick" : "control", "data-key": control.dataset["focus"] },
    tick ? [control, text] : [text, control],
    hint ? h("p", { class: "hint", id: `${id}-hint` }, hint) : null,
    complaint,
  );
  return { name, control, element, complain };
}

export interface FormSetup {
  readonly label: string;
  readonly fields: readonly Field[];
  readonly children: readonly Child[];
  readonly submit: string;
  /** A dangerous submit looks like one. */
  readonly danger?: boolean;
  /** Throws what went wrong: a Refused, or a Complaint about one field. */
  act(): Promise<void>;
}

/** Something the page itself does not accept. */
export class Complaint extends Error {
  readonly field: string;

  constructor(field: string, message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * A form that sends nothing by itself: it runs act once at a time, and shows
 * what act threw above the fields and at the fields it names.
 */
export function form(setup: FormSetup): HTMLFormElement {
  const alert = h("div", { class: "form-alert" });
  const button = submitButton(setup.submit, setup.danger);
  let busy = false;
  const complain = (error: unknown): void => {
    const complaints =
      error instanceof Complaint
        ? [{ name: error.field, text: error.message }]
        : error instanceof Refused
          ? explain(error.failure).fields
          : [];
    let first: Field | undefined;
    for (const field of setup.fields) {
      const mine = complaints.filter(({ name }) => name === field.name);
      field.complain(mine.length ? mine.map(({ text }) => text).join("\n") : null);
      if (mine.length) first ??= field;
    }
    const named = new Set(setup.fields.map(({ name }) => name));
    if (!(error instanceof Complaint)) alert.replaceChildren(refusal(error, named));
    // A field in a closed <details> could not take the focus.
    const fold = first?.element.closest("details");
    if (fold) fold.open = true;
    first?.control.focus();
    if (error instanceof Complaint) announce(error.message);
  };
  return h(
    "form",
    {
      class: "form",
      "aria-label": setup.label,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        if (busy) return;
        busy = true;
        alert.replaceChildren();
        for (const field of setup.fields) field.complain(null);
        button.setAttribute("aria-disabled", "true");
        void setup
          .act()
          .catch(complain)
          .finally(() => {
            busy = false;
            button.removeAttribute("aria-disabled");
          });
      },
    },
    alert,
    setup.children,
    h("div", { class: "actions" }, button),
  );
}

function submitButton(label: string, danger = false): HTMLButtonElement {
  return h("button", { type: "submit", class: danger ? "button danger" : "button" }, label);
}

/** A button that runs work once at a time; what work throws goes to refused. */
export function actionButton(
  label: Child,
  work: () => Promise<void>,
  refused: (error: unknown) => void,
  className = "button second",
): HTMLButtonElement {
  return h(
    "button",
    {
      type: "button",
      class: className,
      onclick: ({ currentTarget }: Event) => {
        const button = currentTarget as HTMLButtonElement;
        if (button.getAttribute("aria-disabled")) return;
        button.setAttribute("aria-disabled", "true");
        void work()
          .catch(refused)
          .finally(() => button.removeAttribute("aria-disabled"));
      },
    },
    label,
  );
}
