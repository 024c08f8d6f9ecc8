import { h } from "../ui/dom";
import { AdminClient } from "../admin/client";
import { views } from "../admin/views";
import { adminToken } from "../call/secrets";
import { call, Refused } from "../site/client";
import { field, form } from "../site/form";
import { announce, box, fill, focusOn, here, notice, page, show } from "../site/page";
import { NAV, readRoute, writeRoute } from "../admin/routes";

const lead = document.querySelector<HTMLElement>(".lead")!;

function signIn(above?: HTMLElement): void {
  lead.hidden = false;
  const token = field({
    name: "token",
    label: "Admin token",
    hint: "The value of SVC_ADMIN_TOKEN. Kept in this tab until you leave or close it.",
    control: h("input", { type: "password", required: true, autocomplete: "current-password" }),
  });
  const section = h(
    "section",
    { class: "card narrow" },
    h("h2", {}, "Operator"),
    form({
      label: "Operator",
      fields: [token],
      children: [token.element],
      submit: "Open",
      async act() {
        const value = token.control.value.trim();
        await call({ path: "admin/overview", token: value });
        adminToken.set(value);
        open();
      },
    }),
  );
  if (above) show(above, section);
  else page.replaceChildren(section);
}

function refused(error: unknown): boolean {
  if (!(error instanceof Refused) || error.status !== 401) return false;
  adminToken.set(null);
  signIn(notice("warning", "The admin token is not accepted any more"));
  return true;
}

let leave = (): void => undefined;

function open(): void {
  const token = adminToken.get();
  if (!token) {
    signIn();
    return;
  }
  lead.hidden = true;
  const client = new AdminClient(token);
  const content = box("content");
  const nav = h("nav", { class: "sections", "aria-label": "Administration" });
  const draw = async (focus: boolean): Promise<void> => {
    const route = readRoute(location.hash);
    nav.replaceChildren(
      ...NAV.map(([view, name]) =>
        h(
          "a",
          {
            href: here(writeRoute({ view })),
            "aria-current": view === route.view ? "page" : null,
          },
          name,
        ),
      ),
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          onclick: () => {
            adminToken.set(null);
            leave();
            signIn(notice("calm", "The admin token is forgotten"));
          },
        },
        "Leave",
      ),
    );
    // Each view fills a place of its own, so that a slow one cannot overwrite the next.
    const view = box();
    content.replaceChildren(view);
    await fill(view, () => views[route.view]({ client, route, refused }), refused);
    const head = view.querySelector<HTMLElement>("h2");
    if (focus && head && view.isConnected) focusOn(head);
    if (head) announce(`${head.textContent} shown.`);
  };
  leave();
  const change = (): void => void draw(true);
  addEventListener("hashchange", change);
  leave = () => removeEventListener("hashchange", change);
  page.replaceChildren(nav, content);
  void draw(false);
}

open();
