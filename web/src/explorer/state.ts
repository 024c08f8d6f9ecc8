import { LAYERS, type Layer } from "../map/layers";
import { tr } from "../ui/translate";
import type { Colouring } from "../route/stretches";

/** The views of the exchange behind a result, with their names on the page. */
export const TABS = [
  ["request", tr("Request")],
  ["curl", "curl"],
  ["code", tr("Code")],
  ["response", tr("Response")],
  ["compatible", tr("Compatible")],
] as const;

/** A view of the exchange; "directions" shows only the result. */
export type Tab = (typeof TABS)[number][0] | "directions";

export function isTab(name: string | null): name is Tab {
  return name === "directions" || TABS.some(([known]) => known === name);
}

/** The state of the panel. */
export interface Panel {
  readonly tab: Tab;
  /** Whether the options are open. */
  readonly options: boolean;
  /** Index of the route that is shown in full; it may be more than there are. */
  readonly alternative: number;
  /** The layers that are not as LAYERS has them. */
  readonly layers: readonly Layer[];
  /** A theme or published style of the map; "" is light or dark as the device is. */
  readonly theme: string;
  /** What the route's line is coloured by; null: one colour. */
  readonly colouring: Colouring | null;
}

export function isShown({ layers }: Panel, layer: Layer): boolean {
  const usual = LAYERS.find(([name]) => name === layer)![2];
  return usual !== layers.includes(layer);
}
