import { h, type Child } from "../ui/dom";
import { here } from "../site/page";
import { pager, type Slice } from "../site/pager";
import { count } from "../site/table";
import { LIMIT, type AdminClient } from "./client";
import { writeRoute, type Route } from "./routes";

/** What a view is made from. */
export interface ViewSetup {
  readonly client: AdminClient;
  readonly route: Route;
  /** Handles a refused token; false for any other error. */
  readonly refused: (error: unknown) => boolean;
}

/** A view's heading, with a word beside it. */
export function head(title: string, beside?: Child): HTMLElement {
  return h(
    "div",
    { class: "who" },
    h("h2", {}, title),
    beside ? h("p", { class: "muted" }, beside) : null,
  );
}

/** The number of all rows of a list, if the server gives it. */
export function inAll({ total }: Slice<unknown>): Child {
  return `${count(total)} in all`;
}

/** A list's pager, whose buttons change the address. */
export function listPager(slice: Slice<unknown>, route: Route): HTMLElement | null {
  return pager(slice, LIMIT, (offset) => {
    location.assign(here(writeRoute({ ...route, offset })));
  });
}
