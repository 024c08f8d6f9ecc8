/** The views of a route, with their names on the page. */
export const TABS = [
  ["directions", "Directions"],
  ["request", "Request"],
  ["response", "Response"],
  ["compatible", "Compatible"],
] as const;

export type Tab = (typeof TABS)[number][0];

export function isTab(name: string | null): name is Tab {
  return TABS.some(([known]) => known === name);
}

/** What the panel shows of a plan. */
export interface Panel {
  readonly tab: Tab;
  /** Whether the options are open. */
  readonly options: boolean;
  /** Index of the route that is shown in full; it may be more than there are. */
  readonly alternative: number;
}
