import type { Rationale, RouteAnswer } from "../route/answer";
import { send } from "../call/call";
import { h } from "../ui/dom";
import type { Outcome } from "../explorer/planner";
import { narrate } from "../call/problem";
import { inWords } from "../plan/words";
import type { LonLat } from "../geo/coords";
import type { Loading } from "../ui/loading";
import { tr } from "../ui/translate";

/** The costings whose routes the gateway explains. */
const EXPLAINED = new Set(["truck", "auto", "bicycle", "pedestrian", "motor_scooter"]);

export interface ReasonsSetup {
  readonly loading: Loading;
  readonly apiKey: string | null;
  /** Brings a stretch of the route into view. */
  readonly look: (line: readonly LonLat[]) => void;
}

/** Offers to say which of the options changed the route; empty where none was set. */
export function reasons(setup: ReasonsSetup, outcome: Outcome & { kind: "routes" }): HTMLElement {
  const { request } = outcome;
  const box = h("div", { class: "reasons" });
  if (!EXPLAINED.has(request.costing) || !(request.costing_options || request.adr)) return box;
  const ask = async (): Promise<void> => {
    box.replaceChildren(
      h("p", { class: "hint" }, tr("Comparing with the routes without each option…")),
    );
    const { alternates: _, scenic: __, ...plain } = request;
    const call = { path: "route", body: { ...plain, rationale: true } };
    const running = new AbortController();
    const done = setup.loading.begin(tr("Comparing routes…"), () => running.abort());
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
    tr("Why this way?"),
  );
  box.append(button);
  return box;
}

function found({ look }: ReasonsSetup, { avoided, caveats, note }: Rationale): HTMLElement {
  return h(
    "div",
    { class: "notice calm" },
    h("h2", {}, avoided.length ? tr("Why this way") : tr("No option changed this route")),
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
