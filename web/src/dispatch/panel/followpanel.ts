import { at } from "../../call/root";
import { Link } from "../../call/link";
import { call } from "../../site/client";
import { actionButton, complain, field } from "../../site/form";
import { announce, refusal } from "../../site/page";
import { copyText, h, saveText, type Child } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { dateLanguage, tr } from "../../ui/translate";
import {
  clockIn,
  linksCSV,
  publishBody,
  reportedOf,
  today,
  tokensOf,
  type Followed,
  type FollowedPlan,
  type NewLink,
} from "../plan/follow";
import { differs, type Plan } from "../plan/plan";
import { savedPlans, savePlan, type Saved } from "../plan/saved";
import type { PlanStore } from "../plan/store";
import { onItsDay, type Round } from "../../driver/round";
import { lasting } from "../problem/times";

const EVERY_MS = 20_000;
const LATE = 300;

/** Links for drivers, what they report, and the arrivals to share. */
export class FollowPanel {
  readonly element = h("section", { class: "follow", "aria-label": tr("Drivers") });
  private readonly store: PlanStore;
  private readonly apiKey: string;
  private readonly parts = h("div", {});
  private readonly wrong = h("div", {});
  private link: Link;
  private plan: FollowedPlan | null = null;
  /** The plan that the drivers have. */
  private sent: Plan | null = null;
  private kept: readonly Saved[] = [];
  private readonly name = h("input", { type: "text", maxLength: 80, "data-focus": "follow-name" });
  private readonly named = field({
    name: "follow-name",
    label: tr("Name for the drivers"),
    control: this.name,
  });

  constructor(store: PlanStore, apiKey: string) {
    this.store = store;
    this.apiKey = apiKey;
    this.link = new Link(apiKey);
    this.element.append(h("h3", {}, tr("Drivers")), this.parts, this.wrong);
    store.subscribe((state, before) => {
      if (state.followed?.id !== before.followed?.id || (state === before && state.followed)) {
        this.plan = null;
        this.sent = state.plan;
        this.link = new Link(apiKey);
        this.name.value = "";
        void this.bring();
      }
      if (
        state === before ||
        differs(state.plan, before.plan) ||
        state.followed !== before.followed
      )
        this.draw();
    });
    setInterval(() => document.hidden || void this.bring(), EVERY_MS);
    void this.loadKept();
  }

  private readonly fail = (error: unknown): void => this.wrong.replaceChildren(refusal(error));

  private async loadKept(): Promise<void> {
    this.kept = (await savedPlans().catch(() => [])).filter(({ followed }) => followed);
    this.draw();
  }

  /** Brings what drivers have reported up to date. */
  private async bring(): Promise<void> {
    const { followed } = this.store.state;
    if (!followed) return;
    const heard = await this.link.get<FollowedPlan>(`v1/plans/${followed.id}`);
    if (this.store.state.followed?.id !== followed.id) return;
    if (heard.kind === "answer") this.take(heard.answer);
    if (heard.kind === "closed") {
      this.store.follow(null);
      announce(tr("The plan of the drivers is at its end."));
      await this.keep(null);
    }
  }

  private take(plan: FollowedPlan): void {
    const before = this.plan;
    this.plan = plan;
    this.store.report(reportedOf(plan));
    const failed = plan.rounds.flatMap(({ stops }) =>
      stops.filter((one) => one.state === "failed"),
    );
    const old = new Set(before?.rounds.flatMap(({ stops }) => stops.filter((one) => one.state === "failed").map(({ id }) => id))); // prettier-ignore
    const fresh = before ? failed.filter(({ id }) => !old.has(id)) : [];
    if (fresh.length)
      announce(tr("Could not be done: {0}", fresh.map(({ name, id }) => name || id).join(", ")));
    this.draw();
  }

  /** Keeps the plan in this browser with its links. */
  private async keep(followed: Followed | null): Promise<void> {
    const { plan, problem } = this.store.state;
    const name = followed?.name ?? this.kept.find((one) => one.plan === plan)?.name;
    if (name) await savePlan({ name, at: Date.now(), problem, plan, followed });
    await this.loadKept();
  }

