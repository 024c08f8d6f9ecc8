import { dark } from "./colour";

/** Radius of a pin's head, and how far above its point the middle of it is. */
const RADIUS = 12;
const ABOVE = 26;
const RIM = 1.75;

/** Draws a marker whose point is at x, y. */
export function drawPin(
  to: OffscreenCanvasRenderingContext2D,
  x: number,
  y: number,
  label: string,
  colour: string,
  font: string,
): void {
  to.save();
  to.translate(x, y);
  to.fillStyle = "rgba(0, 0, 0, 0.28)";
  to.beginPath();
  to.ellipse(0, 0, 6, 2.2, 0, 0, 2 * Math.PI);
  to.fill();
  // Tangents from the point to the head.
  const half = Math.acos(RADIUS / ABOVE);
  to.beginPath();
  to.moveTo(0, 0);
  to.arc(0, -ABOVE, RADIUS, Math.PI / 2 + half, Math.PI / 2 - half + 2 * Math.PI);
  to.closePath();
  to.fillStyle = colour;
  to.strokeStyle = "#ffffff";
  to.lineJoin = "round";
  to.lineWidth = 2 * RIM;
  to.stroke();
  to.fill();
  to.fillStyle = dark(to.fillStyle) ? "#ffffff" : "#1b1e21";
  if (label === "") {
    to.beginPath();
    to.arc(0, -ABOVE, 4.2, 0, 2 * Math.PI);
    to.fill();
  } else {
    to.font = `bold ${[...label].length > 1 ? 11 : 13}px ${font}`;
    to.textAlign = "center";
    to.textBaseline = "alphabetic";
    const { actualBoundingBoxAscent: up, actualBoundingBoxDescent: down } = to.measureText(label);
    to.fillText(label, 0, -ABOVE + (up - down) / 2, 2 * RADIUS - 4);
  }
  to.restore();
}
