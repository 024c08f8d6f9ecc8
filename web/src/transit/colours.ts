/** The colours of a badge: CSS colours of six digits. */
export interface Badge {
  readonly ground: string;
  readonly ink: string;
}

/** Of lines whose timetable has no colour, by kind of vehicle. */
const USUAL: Readonly<Record<string, string>> = {
  bus: "#2f5bea",
  coach: "#1b3596",
  tram: "#7038c4",
  metro: "#b3467a",
  rail: "#3d4656",
  ferry: "#006b78",
};
const OTHER = "#4b5563";

/** The least contrast of small text by WCAG 2.2, AA. */
const READABLE = 4.5;

/** The light of a colour (WCAG's relative luminance), 0 to 1. */
function light(colour: string): number {
  const [r, g, b] = [1, 3, 5].map((i) => {
    const c = parseInt(colour.slice(i, i + 2), 16) / 255;
    return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** The contrast of two colours by WCAG, 1 to 21. */
export function contrast(a: string, b: string): number {
  const [low, high] = [light(a), light(b)].toSorted((x, y) => x - y);
  return (high! + 0.05) / (low! + 0.05);
}

function isColour(text: string | null | undefined): text is string {
  return /^#[0-9a-f]{6}$/i.test(text ?? "");
}

/**
 * The colours of a line's badge: the timetable's where its text can be read on them, else
 * its ground with black or white, whichever is read better.
 */
export function badgeOf(
  mode: string,
  colour: string | null | undefined,
  ink?: string | null,
): Badge {
  const ground = isColour(colour) ? colour : (USUAL[mode] ?? OTHER);
  if (isColour(colour) && isColour(ink) && contrast(ground, ink) >= READABLE) {
    return { ground, ink };
  }
  const dark = contrast(ground, "#000000") > contrast(ground, "#ffffff");
  return { ground, ink: dark ? "#000000" : "#ffffff" };
}