  private async publish(): Promise<void> {
    this.wrong.replaceChildren();
    const { plan } = this.store.state;
    const name = this.name.value.trim();
    if (!plan) return;
    if (!name) return complain(this.name, tr("A plan is kept under a name."));
    const body = publishBody(plan, name);
    const made = await call<FollowedPlan>({ method: "POST", path: "v1/plans", token: this.apiKey, body }); // prettier-ignore
    const followed = { id: made.id, name, tokens: tokensOf({}, made) };
    this.store.follow(followed);
    this.sent = plan;
    this.take(made);
    await this.keep(followed);
    announce(tr("The drivers’ links are ready."));
  }

  /** Gives the drivers the plan of the page in place of the one that they have. */
  private async send(): Promise<void> {
    this.wrong.replaceChildren();
    const { plan, followed } = this.store.state;
    if (!plan || !followed) return;
    const body = publishBody(plan, followed.name);
    const answer = await this.put(`v1/plans/${followed.id}`, body);
    const next = { ...followed, tokens: tokensOf(followed.tokens, answer) };
    this.sent = plan;
    this.store.follow(next);
    this.take(answer);
    await this.keep(next);
    announce(tr("The drivers have the plan of this page."));
  }

  private put(path: string, body: unknown): Promise<FollowedPlan> {
    return call<FollowedPlan>({ method: "PUT", path, token: this.apiKey, body });
  }

  private async renew(of: { vehicle: string } | { stop: string }): Promise<void> {
    const { followed } = this.store.state;
    if (!followed) return;
    const path = `v1/plans/${followed.id}/links`;
    const link = await call<NewLink>({ method: "POST", path, token: this.apiKey, body: of });
    const next = { ...followed, tokens: { ...followed.tokens, [link.id]: link.token } };
    this.store.follow(next);
    await this.bring();
    await this.keep(next);
    announce(tr("There is a new link. The one before opens nothing any more."));
  }

  private async revoke(id: string): Promise<void> {
    const { followed } = this.store.state;
    if (!followed) return;
    const path = `v1/plans/${followed.id}/links/${id}`;
    await call({ method: "DELETE", path, token: this.apiKey });
    await this.bring();
    announce(tr("The link opens nothing any more."));
  }

  private async end(): Promise<void> {
    const { followed } = this.store.state;
    if (!followed) return;
    await call({ method: "DELETE", path: `v1/plans/${followed.id}`, token: this.apiKey });
    const { name } = followed;
    this.store.follow(null);
    const { plan, problem } = this.store.state;
    await savePlan({ name, at: Date.now(), problem, plan, followed: null });
    await this.loadKept();
    announce(tr("The links and all reports are deleted."));
  }

  private draw(): void {
    const { plan, followed } = this.store.state;
    if (followed) {
      reconcile(this.parts, ...this.followedParts(followed));
      return;
    }
    const others = this.kept.filter((one) => one.plan);
    if (plan && !this.name.value) this.name.value = plan.problem.day || today();
    reconcile(
      this.parts,
      plan &&
        h(
          "p",
          { class: "hint" },
          tr(
            "Each driver gets a link to a page for the phone with the next stop. What is kept on the server is this plan and what drivers report; it is deleted with the plan, a week after its day.",
          ),
        ),
      plan && this.named.element,
      plan && this.action(tr("Make links for the drivers"), () => this.publish()),
      others.map(({ name, problem, plan: old, followed: own }) =>
        h(
          "button",
          {
            type: "button",
            class: "button second small",
            "data-focus": `follow-${name}`,
            onclick: () => this.store.open(problem, old, own),
          },
          tr("Go on with {0}", name),
        ),
      ),
    );
  }

  private action(label: Child, act: () => Promise<void>): HTMLElement {
    const button = actionButton(label, act, this.fail, "button second small");
    button.dataset["focus"] = `act-${button.textContent}`;
    return button;
  }

