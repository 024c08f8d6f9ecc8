import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { call } from "../../site/client";
import { moment } from "../../site/dates";
import { actionButton } from "../../site/form";
import { announce, refusal } from "../../site/page";
import { progressOf } from "../plan/solve";
import { number, records, text } from "../problem/values";

const SHOWN = 10;

/** The latest jobs of the key, how far they are, and a way to cancel one; asked for when it is opened. */
export function jobList(apiKey: string): HTMLElement {
  const box = h("div", { class: "jobs" });
  const fail = (error: unknown): void => box.replaceChildren(refusal(error));
  const load = async (): Promise<void> => {
    const answer = await call<{ jobs?: unknown }>({
      path: `v1/jobs?limit=${SHOWN}`,
      token: apiKey,
    });
    const jobs = records(answer.jobs);
    reconcile(
      box,
      jobs.length
        ? h(
            "ul",
            { "aria-label": tr("Jobs") },
            jobs.map((job) => h("li", {}, aboutJob(job), cancelButton(job))),
          )
        : h("p", { class: "muted" }, tr("This key has no jobs yet.")),
      actionButton(tr("Look again"), load, fail, "button second small"),
    );
  };
  const cancelButton = (job: Record<string, unknown>): HTMLElement | null => {
    if (job["state"] !== "queued" && job["state"] !== "running") return null;
    const cancel = async (): Promise<void> => {
      await call({ method: "DELETE", path: `v1/jobs/${String(job["id"])}`, token: apiKey });
      announce(tr("The job is cancelled."));
      await load();
    };
    return actionButton(tr("Cancel"), cancel, fail, "link");
  };
  const fold = h(
    "details",
    { class: "fold", ontoggle: () => void (fold.open && load().catch(fail)) },
    h("summary", {}, tr("Jobs of this key")),
    box,
  );
  return fold;
}

const KINDS: Readonly<Record<string, string>> = {
  optimise: tr("Plan"),
  replan: tr("Rest of a day"),
  matrix: tr("Matrix"),
};

function aboutJob(job: Record<string, unknown>): HTMLElement {
  const state = String(job["state"]);
  const { text: doing, share } = progressOf(job);
  const part = share === null ? "" : ` ${Math.floor(share * 100)} %`;
  const problem = (job["problem"] ?? {}) as Record<string, unknown>;
  const words = {
    queued: tr("waits for its turn"),
    running: `${doing}${part}`,
    failed: tr("failed: {0}", text(problem["detail"]) ?? text(problem["title"]) ?? ""),
  }[state];
  const units = number(job["units"]) ?? 0;
  return h(
    "span",
    {},
    h("strong", {}, KINDS[String(job["kind"])] ?? String(job["kind"])),
    " ",
    moment(text(job["created_at"])),
    `: ${words ?? state}`,
    h(
      "span",
      { class: "muted" },
      ` ${job["refunded"] === true ? tr("free") : tr("{0} {0|unit|units}", units)} `,
    ),
  );
}
