import { h } from "../ui/dom";
import { moment } from "../site/dates";
import { exactMoney } from "../site/money";
import { paged } from "../site/pager";
import { count, table } from "../site/table";
import { at } from "../call/root";
import { standing, type ConsoleKey, type LedgerEntry } from "./self";

const PIECE = 20;

/** A state as a coloured word. */
export function stateBadge(
  key: Pick<ConsoleKey, "state" | "expires_at" | "revoked_at">,
): HTMLElement {
  const { word, tone } = standing(key, new Date());
  return h("span", { class: `state ${tone}` }, word);
}

export function keysTable(keys: readonly ConsoleKey[]): HTMLElement {
  return paged(keys, PIECE, (rows) =>
    table(
      "Keys",
      [
        { title: "Label", heads: true, cell: (key) => key.label || "–" },
        { title: "State", cell: stateBadge },
        { title: "Used this month", figure: true, cell: (key) => count(key.used_this_month) },
        { title: "Made", cell: (key) => moment(key.created_at) },
        { title: "Expires", cell: (key) => moment(key.expires_at) },
        { title: "Revoked", cell: (key) => moment(key.revoked_at) },
        { title: "Key id", cell: (key) => h("code", {}, key.key_id) },
      ],
      rows,
      ["This account has no keys. ", h("a", { href: at("keys") }, "Get a key")],
    ),
  );
}

/** Credit entries, the latest first. */
export function historyTable(entries: readonly LedgerEntry[]): HTMLElement {
  return paged(entries.toReversed(), PIECE, (rows) =>
    table(
      "History of credit",
      [
        { title: "When", cell: (entry) => moment(entry.at) },
        { title: "What", heads: true, cell: (entry) => entry.reason || entry.kind },
        { title: "Amount", figure: true, cell: (entry) => exactMoney(entry.millipence) },
        {
          title: "Balance after",
          figure: true,
          cell: (entry) => exactMoney(entry.balance_after_millipence),
        },
        { title: "By", cell: (entry) => entry.source || entry.kind },
      ],
      rows,
      "No credit was bought or used yet.",
    ),
  );
}
