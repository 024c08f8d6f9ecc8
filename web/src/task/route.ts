import type { CheckField } from "../plan/options";
import type { Described } from "./task";
import { tr } from "../ui/translate";

/** Whether a scenic route is compared with the fastest; by car only. */
export const SCENIC: CheckField = {
  key: "scenic",
  kind: "check",
  label: tr("Look for a scenic route"),
  help: tr("Up to half an hour longer."),
  default: false,
};

/** The way through all stops: asked for by the planner, shown by panel/result.ts. */
export const route: Described = {
  name: "route",
  label: tr("Route"),
  icon: "M6 20a2.2 2.2 0 1 0 0-4.4A2.2 2.2 0 0 0 6 20M18 8.4A2.2 2.2 0 1 0 18 4a2.2 2.2 0 0 0 0 4.4M6 15.6V10a3.5 3.5 0 0 1 7 0v5a3.5 3.5 0 0 0 5 3V8.4",
  stops: "",
  journey: true,
  travel: true,
  fields: [SCENIC],
};
