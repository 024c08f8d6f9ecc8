import { h } from "../ui/dom";
import { call } from "../site/client";
import { actionButton, Complaint, field, form } from "../site/form";
import { exactMoney, grouped, parsePounds, pounds } from "../site/money";
import { refusal } from "../site/page";
import { count, table } from "../site/table";
import type { Plan, Self } from "./self";

/** Where a payment processor takes over. */
interface Handover {
  readonly url: string;
}

/** Pence that one payment may be. */
const LEAST = 500;
const MOST = 1_000_000;
const AMOUNTS = [LEAST, 1000, 2500, 5000];

/** The balance, and the ways to add to it. */
export function creditPart(self: Self, token: string): HTMLElement[] {
  const alert = h("div", { class: "form-alert" });
  const refused = (error: unknown): void => alert.replaceChildren(refusal(error));
  const leave = async (path: string, body?: unknown): Promise<void> => {
    alert.replaceChildren();
    const { url } = await call<Handover>({ method: "POST", path, token, body });
    go(url);
  };
  const balance = h(
    "p",
    { class: "sums" },
    `Balance: ${exactMoney(self.balance_millipence)} `,
    h("span", { class: "muted" }, `(${grouped(self.balance_millipence)} millipence)`),
  );
  const about = h("p", {}, "Credit pays for calls beyond the month’s quota. It does not expire.");
  if (!self.checkout) {
    return [about, balance, h("p", { class: "hint" }, "This server does not sell credit itself.")];
  }
  const choose = (name: string): HTMLElement =>
    actionButton("Choose", () => leave("v1/console/checkout", { plan: name }), refused);
  return [
    alert,
    about,
    balance,
    buyForm((pence) => leave("v1/console/checkout", { pence })),
    self.plans.length > 0 ? plansTable(self.plans, self.plan, choose) : h("div", { hidden: true }),
    h(
      "p",
      {},
      actionButton("Invoices and payment details", () => leave("v1/console/portal"), refused),
    ),
  ];
}

function buyForm(buy: (pence: number) => Promise<void>): HTMLElement {
  const amount = field({
    name: "pence",
    label: "Amount in pounds",
    hint: `From ${pounds(LEAST)} to ${pounds(MOST)}.`,
    control: h("input", {
      type: "text",
      inputmode: "decimal",
      required: true,
      value: "10.00",
      autocomplete: "off",
      maxlength: 16,
    }),
  });
  return form({
    label: "Buy credit",
    fields: [amount],
    children: [
      h(
        "div",
        { class: "line" },
        amount.element,
        AMOUNTS.map((pence) =>
          h(
            "button",
            {
              type: "button",
              class: "button second",
              onclick: () => {
                amount.control.value = pounds(pence).slice(1);
                amount.complain(null);
                amount.control.focus();
              },
            },
            pounds(pence),
          ),
        ),
      ),
    ],
    submit: "Buy credit",
    async act() {
      const pence = parsePounds(amount.control.value);
      if (pence === null || pence < LEAST || pence > MOST) {
        throw new Complaint(
          "pence",
          `Write an amount from ${pounds(LEAST)} to ${pounds(MOST)}, such as 12.50.`,
        );
      }
      await buy(pence);
    },
  });
}

function plansTable(
  plans: readonly Plan[],
  current: string,
  choose: (name: string) => HTMLElement,
): HTMLElement {
  return h(
    "div",
    { class: "part" },
    h("h3", {}, "Plans"),
    table(
      "Plans",
      [
        { title: "Plan", heads: true, cell: (plan) => plan.name },
        { title: "Units a month", figure: true, cell: (plan) => count(plan.monthly_quota) },
        { title: "Calls a minute", figure: true, cell: (plan) => count(plan.rate_per_min) },
        { title: "A month", figure: true, cell: (plan) => pounds(plan.pence) },
        { title: "Choose", cell: (plan) => (plan.name === current ? "yours" : choose(plan.name)) },
      ],
      plans,
    ),
  );
}

/** Leaves for the processor's page; anything but a web address is refused. */
function go(url: string): void {
  const { protocol, href } = new URL(url);
  if (protocol !== "https:" && protocol !== "http:") throw new Error("not a web address");
  location.assign(href);
}
