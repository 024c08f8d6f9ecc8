import { draw, type Drawing } from "../ui/icons";
import type { Costing } from "./options";

const COSTING_DRAWINGS: Record<Costing, Drawing> = {
  auto: {
    strokes: "M4.7 16H3v-3.2l2.4-1.1L7.6 7.5h7.2l3.4 4.2 2.8 1.2V16h-1.7M9.3 16h5.4M5.6 11.7h12.4",
    circles: [
      [7, 16.2, 2.1],
      [17, 16.2, 2.1],
    ],
  },
  truck: {
    strokes: "M4.7 16H2.5V6h11v10H9.3M13.5 9h4l4 4v3h-1.7M15.2 16h-1.7",
    circles: [
      [7, 16.2, 2.1],
      [17.5, 16.2, 2.1],
    ],
  },
  bus: {
    strokes:
      "M4.7 16.5H3V7a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2v9.5h-1.7M9.3 16.5h5.4M3 11h18M9 5v6M15 5v6",
    circles: [
      [7, 16.7, 2.1],
      [17, 16.7, 2.1],
    ],
  },
  motor_scooter: {
    strokes:
      "M7.8 17h6.4c0-3.2 1-4.8 2.6-5.6L15.2 5H12.8M16.8 11.4l1 3.6M8 17c0-2.6-1.2-4-3.6-4.2M4 10.5h5.5l.5 6.5",
    circles: [
      [5.9, 17.3, 2],
      [18.1, 17.3, 2],
    ],
  },
  motorcycle: {
    strokes: "M5.5 16.2 9.5 11h6l3 5.2M15.5 11 14 6.5h-2.7M9.5 11 8 9H4.5M10 16.2h3.2L15.5 11",
    circles: [
      [5.5, 16.2, 3],
      [18.5, 16.2, 3],
    ],
  },
  bicycle: {
    strokes: "M5.5 16 9 9.2h6.2L18.5 16M9 9.2l3.2 6.8H5.5M12.2 16l3-6.8L14.3 6.5h2.3M7.3 7h3",
    circles: [
      [5.5, 16, 3.4],
      [18.5, 16, 3.4],
    ],
  },
  pedestrian: {
    strokes:
      "M12.3 8.3 10.6 13.6l3.2 2.7L15 21M10.4 14 8 21M12.3 8.3 9 10l-1.5 3.2M12.3 8.3 14.8 11.6l3 1.2",
    circles: [[13.2, 4.3, 1.7]],
  },
};

export function costingIcon(costing: Costing): SVGSVGElement {
  return draw(COSTING_DRAWINGS[costing]);
}
