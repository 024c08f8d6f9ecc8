import { h } from "../ui/dom";
import { acceptValue, isLocalTime, type Field, type OptionValue } from "./options";
import { Combobox } from "../ui/combobox";
import { tr } from "../ui/translate";

/** A control for a field, with its label; it calls change with each value that the field accepts. */
export function control(
  field: Field,
  value: OptionValue | undefined,
  change: (value: OptionValue) => void,
): HTMLElement {
  const focus = `option-${field.key}`;
  const id = `option-${field.key}`;
  const described = field.help ? `help-${field.key}` : null;
  switch (field.kind) {
    case "slider": {
      const shown = Number(value ?? field.default);
      const output = h("output", { for: id }, shown.toFixed(2));
      const input = h("input", {
        type: "range",
        id,
        min: 0,
        max: 1,
        step: 0.05,
        value: String(shown),
        "data-focus": focus,
        "aria-describedby": described,
        oninput: () => (output.textContent = Number(input.value).toFixed(2)),
        onchange: () => change(Number(input.value)),
      });
      return h(
        "div",
        { class: "field slider" },
        h("label", { for: id }, field.label),
        h("span", { class: "slider-ends" }, field.ends[0]),
        input,
        h("span", { class: "slider-ends" }, field.ends[1]),
        output,
        help(field),
      );
    }
    case "number": {
      const input = h("input", {
        type: "number",
        id,
        min: field.min,
        max: field.max,
        step: field.step,
        // A default outside the range stands for none.
        value: String(value ?? (field.default < field.min ? "" : field.default)),
        inputmode: "decimal",
        "aria-describedby": described,
        "data-focus": focus,
        onchange: () => {
          const next = input.value === "" ? field.default : acceptValue(field, input.value);
          input.setCustomValidity(
            next === null
              ? tr("{0} is from {1} to {2} {3}.", field.label, field.min, field.max, field.unit)
              : "",
          );
          if (next === null) input.reportValidity();
          else change(next);
        },
      });
      return h(
        "div",
        { class: "field number" },
        h("label", { for: id }, field.label),
        input,
        h("span", { class: "unit" }, field.unit),
        help(field),
      );
    }
    case "check": {
      const input = h("input", {
        type: "checkbox",
        id,
        checked: value === true,
        "data-focus": focus,
        "aria-describedby": described,
        onchange: () => change(input.checked),
      });
      return h(
        "div",
        { class: "field check" },
        input,
        h("label", { for: id }, field.label),
        help(field),
      );
    }
    case "choice": {
      const input = h(
        "select",
        {
          id,
          "data-focus": focus,
          "aria-describedby": described,
          onchange: () => change(input.value),
        },
        field.choices.map(([choice, label]) =>
          h("option", { value: choice, selected: choice === (value ?? field.default) }, label),
        ),
      );
      return h(
        "div",
        { class: "field choice" },
        h("label", { for: id }, field.label),
        input,
        help(field),
      );
    }
    case "text": {
      const { from } = field;
      if (from) {
        const shown = value ? from.called(String(value)) : "";
        const input = h("input", {
          type: "text",
          id,
          value: shown,
          maxlength: field.most,
          placeholder: field.placeholder,
          autocomplete: "off",
          spellcheck: "false",
          "data-focus": focus,
          "aria-describedby": described,
          onchange: () => {
            if (input.value.trim() === "") change("");
          },
          // What was typed and not chosen is nothing.
          onblur: () => input.value.trim() !== "" && (input.value = shown),
        });
        const box = new Combobox(input, {
          suggester: from,
          pick: ({ key }) => change(key),
          enter: (text) => text.trim() === "" && change(""),
          eager: () => true,
          label: tr("Choices"),
        });
        return h(
          "div",
          { class: "field text" },
          h("label", { for: id }, field.label),
          h("div", {}, input, box.element),
          help(field),
        );
      }
      const attributes = {
        id,
        value: String(value ?? field.default),
        maxlength: field.most,
        placeholder: field.placeholder,
        autocomplete: "off",
        "data-focus": focus,
        "aria-describedby": described,
        onchange: () => {
          const text = input.value.trim() || field.default;
          const fits = field.accepts?.(text) ?? true;
          input.setCustomValidity(fits ? "" : (field.wrong ?? ""));
          if (fits) change(text);
          else input.reportValidity();
        },
      };
      const input: HTMLInputElement | HTMLTextAreaElement = field.lines
        ? h("textarea", { ...attributes, rows: field.lines })
        : h("input", { ...attributes, type: "text" });
      return h(
        "div",
        { class: "field text" },
        h("label", { for: id }, field.label),
        input,
        help(field),
      );
    }
    case "time": {
      const input = h("input", {
        type: "datetime-local",
        id,
        value: String(value ?? ""),
        "data-focus": focus,
        "aria-describedby": described,
        onchange: () => {
          if (input.value === "" || isLocalTime(input.value)) change(input.value);
        },
      });
      return h(
        "div",
        { class: "field time" },
        h("label", { for: id }, field.label),
        input,
        help(field),
      );
    }
  }
}

function help({ key, help: text }: Field): HTMLElement | false {
  return text !== "" && h("p", { class: "field-help", id: `help-${key}` }, text);
}
