/** What is read of /openapi.json before the viewer has it. */
export interface Document {
  readonly servers?: unknown;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly security?: unknown;
}

/**
 * The document with each call once: one of the same method, description and access as a call before
 * it is another address of that, which then names it.
 */
export function withoutAliases(doc: Document): Document {
  const first = new Map<string, { path: string; method: string; also: string[] }>();
  const kept: (readonly [string, string, Operation])[] = [];
  for (const [path, item] of Object.entries(doc.paths)) {
    for (const [method, operation] of Object.entries(item)) {
      const { description = "", security = null, tags = [] } = operation;
      const key = JSON.stringify([method, description, security, tags]);
      const same = description === "" ? undefined : first.get(key);
      if (same) {
        same.also.push(path);
        continue;
      }
      first.set(key, { path, method, also: [] });
      kept.push([path, method, operation]);
    }
  }
  const also = new Map([...first.values()].map((one) => [`${one.method} ${one.path}`, one.also]));
  const paths: Record<string, Record<string, Operation>> = {};
  for (const [path, method, operation] of kept) {
    const others = also.get(`${method} ${path}`) ?? [];
    const { description = "" } = operation;
    const named = others.length
      ? `${description}\n\nAlso at \`${others.join("`, `")}\`.`
      : description;
    (paths[path] ??= {})[method] = named ? { ...operation, description: named } : operation;
  }
  return { ...doc, paths };
}
