import { tr } from "../../ui/translate";
import { h } from "../../ui/dom";
import { reconcile } from "../../ui/reconcile";
import { complain, field } from "../../site/form";
import { done, type Day } from "../plan/day";
import { differs } from "../plan/plan";
import type { PlanStore } from "../plan/store";
import type { Problem } from "../problem/model";
import { clock, readTime } from "../problem/times";
import { readWhole } from "../problem/values";

/** The dispatcher's entries on the day so far, before it is planned again. */
export class DayPanel {
  readonly element = h("div", { class: "day" });
  private readonly store: PlanStore;
  private now: number;
  /** Whether somebody has entered the time; else it goes on by itself. */
  private entered = false;
  private readonly late = new Map<string, number>();
  private unavailable = new Set<string>();
  private cancelled = new Set<string>();
  /** Whether the list of stops that may be cancelled is open; it has a line for each stop. */
  private cancelling = false;

  constructor(store: PlanStore) {
    this.store = store;
    this.now = timeNow();
    store.subscribe((state, before) => {
      // A new plan has the delays in its times.
      if (state.plan?.problem !== before.plan?.problem) this.late.clear();
      if (state.reported && state.reported !== before.reported && !this.entered)
        this.now = timeNow();
      if (
        state === before ||
        differs(state.plan, before.plan) ||
        state.problem !== before.problem ||
        state.reported !== before.reported
      ) {
        this.draw();
      }
    });
  }

  get day(): Day {
    const { now, late, unavailable, cancelled } = this;
    return { now, late, unavailable, cancelled, reported: this.store.state.reported };
  }

  /** How far behind the plan a vehicle is: so many minutes less of it are done. */
  private lateInput(id: string): HTMLElement {
    return h("input", {
      type: "number",
      min: 0,
      value: String(Math.round((this.late.get(id) ?? 0) / 60)),
      "data-focus": `late-${id}`,
      onchange: ({ currentTarget }: Event) => {
        const minutes = readWhole((currentTarget as HTMLInputElement).value) ?? 0;
        this.late.set(id, minutes * 60);
        this.draw();
      },
    });
  }

  private draw(): void {
    const { plan, problem } = this.store.state;
    if (!plan) {
      reconcile(
        this.element,
        h(
          "p",
          { class: "muted" },
          tr("Solve first: then the day can be planned anew from where it stands."),
        ),
      );
      return;
    }
    const time = h("input", {
      type: "text",
      value: clock(this.now),
      "data-focus": "now",
      onchange: ({ currentTarget }: Event) => {
        const { value } = currentTarget as HTMLInputElement;
        const now = readTime(value);
        if (now === null) {
          complain(currentTarget!, tr("“{0}” cannot be read", value));
          return;
        }
        this.now = now;
        this.entered = true;
        this.draw();
      },
    });
    const tick = (label: string, of: Set<string>, id: string) => {
      const box = h("input", {
        type: "checkbox",
        checked: of.has(id),
        "data-focus": `${label}-${id}`,
        onchange: ({ currentTarget }: Event) => {
          if ((currentTarget as HTMLInputElement).checked) of.add(id);
          else of.delete(id);
        },
      });
      return h("label", { class: "tick" }, box, label);
    };
    const planned = new Set(plan.problem.stops.map(({ id }) => id));
    const fresh = problem.stops.filter(({ id }) => !planned.has(id));
    reconcile(
      this.element,
      field({ name: "now", label: tr("It is now"), control: time }).element,
      h("h3", {}, tr("The vehicles")),
      h(
        "ul",
        {},
        plan.problem.vehicles.map(({ id, name }) => {
          const route = plan.routes.find(({ vehicle }) => vehicle === id);
          const count = route ? done(route, this.day).length : 0;
          const rest = (route?.visits.length ?? 0) - count;
          return h(
            "li",
            {},
            h("span", {}, h("strong", {}, name), tr(" {0} done, {1} to go", count, rest)),
            !this.store.state.reported &&
              h("label", { class: "late" }, this.lateInput(id), tr("minutes late")),
            tick(tr("out of work"), this.unavailable, id),
          );
        }),
      ),
      h(
        "details",
        {
          class: "fold",
          ontoggle: ({ currentTarget }: Event) => {
            const { open } = currentTarget as HTMLDetailsElement;
            if (open === this.cancelling) return;
            this.cancelling = open;
            this.draw();
          },
        },
        h("summary", {}, tr("Stops that are cancelled")),
        this.cancelling &&
          h(
            "div",
            { class: "cancels" },
            plan.routes.flatMap((route) => {
              const past = new Set(done(route, this.day).map(({ stop }) => stop));
              return route.visits
                .filter(({ stop }) => !past.has(stop))
                .map(({ stop }) => tick(nameOf(plan.problem, stop), this.cancelled, stop));
            }),
          ),
      ),
      h(
        "p",
        { class: "hint" },
        fresh.length
          ? tr(
              "{0} {0|stop was|stops were} added since: {1}.",
              fresh.length,
              fresh
                .map(({ name }) => name)
                .slice(0, 5)
                .join(", "),
            )
          : tr("Stops that you add to the list are added to the day."),
      ),
    );
  }
}

/** The seconds of this day so far, in whole minutes. */
function timeNow(): number {
  const now = new Date();
  return now.getHours() * 3600 + now.getMinutes() * 60;
}

function nameOf({ stops }: Problem, id: string): string {
  return stops.find((stop) => stop.id === id)?.name ?? id;
}
