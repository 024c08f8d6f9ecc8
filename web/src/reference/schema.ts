import { h, nodes, type Child } from "../dom";
import { resolved, told, type Document, type Schema } from "./document";

/** The members of an object, each with what it must be; those below open on demand. */
export function members(doc: Document, schema: Schema, above: readonly Schema[] = []): HTMLElement {
  const s = resolved(doc, schema);
  if (s.oneOf)
    return h(
      "div",
      {},
      s.oneOf.map((one, i) => form(doc, one, i, above)),
    );
  if (s.items) return members(doc, s.items, above);
  const named = Object.entries(s.properties ?? {});
  const patterned = Object.entries(s.patternProperties ?? {}).map(
    ([pattern, member]) => [pattern.replace(/^\^|\$$/g, "").replaceAll("\\", ""), member] as const,
  );
  const all = [...named, ...patterned].sort(([a], [b]) => rank(s, a) - rank(s, b));
  if (all.length === 0) return h("p", { class: "muted" }, told(doc, s));
  return h(
    "ul",
    { class: "schema" },
    all.map(([name, member]) =>
      row(doc, name, member, s.required?.includes(name) ?? false, [...above, s]),
    ),
  );
}

/** Required members come first. */
function rank(s: Schema, name: string): number {
  return s.required?.includes(name) ? 0 : 1;
}

function form(doc: Document, one: Schema, i: number, above: readonly Schema[]): Child {
  const name = one.$ref?.replace(/^.*\//, "") ?? `form ${i + 1}`;
  return [
    h("p", { class: "form-name" }, i > 0 && "or ", h("code", {}, name)),
    members(doc, one, above),
  ];
}

function row(
  doc: Document,
  name: string,
  member: Schema,
  required: boolean,
  above: readonly Schema[],
): HTMLElement {
  const s = resolved(doc, member);
  return h(
    "li",
    {},
    h("code", { class: "member" }, name),
    " ",
    h("span", { class: "muted" }, told(doc, member), required && ", required"),
    (member.description ?? s.description) && h("p", {}, member.description ?? s.description),
    words(s) ?? (s.items && words(resolved(doc, s.items))),
    below(doc, s, above),
  );
}

/** The words that a value may be. */
function words(s: Schema): HTMLElement | null {
  if (!s.enum) return null;
  return h(
    "p",
    { class: "words" },
    s.enum.map((word) => [h("code", {}, String(word)), " "]),
  );
}

/** What an object or the entries of a list are made of, made when it is opened. */
function below(doc: Document, s: Schema, above: readonly Schema[]): HTMLElement | null {
  let inner = s;
  while (inner.items) inner = resolved(doc, inner.items);
  if (!inner.properties && !inner.oneOf) return null;
  if (above.includes(inner)) return h("p", { class: "muted" }, "of the kind above");
  return lazily("members", () => members(doc, inner, above));
}

/** A fold whose content is made by the first click on its summary, before it opens. */
export function lazily(
  title: Child,
  make: () => Child,
  attributes: Record<string, string> = {},
): HTMLDetailsElement {
  const summary = h("summary", {}, title);
  const fold = h("details", attributes, summary);
  summary.addEventListener("click", () => fold.append(...nodes([make()])), { once: true });
  return fold;
}
