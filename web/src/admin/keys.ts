import { codeBlock } from "../ui/code";
import { stateBadge } from "../console/tables";
import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { field, form } from "../site/form";
import { lines } from "../site/lines";
import { announce, box, card, fill, here, notice } from "../site/page";
import { paged } from "../site/pager";
import { count, table } from "../site/table";
import type { AdminClient } from "./client";
import { writeRoute } from "./routes";
import { head, inAll, listPager, type ViewSetup } from "./view";

/** The contract's key record. */
export interface KeyRecord {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly first_success_at: string | null;
  readonly revoked_at: string | null;
  readonly monthly_quota: number;
  readonly rate_per_min: number;
  readonly scope: string;
  readonly allowed_origins: readonly string[];
}

const PIECE = 20;

export function keysTable(keys: readonly KeyRecord[]): HTMLElement {
  return paged(keys, PIECE, keyRows);
}

function keyRows(keys: readonly KeyRecord[]): HTMLElement {
  return table(
    "Keys",
    [
      {
        title: "Name",
        heads: true,
        cell: ({ id, name }) =>
          h("a", { href: here(writeRoute({ view: "keys", one: id })) }, name || id),
      },
      { title: "State", cell: stateBadge },
      { title: "Quota", figure: true, cell: (key) => count(key.monthly_quota) },
      { title: "A minute", figure: true, cell: (key) => count(key.rate_per_min) },
      { title: "Made", cell: (key) => moment(key.created_at) },
      { title: "First success", cell: (key) => moment(key.first_success_at) },
      { title: "Expires", cell: (key) => moment(key.expires_at) },
      { title: "Revoked", cell: (key) => moment(key.revoked_at) },
      { title: "Key id", cell: (key) => h("code", {}, key.id) },
    ],
    keys,
  );
}

export async function keysView({ client, route, refused }: ViewSetup): Promise<Child[]> {
  const slice = await client.list<KeyRecord>("keys", "keys", route.offset ?? 0);
  const rows = box();
  rows.replaceChildren(keyRows(slice.rows));
  const refresh = (): Promise<void> =>
    fill(
      rows,
      async () => [keyRows((await client.list<KeyRecord>("keys", "keys", route.offset ?? 0)).rows)],
      refused,
    );
  return [
    head("Keys", inAll(slice)),
    rows,
    listPager(slice, route),
    card("Mint a key", mintForm(client, refresh)),
  ];
}

function mintForm(client: AdminClient, minted: () => Promise<void>): HTMLElement {
  const number = (name: string, label: string, value: number) =>
    field({
      name,
      label,
      control: h("input", {
        type: "number",
        required: true,
        min: 1,
        step: 1,
        value: String(value),
      }),
    });
  const name = field({
    name: "name",
    label: "Name",
    control: h("input", { type: "text", required: true, maxlength: 120, autocomplete: "off" }),
  });
  const quota = number("monthly_quota", "Units a month", 100_000);
  const rate = number("rate_per_min", "Calls a minute", 600);
  const scope = field({
    name: "scope",
    label: "Scope",
    control: h("select", {}, h("option", {}, "full"), h("option", {}, "maps")),
  });
  const origins = field({
    name: "allowed_origins",
    label: "Allowed origins",
    hint: "One a line; empty allows any.",
    control: h("textarea", { rows: 2, spellcheck: "false" }),
  });
  const result = box();
  const made = form({
    label: "Mint a key",
    fields: [name, quota, rate, scope, origins],
    children: [
      h("div", { class: "columns" }, name.element, scope.element, quota.element, rate.element),
      origins.element,
    ],
    submit: "Mint",
    async act() {
      const allowed = lines(origins.control.value);
      const { key, name: given } = await client.post<{ key: string; name: string }>("keys", {
        name: name.control.value.trim(),
        monthly_quota: Number(quota.control.value),
        rate_per_min: Number(rate.control.value),
        scope: scope.control.value,
        ...(allowed.length ? { allowed_origins: allowed } : {}),
      });
      made.reset();
      result.replaceChildren(
        notice("warning", `${given}: copy the key now`, h("p", {}, "It is shown this once.")),
        codeBlock("Copy the key", key),
      );
      announce("The key was made. It is shown once.");
      await minted();
    },
  });
  return h("div", {}, made, result);
}
