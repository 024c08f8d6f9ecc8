/** The least contrast that letters need against what they lie on (WCAG 2.2, 1.4.3). */
export const LEAST_CONTRAST = 4.5;

/** What letters of a colour lie on, by the names of colours. */
const GROUNDS: Readonly<Record<string, readonly string[]>> = {
  text: ["earth", "text_halo"],
  text_soft: ["text_halo"],
  text_road: ["text_halo"],
  text_park: ["text_halo"],
  text_station: ["text_halo"],
  text_water: ["text_water_halo"],
  shield: ["shield_halo"],
  motorway_shield: ["motorway_shield_halo"],
  european_shield: ["european_shield_halo"],
};

/** The relative luminance of a colour written #rrggbb, 0 to 1; NaN for another text. */
function luminance(colour: string): number {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return NaN;
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

/** The contrast of two colours, 1 to 21; NaN where one is none. */
export function contrast(a: string, b: string): number {
  const [one, other] = [luminance(a), luminance(b)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/**
 * The least contrast of a colour of letters against what they lie on in a theme, or of a ground
 * against the letters on it; null for a colour that has to do with neither.
 */
export function contrastOf(key: string, colours: Readonly<Record<string, string>>): number | null {
  const found = Object.entries(GROUNDS).flatMap(([letters, grounds]) =>
    grounds
      .filter((ground) => letters === key || ground === key)
      .map((ground) => contrast(colours[letters] ?? "", colours[ground] ?? "")),
  );
  const known = found.filter((value) => !Number.isNaN(value));
  return known.length ? Math.min(...known) : null;
}
