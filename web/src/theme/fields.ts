import { h } from "../ui/dom";
import { contrastOf, LEAST_CONTRAST } from "./contrast";
import {
  colourSections,
  FACTORS,
  labelOf,
  spoken,
  type Group,
  type Problem,
  type Value,
  type WholeTheme,
} from "./document";

/** A control of one value of a theme. */
interface ThemeField {
  readonly path: string;
  readonly element: HTMLElement;
  /** Shows the value in force, and whether the theme itself sets it. */
  show(theme: WholeTheme, own: boolean): void;
  complain(message: string | null): void;
}

export interface ThemeFields {
  readonly element: HTMLElement;
  show(theme: WholeTheme, owns: (group: Group, key: string) => boolean): void;
  /** Shows problems at their fields; gives those that are of none. */
  complain(problems: readonly Problem[]): Problem[];
}

/** Sets a value of the theme that is edited; undefined has it as in the theme it extends. */
export type Change = (group: Group, key: string, value: Value | undefined) => void;

/** The controls of every value that a theme can have. */
export function themeFields(
  theme: WholeTheme,
  fonts: readonly string[],
  change: Change,
): ThemeFields {
  const list: { group: Group; key: string; field: ThemeField }[] = [];
  const add = (group: Group, key: string, field: ThemeField): HTMLElement => {
    list.push({ group, key, field });
    return field.element;
  };
  const section = (title: string, open: boolean, ...fields: HTMLElement[]) =>
    h("details", { class: "theme-section", open }, h("summary", {}, title), fields);
  const sections = colourSections(Object.keys(theme.colours)).map(([title, names], index) =>
    section(title, index < 2, ...names.map((key) => add("colours", key, colourField(key, change)))),
  );
  const factors = FACTORS.map(([group, key, label, min, max]) =>
    add(group, key, factorField({ group, key, label, min, max }, change)),
  );
  const language = add("labels", "language", languageField(change));
  const font = add("labels", "font", fontField(fonts, change));
  const each = (group: "widths" | "sizes", min: number, max: number) =>
    Object.keys(theme[group]).map((key) => {
      const label = labelOf(group, key);
      return add(group, key, factorField({ group, key, label, min, max }, change));
    });
  const ticks = (group: "show" | "kinds") =>
    Object.keys(theme[group]).map((key) => add(group, key, tickField(group, key, change)));
  return {
    element: h(
      "div",
      { class: "theme-fields" },
      sections,
      section("Sizes, font and language", true, ...factors, font, language),
      section("Widths by class; 0 leaves a class out", false, ...each("widths", 0, 4)),
      section("Sizes of names", false, ...each("sizes", 0.5, 2)),
      section("What is shown", false, h("div", { class: "ticks" }, ticks("show"))),
      section("Kinds of places", false, h("div", { class: "ticks" }, ticks("kinds"))),
    ),
    show(whole, owns) {
      for (const { group, key, field } of list) field.show(whole, owns(group, key));
    },
    complain(problems) {
      for (const { field } of list) {
        const mine = problems.filter(({ path }) => path === field.path);
        field.complain(mine.length ? mine.map(({ message }) => message).join("; ") : null);
        if (mine.length) field.element.closest("details")!.open = true;
      }
      const known = new Set(list.map(({ field }) => field.path));
      return problems.filter(({ path }) => !known.has(path));
    },
  };
}

interface Parts {
  readonly group: Group;
  readonly key: string;
  readonly label: string;
  readonly control: HTMLElement;
  /** The control that is marked where its value is refused. */
  readonly input: HTMLElement;
}

/** What all fields have: a label, a way back to what is inherited, a place for a complaint. */
function frame({ group, key, label, control, input }: Parts, change: Change) {
  const id = `theme-${group}-${key}`;
  input.id = id;
  const complaint = h("p", { class: "complaint", id: `${id}-complaint`, hidden: true });
  const reset = h(
    "button",
    {
      type: "button",
      class: "link",
      "aria-label": `Reset ${label} to the theme it extends`,
      onclick: () => {
        input.dispatchEvent(new Event("change")); // what was typed is done with
        change(group, key, undefined);
        input.focus();
      },
    },
    "Reset",
  );
  const element = h(
    "div",
    { class: "theme-field" },
    h("label", { for: id }, label),
    control,
    reset,
    complaint,
  );
  return {
    path: `${group}.${key}`,
    element,
    mark(own: boolean): void {
      element.classList.toggle("own", own);
      reset.hidden = !own;
    },
    complain(message: string | null): void {
      complaint.hidden = message === null;
      complaint.textContent = message ?? "";
      if (message === null) {
        input.removeAttribute("aria-invalid");
        input.removeAttribute("aria-describedby");
      } else {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", complaint.id);
      }
    },
  };
}

