import type { Plugin } from "vite";
import { SITE_PAGES } from "./src/site/pages.ts";

/** The pages besides the map, by the address at which the server gives them. */
export const PAGES: Readonly<Record<string, string>> = {
  "/keys": "keys.html",
  "/v1/keys/verify": "verify.html",
  "/console": "console.html",
  "/console/claim": "claim.html",
  "/admin": "admin.html",
  "/reference": "reference.html",
  "/welcome": "welcome.html",
  "/themes": "themes.html",
  "/static-maps": "static-maps.html",
  "/downloads": "downloads.html",
  "/planner": "planner.html",
  "/driver": "driver.html",
  "/arrival": "arrival.html",
  "/terms": "terms.html",
  "/404": "lost.html",
};

/**
 * Puts what every account page shares where it says <!-- head --> and
 * <!-- header -->, so that the first paint has it and nothing moves later.
 * Under vite's own server it also plays the gateway's part: pages at their
 * addresses, with a base that makes ./ the root.
 */
export function shell(): Plugin {
  return {
    name: "shell",
    transformIndexHtml: {
      order: "pre",
      handler(html, { path, server, originalUrl }) {
        const page = path.replace(/^.*\//, "");
        const depth = new URL(originalUrl ?? path, "http://dev").pathname.split("/").length - 2;
        const base =
          server && page !== "index.html" ? `<base href="./${"../".repeat(depth)}" />` : "";
        return html
          .replace("<head>", `<head>${base}`)
          .replace("<!-- head -->", HEAD)
          .replace("<!-- header -->", header(page));
      },
    },
    configureServer(server) {
      server.middlewares.use((request, _response, next) => {
        const { pathname, search } = new URL(request.url ?? "/", "http://dev");
        const page = request.method === "GET" ? PAGES[pathname] : undefined;
        if (page) request.url = `/${page}${search}`;
        next();
      });
    },
  };
}

const HEAD = `<meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
    <meta name="color-scheme" content="light dark" />
    <meta name="theme-color" content="#fdfcfa" media="(prefers-color-scheme: light)" />
    <meta name="theme-color" content="#16191d" media="(prefers-color-scheme: dark)" />
    <link rel="icon" href="./src/mark.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="./src/style/site.css" />`;

function header(page: string): string {
  const links = SITE_PAGES.map(([href, label]) => {
    const current = PAGES[href.slice(1)] === page ? ` aria-current="page"` : "";
    return `<li><a href="${href}"${current}>${label}</a></li>`;
  });
  return `<a class="skip">Skip to the content</a>
    <header class="top">
      <a class="brand" href="./"><img src="./src/mark.svg" alt="" width="28" height="28" />Waygate</a>
      <nav aria-label="Pages"><ul>${links.join("")}</ul></nav>
    </header>`;
}
