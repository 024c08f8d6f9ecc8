import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { report, title } from "../site/report";
import type { AdminClient } from "./client";
import { feedsView } from "./feeds";
import { glance } from "./glance";
import { identitiesView } from "./identities";
import { identityView } from "./identity";
import { issuesView, retrosView } from "./feedback";
import { keyView } from "./key";
import { keysView } from "./keys";
import type { View } from "./routes";
import { head, type ViewSetup } from "./view";

type Draw = (setup: ViewSetup) => Promise<readonly Child[]>;

export const views: Readonly<Record<View, Draw>> = {
  overview: async ({ client }) => {
    const [top, ...rest] = await blocks(client, "overview", "Overview");
    return [top, await glance(client.token), ...rest];
  },
  commercial: ({ client }) => blocks(client, "commercial", "Commercial"),
  identities: (setup) => (setup.route.one ? identityView(setup) : identitiesView(setup)),
  keys: (setup) => (setup.route.one ? keyView(setup) : keysView(setup)),
  feeds: feedsView,
  issues: issuesView,
  retros: retrosView,
};

/** An answer whose members are blocks of figures, each in a card. */
async function blocks(client: AdminClient, path: string, name: string): Promise<Child[]> {
  const answer = await client.get<Record<string, unknown>>(path);
  const entries = Object.entries(answer);
  const single = entries.filter(([, value]) => value === null || typeof value !== "object");
  const made = answer["generated_at"];
  const rest = Object.fromEntries(single.filter(([key]) => key !== "generated_at"));
  return [
    head(name, ["As of ", moment(typeof made === "string" ? made : now())]),
    h(
      "div",
      { class: "blocks" },
      Object.keys(rest).length > 0 && h("section", { class: "card" }, report(rest)),
      entries
        .filter(([, value]) => value !== null && typeof value === "object")
        .map(([key, value]) => block(key, value)),
    ),
  ];
}

function block(name: string, value: unknown): HTMLElement {
  const inner = Array.isArray(value) ? report({ [name]: value }) : report(value);
  return h(
    "section",
    { class: "card" },
    // A list brings its own heading.
    !Array.isArray(value) && h("h3", {}, title(name)),
    inner,
  );
}

function now(): string {
  return new Date().toISOString();
}
