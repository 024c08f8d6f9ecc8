/** The pages of the website in the order of its menus: addresses below its root, and names. */
export const SITE_PAGES = [
  ["./welcome", "What it does"],
  ["./", "Map"],
  ["./planner", "Planner"],
  ["./themes", "Map styles"],
  ["./static-maps", "Map images"],
  ["./downloads", "Downloads"],
  ["./keys", "Get a key"],
  ["./console", "Console"],
  ["./reference", "API reference"],
  ["./terms", "Terms"],
] as const;
