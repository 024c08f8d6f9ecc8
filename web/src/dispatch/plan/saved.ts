import { tr } from "../../ui/translate";
import { problemOf, type Problem } from "../problem/model";
import type { Followed } from "./follow";
import type { Plan } from "./plan";

/** A problem with its plan, kept in this browser under a name. */
export interface Saved {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly problem: Problem;
  readonly plan: Plan | null;
  /** Where drivers follow it. */
  readonly followed?: Followed | null;
}

const DATABASE = "waygate.planner";
const PLANS = "plans";
/** Plans that are kept; one more is refused. */
export const MOST_PLANS = 60;

function ended<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error(tr("This browser keeps nothing.")));
  });
}

async function plans(mode: IDBTransactionMode): Promise<IDBObjectStore> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(PLANS, { keyPath: "name" });
  return (await ended(opening)).transaction(PLANS, mode).objectStore(PLANS);
}

/** All plans that are kept, by day and name. */
export async function savedPlans(): Promise<Saved[]> {
  const all = (await ended((await plans("readonly")).getAll())) as Saved[];
  const key = ({ problem, name }: Saved): string => `${problem.day} ${name}`;
  return all
    .map((one) => ({ ...one, problem: problemOf(one.problem) }))
    .toSorted((a, b) => key(a).localeCompare(key(b)));
}

/** Keeps a plan in place of one of the same name. */
export async function savePlan(saved: Saved): Promise<void> {
  const others = (await savedPlans()).filter(({ name }) => name !== saved.name);
  if (others.length >= MOST_PLANS)
    throw new Error(tr("At most {0} plans are kept: delete one first.", MOST_PLANS));
  // Relaxations are functions, which cannot be kept.
  const plan = saved.plan && {
    ...saved.plan,
    left: saved.plan.left.map((one) => ({ ...one, relaxations: [] })),
  };
  await ended((await plans("readwrite")).put({ ...saved, plan }));
}

export async function dropPlan(name: string): Promise<void> {
  await ended((await plans("readwrite")).delete(name));
}
