import { h } from "../ui/dom";
import { formatTime } from "../ui/format";
import { decodePolyline } from "../geo/polyline";
import { inputsOf, placedStops } from "../plan/plan";
import { costed } from "../plan/request";
import { momentText } from "../site/dates";
import type { Task } from "./task";
import { line } from "../map/shape";

const WAY = "#2f5bea";

interface Answer {
  readonly id: string;
  readonly shape: string;
  readonly duration_s: number;
  readonly threshold_s: number;
  readonly closed: boolean;
  readonly webhook_url: string;
  readonly expires_at: string;
}

/** Has the server watch a route, and call a webhook when it changes. */
export const watch: Task = {
  name: "watch",
  label: "Watch",
  icon: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6",
  stops: "The best way of now through the points is watched.",
  journey: true,
  travel: true,
  key: true,
  fields: [
    {
      kind: "text",
      key: "hook",
      label: "Webhook",
      help: "An https address; the key needs a webhook secret.",
      default: "",
      most: 2048,
      placeholder: "https://hooks.example.org/waygate",
    },
    {
      kind: "choice",
      key: "change",
      label: "Tell of changes above",
      help: "",
      default: "300",
      choices: [
        ["60", "1 minute"],
        ["300", "5 minutes"],
        ["900", "15 minutes"],
      ],
    },
  ],
  waiting: "Looking at the way…",
  hint: "Give a start, a destination and the address of a webhook.",
  request: () => null,
  controls(plan, context) {
    const { change = "300", hook = "" } = inputsOf(plan, "watch");
    const locations = placedStops(plan).map(({ at: [lon, lat] }) => ({ lat, lon }));
    return h(
      "div",
      { class: "task-controls" },
      h(
        "button",
        {
          type: "button",
          class: "chip",
          "data-focus": "watch-begin",
          disabled: !hook || locations.length < 2,
          onclick: () =>
            void context.run({
              path: "v1/watches",
              body: {
                locations,
                ...costed(plan),
                webhook_url: hook,
                threshold_s: Number(change),
              },
            }),
        },
        "Watch this way",
      ),
    );
  },
  read(answer) {
    const w = answer as Answer;
    return {
      shapes: [line(decodePolyline(w.shape), WAY)],
      content: h(
        "div",
        {},
        h(
          "p",
          {},
          w.closed
            ? "The way is closed at the moment."
            : `It takes ${formatTime(w.duration_s)} at the moment.`,
        ),
        h(
          "p",
          {},
          `Watched until ${momentText(w.expires_at)} as ${w.id}. A signed webhook goes to ${w.webhook_url} when it is closed, opens again, or its time changes by more than ${formatTime(w.threshold_s)}.`,
        ),
      ),
    };
  },
};
