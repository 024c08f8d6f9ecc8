import { codeBlock } from "../ui/code";
import { shellQuote } from "../call/curl";
import { h, type Child } from "../ui/dom";
import { apiKey as storedKey } from "../call/secrets";
import { call, Refused } from "../site/client";
import { dayName, moment } from "../site/dates";
import { keyBox } from "../site/keybox";
import { meter } from "../site/meter";
import { card, notice, page, refusal } from "../site/page";
import { slugOf } from "../site/refusal";
import { at } from "../call/root";
import { facts, table } from "../site/table";
import { size, verified, type Signature } from "../territory/signature";

/** An entry of GET /territories. */
interface Territory {
  readonly id: string;
  readonly name: string;
  readonly version: number;
  readonly built: string;
  readonly data_updated: string | null;
  readonly bytes: number;
  readonly manifest: string;
}

interface Index {
  readonly territories: readonly Territory[];
}

interface Manifest {
  readonly layers: readonly Layer[];
}

interface Layer {
  readonly kind: string;
  readonly file: string;
  readonly addr: string;
  readonly bytes: number;
}

/** Of GET /v1/keys/self. */
interface Self {
  readonly state: string;
  readonly download_allowance_mib: number;
  readonly download_used_mib: number;
}

const apiKey = storedKey.get();

/** The text of a document that is signed as it is. */
async function text(path: string): Promise<string> {
  const headers: Record<string, string> = apiKey ? { Authorization: `Bearer ${apiKey}` } : {};
  const answer = await fetch(at(path), { headers });
  const body = await answer.text();
  if (answer.ok) return body;
  let problem: unknown;
  try {
    problem = JSON.parse(body);
  } catch {
    problem = undefined;
  }
  const retryAfter = answer.headers.get("Retry-After");
  throw new Refused({ kind: "answer", status: answer.status, body: problem, retryAfter });
}

const SAID: Record<Signature, string> = {
  good: "The list is signed by the key that this server announces; the signature was checked here.",
  bad: "The signature of the list is wrong: do not use the list, and inform the operator.",
  unchecked: "This browser cannot check Ed25519 signatures here; waygate territory pull does.",
};

function allowance(self: Self): HTMLElement {
  const { download_used_mib: used, download_allowance_mib: quota, state } = self;
  return card(
    "Your allowance",
    meter("Downloads this month", used, quota, "MiB"),
    state === "provisional" &&
      notice(
        "warning",
        "This key is not confirmed",
        h("p", {}, "Files need the key of a confirmed address: open the link in the e-mail."),
      ),
  );
}

async function layers(territory: Territory): Promise<Child[]> {
  const base = `territories/${territory.id}/${territory.version}`;
  const { layers: list } = await call<Manifest>({ path: `${base}/manifest`, token: apiKey });
  return [
    table<Layer>(
      `Files of ${territory.name}`,
      [
        { title: "File", heads: true, cell: ({ file }) => h("code", {}, file) },
        { title: "Kind", cell: ({ kind }) => kind },
        { title: "Size", figure: true, cell: ({ bytes }) => size(bytes) },
        {
          title: "SHA-256",
          cell: ({ addr }) => h("code", { title: addr }, `${addr.slice(0, 12)}…`),
        },
      ],
      list,
    ),
  ];
}

function entry(territory: Territory): HTMLElement {
  const { id, name, version, built, data_updated, bytes } = territory;
  const root = at("").replace(/\/$/, "");
  const files = h("div", {});
  const fold = h(
    "details",
    {
      class: "fold",
      ontoggle: () => {
        if (!fold.open || files.hasChildNodes()) return;
        files.replaceChildren(h("p", { class: "muted" }, "Loading…"));
        void layers(territory)
          .then((list) => files.replaceChildren(...(list as Node[])))
          .catch((error: unknown) => files.replaceChildren(refusal(error)));
      },
    },
    h("summary", {}, "Its files"),
    files,
  );
  const made = card(
    name || id,
    facts([
      ["Size", size(bytes)],
      ["Version", String(version)],
      ["Map data of", data_updated ? dayName(data_updated.slice(0, 10)) : "unknown"],
      ["Published", moment(built)],
    ]),
    h("p", {}, "Fetch it, or what is new of it, with every byte checked:"),
    codeBlock(
      `Copy the command for ${name || id}`,
      `waygate territory pull ${shellQuote(root)} ${id} --out ${id}`,
    ),
    fold,
  );
  made.id = `territory-${id}`;
  return made;
}

async function open(): Promise<void> {
  let list: string;
  try {
    list = await text("territories");
  } catch (error) {
    const body = error instanceof Refused && "body" in error.failure ? error.failure.body : null;
    const type = (body as { type?: unknown } | null)?.type;
    const none = slugOf(type) === "territories-not-enabled";
    page.replaceChildren(
      none
        ? notice(
            "plain",
            "Nothing is published here yet",
            h(
              "p",
              {},
              "The operator publishes a territory with ",
              h("code", {}, "waygate territory build"),
              ".",
            ),
          )
        : refusal(error),
      keyBox("A key shows what may be downloaded with it."),
    );
    return;
  }
  const [signature, self] = await Promise.all([
    verified(list, () => text("territories/index.sig")),
    apiKey ? call<Self>({ path: "v1/keys/self", token: apiKey }).catch(() => null) : null,
  ]);
  const { territories } = JSON.parse(list) as Index;
  page.replaceChildren(
    h(
      "p",
      { class: `signature ${signature}`, role: signature === "bad" ? "alert" : null },
      SAID[signature],
    ),
    h("div", { class: "cards" }, territories.map(entry)),
    self
      ? allowance(self)
      : card("Your allowance", keyBox("Files need the key of a confirmed address.")),
    card(
      "Before you pull",
      h(
        "p",
        {},
        "Give the key as ",
        h("code", {}, "WAYGATE_API_KEY"),
        ". A download that breaks off goes on where it was. The folder is served with:",
      ),
      codeBlock("Copy the command", "waygate serve --region FOLDER"),
    ),
  );
  if (self && apiKey) page.append(keyBox(""));
}

open().catch((error: unknown) => page.replaceChildren(refusal(error)));
