const SVG = "http://www.w3.org/2000/svg";

/** A drawing on a 24 by 24 grid: strokes, and circles as [x, y, radius]. */
export interface Drawing {
  readonly strokes: string;
  readonly circles?: readonly (readonly [number, number, number])[];
  /** Turned over left to right. */
  readonly mirrored?: boolean;
  /** A short text in the drawing's middle, such as a roundabout's exit number. */
  readonly text?: string;
}

export function draw({ strokes, circles = [], mirrored, text }: Drawing): SVGSVGElement {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", "icon");
  svg.setAttribute("aria-hidden", "true");
  const group = document.createElementNS(SVG, "g");
  if (mirrored) group.setAttribute("transform", "matrix(-1 0 0 1 24 0)");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", strokes);
  group.append(path);
  for (const [x, y, r] of circles) {
    const circle = document.createElementNS(SVG, "circle");
    circle.setAttribute("cx", String(x));
    circle.setAttribute("cy", String(y));
    circle.setAttribute("r", String(r));
    group.append(circle);
  }
  svg.append(group);
  if (text) {
    const label = document.createElementNS(SVG, "text");
    label.setAttribute("x", "11.6");
    label.setAttribute("y", "14");
    label.textContent = text;
    svg.append(label);
  }
  return svg;
}

const UI = {
  add: "M12 5v14M5 12h14",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  reverse: "M8 19V5M4.5 8.5 8 5l3.5 3.5M16 5v14M12.5 15.5 16 19l3.5-3.5",
  grip: "M9 6.5v.01M15 6.5v.01M9 12v.01M15 12v.01M9 17.5v.01M15 17.5v.01",
  centre: "M12 3v4M12 17v4M3 12h4M17 12h4M12 8.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7",
  chevron: "M7 9.5l5 5 5-5",
  copy: "M9 9h10v10H9zM5 15V5h10",
  settings: "M4 7h9M17 7h3M4 17h3M11 17h9M13 4.5v5M7 14.5v5M11 14.5v5M17 4.5v5",
  share: "M12 15V3.5M8 7l4-3.5L16 7M7 11H5v9.5h14V11h-2",
  print: "M7 8V3.5h10V8M7 17H4V8h16v9h-3M7 14h10v6.5H7z",
  done: "M5 12.5l4.5 4.5L19 7.5",
  warning: "M12 4 21 19.5H3zM12 10v4.5M12 17.2v.01",
  play: "M8 5.5v13l10-6.5z",
  pause: "M8.5 6v12M15.5 6v12",
  sound: "M5 9.5v5h3.5l4.5 4v-13l-4.5 4zM16 9a4 4 0 0 1 0 6M18.5 6.5a8 8 0 0 1 0 11",
  undo: "M8.5 5.5 4.5 9.5l4 4M4.5 9.5h9a5.5 5.5 0 0 1 0 11H10",
  redo: "M15.5 5.5l4 4-4 4M19.5 9.5h-9a5.5 5.5 0 0 0 0 11H14",
  clock: "M12 7.5V12l3 2M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17",
  avoid: "M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17M6 6l12 12",
  search: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  place:
    "M12 21c4-4.6 6-8 6-10.7a6 6 0 0 0-12 0C6 13 8 16.4 12 21M12 8.2a2 2 0 1 0 0 4 2 2 0 0 0 0-4",
  kind: "M5 5h5v5H5zM14 5h5v5h-5zM5 14h5v5H5zM16.5 14a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5",
  recent: "M12 7.5V12l3 2M4 12a8 8 0 1 0 2.6-5.9M4 5v3.5h3.5",
  star: "M12 4.5l2.3 4.8 5.2.7-3.8 3.6.9 5.2-4.6-2.5-4.6 2.5.9-5.2L4.5 10l5.2-.7z",
  layers: "M12 4.5 20 9l-8 4.5L4 9zM4.5 13 12 17.2 19.5 13M4.5 16.5 12 20.7l7.5-4.2",
  menu: "M5 6.5h14M5 12h14M5 17.5h14",
  examples: "M5 5.5h14M5 12h14M5 18.5h9",
  shield: "M12 3.5 19 6v6c0 4.2-3 7-7 8.5C8 19 5 16.2 5 12V6z",
} as const;

/** A drawing on a grid of 24 by 24. */
export function drawing(strokes: string): SVGSVGElement {
  return draw({ strokes });
}

