/** Tells whether white letters can be read on a colour; of the form #rrggbb, or it is light. */
export function dark(colour: string): boolean {
  if (!/^#[0-9a-f]{6}$/i.test(colour)) return false;
  const light = [1, 3, 5]
    .map((at) => parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
  return 0.2126 * light[0]! + 0.7152 * light[1]! + 0.0722 * light[2]! < 0.35;
}
