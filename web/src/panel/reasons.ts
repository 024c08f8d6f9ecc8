import type { Rationale, RouteAnswer } from "../answer";
import { send } from "../call";
import { h } from "../dom";
import type { Outcome } from "../planner";
import { narrate } from "../problem";
import { inWords } from "../words";
import type { ResultSetup } from "./result";

/** The costings whose routes the gateway explains. */
const EXPLAINED = new Set(["truck", "auto", "bicycle", "pedestrian", "motor_scooter"]);

/** Offers to say which of the options changed the route; empty where none was set. */
export function reasons(setup: ResultSetup, outcome: Outcome & { kind: "routes" }): HTMLElement {
  const { request } = outcome;
  const box = h("div", { class: "reasons" });
  if (!EXPLAINED.has(request.costing) || !(request.costing_options || request.adr)) return box;
  const ask = async (): Promise<void> => {
    box.replaceChildren(
      h("p", { class: "hint" }, "Comparing with the routes without each option…"),
    );
    const { alternates: _, ...plain } = request;
    const call = { path: "route", body: { ...plain, rationale: true } };
    const running = new AbortController();
    const done = setup.loading.begin("Comparing routes…", () => running.abort());
    const answered = await send(call, setup.apiKey, running.signal);
    done();
    if (!answered) box.replaceChildren(button);
    if (answered?.kind === "ok") {
      const { rationale } = answered.body as RouteAnswer;
      box.replaceChildren(rationale ? found(setup, rationale) : "");
    } else if (answered) {
      box.replaceChildren(
        h("p", { class: "notice danger", role: "alert" }, narrate(answered.failure, 0).title),
      );
    }
  };
  const button = h(
    "button",
    { type: "button", class: "tool", onclick: () => void ask() },
    "Why this way?",
  );
  box.append(button);
  return box;
}

function found({ look }: ResultSetup, { avoided, caveats, note }: Rationale): HTMLElement {
  return h(
    "div",
    { class: "notice calm" },
    h("h2", {}, avoided.length ? "Why this way" : "No option changed this route"),
    avoided.length > 0 &&
      h(
        "ul",
        {},
        avoided.map(({ reason, divergence }) =>
          h(
            "li",
            {},
            h(
              "button",
              {
                type: "button",
                class: "link",
                onclick: () => look([divergence.start, divergence.end]),
              },
              inWords(reason),
            ),
          ),
        ),
      ),
    note && h("p", {}, inWords(note)),
    h("p", { class: "caveat" }, inWords(caveats)),
  );
}
