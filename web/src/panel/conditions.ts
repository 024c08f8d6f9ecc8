import { formatCoordinates, type LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { isLocalTime } from "../plan/options";
import type { Plan, When } from "../plan/plan";
import { tr } from "../ui/translate";

const KINDS = [
  ["", ""],
  ["depart", tr("Leave at")],
  ["arrive", tr("Arrive by")],
] as const;

/** When one travels: at no time in particular, which is called usual, or leaving or arriving at one. */
export function whenControl(
  plan: Plan,
  usual: string,
  change: (when: When | null) => void,
): HTMLElement {
  const kind = h(
    "select",
    {
      "aria-label": tr("Time of travel"),
      "data-focus": "when-kind",
      onchange: () => {
        const chosen = KINDS.find(([name]) => name === kind.value)?.[0] ?? "";
        change(chosen === "" ? null : { kind: chosen, at: plan.when?.at ?? nextHour() });
      },
    },
    KINDS.map(([name, label]) =>
      h("option", { value: name, selected: name === (plan.when?.kind ?? "") }, label || usual),
    ),
  );
  const { when } = plan;
  const at = h("input", {
    type: "datetime-local",
    "aria-label": tr("Local time"),
    "data-focus": "when-at",
    value: when?.at ?? "",
    onchange: () => when && isLocalTime(at.value) && change({ ...when, at: at.value }),
  });
  return h("div", { class: "when" }, uiIcon("clock"), kind, when && at);
}

/** The next full hour of the reader's clock. */
function nextHour(): string {
  const now = new Date();
  now.setHours(now.getHours() + 1, 0, 0, 0);
  const two = (n: number): string => String(n).padStart(2, "0");
  const day = `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  return `${day}T${two(now.getHours())}:00`;
}

/** The places whose roads are avoided, each to be allowed again. */
export function avoidList({ avoid }: Plan, allow: (at: LonLat) => void): HTMLElement | null {
  if (avoid.length === 0) return null;
  return h(
    "ul",
    { class: "avoided", "aria-label": tr("Roads to avoid") },
    avoid.map((at, index) =>
      h(
        "li",
        {},
        uiIcon("avoid"),
        h("span", {}, tr("Not the road at {0}", formatCoordinates(at))),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            title: tr("Allow it again"),
            "aria-label": tr("Allow the road at {0} again", formatCoordinates(at)),
            "data-focus": `avoid-${index}`,
            onclick: () => allow(at),
          },
          uiIcon("close"),
        ),
      ),
    ),
  );
}
