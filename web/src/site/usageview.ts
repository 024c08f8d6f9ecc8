import { h } from "../ui/dom";
import { SERIES, usageChart } from "./chart";
import { dayName, daysOf, monthName, monthsBetween } from "./dates";
import { field } from "./form";
import { box, fill, announce } from "./page";
import { count, table } from "./table";
import { counted } from "./money";
import { byEndpoint, stackDays, totals, type Usage } from "./usage";

export interface UsageSetup {
  /** From whose month on there may be usage. */
  readonly since: string;
  readonly load: (from: string, to: string) => Promise<Usage>;
  readonly refused?: (error: unknown) => boolean;
}

/** A month's usage: picker, chart, and the same figures in tables. */
export function usageView({ since, load, refused }: UsageSetup): HTMLElement {
  const first = new Date(since);
  const now = new Date();
  const months = monthsBetween(Number.isNaN(first.getTime()) ? now : first, now);
  const picker = field({
    name: "month",
    label: "Month (UTC)",
    control: h(
      "select",
      {},
      months.map((month) => h("option", { value: month }, monthName(month))),
    ),
  });
  const content = box("usage");
  const draw = async (): Promise<void> => {
    const month = picker.control.value;
    const days = daysOf(month);
    await fill(
      content,
      async () => usageContent(month, await load(days[0]!, days.at(-1)!)),
      refused,
    );
  };
  picker.control.addEventListener("change", () => {
    void draw().then(() => announce(`Usage of ${monthName(picker.control.value)} shown.`));
  });
  void draw();
  return h("div", {}, h("div", { class: "picker" }, picker.element), content);
}

function usageContent(month: string, usage: Usage): HTMLElement[] {
  const stacks = stackDays(usage, daysOf(month), SERIES);
  const { units, calls } = totals(stacks);
  const busy = stacks.days.filter((day) => day.calls > 0 || day.total > 0);
  const name = monthName(month);
  return [
    h("p", { class: "sums" }, `${counted(units, "unit")} in ${counted(calls, "call")}.`),
    usageChart(`Units by day in ${name}`, stacks),
    table(
      `Usage by endpoint in ${name}`,
      [
        { title: "Endpoint", heads: true, cell: (row) => h("code", {}, row.endpoint) },
        { title: "Class", cell: (row) => row.class },
        { title: "Calls", figure: true, cell: (row) => count(row.calls) },
        { title: "Units", figure: true, cell: (row) => count(row.units) },
      ],
      byEndpoint(usage),
      "No calls in this month.",
    ),
    h(
      "details",
      { class: "fold", hidden: busy.length === 0 },
      h("summary", {}, "Figures by day"),
      table(
        `Usage by day in ${name}`,
        [
          { title: "Day (UTC)", heads: true, cell: (day) => dayName(day.date) },
          ...stacks.names.map((series, i) => ({
            title: series,
            figure: true,
            cell: (day: (typeof busy)[number]) => count(day.parts[i]),
          })),
          { title: "Calls", figure: true, cell: (day) => count(day.calls) },
          { title: "Units", figure: true, cell: (day) => count(day.total) },
        ],
        busy,
      ),
    ),
  ];
}
