import { h, type Child } from "../ui/dom";
import { moment } from "../site/dates";
import { at } from "../call/root";
import { report } from "../site/report";
import { table } from "../site/table";
import { head, inAll, listPager, type ViewSetup } from "./view";

/** A row of GET /admin/mcp-map-issues. */
interface MapIssue {
  readonly id: string;
  readonly lat: number;
  readonly lon: number;
  readonly category: string;
  readonly note?: string | null;
  readonly contact?: string | null;
  readonly created_at: string;
  /** Null from the demo lane. */
  readonly key_id: string | null;
}

const ISSUE_ZOOM = 17;

export async function issuesView({ client, route }: ViewSetup): Promise<Child[]> {
  const slice = await client.list<MapIssue>("mcp-map-issues", "issues", route.offset);
  return [
    head("Map issues", inAll(slice)),
    table(
      "Map issues",
      [
        { title: "Category", heads: true, cell: (issue) => issue.category },
        {
          title: "Place",
          cell: ({ lat, lon }) =>
            h(
              "a",
              { href: at(mapLink(lat, lon)), target: "_blank", rel: "noopener" },
              `${lat.toFixed(5)}, ${lon.toFixed(5)}`,
            ),
        },
        { title: "Note", cell: (issue) => h("span", { class: "prose" }, issue.note || "–") },
        { title: "Contact", cell: (issue) => h("span", { class: "prose" }, issue.contact || "–") },
        { title: "When", cell: (issue) => moment(issue.created_at) },
        { title: "Key id", cell: (issue) => h("code", {}, issue.key_id ?? "–") },
      ],
      slice.rows,
      "No map issues were reported.",
    ),
    listPager(slice, route),
  ];
}

/** The explorer's address for a look at a place, with a pin on it. */
export function mapLink(lat: number, lon: number): string {
  return `#p=${lon},${lat};&map=${ISSUE_ZOOM}/${lat.toFixed(5)}/${lon.toFixed(5)}`;
}

/** A row of GET /admin/retros: the contract's retro with its sender and its time. */
interface Retro {
  readonly id: string;
  readonly what_built: string;
  readonly created_at: string;
  readonly [field: string]: unknown;
}

export async function retrosView({ client, route }: ViewSetup): Promise<Child[]> {
  const slice = await client.list<Retro>("retros", "retros", route.offset);
  return [
    head("Retros", inAll(slice)),
    slice.rows.length === 0 && h("p", { class: "empty" }, "No retros were sent."),
    slice.rows.map(({ what_built, created_at, ...rest }) =>
      h(
        "details",
        { class: "card fold" },
        h(
          "summary",
          {},
          h("span", { class: "prose" }, what_built),
          " ",
          h("span", { class: "muted" }, moment(created_at)),
        ),
        report(rest),
      ),
    ),
    listPager(slice, route),
  ];
}
