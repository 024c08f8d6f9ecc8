import { h } from "../ui/dom";
import { call } from "../site/client";
import { form } from "../site/form";
import { announce, card, fill, notice, page, show } from "../site/page";

/** The answer of GET /v1/console/claims/{token}. */
interface Claim {
  readonly masked_email: string;
}

async function claim(): Promise<HTMLElement[]> {
  const token = location.hash.slice(1);
  if (!token) {
    return [
      notice(
        "warning",
        "This address has no token",
        h("p", {}, "Open the whole link again: what stands after the # is part of it."),
      ),
    ];
  }
  const path = `v1/console/claims/${encodeURIComponent(token)}`;
  const { masked_email } = await call<Claim>({ path });
  return [
    card(
      "The account",
      h("p", {}, "This key belongs to the account of ", h("strong", {}, masked_email), "."),
      form({
        label: "Sign in",
        fields: [],
        children: [],
        submit: "E-mail me a sign-in link",
        async act() {
          await call({ method: "POST", path: `${path}/signin` });
          show(
            notice(
              "calm",
              "A sign-in link is on its way",
              h(
                "p",
                {},
                `Look for a mail at ${masked_email}. Its link works once, for 15 minutes.`,
              ),
            ),
          );
          announce("A sign-in link is on its way.");
        },
      }),
    ),
  ];
}

addEventListener("hashchange", () => void fill(page, claim));
void fill(page, claim);
