import { codeBlock } from "../code";
import { curlCommand, prettyJSON } from "../curl";
import { h } from "../dom";
import type { Planner } from "../planner";
import { buildRequest, compatibleRequest } from "../request";

/** The exchange behind the map: the calls as curl commands, and the raw answer. */
export function exchangePanel(
  tab: "request" | "response" | "compatible",
  planner: Planner,
  keyed: boolean,
): HTMLElement {
  const { plan, outcome } = planner.state;
  if (outcome.kind === "none") return h("div");
  switch (tab) {
    case "request": {
      const url = new URL("route", document.baseURI).href;
      const body = buildRequest(plan) ?? outcome.request;
      return h(
        "div",
        {},
        h("p", { class: "hint" }, "What this page asked, as a command for a shell."),
        codeBlock("Copy the request", curlCommand({ method: "POST", url, body, keyed })),
      );
    }
    case "response": {
      const body = outcome.kind === "routes" ? outcome.answer : outcome.body;
      const status = outcome.kind === "routes" ? 200 : outcome.status;
      return h(
        "div",
        {},
        h("p", { class: "hint" }, status === null ? "No answer." : `Status ${status}.`),
        body !== undefined && codeBlock("Copy the response", prettyJSON(body)),
      );
    }
    case "compatible": {
      const compatible = compatibleRequest(plan);
      if (!compatible) return h("div");
      const url = new URL(compatible.path, document.baseURI).href;
      return h(
        "div",
        {},
        h(
          "p",
          { class: "hint" },
          "The same question to the route-server-compatible endpoint, for clients that speak it.",
        ),
        codeBlock("Copy the compatible request", curlCommand({ method: "GET", url, keyed })),
        compatible.missing.length > 0 &&
          h(
            "p",
            { class: "notice warning" },
            `Without a parameter on this endpoint: ${compatible.missing.join(", ")}.`,
          ),
      );
    }
  }
}
