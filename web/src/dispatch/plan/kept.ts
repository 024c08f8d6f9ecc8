import { isRecord } from "../../call/record";
import { problemOf, type Problem } from "../problem/model";
import type { Followed } from "./follow";
import type { Plan } from "./plan";

/** The problem that was worked on last in this browser, with which a new tab begins. */
export const STORED = "waygate.planner";
/** What a tab works on, with its plan, which a reload finds again. */
const TAB = "waygate.planner.tab";

export interface Kept {
  readonly problem: Problem;
  readonly plan: Plan | null;
  readonly followed: Followed | null;
}

/** What this tab worked on, else what this browser did. */
export function readKept(): Kept {
  const tab = read(() => sessionStorage.getItem(TAB));
  if (tab) {
    const problem = problemOf((tab["problem"] ?? {}) as Partial<Problem>);
    const plan = (tab["plan"] ?? null) as (Omit<Plan, "problem"> & Partial<Plan>) | null;
    return {
      problem,
      plan: plan && { ...plan, problem: plan.problem ? problemOf(plan.problem) : problem },
      followed: (tab["followed"] ?? null) as Followed | null,
    };
  }
  const problem = problemOf(read(() => localStorage.getItem(STORED)) ?? {});
  return { problem, plan: null, followed: null };
}

function read(text: () => string | null): Record<string, unknown> | null {
  try {
    const value: unknown = JSON.parse(text() ?? "null");
    return isRecord(value) ? value : null;
  } catch {
    return null;
  }
}

/** Keeps what a tab works on; false where the browser has no room for it, or refuses. */
export function writeKept({ problem, plan, followed }: Kept): boolean {
  const left = plan?.left.map((one) => ({ ...one, relaxations: [] })); // they are functions
  const bare = plan && { ...plan, left, problem: plan.problem === problem ? undefined : plan.problem }; // prettier-ignore
  const all = [
    () => localStorage.setItem(STORED, JSON.stringify(problem)),
    () => sessionStorage.setItem(TAB, JSON.stringify({ problem, plan: bare, followed })),
  ];
  const [browser, tab] = all.map(done);
  // What the tab had before is older than what the browser has.
  if (!tab) done(() => sessionStorage.removeItem(TAB));
  return browser! && tab!;
}

function done(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