export function uiIcon(name: keyof typeof UI): SVGSVGElement {
  return draw({ strokes: UI[name] });
}

const STRAIGHT = "M12 20V5M6.5 10.5 12 5l5.5 5.5";
const SLIGHT = "M8 20v-5.5L16 6.5M10 6h6.5v6.5";
const TURN = "M7 20v-7a3 3 0 0 1 3-3h9M14.5 5.5 19 10l-4.5 4.5";
const SHARP = "M8 20V7l9 9M17.2 9.5v6.7h-6.7";
const UTURN = "M7 20V9.5a4.5 4.5 0 0 1 9 0V18M12 14l4 4 4-4";
const RAMP = "M7 20V4M7 15.5l9-9M10.5 6h6v6";
const KEEP = "M10 20v-6L5.5 8M10 14l7.5-8M12 5.5h6v6";
const MERGE = "M13 20V5M7.5 10.5 13 5l5.5 5.5M6 20c0-3.5 7-4 7-8";
const FERRY = "M3.5 15h17L18 19.5H6zM7 15v-4.5h8l2.5 4.5M10.5 10.5V6";

/** Drawings by the engine's manoeuvre type numbers. */
function manoeuvreDrawing(type: number, exit?: number): Drawing {
  switch (type) {
    case 1:
    case 2:
    case 3:
      return { strokes: "M12 12v.01", circles: [[12, 12, 6]] };
    case 4:
    case 5:
    case 6:
      return { strokes: "M7 21V4.5M7 5h10.5l-2.7 3.7 2.7 3.8H7" };
    case 9:
      return { strokes: SLIGHT };
    case 16:
      return { strokes: SLIGHT, mirrored: true };
    case 10:
      return { strokes: TURN };
    case 15:
      return { strokes: TURN, mirrored: true };
    case 11:
      return { strokes: SHARP };
    case 14:
      return { strokes: SHARP, mirrored: true };
    case 12:
      return { strokes: UTURN };
    case 13:
      return { strokes: UTURN, mirrored: true };
    case 18:
    case 20:
      return { strokes: RAMP };
    case 19:
    case 21:
      return { strokes: RAMP, mirrored: true };
    case 23:
      return { strokes: KEEP };
    case 24:
      return { strokes: KEEP, mirrored: true };
    case 25:
    case 37:
      return { strokes: MERGE };
    case 38:
      return { strokes: MERGE, mirrored: true };
    case 26:
    case 27:
      return {
        strokes: "M5.5 11a6 6 0 1 1 6 6V21M2.8 8.6 5.5 11.4 8.2 8.6",
        ...(type === 26 && exit ? { text: String(exit) } : {}),
      };
    case 28:
    case 29:
      return { strokes: FERRY };
    case 39:
    case 44:
      return { strokes: "M6 4h12v16H6zM9.5 10.5 12 8l2.5 2.5M9.5 13.5 12 16l2.5-2.5" };
    case 40:
    case 41:
      return { strokes: "M4 19h4v-4h4v-4h4V7h4" };
    case 42:
    case 43:
      return { strokes: "M6 20V4h12v16M4 20h16M14.5 12v.01" };
    default:
      return { strokes: STRAIGHT };
  }
}

/** Drawings by the names of lane directions. */
const LANE_DRAWINGS: Record<string, Drawing> = {
  "sharp left": { strokes: SHARP, mirrored: true },
  left: { strokes: TURN, mirrored: true },
  "slight left": { strokes: SLIGHT, mirrored: true },
  straight: { strokes: STRAIGHT },
  "slight right": { strokes: SLIGHT },
  right: { strokes: TURN },
  "sharp right": { strokes: SHARP },
  "turn back": { strokes: UTURN, mirrored: true },
  "merge left": { strokes: MERGE, mirrored: true },
  "merge right": { strokes: MERGE },
};

export function laneIcon(direction: string): SVGSVGElement {
  return draw(LANE_DRAWINGS[direction] ?? { strokes: STRAIGHT });
}

/** clockwise is how one goes round a roundabout. */
export function manoeuvreIcon(type: number, exit?: number, clockwise = false): SVGSVGElement {
  const drawing = manoeuvreDrawing(type, exit);
  return draw(clockwise && (type === 26 || type === 27) ? { ...drawing, mirrored: true } : drawing);
}
