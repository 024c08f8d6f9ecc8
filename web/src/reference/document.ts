/** What the reference reads of a document in OpenAPI 3.1. */
export interface Document {
  readonly openapi: string;
  readonly info: { readonly description: string; readonly version: string };
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly headers: Readonly<Record<string, Parameter>>;
    readonly responses: Readonly<Record<string, Response>>;
    readonly securitySchemes: Readonly<Record<string, { readonly description: string }>>;
  };
}

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content; readonly required?: boolean };
  readonly responses: Readonly<Record<string, Response>>;
  readonly security: readonly Readonly<Record<string, unknown>>[];
  readonly "x-price-class"?: string;
}

export interface Parameter {
  readonly $ref?: string;
  readonly name?: string;
  readonly in?: string;
  readonly required?: boolean;
  readonly description?: string;
  readonly schema?: Schema;
}

export interface Response {
  readonly $ref?: string;
  readonly description?: string;
  readonly headers?: Readonly<Record<string, Parameter>>;
  readonly content?: Content;
}

type Content = Readonly<Record<string, { readonly schema: Schema; readonly example?: unknown }>>;

export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: boolean | Schema;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly oneOf?: readonly Schema[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly default?: unknown;
}

/** What a reference stands for, or the thing itself. */
export function resolved<T extends { readonly $ref?: string }>(doc: Document, thing: T): T {
  if (!thing.$ref) return thing;
  let found: unknown = doc;
  for (const name of thing.$ref.slice(2).split("/")) {
    found = (found as Record<string, unknown>)[name];
  }
  return found as T;
}

/** Numbers from one to another in words; "" where there are none. */
function range(least?: number, most?: number): string {
  if (least !== undefined && most !== undefined) {
    return least === most ? `${least}` : `${least} to ${most}`;
  }
  if (least !== undefined) return `at least ${least}`;
  return most !== undefined ? `at most ${most}` : "";
}

/** What a value must be, in words: "array of objects, 1 to 4". */
export function told(doc: Document, schema: Schema): string {
  const s = resolved(doc, schema);
  const types = typeof s.type === "string" ? [s.type] : [...(s.type ?? [])];
  const type = types.find((name) => name !== "null");
  const parts = [type === "array" && s.items ? `array of ${several(doc, s.items)}` : type];
  if (s.oneOf) parts.push(`one of ${s.oneOf.length} forms`);
  if (s.format) parts.push(s.format);
  parts.push(range(s.minItems, s.maxItems), range(s.minimum, s.maximum));
  if (s.exclusiveMinimum !== undefined) parts.push(`above ${s.exclusiveMinimum}`);
  if (s.exclusiveMaximum !== undefined) parts.push(`below ${s.exclusiveMaximum}`);
  const length = range(s.minLength, s.maxLength);
  if (length) parts.push(`${length} characters`);
  if (s.pattern) parts.push(`as ${s.pattern}`);
  if (types.includes("null")) parts.push("or null");
  if (s.default !== undefined) parts.push(`by default ${String(s.default)}`);
  return parts.filter(Boolean).join(", ") || "any value";
}

function several(doc: Document, items: Schema): string {
  const s = resolved(doc, items);
  const types = typeof s.type === "string" ? [s.type] : (s.type ?? []);
  const type = types.find((name) => name !== "null");
  if (type === "array" && s.items) return `arrays of ${several(doc, s.items)}`;
  return type ? `${type}s` : "values";
}
