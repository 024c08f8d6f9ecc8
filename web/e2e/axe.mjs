// What axe-core finds wrong with a page as it stands: WCAG 2.2 AA and the good practice beyond
// it that axe tests.
import { readFile } from "node:fs/promises";

const source = await readFile(
  new URL("../node_modules/axe-core/axe.min.js", import.meta.url),
  "utf8",
);

/** Rules whose answer depends on the colours. */
const COLOURS = ["color-contrast", "link-in-text-block"];

/** Marks as wide as a stop takes: each stop has a line in the list too (WCAG 2.5.8, equivalent). */
const MARKS = /^target-size at button\[data-stop=/;

/**
 * The faults of a page, each with its rule, its element and what is wrong: by the colours that
 * are on, and, with both, by those of the other scheme too.
 */
export async function faults(page, { both = false } = {}) {
  // What is waited for is pale until it is there.
  await page.waitForFunction(() => !document.querySelector(".stale, .progress.busy"));
  const all = await run(page, { rules: { "target-size": { enabled: true } } });
  const found = all.filter((one) => !MARKS.test(one));
  if (!both) return found;
  const dark = await page.evaluate(() => matchMedia("(prefers-color-scheme: dark)").matches);
  await dress(page, dark ? "light" : "dark");
  found.push(...(await run(page, { runOnly: COLOURS })).map((one) => `other scheme: ${one}`));
  await dress(page, dark ? "dark" : "light");
  return found;
}

/** Turns to a scheme. Scripts hear of it in a frame, and what they change begins its transitions then. */
async function dress(page, colorScheme) {
  await page.emulateMedia({ colorScheme });
  await page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

async function run(page, options) {
  if (await page.evaluate(() => !("axe" in window))) await page.evaluate(source);
  return page.evaluate(async (given) => {
    for (const animation of document.getAnimations()) {
      if (animation.effect.getComputedTiming().endTime < Infinity) animation.finish();
    }
    const { violations } = await window.axe.run({ resultTypes: ["violations"], ...given });
    return violations.flatMap(({ id, help, nodes }) =>
      nodes.map(({ target, any, all, none }) => {
        const why = [...any, ...all, ...none].map(({ message }) => message);
        return `${id} at ${target}: ${why.join("; ") || help}`;
      }),
    );
  }, options);
}
