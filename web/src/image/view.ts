import { codeBlock } from "../ui/code";
import { curlCommand, shellQuote } from "../call/curl";
import { h } from "../ui/dom";
import { apiKey } from "../call/secrets";
import { parseJSON, Refused } from "../site/client";
import { keyBox } from "../site/keybox";
import { focusOn, refusal } from "../site/page";
import { explain, type FieldComplaint } from "../site/refusal";
import { at } from "../call/root";
import type { ImageCall } from "./request";
import { signedAddress } from "./signed";

/** Shows complaints at their fields, and none at the others. */
export type Complain = (complaints: readonly FieldComplaint[]) => void;

/** Views are dragged along: an image is work, so it waits for the hand to rest. */
const REST_MS = 450;

/** The longest wait after which a refused image is requested again; a longer one is reported. */
const MOST_WAIT_S = 10;

/** The image of a call as the server makes it, and the call in other forms. */
export class ImageView {
  readonly element = h("div", { class: "image-made", "aria-live": "polite" });
  readonly calls = h("div", { class: "stack" });
  private readonly picture = h("img", { alt: "The map as an image", hidden: true });
  private readonly state = h("p", { class: "hint" }, "Waiting for the map…");
  private readonly wrong = h("div", {});
  private shown = "";
  private address = "";
  private timer: ReturnType<typeof setTimeout> | undefined;
  private running: AbortController | null = null;

  private readonly complain: Complain;

  constructor(complain: Complain) {
    this.complain = complain;
    this.element.append(this.picture, this.state, this.wrong);
  }

  /** Asks for the image of a call unless it is shown already. */
  show(call: ImageCall): void {
    const wanted = `${call.query}\n${call.body ?? ""}`;
    if (wanted === this.shown) return;
    this.shown = wanted;
    this.calls.replaceChildren(...callForms(call));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.ask(call), REST_MS);
  }

  /** A button that asks for the image of a call once more: a busy machine may have time by then. */
  private again(call: ImageCall): HTMLElement {
    const ask = (): void => {
      this.state.textContent = "Asking for the image again…";
      this.wrong.replaceChildren();
      focusOn(this.state);
      void this.ask(call);
    };
    return h("button", { type: "button", class: "button second small", onclick: ask }, "Try again");
  }

  private async ask({ query, body }: ImageCall): Promise<void> {
    this.running?.abort();
    const running = new AbortController();
    this.running = running;
    this.element.setAttribute("aria-busy", "true");
    const started = performance.now();
    try {
      const init = body === null ? {} : { method: "POST", body };
      const answer = await fetch(at(`api/static-map?${query}`), {
        ...init,
        signal: running.signal,
        ...(body === null ? {} : { headers: { "Content-Type": "application/json" } }),
      });
      const wait = Number(answer.headers.get("Retry-After"));
      if ((answer.status === 429 || answer.status === 503) && wait > 0 && wait <= MOST_WAIT_S) {
        this.state.textContent = "Others are having their maps drawn: waiting for a turn…";
        this.timer = setTimeout(() => void this.ask({ query, body }), wait * 1000);
        return;
      }
      if (!answer.ok) {
        const problem = parseJSON(await answer.text());
        const retryAfter = answer.headers.get("Retry-After");
        throw new Refused({ kind: "answer", status: answer.status, body: problem, retryAfter });
      }
      const blob = await answer.blob();
      if (running.signal.aborted) return;
      URL.revokeObjectURL(this.address);
      this.address = URL.createObjectURL(blob);
      this.picture.src = this.address;
      this.picture.hidden = false;
      const took = Math.round(performance.now() - started);
      const warnings = answer.headers.get("X-Svc-Warnings");
      this.state.textContent = `${(blob.size / 1000).toFixed(0)} kB of ${blob.type}, in ${took} ms.${warnings ? ` ${warnings}.` : ""}`;
      this.wrong.replaceChildren();
      this.complain([]);
    } catch (error) {
      if (running.signal.aborted) return;
      this.picture.hidden = true;
      this.state.textContent = "";
      const refused = error instanceof Refused ? error : new Refused({ kind: "network" });
      this.complain(explain(refused.failure).fields);
      this.wrong.replaceChildren(refusal(refused), this.again({ query, body }));
    } finally {
      if (!running.signal.aborted) this.element.removeAttribute("aria-busy");
    }
  }
}

/** The call with a key, without, and signed, as addresses and as commands. */
function callForms({ query, body }: ImageCall): HTMLElement[] {
  const key = apiKey.get();
  const keyless = at(`api/static-map?${query}`);
  const keyed = at(`v1/static-map?${query}`);
  const command = (url: string, auth: boolean): string =>
    curlCommand({
      method: body === null ? "GET" : "POST",
      url,
      keyed: auth,
      ...(body === null ? {} : { body: parseJSON(body) ?? body }),
    }).replace("curl -s", `curl -s -o map${shellQuote(extension(query))}`);
  return [
    h("h3", {}, "Without a key, at the rate of the demo lane"),
    body === null && codeBlock("Copy the address", keyless),
    codeBlock("Copy the command", command(keyless, false)),
    h("h3", {}, "With a key: 15 units for an image"),
    codeBlock("Copy the command with a key", command(keyed, true)),
    h("h3", {}, "In a page of your own, without the key in it"),
    body !== null && h("p", { class: "hint" }, "GeoJSON that is sent as a body cannot be signed."),
    body === null && key !== null && signedAddress(query, key),
    keyBox("An address is signed with a key."),
  ].filter((part) => part !== false);
}

function extension(query: string): string {
  return `.${/(?:^|&)format=(\w+)/.exec(query)?.[1] ?? "png"}`;
}
