// What is wrong with a page for who adapts it: in a narrow window, with more space between letters,
// words and lines, or in the colours of a high contrast theme. axe-core looks at none of these.

/** A window of 1280 pixels at four times the size (WCAG 1.4.10). */
export const NARROW = { viewport: { width: 320, height: 640 } };

/** What scrolls sideways with reason: tables, the day's line, code, and bars of tools. */
const SIDEWAYS = ".scroll, .timeline, .rail, pre, .maplibregl-map, #map, svg, .swagger-ui table";

/** The least that a reader may ask for (WCAG 1.4.12). */
const SPACING = `* {
  line-height: 1.5 !important;
  letter-spacing: 0.12em !important;
  word-spacing: 0.16em !important;
}
p { margin-bottom: 2em !important; }`;

/** Texts that one has to scroll sideways for. */
export async function beyondTheEdge(page) {
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  const found = await page.evaluate(cut, { within: "body", apart: SIDEWAYS });
  if (wide > NARROW.viewport.width) found.push(`the page is ${wide} pixels wide`);
  return found;
}

/** Texts that are cut once letters, words and lines have more space. */
export async function cutBySpacing(page) {
  const before = new Set(await page.evaluate(cut, { apart: SIDEWAYS }));
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(css);
    document.adoptedStyleSheets.push(sheet);
  }, SPACING);
  const after = await page.evaluate(cut, { apart: SIDEWAYS });
  await page.evaluate(() => document.adoptedStyleSheets.pop());
  return after.filter((one) => !before.has(one)).map((one) => `with more space: ${one}`);
}

/** What is chosen and looks as what is not, in the colours of the reader's system. */
export async function unmarked(page) {
  await page.emulateMedia({ forcedColors: "active" });
  const found = await page.evaluate(() => {
    const CHOSEN =
      '[aria-pressed="true"], [aria-selected="true"], [aria-current="page"], label:has(:checked)';
    const looks = (element) => {
      const { backgroundColor, outlineStyle, outlineColor, borderColor } =
        getComputedStyle(element);
      return [backgroundColor, outlineStyle, outlineColor, borderColor].join();
    };
    return [...document.querySelectorAll(CHOSEN)].flatMap((one) => {
      // A box with a tick shows it itself.
      if (!one.checkVisibility() || one.querySelector("[type=checkbox]")) return [];
      const group = one.closest("[role=group], [role=tablist], [role=listbox], fieldset, nav, ul");
      const other = [...(group?.querySelectorAll(one.localName) ?? [])].find(
        (like) => like.className === one.className && !like.matches(CHOSEN),
      );
      const same = other && looks(other) === looks(one);
      const ground = getComputedStyle(one).backgroundColor;
      const apart = [...one.querySelectorAll("*")].filter((part) => {
        const { backgroundColor } = getComputedStyle(part);
        return part.textContent.trim() && ![ground, "rgba(0, 0, 0, 0)"].includes(backgroundColor);
      });
      return [
        ...(same ? [`${one.textContent.trim().slice(0, 40)} looks not chosen`] : []),
        // Its letters are those of the chosen.
        ...apart.map((part) => `${part.textContent.trim()} has a ground of its own`),
      ].map((fault) => `in forced colours: ${fault}`);
    });
  });
  await page.emulateMedia({ forcedColors: "none" });
  return found;
}

/** Texts that do not fit into what holds them, or lie beyond the window. */
function cut({ within, apart }) {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    const text = walker.currentNode.textContent.trim().slice(0, 40);
    if (!text || element.closest(`.offscreen, noscript, ${apart}`)) continue;
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: true })) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const { left, right, width } = range.getBoundingClientRect();
    if (width < 2) continue;
    if (within && (right > innerWidth + 1 || left < -1)) found.push(`${text} ends at ${right}`);
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, textOverflow } = getComputedStyle(box);
      if (!/hidden|clip/.test(overflowX)) continue;
      const edge = box.getBoundingClientRect();
      // What ends in dots is told in full where one opens it.
      if (textOverflow !== "ellipsis" && right > edge.right + 2) found.push(`${text} is cut`);
      break;
    }
  }
  return found;
}
