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
            { "aria-label": "Jobs" },
            jobs.map((job) => h("li", {}, aboutJob(job), cancelButton(job))),
          )
        : h("p", { class: "muted" }, "This key has no jobs yet."),
      actionButton("Look again", load, fail, "button second small"),
    );
  };
  const cancelButton = (job: Record<string, unknown>): HTMLElement | null => {
    if (job["state"] !== "queued" && job["state"] !== "running") return null;
    const cancel = async (): Promise<void> => {
      await call({ method: "DELETE", path: `v1/jobs/${String(job["id"])}`, token: apiKey });
      announce("The job is cancelled.");
      await load();
    };
    return actionButton("Cancel", cancel, fail, "link");
  };
  const fold = h(
    "details",
    { class: "fold", ontoggle: () => void (fold.open && load().catch(fail)) },
    h("summary", {}, "Jobs of this key"),
    box,
  );
  return fold;
}

const KINDS: Readonly<Record<string, string>> = {
  optimise: "Plan",
  replan: "Rest of a day",
  matrix: "Matrix",
};

function aboutJob(job: Record<string, unknown>): HTMLElement {
  const state = String(job["state"]);
  const { text: doing, share } = progressOf(job);
  const part = share === null ? "" : ` ${Math.floor(share * 100)} %`;
  const problem = (job["problem"] ?? {}) as Record<string, unknown>;
  const told = {
    queued: "waits for its turn",
    running: `${doing}${part}`,
    failed: `failed: ${text(problem["detail"]) ?? text(problem["title"]) ?? ""}`,
  }[state];
  const units = number(job["units"]) ?? 0;
  return h(
    "span",
    {},
    h("strong", {}, KINDS[String(job["kind"])] ?? String(job["kind"])),
    " ",
    moment(text(job["created_at"])),
    `: ${told ?? state}`,
    h("span", { class: "muted" }, ` ${job["refunded"] === true ? "free" : `${units} units`} `),
  );
}
