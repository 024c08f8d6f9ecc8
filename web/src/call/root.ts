// Held apart from new URL(…): the bundler takes that pair for a file to bundle.
const here = import.meta.url;

/**
 * The server's root. A built script lies in assets/ right below it, whatever
 * page asked for it and whatever prefix a reverse proxy puts in front.
 */
const root = import.meta.env.DEV ? new URL("/", here) : new URL("..", here);

/** The address of a path below the server's root; at("v1/keys") for /v1/keys. */
export function at(path: string): string {
  return new URL(path.replace(/^\/+/, ""), root).href;
}

/** The address of a path that somebody typed; null where it leads off this server. */
export function atTyped(path: string): string | null {
  try {
    const href = at(path.trim());
    return href.startsWith(root.href) ? href : null;
  } catch {
    return null;
  }
}
