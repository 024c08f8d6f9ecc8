import { codeBlock } from "../ui/code";
import { curlCommand, prettyJSON } from "../call/curl";
import { h } from "../ui/dom";
import type { Explorer } from "../plan/explorer";
import { STATUS } from "../call/problem";
import { call, parseJSON, Refused } from "../site/client";
import { Complaint, field, form } from "../site/form";
import { counted, grouped } from "../site/money";
import { announce, loading } from "../site/page";
import { atTyped } from "../call/root";
import { table } from "../site/table";
import { samples, type Sample } from "./samples";

/** More of an answer than this is cut off: the page shows it, it does not store it. */
const SHOWN_MAX = 60_000;

/**
 * Calls with a key of one's own. The key is held by its field alone: it is
 * neither stored nor put into the command.
 */
export function playground(): HTMLElement {
  const holder = h("div", { class: "playground" });
  const draw = (explorer: Explorer | null): void => {
    holder.replaceChildren(tryOut(samples(explorer)));
  };
  holder.replaceChildren(loading());
  call<Explorer>({ path: "explorer.json" }).then(draw, () => draw(null));
  return holder;
}

function tryOut(choices: readonly Sample[]): HTMLElement {
  const key = field({
    name: "key",
    label: "API key",
    hint: "Kept in this field only, and forgotten when you leave the page.",
    control: h("input", {
      type: "password",
      autocomplete: "off",
      spellcheck: "false",
      placeholder: "wg_…",
      maxlength: 200,
    }),
  });
  const choice = field({
    name: "choice",
    label: "Call",
    control: h(
      "select",
      {},
      choices.map((sample, i) => h("option", { value: String(i) }, sample.title)),
    ),
  });
  const path = field({
    name: "path",
    label: "Path",
    control: h("input", { type: "text", required: true, spellcheck: "false", autocomplete: "off" }),
  });
  const body = field({
    name: "body",
    label: "Body (JSON)",
    control: h("textarea", { rows: 9, spellcheck: "false", class: "mono" }),
  });
  const command = h("div");
  const answer = h("div", { class: "answer" });

  const chosen = (): Sample => choices[Number(choice.control.value)] ?? choices[0]!;
  const given = (): unknown =>
    chosen().method === "POST" ? parseJSON(body.control.value) : undefined;
  const showCommand = (): void => {
    const { method } = chosen();
    const url = atTyped(path.control.value);
    if (url === null) return;
    const request = given();
    const rest = request === undefined ? {} : { body: request };
    command.replaceChildren(
      codeBlock("Copy the command", curlCommand({ method, url, keyed: true, ...rest })),
    );
  };
  const take = (): void => {
    const sample = chosen();
    path.control.value = sample.path;
    body.control.value = sample.body === undefined ? "" : prettyJSON(sample.body);
    body.element.hidden = sample.method !== "POST";
    showCommand();
  };
  choice.control.addEventListener("change", take);
  path.control.addEventListener("input", showCommand);
  body.control.addEventListener("input", showCommand);
  take();

  return h(
    "div",
    {},
    form({
      label: "Playground",
      fields: [key, choice, path, body],
      children: [
        h("div", { class: "columns" }, key.element, choice.element),
        path.element,
        body.element,
        command,
      ],
      submit: "Send",
      async act() {
        const { method } = chosen();
        const request = given();
        if (method === "POST" && request === undefined) {
          throw new Complaint("body", "This is not JSON.");
        }
        const url = atTyped(path.control.value);
        if (url === null) throw new Complaint("path", "This is no path of this server.");
        answer.replaceChildren(await send(method, url, key.control.value.trim(), request));
        announce(answer.querySelector(".status")?.textContent ?? "");
      },
    }),
    answer,
  );
}

async function send(method: string, url: string, key: string, body: unknown): Promise<HTMLElement> {
  const headers: Record<string, string> = {};
  if (key) headers["Authorization"] = `Bearer ${key}`;
  if (body !== undefined) headers["Content-Type"] = "application/json";
  const started = performance.now();
  let response: Response;
  let bytes: ArrayBuffer;
  try {
    const rest = body === undefined ? {} : { body: JSON.stringify(body) };
    response = await fetch(url, { method, headers, cache: "no-store", ...rest });
    bytes = await response.arrayBuffer();
  } catch {
    throw new Refused({ kind: "network" });
  }
  const took = Math.round(performance.now() - started);
  const type = response.headers.get("Content-Type") ?? "";
  const good = response.status < 400;
  const status = `${response.status} ${response.statusText || (STATUS[response.status] ?? "")}`;
  const size = counted(bytes.byteLength, "byte");
  return h(
    "section",
    { "aria-label": "Answer" },
    h(
      "p",
      { class: "status" },
      h("span", { class: `state ${good ? "calm" : "danger"}` }, status.trim()),
      ` in ${grouped(took)} ms, ${size}`,
    ),
    h(
      "details",
      { class: "fold", open: true },
      h("summary", {}, "Headers"),
      headerTable(response.headers),
    ),
    isText(type)
      ? codeBlock("Copy the answer", clipped(new TextDecoder().decode(bytes)))
      : h("p", { class: "hint" }, `${size} of ${type || "no stated type"}, not shown as text.`),
  );
}

/** Headers, the ones about quota and limits first. */
function headerTable(headers: Headers): HTMLElement {
  const telling = /^(x-svc-|x-ratelimit|ratelimit|retry-after|x-request-id)/;
  const rows = [...headers].sort(
    ([a], [b]) => Number(telling.test(b)) - Number(telling.test(a)) || (a < b ? -1 : 1),
  );
  return table(
    "Headers of the answer",
    [
      { title: "Header", heads: true, cell: ([name]) => h("code", {}, name) },
      { title: "Value", cell: ([, value]) => h("code", {}, value) },
    ],
    rows,
  );
}

function isText(type: string): boolean {
  return /^text\/|json|xml/.test(type);
}

/** JSON laid out to be read; no more of a text than the page can show quickly. */
export function clipped(text: string): string {
  const value = parseJSON(text);
  const shown = value === undefined ? text : prettyJSON(value);
  if (shown.length <= SHOWN_MAX) return shown;
  return `${shown.slice(0, SHOWN_MAX)}\n… ${grouped(shown.length - SHOWN_MAX)} more characters`;
}
