import { isLook } from "../map/themes";
import { USUAL, type ImageRequest } from "./request";

/** Parameters of the call at whose fields the page shows complaints of another name. */
export const FIELD_OF: Readonly<Record<string, string>> = {
  size: "width",
  center: "framing",
  zoom: "framing",
  bbox: "framing",
  body: "geojson",
};

/** The image that the page had when it was loaded anew; else the usual one in the style of its address. */
export function heldRequest(): ImageRequest {
  const held = history.state as Partial<ImageRequest> | null;
  if (held?.framing) return { ...USUAL, ...held };
  const look = new URLSearchParams(location.hash.slice(1)).get("style") ?? "";
  return { ...USUAL, ...(isLook(look) ? { style: look } : {}) };
}
