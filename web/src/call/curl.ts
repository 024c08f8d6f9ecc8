export interface CurlRequest {
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly url: string;
  readonly body?: unknown;
  /** The call needs the key; the command names a shell variable, never the key. */
  readonly keyed?: boolean;
}

/** One argument of a POSIX shell, quoted only where it must be. */
export function shellQuote(argument: string): string {
  if (/^[\w@%+=:,./-]+$/.test(argument)) return argument;
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}

/** The request as a curl command to paste into a POSIX shell. */
export function curlCommand({ method, url, body, keyed }: CurlRequest): string {
  const lines = [`curl -s ${method === "GET" ? "" : `-X ${method} `}${shellQuote(url)}`];
  if (keyed) lines.push(`-H "Authorization: Bearer $API_KEY"`);
  if (body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`);
    lines.push(`-d ${shellQuote(prettyJSON(body))}`);
  }
  return lines.join(" \\\n  ");
}

/**
 * JSON indented by two spaces, with objects and arrays that fit one line of 88
 * characters kept on one: a list of locations reads as a table.
 */
export function prettyJSON(value: unknown, indent = ""): string {
  const flat = spaced(value);
  if (indent.length + flat.length <= 88 || value === null || typeof value !== "object") return flat;
  const inner = indent + "  ";
  if (Array.isArray(value)) {
    return `[\n${value.map((item) => inner + prettyJSON(item, inner)).join(",\n")}\n${indent}]`;
  }
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const lines = members.map(([key, member]) => {
    return `${inner}${JSON.stringify(key)}: ${prettyJSON(member, inner)}`;
  });
  return `{\n${lines.join(",\n")}\n${indent}}`;
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (value !== null && typeof value === "object") {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${JSON.stringify(key)}: ${spaced(member)}`);
    return members.length ? `{ ${members.join(", ")} }` : "{}";
  }
  return JSON.stringify(value) ?? "null";
}
