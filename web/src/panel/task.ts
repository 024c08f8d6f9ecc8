import { post } from "../call";
import { codeBlock } from "../code";
import type { Bounds, LonLat } from "../coords";
import { curlCommand, prettyJSON } from "../curl";
import { h, refill } from "../dom";
import { uiIcon } from "../icons";
import { TASKS, type TaskName } from "../plan";
import type { Loading } from "../loading";
import { REST_MS, UNREADABLE, type Planner } from "../planner";
import { boundsOf } from "../polyline";
import { narrate, type Failure } from "../problem";
import { matrix } from "../task/matrix";
import { centroid } from "../task/centroid";
import { isochrone } from "../task/isochrone";
import type { Call, Finding, Shape, Task } from "../task/task";
import { traceTask } from "../task/trace";

export interface TaskSetup {
  readonly planner: Planner;
  readonly loading: Loading;
  readonly apiKey: string | null;
  readonly draw: (shapes: readonly Shape[]) => void;
  readonly fit: (bounds: Bounds) => void;
}

/** What to do with the points: a route, or one of the other tasks. */
export function taskTabs(planner: Planner): HTMLElement {
  const box = h("fieldset", { class: "bare tasks" });
  planner.subscribe((state, before) => {
    if (state !== before && state.plan.task === before.plan.task) return;
    refill(
      box,
      h("legend", { class: "offscreen" }, "What to do"),
      TASKS.map(([name, label]) =>
        h(
          "label",
          { class: "task" },
          h("input", {
            type: "radio",
            name: "task",
            value: name,
            checked: name === state.plan.task,
            "data-focus": `task-${name}`,
            onchange: () => planner.change({ ...planner.state.plan, task: name }, "map"),
          }),
          label,
        ),
      ),
    );
  });
  return box;
}

/** What came of a task other than a route: its controls, its finding, the exchange behind it. */
export function taskPanel({ planner, loading, apiKey, draw, fit }: TaskSetup): HTMLElement {
  const tasks: Record<Exclude<TaskName, "route">, Task> = {
    reach: isochrone,
    matrix,
    meet: centroid,
    trace: traceTask(() => ask(true)),
  };
  const controls = h("div");
  const result = h("div", { class: "result" });
  const box = h("section", { "aria-label": "Finding" }, controls, result);
  let running: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let loaded: (() => void) | null = null;
  let asked = "";
  const end = (): void => {
    running?.abort();
    clearTimeout(timer);
    loaded?.();
    loaded = null;
  };

  const show = (finding: Finding, call: Call, answer: unknown, tookMS: number): void => {
    draw(finding.shapes);
    const bounds = boundsOf(finding.shapes.flatMap(({ geometry }) => positions(geometry)));
    if (bounds) fit(bounds);
    refill(
      result,
      finding.content,
      h("p", { class: "fine" }, `Answered in ${Math.round(tookMS)} ms, network included.`),
      exchange(call, answer, apiKey !== null),
    );
  };

  const fail = (failure: Failure, call: Call): void => {
    draw([]);
    const { title, text, notes } = narrate(failure, 0);
    refill(
      result,
      h(
        "div",
        { class: "notice danger", role: "alert" },
        h("h2", {}, uiIcon("warning"), title),
        text && h("p", {}, text),
        notes.length > 0 &&
          h(
            "ul",
            {},
            notes.map((note) => h("li", {}, note)),
          ),
      ),
      exchange(call, failure.kind === "answer" ? failure.body : undefined, apiKey !== null),
    );
  };

  const ask = (again = false): void => {
    const { plan } = planner.state;
    const task = plan.task === "route" ? null : tasks[plan.task];
    box.hidden = task === null;
    const call = task?.request(plan) ?? null;
    const body = call ? JSON.stringify(call) : (task?.hint ?? "");
    refill(
      controls,
      task?.controls?.(plan, (next) => planner.change(next, "map")),
    );
    if (body === asked && !again) return;
    asked = body;
    end();
    result.classList.toggle("stale", call !== null);
    if (!task || !call) {
      draw([]);
      refill(result, task && h("p", { class: "welcome" }, task.hint));
      return;
    }
    const { signal } = (running = new AbortController());
    loaded = loading.begin(task.waiting, () => {
      end();
      asked = "";
      result.classList.remove("stale");
      refill(
        result,
        h(
          "p",
          { class: "notice calm stopped" },
          "Cancelled.",
          h("button", { type: "button", class: "tool", onclick: () => ask(true) }, "Try again"),
        ),
      );
    });
    timer = setTimeout(() => {
      void post(call.path, JSON.stringify(call.body), apiKey, signal).then((answered) => {
        if (!answered) return;
        end();
        result.classList.remove("stale");
        if (answered.kind === "failed") return fail(answered.failure, call);
        let finding: Finding;
        try {
          finding = task.read(answered.body, plan);
        } catch {
          return fail(UNREADABLE, call);
        }
        show(finding, call, answered.body, answered.tookMS);
      });
    }, REST_MS);
  };
  planner.subscribe((state, before) => {
    if (state === before || state.plan !== before.plan) ask();
  });
  return box;
}

function exchange(call: Call, answer: unknown, keyed: boolean): HTMLElement {
  const url = new URL(call.path, document.baseURI).href;
  return h(
    "div",
    {},
    h(
      "details",
      {},
      h("summary", {}, "Request"),
      codeBlock("Copy the request", curlCommand({ method: "POST", url, body: call.body, keyed })),
    ),
    answer !== undefined &&
      h(
        "details",
        {},
        h("summary", {}, "Response"),
        codeBlock("Copy the response", prettyJSON(answer)),
      ),
  );
}

/** Every position of a geometry. */
function positions(geometry: GeoJSON.Geometry): LonLat[] {
  switch (geometry.type) {
    case "Point":
      return [geometry.coordinates as unknown as LonLat];
    case "LineString":
      return geometry.coordinates as unknown as LonLat[];
    case "Polygon":
      return geometry.coordinates.flat() as unknown as LonLat[];
    case "MultiPolygon":
      return geometry.coordinates.flat(2) as unknown as LonLat[];
    default:
      return [];
  }
}
