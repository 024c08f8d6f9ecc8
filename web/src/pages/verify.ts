import { h } from "../dom";
import { call } from "../site/client";
import { moment } from "../site/dates";
import { actionButton, form } from "../site/form";
import { announce, card, fill, focusOn, notice, page, refusal, show } from "../site/page";
import { at } from "../site/root";
import { facts } from "../site/table";

/** The answer of POST /v1/keys/verify/details. */
interface Details {
  readonly label?: string | null;
  readonly masked_email?: string | null;
  readonly requested_at?: string | null;
  readonly user_agent?: string | null;
  readonly source?: string | null;
  readonly expires_at?: string | null;
  readonly state?: string | null;
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
  const settled = outcome(found.state);
  return [
    card(
      "The request",
      facts([
        ["Label", found.label ?? "none"],
        ["E-mail address", found.masked_email ?? "–"],
        ["Asked for", moment(found.requested_at)],
        ["From", found.user_agent ?? "not said"],
        ["Through", found.source ?? "not said"],
        ["Confirm by", moment(found.expires_at)],
      ]),
      settled ?? choice(),
    ),
  ];
}

/** What has been decided already; null while the choice is open. */
function outcome(state: string | null | undefined): HTMLElement | null {
  switch (state) {
    case "verified":
      return notice("calm", "This key is confirmed", h("p", {}, "There is nothing left to do."));
    case "revoked":
    case "denied":
      return notice("calm", "This key was refused", h("p", {}, "It no longer works."));
    case "expired":
      return notice(
        "warning",
        "This request has expired",
        h("p", {}, "The key no longer works. ", h("a", { href: at("keys") }, "Get a new key"), "."),
      );
    default:
      return null;
  }
}

function choice(): HTMLElement {
  const deny = h("div", { class: "form-alert" });
  const confirm = form({
    label: "Confirm this key",
    fields: [],
    children: [h("p", {}, "Did you ask for this key?")],
    submit: "Yes, confirm this key",
    async act() {
      await call({ method: "POST", path: "v1/keys/verify", body: { token } });
      finish(
        "The key is confirmed",
        "It keeps working after the 72 hours, with 50,000 units a month shared by all your keys.",
        h("p", {}, h("a", { href: at("console") }, "Open the console"), " to see your usage."),
      );
    },
  });
  const refuse = actionButton(
    "This wasn’t me",
    async () => {
      await call({ method: "POST", path: "v1/keys/verify/deny", body: { token } });
      finish(
        "The key is refused",
        "It no longer works. Somebody typed your address; nothing else has happened, and there is nothing else to do.",
      );
    },
    (error) => deny.replaceChildren(refusal(error)),
  );
  confirm.querySelector(".actions")!.append(refuse);
  return h("div", {}, deny, confirm);
}

function finish(title: string, text: string, more?: HTMLElement): void {
  document.querySelector(".lead")?.remove();
  show(notice("calm", title, h("p", {}, text), more ?? null));
  focusOn(page.querySelector<HTMLElement>("h2")!);
  announce(`${title}.`);
}

void fill(page, details);
