import { codeBlock } from "../code";
import { prettyJSON, shellQuote } from "../curl";
import { h, type Child } from "../dom";
import { at } from "../site/root";
import { resolved, told, type Document, type Operation, type Response } from "./document";
import { lazily, members } from "./schema";

export interface Entry {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

/** An endpoint, of which only the heading is made before it is opened. */
export function endpoint(doc: Document, entry: Entry): HTMLDetailsElement {
  const { method, path, operation } = entry;
  const title = [
    h("span", { class: `method ${method}` }, method.toUpperCase()),
    h("code", { class: "path" }, path),
    h("span", { class: "muted" }, operation.summary),
  ];
  return lazily(title, () => content(doc, entry), {
    class: "operation",
    id: operation.operationId,
  });
}

function content(doc: Document, { method, path, operation: o }: Entry): Child[] {
  const body = o.requestBody?.content["application/json"];
  return [
    h("p", {}, o.description),
    h("p", { class: "muted" }, wayIn(doc, o), price(o)),
    o.parameters?.length ? section("Parameters", parameters(doc, o)) : null,
    body
      ? section(o.requestBody?.required ? "Body" : "Body, optional", members(doc, body.schema))
      : null,
    section("Request", codeBlock("Copy the request", curl(method, path, o, body?.example))),
    section("Answers", answers(doc, o)),
  ];
}

function section(title: string, ...children: readonly Child[]): HTMLElement {
  return h("section", {}, h("h3", {}, title), children);
}

function wayIn(doc: Document, o: Operation): string {
  const ways = o.security.map((way) =>
    Object.keys(way).map((name) => doc.components.securitySchemes[name]!.description),
  );
  if (ways.length === 0) return "Open to all.";
  const said = ways.map((way) =>
    way.length ? way.join(" and ") : "nothing, where the deployment allows it",
  );
  return `Send ${said.join("; or ")}.`;
}

function price(o: Operation): string {
  const named = o["x-price-class"];
  if (!named || named === "free") return " Free of charge.";
  return named === "standard" ? " A Standard call." : " A Standard call, or Premium for a truck.";
}

function parameters(doc: Document, o: Operation): HTMLElement {
  return h(
    "ul",
    { class: "schema" },
    o.parameters!.map((p) =>
      h(
        "li",
        {},
        h("code", { class: "member" }, p.name),
        " ",
        h(
          "span",
          { class: "muted" },
          `${p.in}, ${told(doc, p.schema ?? {})}`,
          p.required && ", required",
        ),
        p.description && h("p", {}, p.description),
        p.schema?.enum &&
          h(
            "p",
            { class: "words" },
            p.schema.enum.map((word) => [h("code", {}, String(word)), " "]),
          ),
      ),
    ),
  );
}

function curl(method: string, path: string, o: Operation, example: unknown): string {
  const lines = [
    `curl -s ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${shellQuote(at(path))}`,
  ];
  const token = { bearer: "API_KEY", console_session: "SESSION", admin: "ADMIN_TOKEN" };
  const way = o.security.flatMap((one) => Object.keys(one)).find((name) => name in token);
  if (way) lines.push(`-H "Authorization: Bearer $${token[way as keyof typeof token]}"`);
  if (example !== undefined) {
    lines.push("-H 'Content-Type: application/json'", `-d ${shellQuote(prettyJSON(example))}`);
  }
  return lines.join(" \\\n  ");
}

function answers(doc: Document, o: Operation): HTMLElement[] {
  return Object.entries(o.responses).map(([status, said]) => {
    const r = resolved(doc, said);
    const title = [
      h("code", {}, status === "default" ? "other" : status),
      ` ${r.description ?? ""}`,
    ];
    return lazily(title, () => answer(doc, r), { class: "status-fold" });
  });
}

function answer(doc: Document, r: Response): Child[] {
  const headers = Object.entries(r.headers ?? {}).map(([name, header]) =>
    h(
      "li",
      {},
      h("code", { class: "member" }, name),
      " ",
      h("span", { class: "muted" }, resolved(doc, header).description),
    ),
  );
  const bodies = Object.entries(r.content ?? {}).map(([media, { schema }]) =>
    h("div", {}, h("p", {}, h("code", {}, media)), members(doc, schema)),
  );
  return [h("ul", { class: "schema" }, headers), ...bodies];
}
