/** A JSON object. */
type Members = Readonly<Record<string, unknown>>;

function isObject(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** What path, a list of names of members, leads to in doc, or undefined. */
function at(doc: unknown, path: readonly string[]): unknown {
  return path.reduce((value, name) => (isObject(value) ? value[name] : undefined), doc);
}

/**
 * What path leads to in doc, with each reference replaced by the component that it names; members
 * beside a reference, such as a description, go before the component's, and $$ref keeps the
 * reference, from which the viewer has a schema's name. A reference within the component that it
 * names stays.
 *
 * References are of the form #/components/schemas/Name.
 */
export function resolved(doc: unknown, path: readonly string[]): unknown {
  const resolve = (value: unknown, within: readonly string[]): unknown => {
    if (Array.isArray(value)) return value.map((item) => resolve(item, within));
    if (!isObject(value)) return value;
    const { $ref, ...beside } = value;
    if (typeof $ref === "string") {
      const component = within.includes($ref) ? undefined : at(doc, $ref.split("/").slice(1));
      if (!isObject(component)) return value;
      return resolve({ ...component, ...beside, $$ref: $ref }, [...within, $ref]);
    }
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, resolve(member, within)]),
    );
  };
  return resolve(at(doc, path), []);
}
