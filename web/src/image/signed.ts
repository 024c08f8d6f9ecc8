import { codeBlock } from "../ui/code";
import { h } from "../ui/dom";
import { call } from "../site/client";
import { momentText } from "../site/dates";
import { actionButton } from "../site/form";
import { refusal } from "../site/page";

interface Signed {
  readonly address: string;
  readonly expires_at: string;
}

/** The longest time that the server signs for. */
const A_DAY_S = 86_400;

/** A button that signs the address of an image with a key, and the address that comes of it. */
export function signedAddress(query: string, apiKey: string): HTMLElement {
  const made = h("div", { class: "stack", "aria-live": "polite" });
  const sign = actionButton(
    "Sign the address for a day",
    async () => {
      const { address, expires_at } = await call<Signed>({
        method: "POST",
        path: "v1/signed-addresses",
        token: apiKey,
        body: { path: `/v1/static-map?${query}`, expires_in_s: A_DAY_S },
      });
      made.replaceChildren(
        codeBlock("Copy the signed address", address),
        h("p", { class: "hint" }, `It works until ${momentText(expires_at)}; the key pays.`),
      );
    },
    (error) => made.replaceChildren(refusal(error)),
    "button second small",
  );
  return h("div", { class: "stack" }, sign, made);
}
