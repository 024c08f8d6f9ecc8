import { h } from "../ui/dom";
import { grouped } from "./money";

/** Whole percent of a quota, rounded down: 100 is said only when it is used up. */
export function percent(used: number, quota: number): number {
  if (quota <= 0) return 100;
  return Math.floor((used / quota) * 100);
}

/** How a quota stands: amber from 80 percent, red when used up. */
export function tone(used: number, quota: number): "calm" | "amber" | "danger" {
  const share = percent(used, quota);
  return share >= 100 ? "danger" : share >= 80 ? "amber" : "calm";
}

/** How much of a quota is used, as a bar and in words. */
export function meter(label: string, used: number, quota: number, unit: string): HTMLElement {
  const share = percent(used, quota);
  const words = `${grouped(used)} of ${grouped(quota)} ${unit}`;
  const fill = h("div", { class: `meter-fill ${tone(used, quota)}` });
  fill.style.width = `${Math.min(100, share)}%`;
  return h(
    "div",
    { class: "meter" },
    h("p", {}, h("strong", {}, grouped(used)), ` of ${grouped(quota)} ${unit} · ${share}%`),
    h(
      "div",
      {
        class: "meter-bar",
        role: "meter",
        "aria-label": label,
        "aria-valuemin": 0,
        "aria-valuemax": quota,
        "aria-valuenow": Math.min(used, quota),
        "aria-valuetext": words,
      },
      fill,
    ),
  );
}