  private followedParts({ tokens, name }: Followed): Child[] {
    const { plan } = this;
    if (!plan) return [h("p", { class: "loading" }, tr("Loading…"))];
    const until = new Date(plan.expires_at).toLocaleDateString(dateLanguage());
    const changed = this.store.state.plan !== this.sent;
    return [
      h("p", {}, h("strong", {}, name), ` · ${tr("deleted on {0}", until)}`),
      changed &&
        h("p", { class: "notice warning" }, tr("The plan of this page is not what drivers have.")),
      changed && this.action(tr("Send it to the drivers"), () => this.send()),
      h(
        "ul",
        { class: "follow-rounds" },
        plan.rounds.map((round) => this.roundLine(plan, round, tokens)),
      ),
      h(
        "div",
        { class: "buttons" },
        h(
          "button",
          {
            type: "button",
            class: "button second small",
            "data-focus": "links-csv",
            onclick: () => saveText("links.csv", "text/csv", linksCSV(plan, tokens, addressOf)),
          },
          tr("Save all links as CSV"),
        ),
        this.action(tr("Delete links and reports"), () => this.end()),
      ),
    ];
  }

  private roundLine(plan: FollowedPlan, round: Round, tokens: Followed["tokens"]): HTMLElement {
    const { vehicle, name, stops, done, failed, delay_s, link_id } = round;
    const next = stops.find(({ state }) => state === "open");
    const bar = h("progress", { max: stops.length, "aria-label": tr("Progress of {0}", name) });
    bar.value = done + failed;
    const token = tokens[link_id ?? ""];
    return h(
      "li",
      { "data-key": vehicle },
      h(
        "p",
        {},
        h("strong", {}, name),
        " ",
        tr("{0} of {1} {1|stop|stops}", done + failed, stops.length),
      ),
      bar,
      h(
        "p",
        { class: "muted" },
        next
          ? tr("Next: {0}, about {1}", next.name || next.id, clockIn(plan, next.eta))
          : tr("All stops are reported."),
        delay_s >= LATE &&
          onItsDay(plan.begins_at, stops) &&
          h("span", { class: "late" }, ` ${tr("{0} late", lasting(delay_s))}`),
        failed > 0 && h("strong", {}, ` ${tr("{0} not done", failed)}`),
      ),
      h(
        "div",
        { class: "buttons" },
        token ? this.copying("driver", token, tr("Copy the link of {0}", name)) : null,
        token
          ? h(
              "a",
              {
                class: "button second small",
                href: addressOf("driver", token),
                target: "_blank",
                rel: "noopener",
              },
              tr("Open it"),
            )
          : null,
        this.action(tr("New link for {0}", name), () => this.renew({ vehicle })),
        link_id
          ? this.action(tr("Revoke the link of {0}", name), () => this.revoke(link_id))
          : null,
      ),
      h(
        "details",
        { class: "fold" },
        h("summary", { "data-focus": `stops-${vehicle}` }, tr("Stops and arrivals")),
        h(
          "ol",
          {},
          stops.map((stop) =>
            h(
              "li",
              { "data-key": stop.id, class: `follow-stop ${stop.state}` },
              h("span", {}, MARKS[stop.state], stop.name || stop.id),
              h("span", { class: "muted" }, ` ${clockIn(plan, stop.eta)}`),
              stop.report && h("span", {}, ` “${stop.report}”`),
              " ",
              tokens[stop.link_id ?? ""]
                ? this.copying(
                    "arrival",
                    tokens[stop.link_id!]!,
                    tr("Copy the arrival of {0}", stop.name || stop.id),
                  )
                : null,
            ),
          ),
        ),
      ),
    );
  }

  private copying(page: "driver" | "arrival", token: string, label: string): HTMLElement {
    return h(
      "button",
      {
        type: "button",
        class: page === "driver" ? "button second small" : "link",
        "data-focus": `copy-${label}`,
        onclick: () => {
          void copyText(addressOf(page, token)).then((copied) =>
            announce(copied ? tr("Copied.") : tr("Not copied: select the text instead.")),
          );
        },
      },
      label,
    );
  }
}

const MARKS = { open: "", done: "✓ ", failed: "✕ " } as const;

/** The address of the page of a link. */
function addressOf(page: "driver" | "arrival", token: string): string {
  return `${at(page)}#${token}`;
}
