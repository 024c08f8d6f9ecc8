import { stateBadge } from "../console/tables";
import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { confirmed } from "../site/dialog";
import { actionButton } from "../site/form";
import { announce, box, card, here, notice, refusal } from "../site/page";
import { count, facts } from "../site/table";
import type { Usage } from "../site/usage";
import { usageView } from "../site/usageview";
import type { AdminClient } from "./client";
import { creditForm, type Credited } from "./credit";
import type { KeyRecord } from "./keys";
import { writeRoute } from "./routes";
import type { ViewSetup } from "./view";

export async function keyView({ client, route, refused }: ViewSetup): Promise<Child[]> {
  const id = route.one!;
  const path = `keys/${encodeURIComponent(id)}`;
  const note = box();
  const record = await find(client, id);
  const say = async (title: string): Promise<void> => {
    note.replaceChildren(notice("calm", title));
    note.scrollIntoView({ block: "nearest" });
    announce(title);
  };
  const since = record?.created_at ?? "2020-01-01T00:00:00Z";
  return [
    h("p", {}, h("a", { href: here(writeRoute({ view: "keys" })), class: "back" }, "All keys")),
    h("h2", {}, record?.name || "Key"),
    note,
    record ? card("The key", keyFacts(record)) : h("p", {}, h("code", {}, id)),
    card(
      "Usage",
      usageView({
        since,
        load: (from, to) => client.get<Usage>(`${path}/usage`, { from, to }),
        refused,
      }),
    ),
    card(
      "Give credit to its owner",
      creditForm(
        (pence, reason) => client.post<Credited>(`${path}/credit`, { pence, reason }),
        (title) => say(title),
      ),
    ),
    card(
      "Revoke",
      h("p", {}, "A revoked key stops working at once and for good."),
      actionButton(
        "Revoke this key…",
        async () => {
          const sure = await confirmed(
            "Revoke this key?",
            `“${record?.name || id}” stops working at once. This cannot be taken back.`,
            "Revoke",
          );
          if (!sure) return;
          await client.remove(path);
          await say("The key is revoked");
        },
        (error) => refused(error) || note.replaceChildren(refusal(error)),
        "button danger",
      ),
    ),
  ];
}

/** How many pieces of the list are looked through for one key. */
const PIECES = 40;

/** A key's record out of the list, as no other call gives it; null if it is not there. */
async function find(client: AdminClient, id: string): Promise<KeyRecord | null> {
  let offset = 0;
  for (let piece = 0; piece < PIECES; piece++) {
    const { rows, total } = await client.list<KeyRecord>("keys", "keys", offset);
    const found = rows.find((row) => row.id === id);
    if (found) return found;
    offset += rows.length;
    if (rows.length === 0 || offset >= total) return null;
  }
  return null;
}

function keyFacts(key: KeyRecord): HTMLElement {
  return facts([
    ["State", stateBadge(key)],
    ["Key id", h("code", {}, key.id)],
    ["Units a month", count(key.monthly_quota)],
    ["Calls a minute", count(key.rate_per_min)],
    ["Scope", key.scope],
    ["Allowed origins", key.allowed_origins.length ? key.allowed_origins.join(", ") : "any"],
    ["Made", moment(key.created_at)],
    ["First success", moment(key.first_success_at)],
    ["Expires", moment(key.expires_at)],
    ["Revoked", moment(key.revoked_at)],
  ]);
}
