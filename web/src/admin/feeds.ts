import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { count, table } from "../site/table";
import { head, type ViewSetup } from "./view";

interface Reject {
  readonly reason: string;
  readonly count: number;
  readonly example: string;
}

/** A row of GET /admin/feeds. */
interface Feed {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly source: string;
  readonly state: "waiting" | "ok" | "failing" | "stale" | "down";
  readonly at: string | null;
  readonly checked_at: string | null;
  readonly next_poll_at: string | null;
  readonly records: number;
  readonly rejected: number;
  readonly rejects: readonly Reject[];
  readonly failures: number;
  readonly error: string;
}

export async function feedsView({ client }: ViewSetup): Promise<Child[]> {
  const { feeds } = await client.get<{ feeds: readonly Feed[] }>("feeds");
  return [
    head("Feeds", "Of the replica that answered"),
    table(
      "Feeds",
      [
        { title: "Feed", heads: true, cell: (feed) => feed.name },
        { title: "Kind", cell: (feed) => feed.kind },
        { title: "State", cell: state },
        { title: "In force", cell: (feed) => (feed.at ? moment(feed.at) : "–") },
        { title: "Asked", cell: (feed) => (feed.checked_at ? moment(feed.checked_at) : "–") },
        { title: "Records", figure: true, cell: (feed) => count(feed.records) },
        { title: "Left out", figure: true, cell: rejected },
        { title: "Source", cell: (feed) => h("code", {}, feed.source) },
      ],
      feeds,
      "No feed is set up: SVC_FEEDS lists them.",
    ),
  ];
}

function state(feed: Feed): Child {
  if (!feed.error) return feed.state;
  const times = feed.failures === 1 ? "once" : `${count(feed.failures)} times in a row`;
  return h(
    "details",
    {},
    h("summary", {}, feed.state),
    h("span", { class: "prose" }, `Failed ${times}: ${feed.error}`),
  );
}

function rejected(feed: Feed): Child {
  if (feed.rejected === 0) return "0";
  return h(
    "details",
    {},
    h("summary", {}, count(feed.rejected)),
    feed.rejects.map((one) =>
      h("div", { class: "prose" }, `${count(one.count)} × ${one.reason}, such as ${one.example}`),
    ),
  );
}
