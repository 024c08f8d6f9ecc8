import { h } from "../ui/dom";
import { laneIcon } from "../ui/icons";
import { tr } from "../ui/translate";

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
  [4, "sharp left", tr("sharp left")],
  [8, "left", tr("left")],
  [16, "slight left", tr("slight left")],
  [2, "straight", tr("straight")],
  [32, "slight right", tr("slight right")],
  [64, "right", tr("right")],
  [128, "sharp right", tr("sharp right")],
  [256, "turn back", tr("turn back")],
  [512, "merge left", tr("merge left")],
  [1024, "merge right", tr("merge right")],
] as const;

/** The names of the directions in a bit set, from left to right. */
export function directionsOf(bits: number): string[] {
  return DIRECTIONS.filter(([bit]) => bits & bit).map(([, name]) => name);
}

/** The same as the page calls them. */
function wordsOf(bits: number): string[] {
  return DIRECTIONS.filter(([bit]) => bits & bit).map(([, , name]) => name);
}

/** A row of lanes before a manoeuvre, those to take marked; null without any. */
export function laneRow(lanes: readonly Lane[] | undefined): HTMLElement | null {
  if (!lanes || lanes.length === 0) return null;
  const label = lanes
    .map((lane) => {
      const names = wordsOf(lane.directions).join(tr(" or ")) || tr("unmarked");
      return lane.active || lane.valid ? tr("{0} (take it)", names) : names;
    })
    .join(", ");
  return h(
    "span",
    { class: "lanes", role: "img", "aria-label": tr("Lanes from the left: {0}", label) },
    lanes.map((lane) => {
      const use = lane.active ? "active" : lane.valid ? "valid" : "other";
      const shown = lane.active || lane.valid || lane.directions;
      return h("span", { class: `lane ${use}` }, laneIcon(directionsOf(shown)[0] ?? "straight"));
    }),
  );
}
