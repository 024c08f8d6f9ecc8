import { formatCount } from "../../ui/format";
import { tr } from "../../ui/translate";
import { isRecord } from "../../call/record";
import { call, Refused } from "../../site/client";
import type { Solving } from "./store";

export interface Solver {
  readonly apiKey: string | null;
  /** Below v1/jobs/ and below the root: optimise, or replan. */
  readonly kind: "optimise" | "replan";
  readonly body: unknown;
  readonly progressed: (solving: Solving) => void;
  /** Ends a job with its best plan so far. */
  readonly enough: AbortSignal;
  /** Ends it without one. */
  readonly signal: AbortSignal;
}

/** Looks in a row that may find no server, about two minutes: the job goes on without them. */
const MOST_MISSED = 60;
const AWAY: Solving = { text: tr("The server does not answer. Looking again…"), share: null };

/** Between two looks at a job: soon at first, as most are done at once. */
const LOOKS_MS = [300, 500, 800, 1200, 2000];

/**
 * Has a problem solved: with a key as a job, whose progress it reports, else
 * while one waits. Null where the signal ended it. Throws what refused it.
 */
export async function solve(solver: Solver): Promise<unknown> {
  const { apiKey, kind, body, progressed, enough, signal } = solver;
  progressed({ text: tr("Sending the problem…"), share: null });
  if (!apiKey) {
    const path = kind === "replan" ? "optimise/replan" : "optimise";
    progressed({ text: tr("Solving…"), share: null });
    const answer = await call<unknown>({ method: "POST", path, body });
    return signal.aborted || enough.aborted ? null : answer;
  }
  const made = await call<unknown>({
    method: "POST",
    path: `v1/jobs/${kind}`,
    token: apiKey,
    body,
  });
  const id = isRecord(made) ? String(made["id"]) : "";
  let asked = false;
  let missed = 0;
  for (let look = 0; ; look++) {
    if (signal.aborted) {
      await end(`v1/jobs/${id}`, apiKey);
      return null;
    }
    if (enough.aborted && !asked) {
      asked = true;
      look = 0;
      await end(`v1/jobs/${id}?keep=best`, apiKey);
    }
    const job = await looked(`v1/jobs/${id}`, apiKey).catch((error: unknown) => {
      if (!isAway(error) || ++missed > MOST_MISSED) throw error;
      return null;
    });
    switch (job?.["state"]) {
      case "succeeded":
        return job["result"];
      case "cancelled":
        return null;
      case "failed": {
        const problem = isRecord(job["problem"]) ? job["problem"] : {};
        const status = typeof problem["status"] === "number" ? problem["status"] : 500;
        throw new Refused({ kind: "answer", status, body: problem, retryAfter: null });
      }
      default:
        if (job) missed = 0;
        progressed(job ? progressOf(job) : AWAY);
    }
    await rest(LOOKS_MS[Math.min(look, LOOKS_MS.length - 1)]!, asked ? [signal] : [signal, enough]);
  }
}

/** Whether the server may answer again. */
function isAway(error: unknown): boolean {
  return error instanceof Refused && [0, 429, 502, 503, 504].includes(error.status);
}

async function looked(path: string, apiKey: string): Promise<Record<string, unknown>> {
  const job = await call<unknown>({ path, token: apiKey });
  if (!isRecord(job)) throw new TypeError(tr("The job cannot be read."));
  return job;
}

/** What a job says of how far it is. */
export function progressOf(job: Record<string, unknown>): Solving {
  if (job["stopping"] === true) {
    return { text: tr("Ending with the best rounds so far…"), share: null, stopping: true };
  }
  if (job["state"] === "queued") return { text: tr("Waiting for its turn…"), share: 0 };
  const progress = isRecord(job["progress"]) ? job["progress"] : {};
  const { share, stage, best_cost: cost, unassigned } = progress;
  const parts = [
    STAGES[String(stage)] ?? tr("Solving"),
    typeof cost === "number" && tr("best cost so far {0}", formatCount(Math.round(cost))),
    typeof unassigned === "number" && unassigned > 0 && tr("{0} left out", unassigned),
  ];
  return {
    text: `${parts.filter((part) => part !== false).join(", ")}…`,
    share: typeof share === "number" ? share : null,
  };
}

const STAGES: Readonly<Record<string, string>> = {
  matrix: tr("Measuring the ways"),
  search: tr("Looking for better rounds"),
  explain: tr("Finding out why some are left"),
  geometry: tr("Drawing the rounds"),
};

async function end(path: string, apiKey: string): Promise<void> {
  try {
    await call({ method: "DELETE", path, token: apiKey });
  } catch {
    // It has ended meanwhile, or will by itself.
  }
}

/** Waits, until one of the signals at the longest. */
function rest(ms: number, signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      for (const signal of signals) signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    for (const signal of signals) signal.addEventListener("abort", done);
  });
}
