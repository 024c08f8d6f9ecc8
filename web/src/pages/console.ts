import { h } from "../ui/dom";
import { Account } from "../console/account";
import { consoleSession } from "../call/secrets";
import { call, Refused } from "../site/client";
import { field, form } from "../site/form";
import { announce, here, loading, notice, page, refusal, show } from "../site/page";
import { at } from "../call/root";

/** The answer of POST /v1/console/session. */
interface Session {
  readonly session: string;
}

const lead = document.querySelector<HTMLElement>(".lead")!;

function signIn(above?: HTMLElement): void {
  lead.hidden = false;
  const email = field({
    name: "email",
    label: "E-mail address",
    hint: "The one that your keys were asked for with.",
    control: h("input", { type: "email", required: true, autocomplete: "email", maxlength: 254 }),
  });
  const box = h(
    "section",
    { class: "card narrow" },
    h("h2", {}, "Sign in"),
    form({
      label: "Sign in",
      fields: [email],
      children: [email.element],
      submit: "E-mail me a sign-in link",
      async act() {
        const address = email.control.value.trim();
        await call({ method: "POST", path: "v1/console/signin", body: { email: address } });
        show(
          notice(
            "calm",
            "Look into your mail",
            h("p", {}, `If there is an account for ${address}, a link is on its way.`),
            h("p", {}, "It works once, for 15 minutes."),
            h(
              "div",
              { class: "actions" },
              h(
                "button",
                { type: "button", class: "button second", onclick: () => signIn() },
                "Use another address",
              ),
            ),
          ),
        );
        announce("If there is an account, a link is on its way.");
      },
    }),
    h("p", { class: "fine" }, "No key yet? ", h("a", { href: at("keys") }, "Get a key"), "."),
  );
  if (above) show(above, box);
  else page.replaceChildren(box);
}

/** Ends what this tab knows of the session and says why. */
function expired(): void {
  consoleSession.set(null);
  signIn(
    notice("warning", "You were signed out", h("p", {}, "The session has expired: sign in again.")),
  );
}

async function signOut(): Promise<void> {
  const token = consoleSession.get();
  consoleSession.set(null);
  try {
    await call({ method: "DELETE", path: "v1/console/session", token });
  } catch (error) {
    // A session that has ended already is as good as signed out.
    if (!(error instanceof Refused && error.status === 401)) {
      consoleSession.set(token);
      throw error;
    }
  }
  signIn(notice("calm", "You are signed out"));
}

/** The token of a sign-in link, taken out of the address bar and the history. */
function takeToken(): string | null {
  const match = /^#signin=([\w-]+)$/.exec(location.hash);
  if (!match) return null;
  history.replaceState(null, "", here(""));
  return match[1]!;
}

async function start(): Promise<void> {
  const token = takeToken();
  if (token) {
    page.replaceChildren(loading());
    try {
      const answer = await call<Session>({
        method: "POST",
        path: "v1/console/session",
        body: { token },
      });
      consoleSession.set(answer.session);
      announce("Signed in.");
    } catch (error) {
      signIn(refusal(error));
      return;
    }
  }
  const session = consoleSession.get();
  if (!session) {
    signIn();
    return;
  }
  lead.hidden = true;
  await new Account(session, { expired, signOut }).open();
}

addEventListener("hashchange", () => {
  if (location.hash.startsWith("#signin=")) void start();
});
void start();
