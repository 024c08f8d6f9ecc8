import { h } from "../ui/dom";
import { Complaint, field, form, type Field } from "../site/form";
import { parsePounds, pounds } from "../site/money";

/** The contract's credit response. */
export interface Credited {
  readonly balance_pence: number;
  readonly duplicate: boolean;
}

/** Why an operator changes something; the server applies a reason once. */
export function reasonField(): Field {
  return field({
    name: "reason",
    label: "Reason",
    hint: "A reason counts once: sending it again changes nothing.",
    control: h("input", { type: "text", required: true, autocomplete: "off", maxlength: 200 }),
  });
}

/** Asks for an amount and a reason; calls report with the result, in a sentence. */
export function creditForm(
  give: (pence: number, reason: string) => Promise<Credited>,
  report: (title: string) => Promise<void>,
): HTMLElement {
  const amount = field({
    name: "pence",
    label: "Amount in pounds",
    control: h("input", { type: "text", inputmode: "decimal", required: true, maxlength: 16 }),
  });
  const reason = reasonField();
  const made = form({
    label: "Give credit",
    fields: [amount, reason],
    children: [h("div", { class: "columns" }, amount.element, reason.element)],
    submit: "Give credit",
    async act() {
      const pence = parsePounds(amount.control.value);
      if (pence === null || pence < 1) {
        throw new Complaint("pence", "Write an amount in pounds and pence, such as 12.50.");
      }
      const answer = await give(pence, reason.control.value.trim());
      const balance = pounds(answer.balance_pence);
      made.reset();
      await report(
        answer.duplicate
          ? `Nothing changed: that reason was applied before, with ${balance} after it`
          : `${pounds(pence)} credited: the balance is ${balance}`,
      );
    },
  });
  return made;
}
