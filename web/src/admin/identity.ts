import type { LedgerEntry } from "../console/self";
import { historyTable } from "../console/tables";
import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { actionButton, field, form } from "../site/form";
import { meter } from "../site/meter";
import { grouped, pounds } from "../site/money";
import { announce, box, card, fill, here, notice } from "../site/page";
import { report } from "../site/report";
import { count, facts } from "../site/table";
import type { AdminClient } from "./client";
import { creditForm, reasonField, type Credited } from "./credit";
import { keysTable, type KeyRecord } from "./keys";
import { writeRoute } from "./routes";
import type { ViewSetup } from "./view";

/** The answer of GET /admin/identities/{email}. */
interface Identity {
  readonly identity: {
    readonly id: string;
    readonly email: string;
    readonly created_at: string;
    readonly tos_accepted_at: string;
  };
  readonly balance_pence: number;
  readonly credited_total_pence: number;
  readonly keys?: readonly KeyRecord[] | null;
  readonly history?: readonly LedgerEntry[] | null;
  readonly mau_this_month: number;
  readonly mau_included: number;
  readonly mau_overdrawn: boolean;
  readonly month_used: number;
  readonly monthly_quota: number;
  readonly download_allowance_mib: number;
  readonly plan: string;
  readonly stripe_customer_id?: string | null;
}

/** What an operator may set, by the end of its path. */
const FIGURES = [
  ["quota", "monthly_quota", "Units a month"],
  ["download-allowance", "download_allowance_mib", "Download allowance, MiB a month"],
  ["mau-included", "mau_included", "Included monthly active users"],
] as const;

export async function identityView({ client, route, refused }: ViewSetup): Promise<Child[]> {
  const email = route.one!;
  const path = `identities/${encodeURIComponent(email)}`;
  const note = box();
  const content = box("stack");
  const draw = async (): Promise<void> => {
    await fill(
      content,
      async () => detail(await client.get<Identity>(path), path, client, changed),
      refused,
    );
  };
  /** Shows what a change gave, and the identity anew. */
  const changed = async (title: string): Promise<void> => {
    await draw();
    note.replaceChildren(notice("calm", title));
    note.scrollIntoView({ block: "nearest" });
    announce(title);
  };
  await draw();
  return [
    h(
      "p",
      {},
      h("a", { href: here(writeRoute({ view: "identities" })), class: "back" }, "All identities"),
    ),
    h("h2", {}, email),
    note,
    content,
  ];
}

type Changed = (title: string) => Promise<void>;

function detail(
  found: Identity,
  path: string,
  client: AdminClient,
  changed: Changed,
): HTMLElement[] {
  const { identity } = found;
  return [
    h(
      "div",
      { class: "cards" },
      card(
        "This month",
        meter("Quota of this month", found.month_used, found.monthly_quota, "units"),
        facts([
          [
            "Active users",
            `${count(found.mau_this_month)} of ${count(found.mau_included)} included` +
              (found.mau_overdrawn ? " (over; serving continues)" : ""),
          ],
        ]),
      ),
      card(
        "Credit",
        h("p", { class: "big" }, pounds(found.balance_pence)),
        facts([["Credited ever", pounds(found.credited_total_pence)]]),
      ),
      card(
        "Account",
        facts([
          ["Plan", found.plan],
          ["Since", moment(identity.created_at)],
          ["Terms accepted", moment(identity.tos_accepted_at)],
          ["Stripe customer", found.stripe_customer_id ?? "none"],
          ["Id", h("code", {}, identity.id)],
        ]),
      ),
    ),
    card("Keys", keysTable(found.keys ?? [])),
    card(
      "Give credit",
      creditForm(
        (pence, reason) =>
          client.post<Credited>("identities/credit", { email: identity.email, pence, reason }),
        changed,
      ),
    ),
    card(
      "Set a figure",
      h(
        "div",
        { class: "columns" },
        FIGURES.map(([end, name, label]) =>
          figureForm({ end, name, label, path, client, changed }),
        ),
      ),
    ),
    card("History of credit", historyTable(found.history ?? [])),
    card("Quota outreach", outreach(path, client)),
  ];
}

interface FigureSetup {
  readonly end: string;
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly client: AdminClient;
  readonly changed: Changed;
}

function figureForm({ end, name, label, path, client, changed }: FigureSetup): HTMLElement {
  const value = field({
    name,
    label,
    control: h("input", { type: "number", required: true, min: 0, step: 1, inputmode: "numeric" }),
  });
  const reason = reasonField();
  return form({
    label,
    fields: [value, reason],
    children: [value.element, reason.element],
    submit: "Set",
    async act() {
      const wanted = Number(value.control.value);
      const answer = await client.post<Record<string, unknown>>(`${path}/${end}`, {
        [name]: wanted,
        reason: reason.control.value.trim(),
      });
      await changed(
        answer["duplicate"] === true
          ? "Nothing changed: that reason was applied before"
          : `${label}: ${grouped(wanted)}` +
              (answer["applies"] === "once_confirmed"
                ? ", once a key is confirmed by e-mail; until then each has a provisional quota"
                : ""),
      );
    },
  });
}

/** Shows the mail about its quota that the identity would get now, and sends none. */
function outreach(path: string, client: AdminClient): HTMLElement {
  const content = box();
  return h(
    "div",
    {},
    h("p", { class: "hint" }, "The notification as it would go out now. Nothing is sent."),
    actionButton(
      "Show it",
      () =>
        fill(content, async () => {
          // The HTML part says the same as the text.
          const { email_html: _, ...rest } = await client.get<Record<string, unknown>>(
            `${path}/quota-outreach`,
          );
          return report(rest);
        }),
      () => undefined,
    ),
    content,
  );
}
