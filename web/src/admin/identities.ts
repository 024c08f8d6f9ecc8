import { h, type Child } from "../ui/dom";
import { dayName, moment } from "../site/dates";
import { field } from "../site/form";
import { pounds } from "../site/money";
import { here } from "../site/page";
import { count, table } from "../site/table";
import { writeRoute } from "./routes";
import { head, inAll, listPager, type ViewSetup } from "./view";

/** A row of GET /admin/identities. */
export interface IdentitySummary {
  readonly id: string;
  readonly email: string;
  readonly created_at: string;
  readonly balance_pence: number;
  readonly download_mib: number;
  readonly first_success_at?: string | null;
  readonly keys: number;
  readonly last_active?: string | null;
  readonly mau_overdrawn: boolean;
  readonly mau_this_month: number;
  readonly month_used: number;
  readonly monthly_quota: number;
}

const ORDERS = [
  ["created_at", "Newest first"],
  ["last_active", "Last active"],
  ["month_used", "Most used this month"],
  ["balance", "Most credit"],
  ["email", "E-mail address"],
] as const;

export async function identitiesView({ client, route }: ViewSetup): Promise<Child[]> {
  const { q, order, offset = 0 } = route;
  const slice = await client.list<IdentitySummary>("identities", "identities", offset, {
    ...(q ? { q } : {}),
    ...(order ? { order } : {}),
  });
  return [
    head("Identities", inAll(slice)),
    search(q ?? "", order ?? ""),
    table(
      "Identities",
      [
        {
          title: "E-mail address",
          heads: true,
          cell: ({ email }) =>
            h("a", { href: here(writeRoute({ view: "identities", one: email })) }, email),
        },
        { title: "Used", figure: true, cell: (row) => count(row.month_used) },
        { title: "Quota", figure: true, cell: (row) => count(row.monthly_quota) },
        { title: "Balance", figure: true, cell: (row) => pounds(row.balance_pence) },
        { title: "Keys", figure: true, cell: (row) => count(row.keys) },
        {
          title: "Active users",
          figure: true,
          cell: (row) => [
            count(row.mau_this_month),
            row.mau_overdrawn && h("span", { class: "state amber" }, "over"),
          ],
        },
        { title: "Download, MiB", figure: true, cell: (row) => count(row.download_mib) },
        {
          title: "Last active",
          cell: (row) => (row.last_active ? dayName(row.last_active) : "–"),
        },
        { title: "First success", cell: (row) => moment(row.first_success_at) },
        { title: "Since", cell: (row) => moment(row.created_at) },
      ],
      slice.rows,
      q ? `No address holds “${q}”.` : "Nobody has asked for a key yet.",
    ),
    listPager(slice, route),
  ];
}

function search(q: string, order: string): HTMLElement {
  const text = field({
    name: "q",
    label: "Search",
    control: h("input", { type: "search", value: q, autocomplete: "off", maxlength: 254 }),
  });
  const sort = field({
    name: "order",
    label: "Order",
    control: h(
      "select",
      {},
      ORDERS.map(([value, name]) => h("option", { value, selected: value === order }, name)),
    ),
  });
  const go = (): void => {
    const route = { view: "identities", q: text.control.value.trim(), order: sort.control.value };
    location.assign(here(writeRoute({ ...route, view: "identities" })));
  };
  sort.control.addEventListener("change", go);
  return h(
    "form",
    {
      class: "line search",
      role: "search",
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        go();
      },
    },
    text.element,
    sort.element,
    h("button", { type: "submit", class: "button second" }, "Search"),
  );
}
