/** The views of the exchange behind a result, with their names on the page. */
export const TABS = [
  ["request", "Request"],
  ["curl", "curl"],
  ["response", "Response"],
  ["compatible", "Compatible"],
] as const;

/** A view of the exchange; "directions" is none: what was found stands alone. */
export type Tab = (typeof TABS)[number][0] | "directions";

export function isTab(name: string | null): name is Tab {
  return name === "directions" || TABS.some(([known]) => known === name);
}

/** What can be shown and hidden on the map, with whether it is shown as a rule. */
export const LAYERS = [
  ["labels", "Names", true],
  ["buildings", "Buildings", true],
  ["land", "Land and water", true],
  ["borders", "Boundaries", true],
  ["own", "My places", false],
] as const;

export type Layer = (typeof LAYERS)[number][0];

export function isLayer(name: string): name is Layer {
  return LAYERS.some(([known]) => known === name);
}

/** What the panel shows of a plan. */
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
}

export function isShown({ layers }: Panel, layer: Layer): boolean {
  const usual = LAYERS.find(([name]) => name === layer)![2];
  return usual !== layers.includes(layer);
}
