import { shareAddress } from "../explorer/share";
import type { Planner } from "../explorer/planner";
import type { LonLat } from "../geo/coords";
import { announce, copyText, h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { tr } from "../ui/translate";

/** How long a button says that it copied, in milliseconds. */
const SAID_MS = 2000;

/** A button that copies a link to what the page shows; on a phone it opens the phone's own list. */
export function shareButton(planner: Planner): HTMLElement {
  const usual = (): (Node | string)[] => [uiIcon("share"), tr("Share")];
  const button = h(
    "button",
    {
      type: "button",
      class: "chip",
      "data-focus": "share",
      onclick: () => void share(),
    },
    usual(),
  );
  const share = async (): Promise<void> => {
    const url = shareAddress(
      new URL(".", document.baseURI).href,
      location.hash,
      chosenLine(planner),
    );
    if (matchMedia("(pointer: coarse)").matches && "share" in navigator) {
      // A list that was closed again is no failure.
      await navigator.share({ title: document.title, url }).catch(() => undefined);
      return;
    }
    const copied = await copyText(url);
    const said = copied ? tr("Link copied") : tr("The link could not be copied");
    button.replaceChildren(uiIcon(copied ? "done" : "copy"), said);
    announce(`${said}.`);
    setTimeout(() => button.replaceChildren(...usual()), SAID_MS);
  };
  return button;
}

function chosenLine({ state: { outcome, chosen, plan } }: Planner): readonly LonLat[] {
  if (outcome.kind !== "routes" || plan.task !== "route") return [];
  return outcome.routes[chosen]?.line ?? [];
}
