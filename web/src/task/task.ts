import type { Answered, Call } from "../call/call";
import type { Failure } from "../call/problem";
import type { LonLat } from "../geo/coords";
import type { Field } from "../plan/options";
import type { Overlay } from "../map/overlay";
import type { Around, Handle, Shape } from "../map/shape";
import type { Plan, Spot } from "../plan/plan";

/** The result of a task: shapes on the map, and content of the panel. */
export interface Finding {
  readonly shapes: readonly Shape[];
  readonly content: HTMLElement;
  /** What was found in a line, which a phone shows above the panel. */
  readonly summary?: string;
}

/** The actions on the page that a task may use. */
export interface TaskContext {
  readonly keyed: boolean;
  readonly change: (plan: Plan) => void;
  /** Asks again, though the plan is the same. */
  readonly again: () => void;
  /** Makes a call now and shows its result as the task's; resolves once it is shown. */
  readonly run: (call: Call) => Promise<void>;
  /** Opens the card of a place. */
  readonly open: (spot: Spot) => void;
  /** Brings places into view. */
  readonly look: (places: readonly LonLat[]) => void;
  /** Marks a place on the map; null clears the mark. */
  readonly mark: (at: LonLat | null) => void;
  /** Draws other shapes in the place of those that were found. */
  readonly draw: (shapes: readonly Shape[]) => void;
  readonly apiKey: string | null;
  /** The plan as it is now. */
  readonly plan: () => Plan;
  /**
   * Lays something with layers of its own over the map until the task asks anew or another one
   * is chosen; changed is called when an input changes that makes no other request. Reports
   * false where that has happened already, and then lays nothing.
   */
  readonly over: (overlay: Lasting, changed: () => void) => boolean;
}

/** Something over the map that follows it and comes to an end. */
export interface Lasting extends Overlay {
  readonly moved: () => void;
  readonly end: () => void;
}

/** The description of a task on the rail. */
export interface Described {
  /** Its name in links: do=reach. */
  readonly name: string;
  readonly label: string;
  /** A drawing on a grid of 24 by 24. */
  readonly icon: string;
  /** What the stops are to it, in a sentence; "" says nothing, null where it needs none. */
  readonly stops: string | null;
  /** Whether the stops are a way from a start to a destination, not points alone. */
  readonly journey?: boolean;
  /** Whether point A alone matters. */
  readonly first?: boolean;
  /** Whether each click on the map adds a point, as the points are a line that is drawn. */
  readonly drawn?: boolean;
  /** Whether the way of travel and its options matter. */
  readonly travel: boolean;
  /** Whether the time of travel matters; it does to the route. */
  readonly when?: boolean;
  /** Inputs of its own, kept in links under their keys; those with main: false are folded away. */
  readonly fields?: readonly Field[];
}

/**
 * One of the things to do. A task is one file in this folder and one line in
 * tasks.ts. Only the route is requested elsewhere, by the planner.
 */
export interface Task extends Described {
  /** The request for the plan; null while something is missing. */
  readonly request: (plan: Plan, around: Around | null) => Call | null;
  /** Further calls by the answer, made all at once; one that fails keeps none back. */
  readonly beside?: (answer: unknown, plan: Plan) => readonly Call[];
  /** Reads the answer to a call, and what came of those beside; throws where it is not one. */
  readonly read: (
    answer: unknown,
    plan: Plan,
    context: TaskContext,
    call: Call,
    beside?: readonly Answered[],
  ) => Finding;
  /** Loads what the request needs for a plan and is not there yet; null where all is there. */
  readonly load?: (plan: Plan) => Promise<void> | null;
  /** What a failure means here; null where the usual words do. */
  readonly explain?: (failure: Failure) => HTMLElement | null;
  /** Whether the result calls the points by their names, which may come after the answer. */
  readonly named?: boolean;
  /** What is said while the answer is waited for. */
  readonly waiting: string;
  /** What to do first, while there is no request. */
  readonly hint: string;
  /** Whether nothing comes of it without an API key. */
  readonly key?: boolean;
  /** Controls besides the fields, made anew when the plan changes. */
  readonly controls?: (plan: Plan, context: TaskContext) => HTMLElement;
  /** What is drawn before there is an answer. */
  readonly sketch?: (plan: Plan) => readonly Shape[];
  readonly handles?: (plan: Plan) => readonly Handle[];
}
