import { codeBlock } from "../ui/code";
import { curlCommand } from "../call/curl";
import { h, type Child } from "../ui/dom";
import { call } from "../site/client";
import { moment } from "../site/dates";
import { field, form } from "../site/form";
import { lines } from "../site/lines";
import { announce, card, notice, page, show } from "../site/page";
import { at } from "../call/root";
import { facts } from "../site/table";

/** The answer of POST /v1/keys. */
interface Issued {
  readonly key: string;
  readonly key_id: string;
  readonly expires_at: string;
  readonly allowed_origins: readonly string[];
  readonly scope: string;
  readonly claim_url?: string;
}

/** The server takes no more; see the contract's limits. */
const LABEL_MAX = 120;
const ORIGINS_MAX = 20;

function signUp(): HTMLElement {
  const email = field({
    name: "email",
    label: "E-mail address",
    hint: "For one mail that asks you to confirm the key. Disposable addresses are refused.",
    control: h("input", { type: "email", required: true, autocomplete: "email", maxlength: 254 }),
  });
  const label = field({
    name: "label",
    label: "Label",
    hint: "Optional: a name to tell your keys apart, such as “delivery planner”.",
    control: h("input", { type: "text", maxlength: LABEL_MAX, autocomplete: "off" }),
  });
  const terms = field({
    name: "accept_tos",
    label: h("span", {}, "I accept the ", h("a", { href: at("terms") }, "terms of use")),
    control: h("input", { type: "checkbox", required: true }),
  });
  const origins = field({
    name: "allowed_origins",
    label: "Allowed origins",
    hint: [
      `One a line, at most ${ORIGINS_MAX}, such as https://maps.example.com or https://*.example.com.`,
      "Set them for a key that web pages carry: other sites cannot use it then. Empty allows any.",
    ].join(" "),
    control: h("textarea", { rows: 3, spellcheck: "false", autocapitalize: "off" }),
  });
  const scope = field({
    name: "scope",
    label: "Scope",
    hint: "A maps key draws maps and finds places; it cannot route and cannot change anything.",
    control: h(
      "select",
      {},
      h("option", { value: "full" }, "Full: every endpoint"),
      h("option", { value: "maps" }, "Maps: tiles, styles, geocoding"),
    ),
  });
  return form({
    label: "Get a key",
    fields: [email, label, terms, origins, scope],
    children: [
      email.element,
      label.element,
      h(
        "details",
        { class: "fold" },
        h("summary", {}, "Advanced: a key for web pages"),
        origins.element,
        scope.element,
      ),
      terms.element,
    ],
    submit: "Get a key",
    async act() {
      const name = label.control.value.trim();
      const allowed = lines(origins.control.value);
      const address = email.control.value.trim();
      const issued = await call<Issued>({
        method: "POST",
        path: "v1/keys",
        body: {
          email: address,
          accept_tos: (terms.control as HTMLInputElement).checked,
          ...(name ? { label: name } : {}),
          ...(allowed.length ? { allowed_origins: allowed } : {}),
          scope: scope.control.value,
          source: "website",
        },
      });
      document.querySelector(".lead")?.remove();
      show(issuedCard(issued, name), nextCard(issued, address));
      announce("Your key was made. It is shown once.");
    },
  });
}

function issuedCard(issued: Issued, name: string): HTMLElement {
  const origins = issued.allowed_origins;
  const url = at("v1/keys/self");
  const entries: [string, Child][] = [];
  if (name) entries.push(["Label", name]);
  entries.push(["Key id", h("code", {}, issued.key_id)]);
  entries.push(["Confirm by", moment(issued.expires_at)]);
  entries.push(["Scope", issued.scope]);
  entries.push(["Allowed origins", origins.length ? origins.join(", ") : "any"]);
  return card(
    "Your key",
    notice("warning", "Copy it now", h("p", {}, "It is shown this once and cannot be read again.")),
    codeBlock("Copy the key", issued.key),
    facts(entries),
    h("h3", {}, "Try it"),
    codeBlock(
      "Copy the example",
      `API_KEY=${issued.key}\n${curlCommand({ method: "GET", url, keyed: true })}`,
    ),
    origins.length > 0 &&
      h("p", { class: "hint" }, `This key also needs a header such as “Origin: ${origins[0]}”.`),
  );
}

function nextCard({ expires_at, claim_url }: Issued, address: string): HTMLElement {
  return card(
    "What happens next",
    h(
      "ol",
      { class: "steps-next" },
      h("li", {}, "The key works now: 1,000 calls in all, at most 60 a minute."),
      h(
        "li",
        {},
        "A mail is on its way to ",
        h("strong", {}, address),
        ". Open its link and confirm within 72 hours",
        ", until ",
        moment(expires_at),
        ", or the key stops working.",
      ),
      h("li", {}, "Once confirmed it has 50,000 units a month, shared by all your keys."),
    ),
    claim_url
      ? h(
          "p",
          {},
          "Your keys, usage and credit are in your account: ",
          h("a", { href: claim_url }, "open your account"),
          ".",
        )
      : h(
          "p",
          {},
          h("a", { href: at("console") }, "Sign in to the console"),
          " to see your usage.",
        ),
  );
}

page.append(h("section", { class: "card" }, signUp()));
