// How long the pages' script tasks take, in the processor time of the page's main thread: what
// other programs do at the same time makes tasks late, and adds little to that.
//
//   WAYGATE_URL=… ADMIN_TOKEN=… node e2e/tasks.mjs [stops of the plan, 400]
import { ADMIN_TOKEN, api, at, BASE, launch } from "./browser.mjs";

const STOPS = Number(process.argv[2] ?? 400);
const CATEGORIES = ["toplevel", "devtools.timeline", "disabled-by-default-devtools.timeline"];

const browser = await launch({ drawing: true });
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
page.setDefaultTimeout(300_000);

/** Prints the longest tasks of what act does, and of all of them the sum, in milliseconds. */
async function measure(name, act) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await act();
  await page.waitForFunction(() => document.querySelector("#map[data-idle]"));
  await page.waitForTimeout(2000); // what comes later is part of it
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
  const mains = new Map(
    traceEvents
      .filter(({ name: of, args }) => of === "thread_name" && args.name === "CrRendererMain")
      .map(({ pid, tid }) => [pid, tid]),
  );
  // The browser's own pages have such threads too.
  const own = traceEvents.find(
    ({ pid, args }) => mains.has(pid) && args.data?.url?.startsWith(BASE),
  )?.pid;
  const tasks = traceEvents
    .filter(({ name: of, pid, tid }) => of === "RunTask" && pid === own && tid === mains.get(own))
    .map(({ tdur = 0 }) => Math.round(tdur / 1000))
    .toSorted((one, other) => other - one);
  const sum = tasks.reduce((all, one) => all + one, 0);
  console.log(`${name}: ${tasks.slice(0, 3).join(", ")} of ${sum}`);
}

const { examples } = (await api("GET", "explorer.json")).body;
const points = [...new Set(examples.flatMap((one) => one.points).map(String))].map((text) =>
  text.split(",").map(Number),
);
const body = { name: "tasks", monthly_quota: 10_000_000, rate_per_min: 10_000 };
const { key } = (await api("POST", "admin/keys", { token: ADMIN_TOKEN, body })).body;
const [depot, ...places] = points;
const stops = Array.from({ length: STOPS }, (_, i) => {
  const [lon, lat] = places[i % places.length];
  const at = [lon + ((i % 7) - 3) * 1e-3, lat + ((i % 5) - 2) * 1e-3];
  return { id: `${i}`, name: `Stop ${i}`, at, service: 120, amounts: [1] };
});
const vehicles = Array.from({ length: Math.ceil(STOPS / 25) }, (_, i) => {
  return { id: `van-${i}`, name: `Van ${i}`, start: depot, end: depot, capacities: [30] };
});
await page.addInitScript(
  ([held, problem]) => {
    sessionStorage.setItem("waygate.key", held);
    localStorage.setItem("waygate.planner", JSON.stringify(problem));
  },
  [key, { stops, vehicles }],
);

await measure("explorer", () => page.goto(BASE));
const fifty = Array.from({ length: 50 }, (_, i) => points[(i * 7) % points.length].join(","));
const link = `#p=${fifty.join(";")}`;
await measure("route of 50 points", async () => {
  await page.goto(BASE + link);
  await page.locator(".steps li").first().waitFor();
});
await measure("matrix of 50 points", async () => {
  await page.goto(`${BASE + link}&do=matrix`);
  await page.locator(".matrix .way").first().waitFor();
});
await measure(`planner of ${STOPS} stops`, () => page.goto(at("planner")));
await page.getByRole("radio", { name: "Plan", exact: true }).check({ force: true });
await measure("plan", async () => {
  await page.getByRole("button", { name: "Solve" }).click();
  await page.locator(".plan-sum").waitFor();
});
await page.locator(".timeline-line", { hasText: "Drag a stop" }).waitFor();
await measure("a stop moved", async () => {
  await page.locator(".block").nth(5).focus();
  await page.keyboard.press("ArrowDown");
});
await browser.close();
