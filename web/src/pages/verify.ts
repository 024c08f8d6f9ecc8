import { h } from "../ui/dom";
import { call } from "../site/client";
import { moment } from "../site/dates";
import { actionButton } from "../site/form";
import { announce, card, fill, focusOn, notice, page, refusal, show } from "../site/page";
import { at } from "../call/root";
import { facts } from "../site/table";

type State = "pending" | "verified" | "denied" | "expired";

/** The answer of POST /v1/keys/verify/details. */
interface Details {
  readonly label: string;
  readonly masked_email: string;
  readonly requested_at: string;
  readonly user_agent: string;
  readonly source: string;
  readonly expires_at: string;
  readonly state: State;
}

const token = new URLSearchParams(location.search).get("token");

async function details(): Promise<HTMLElement[]> {
  if (!token) {
    return [
      notice(
        "warning",
        "This address has no token",
        h("p", {}, "Open the link in the mail again, or copy all of it into the address bar."),
      ),
    ];
  }
  const found = await call<Details>({
    method: "POST",
    path: "v1/keys/verify/details",
    body: { token },
  });
  return [
    card(
      "The request",
      facts([
        ["Label", found.label || "none"],
        ["E-mail address", found.masked_email],
        ["Asked for", moment(found.requested_at)],
        ["With", found.user_agent || "not said"],
        ["Through", found.source || "not said"],
        ["Confirm by", moment(found.expires_at)],
      ]),
      ...choice(found.state),
    ),
  ];
}

/** What can be done about a request in its state. */
function choice(state: State): HTMLElement[] {
  switch (state) {
    case "denied":
      return [notice("calm", "This key was refused", h("p", {}, "It no longer works."))];
    case "expired":
      return [
        notice(
          "warning",
          "This request has expired",
          h(
            "p",
            {},
            "The key no longer works. ",
            h("a", { href: at("keys") }, "Get a new key"),
            ".",
          ),
        ),
      ];
    case "verified":
      return [
        notice("calm", "This key is confirmed", h("p", {}, "There is nothing left to do.")),
        decision(false),
      ];
    case "pending":
      return [h("p", {}, "Did you ask for this key?"), decision(true)];
  }
}

function decision(open: boolean): HTMLElement {
  const alert = h("div", { class: "form-alert" });
  const refused = (error: unknown): void => alert.replaceChildren(refusal(error));
  const confirm = actionButton(
    "Yes, confirm this key",
    async () => {
      await call({ method: "POST", path: "v1/keys/verify", body: { token } });
      finish(
        "The key is confirmed",
        "It keeps working after the 72 hours, with 50,000 units a month shared by all your keys.",
        h("p", {}, h("a", { href: at("console") }, "Open the console"), " to see your usage."),
      );
    },
    refused,
    "button",
  );
  const deny = actionButton(
    "This wasn’t me",
    async () => {
      await call({ method: "POST", path: "v1/keys/verify/deny", body: { token } });
      finish(
        "The key is refused",
        "It no longer works. Somebody typed your address; there is nothing else to do.",
      );
    },
    refused,
  );
  return h("div", {}, alert, h("div", { class: "actions" }, open && confirm, deny));
}

function finish(title: string, text: string, more?: HTMLElement): void {
  document.querySelector(".lead")?.remove();
  show(notice("calm", title, h("p", {}, text), more ?? null));
  focusOn(page.querySelector<HTMLElement>("h2")!);
  announce(`${title}.`);
}

void fill(page, details);
