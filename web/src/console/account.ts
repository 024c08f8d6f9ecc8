import { h, type Child } from "../ui/dom";
import { call, Refused } from "../site/client";
import { moment, monthName, monthOf } from "../site/dates";
import { actionButton } from "../site/form";
import { meter } from "../site/meter";
import { exactMoney, pounds } from "../site/money";
import { announce, box, card, here, loading, notice, page, refusal } from "../site/page";
import { facts } from "../site/table";
import type { Usage } from "../site/usage";
import { usageView } from "../site/usageview";
import { creditPart } from "./credit";
import { playground } from "./playground";
import type { Self } from "./self";
import { historyTable, keysTable } from "./tables";

export interface AccountSetup {
  expired(): void;
  signOut(): Promise<void>;
}

/** How often, and how many times, to look whether a payment has arrived. */
const LOOK_MS = 2000;
const LOOKS = 8;

/** The account's view: what changes with a payment is filled anew on its own. */
export class Account {
  private readonly token: string;
  private readonly setup: AccountSetup;
  private readonly note = box();
  private readonly head = box("cards");
  private readonly keys = box();
  private readonly credit = box();
  private readonly history = box();

  constructor(token: string, setup: AccountSetup) {
    this.token = token;
    this.setup = setup;
  }

  async open(): Promise<void> {
    page.replaceChildren(loading());
    let self: Self;
    try {
      self = await this.load();
    } catch (error) {
      if (!this.refused(error)) page.replaceChildren(refusal(error), this.signOutButton());
      return;
    }
    const section = (id: string, title: string, ...content: Child[]): HTMLElement => {
      const element = card(title, ...content);
      element.id = id;
      return element;
    };
    page.replaceChildren(
      h(
        "div",
        { class: "who" },
        h("p", {}, "Signed in as ", h("strong", {}, self.email)),
        this.signOutButton(),
      ),
      this.note,
      this.head,
      sections(),
      section("usage", "Usage", this.usage(self)),
      section("keys", "Keys", this.keys),
      section("credit", "Credit", this.credit),
      section("history", "History of credit", this.history),
      section("playground", "Playground", playground()),
    );
    this.draw(self);
    const came = new URLSearchParams(location.search).get("checkout");
    if (came !== null) history.replaceState(null, "", location.pathname);
    if (came === "done") await this.awaitPayment(self);
    if (came === "cancelled") {
      this.note.replaceChildren(notice("warning", "Nothing was bought"));
      announce("Nothing was bought.");
    }
  }

  private load(): Promise<Self> {
    return call<Self>({ path: "v1/console/self", token: this.token });
  }

  private usage(self: Self): HTMLElement {
    return usageView({
      since: self.created_at,
      load: (from, to) =>
        call<Usage>({ path: "v1/console/usage", query: { from, to }, token: this.token }),
      refused: (error) => this.refused(error),
    });
  }

  private draw(self: Self): void {
    this.head.replaceChildren(...headCards(self));
    this.keys.replaceChildren(keysTable(self.keys));
    this.credit.replaceChildren(...creditPart(self, this.token));
    this.history.replaceChildren(historyTable(self.history));
  }

  /** The payment processor notifies the server a little later than the browser. */
  private async awaitPayment(before: Self): Promise<void> {
    const title = "Thank you for your payment";
    const say = (text: string): void => {
      this.note.replaceChildren(notice("calm", title, h("p", {}, text)));
      announce(`${title}. ${text}`);
    };
    say("The credit shows here as soon as the payment is confirmed.");
    for (let look = 0; look < LOOKS && this.note.isConnected; look++) {
      await new Promise((resolve) => setTimeout(resolve, look ? LOOK_MS : 0));
      const self = await this.load().catch((error: unknown) => void this.refused(error));
      if (!self) return;
      const entry = self.history.at(-1);
      const fresh = entry?.kind === "credit" && Date.now() - Date.parse(entry.at) < 600_000;
      if (
        self.balance_millipence > before.balance_millipence ||
        self.plan !== before.plan ||
        fresh
      ) {
        this.draw(self);
        say(`Your balance is ${exactMoney(self.balance_millipence)}.`);
        return;
      }
    }
    say("The payment is not confirmed yet. Open this page again in a minute.");
  }

  private signOutButton(): HTMLElement {
    return actionButton(
      "Sign out",
      () => this.setup.signOut(),
      (error) => {
        this.note.replaceChildren(refusal(error));
      },
    );
  }

  private refused(error: unknown): boolean {
    if (!(error instanceof Refused) || error.status !== 401) return false;
    this.setup.expired();
    return true;
  }
}

function sections(): HTMLElement {
  const links = [
    ["usage", "Usage"],
    ["keys", "Keys"],
    ["credit", "Credit"],
    ["history", "History"],
    ["playground", "Playground"],
  ] as const;
  return h(
    "nav",
    { class: "sections", "aria-label": "On this page" },
    links.map(([id, name]) => h("a", { href: here(`#${id}`) }, name)),
  );
}

function headCards(self: Self): HTMLElement[] {
  const live = self.keys.filter((key) => !key.revoked_at).length;
  const label = `Quota of ${monthName(monthOf(new Date()))}`;
  return [
    card(
      label,
      meter(label, self.used_this_month, self.monthly_quota, "units"),
      h("p", { class: "hint" }, "Shared by all confirmed keys; a new month starts at 00:00 UTC."),
    ),
    card(
      "Balance",
      h("p", { class: "big" }, pounds(self.balance_pence)),
      h("p", { class: "hint" }, `Exactly ${exactMoney(self.balance_millipence)}.`),
    ),
    card(
      "Account",
      facts([
        ["Plan", self.plan],
        ["Since", moment(self.created_at)],
        ["Keys not revoked", String(live)],
      ]),
    ),
  ];
}