function colourField(key: string, change: Change): ThemeField {
  const label = spoken(key);
  // What is being typed stays as it is typed.
  let typing = false;
  const text = h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    maxlength: 20,
    oninput: () => {
      typing = true;
      if (text.value.trim()) change("colours", key, text.value.trim());
    },
    onchange: () => (typing = false),
  });
  const picker = h("input", {
    type: "color",
    "aria-label": `${label}: choose`,
    oninput: () => {
      typing = false;
      change("colours", key, picker.value);
    },
  });
  const readable = h("output", { class: "contrast", hidden: true });
  const control = h("span", { class: "colour" }, picker, text, readable);
  const { mark, ...field } = frame({ group: "colours", key, label, control, input: text }, change);
  return {
    ...field,
    show(theme, own) {
      mark(own);
      const value = theme.colours[key] ?? "";
      picker.value = value;
      if (!typing) text.value = value;
      const least = contrastOf(key, theme.colours);
      readable.hidden = least === null;
      if (least === null) return;
      const low = least < LEAST_CONTRAST;
      readable.classList.toggle("low", low);
      readable.textContent = `${least.toFixed(1)} : 1${low ? ", hard to read" : ""}`;
      readable.title = `Contrast of letters against what they lie on; at least ${LEAST_CONTRAST} : 1 can be read (WCAG 2.2)`;
    },
  };
}

interface Factor {
  readonly group: "roads" | "labels" | "widths" | "sizes";
  readonly key: string;
  readonly label: string;
  readonly min: number;
  readonly max: number;
}

function factorField({ group, key, label, min, max }: Factor, change: Change): ThemeField {
  const output = h("output", {});
  const input = h("input", {
    type: "range",
    min,
    max,
    step: 0.05,
    oninput: () => change(group, key, Number(input.value)),
  });
  const control = h("span", { class: "factor" }, input, output);
  const { mark, ...field } = frame({ group, key, label, control, input }, change);
  return {
    ...field,
    show(theme, own) {
      mark(own);
      const value = Number(theme[group][key] ?? 1);
      input.value = String(value);
      output.textContent = `× ${value.toFixed(2)}`;
    },
  };
}

function languageField(change: Change): ThemeField {
  const input = h("input", {
    type: "text",
    spellcheck: "false",
    autocomplete: "off",
    maxlength: 35,
    placeholder: "local names",
    oninput: () => change("labels", "language", input.value.trim()),
  });
  const label = "Language, such as cy";
  const { mark, ...field } = frame(
    { group: "labels", key: "language", label, control: input, input },
    change,
  );
  return {
    ...field,
    show(theme, own) {
      mark(own);
      if (document.activeElement !== input) input.value = String(theme.labels["language"] ?? "");
    },
  };
}

function fontField(fonts: readonly string[], change: Change): ThemeField {
  const input = h(
    "select",
    { onchange: () => change("labels", "font", input.value) },
    h("option", { value: "" }, "Go, built in"),
    fonts.filter((font) => font !== "Go").map((font) => h("option", { value: font }, font)),
  );
  const { mark, ...field } = frame(
    { group: "labels", key: "font", label: "Font", control: input, input },
    change,
  );
  return {
    ...field,
    show(theme, own) {
      mark(own);
      const font = String(theme.labels["font"] ?? "");
      const known = [...input.options].some(({ value }) => value === font);
      if (!known) input.append(h("option", { value: font }, `${font}, not on this server`));
      input.value = font;
    },
  };
}

function tickField(group: "show" | "kinds", key: string, change: Change): ThemeField {
  const input = h("input", {
    type: "checkbox",
    onchange: () => change(group, key, input.checked),
  });
  const label = labelOf(group, key);
  const { mark, ...field } = frame({ group, key, label, control: input, input }, change);
  return {
    ...field,
    show(theme, own) {
      mark(own);
      input.checked = theme[group][key] ?? false;
    },
  };
}
