import { h } from "../ui/dom";
import { laneIcon } from "../ui/icons";

/** A lane of a native answer; the numbers are bit sets of directions. */
export interface Lane {
  /** Where the lane leads. */
  readonly directions: number;
  /** The directions that follow the route. */
  readonly valid?: number;
  /** The direction that follows it best. */
  readonly active?: number;
}

const DIRECTIONS = [
  [4, "sharp left"],
  [8, "left"],
  [16, "slight left"],
  [2, "straight"],
  [32, "slight right"],
  [64, "right"],
  [128, "sharp right"],
  [256, "turn back"],
  [512, "merge left"],
  [1024, "merge right"],
] as const;

/** The names of the directions in a bit set, from left to right. */
export function directionsOf(bits: number): string[] {
  return DIRECTIONS.filter(([bit]) => bits & bit).map(([, name]) => name);
}

/** A row of lanes before a manoeuvre, those to take marked; null without any. */
export function laneRow(lanes: readonly Lane[] | undefined): HTMLElement | null {
  if (!lanes || lanes.length === 0) return null;
  const label = lanes
    .map((lane) => {
      const names = directionsOf(lane.directions).join(" or ") || "unmarked";
      return lane.active || lane.valid ? `${names} (take it)` : names;
    })
    .join(", ");
  return h(
    "span",
    { class: "lanes", role: "img", "aria-label": `Lanes from the left: ${label}` },
    lanes.map((lane) => {
      const use = lane.active ? "active" : lane.valid ? "valid" : "other";
      const shown = lane.active || lane.valid || lane.directions;
      return h("span", { class: `lane ${use}` }, laneIcon(directionsOf(shown)[0] ?? "straight"));
    }),
  );
}
