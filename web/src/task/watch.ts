import { h } from "../ui/dom";
import { formatTime } from "../ui/format";
import { decodePolyline } from "../geo/polyline";
import { inputsOf, placedStops } from "../plan/plan";
import { costed } from "../plan/request";
import { momentText } from "../site/dates";
import type { Task } from "./task";
import { line } from "../map/shape";
import { tr } from "../ui/translate";

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
  label: tr("Watch"),
  icon: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12M12 9.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6",
  stops: tr("The best way of now through the points is watched."),
  journey: true,
  travel: true,
  key: true,
  fields: [
    {
      kind: "text",
      key: "hook",
      label: tr("Webhook"),
      help: tr("An https address; the key needs a webhook secret."),
      default: "",
      most: 2048,
      placeholder: "https://hooks.example.org/waygate",
    },
    {
      kind: "choice",
      key: "change",
      label: tr("Tell of changes above"),
      help: "",
      default: "300",
      choices: [
        ["60", tr("1 minute")],
        ["300", tr("5 minutes")],
        ["900", tr("15 minutes")],
      ],
    },
  ],
  waiting: tr("Looking at the way…"),
  hint: tr("Give a start, a destination and the address of a webhook."),
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
        tr("Watch this way"),
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
            ? tr("The way is closed at the moment.")
            : tr("It takes {0} at the moment.", formatTime(w.duration_s)),
        ),
        h(
          "p",
          {},
          tr(
            "Watched until {0} as {1}. A signed webhook goes to {2} when it is closed, opens again, or its time changes by more than {3}.",
            momentText(w.expires_at),
            w.id,
            w.webhook_url,
            formatTime(w.threshold_s),
          ),
        ),
      ),
    };
  },
};
