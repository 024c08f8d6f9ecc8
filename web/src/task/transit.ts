import { placedStops } from "../plan/plan";
import type { Task } from "./task";
import { tr } from "../ui/translate";

/** The code of journeys, which only this task needs. */
let code: typeof import("./journeys") | null = null;

/** Stops, departures and journeys by public transport. */
export const transit: Task = {
  name: "transit",
  label: tr("Buses and trains"),
  icon: "M6 17V6.5A2.5 2.5 0 0 1 8.5 4h7A2.5 2.5 0 0 1 18 6.5V17zM6 12h12M8 17v2.5M16 17v2.5M9 14.5h.01M15 14.5h.01",
  stops: tr(
    "From the start to the destination by public transport. A click on a stop shows its departures.",
  ),
  journey: true,
  travel: false,
  when: true,
  fields: [
    {
      kind: "number",
      key: "walk",
      main: false,
      label: tr("Walk at most"),
      help: tr("To the first stop, and from the last."),
      default: 1500,
      min: 0,
      max: 5000,
      step: 100,
      unit: "m",
    },
    {
      kind: "number",
      key: "changes",
      main: false,
      label: tr("Changes at most"),
      help: "",
      default: 4,
      min: 0,
      max: 6,
      step: 1,
      unit: "",
    },
  ],
  waiting: tr("Looking through the timetable…"),
  hint: tr("Give a start and a destination for journeys, or choose a stop for its departures."),
  load(plan) {
    if (code || placedStops(plan).length < 2) return null;
    return import("./journeys").then((loaded) => void (code = loaded));
  },
  request: (plan) => code?.request(plan) ?? null,
  beside: (answer, plan) => code!.beside(answer, plan),
  read: (answer, plan, context, call, beside) =>
    code!.read(answer, plan, context, { call, beside: beside ?? [] }),
  explain: (failure) => code!.explain(failure),
};
