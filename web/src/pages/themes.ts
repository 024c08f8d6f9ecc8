import { absoluteURLs } from "../map/basemap";
import { prettyJSON } from "../call/curl";
import { h } from "../ui/dom";
import { readPublished, styleChoice, type Published } from "../map/stylechoice";
import { apiKey as storedKey } from "../call/secrets";
import { call, Refused } from "../site/client";
import { field, form } from "../site/form";
import { keyBox } from "../site/keybox";
import { announce, card, notice, page, refusal } from "../site/page";
import { PageMap } from "../site/pagemap";
import { at } from "../call/root";
import { isLook, isTheme, THEMES } from "../map/themes";
import {
  problemLine,
  readDocument,
  readProblems,
  valueOf,
  withValue,
  type Problem,
  type ThemeDocument,
} from "../theme/document";
import { Compare, preview, type Preview } from "../theme/compare";
import { draft } from "../theme/draft";
import { themeFields, type ThemeFields } from "../theme/fields";
import { publishedCard, type Issue } from "../theme/published";
import { Steps } from "../theme/steps";

/** Colours are dragged: wait for the hand to rest. */
const REST_MS = 120;

/** So many versions of a style are listed to compare with. */
const MOST_VERSIONS = 50;

const apiKey = storedKey.get();

/** The page: one theme that is edited, and what the server makes of it. */
class Editor {
  private readonly steps = new Steps();
  private from = "light";
  private fields: ThemeFields | null = null;
  private view: PageMap | null = null;
  private own: readonly Published[] = [];
  private timer: ReturnType<typeof setTimeout> | undefined;
  private round = 0;
  private readonly controls = h("div", { class: "theme-controls" });
  private readonly wrong = h("div", { class: "form-alert" });
  private readonly undo = stepButton("Undo", () => this.step(-1));
  private readonly redo = stepButton("Redo", () => this.step(1));
  private readonly issued = h("div", {});
  private readonly compare = new Compare(apiKey);
  private readonly start = styleChoice(apiKey, (look) => void this.begin(look), null);
  private readonly version = h("select", {
    "aria-label": "Version",
    hidden: true,
    onchange: () => void this.begin(this.version.value),
  });
  private readonly text = field({
    name: "theme",
    label: "Theme",
    hint: "What POST /styles takes. Changes here are seen at once too.",
    control: h("textarea", { rows: 12, class: "mono", spellcheck: "false" }),
  });
  private readonly name = field({
    name: "name",
    label: "Name",
    hint: "Its words become the style’s id.",
    control: h("input", { type: "text", required: true, maxlength: 120, autocomplete: "off" }),
  });
  private readonly over = field({
    name: "id",
    label: "Publish as",
    control: h("select", {}),
  });

  async open(): Promise<void> {
    this.text.control.addEventListener("input", () => {
      const read = readDocument(this.text.control.value);
      if (typeof read !== "string") return this.edit(read, "text");
      this.round++; // what the server says of the text before is out of date
      clearTimeout(this.timer);
      this.complain([]);
      this.text.complain(read);
    });
    document.addEventListener("keydown", (event) => this.shortcut(event));
    page.replaceChildren(
      card(
        "Start from",
        h("div", { class: "control" }, h("label", { for: "start" }, "Style"), this.start.element),
        this.version,
      ),
      card(
        "Change it",
        h("div", { class: "buttons" }, this.undo, this.redo),
        this.wrong,
        this.controls,
      ),
      card("Compare it", this.compare.element),
      h(
        "details",
        { class: "card fold" },
        h("summary", {}, h("strong", {}, "The theme as JSON")),
        this.text.element,
      ),
      card("Publish it", apiKey ? this.publishing() : keyBox("Publishing needs a key.")),
      this.issued,
    );
    this.start.element.id = "start";
    void this.start.load();
    await this.listOwn();
    const from = new URLSearchParams(location.hash.slice(1)).get("from") ?? "";
    const held = draft.get();
    if (held && (from === held.from || !from)) {
      await this.begin(held.from);
      this.name.control.value = held.name;
      this.edit(held.theme, "");
      this.writeText();
    } else await this.begin(isLook(from) ? from : "light");
    this.view = await PageMap.open({ container: document.getElementById("map")!, apiKey });
    if (this.view) this.compare.lie(this.view.map);
    this.ask();
  }

  /** Starts anew from a built-in theme or a published style. */
  private async begin(look: string): Promise<void> {
    try {
      const theme = isTheme(look)
        ? { extends: look }
        : await call<ThemeDocument>({ path: `styles/${encodeURIComponent(look)}/theme` });
      const { name = "", ...rest } = theme as ThemeDocument;
      this.from = look;
      history.replaceState(null, "", `${location.pathname}#from=${look}`);
      this.start.show(look.replace(/@.*/, ""));
      this.showVersions(look);
      const id = look.replace(/@.*/, "");
      this.name.control.value = name;
      this.over.control.value = this.own.some((style) => style.id === id) ? id : "";
      this.edit(rest, "");
      this.writeText();
    } catch (error) {
      this.wrong.replaceChildren(refusal(error));
    }
  }

  private showVersions(look: string): void {
    const [id, pinned] = look.split("@");
    const newest = this.own.find((style) => style.id === id)?.version ?? 0;
    this.version.hidden = newest < 2;
    this.version.replaceChildren(
      ...Array.from({ length: newest }, (_, i) => {
        const version = newest - i;
        return h("option", { value: `${id}@${version}` }, `Version ${version}`);
      }),
    );
    this.version.value = `${id}@${pinned ?? newest}`;
  }

  private async listOwn(): Promise<void> {
    this.offer();
    if (!apiKey) return;
    try {
      this.own = readPublished(await call({ path: "styles", token: apiKey }));
    } catch {
      this.own = []; // publishing will say what is wrong with the key
    }
    const before = this.over.control.value;
    this.over.control.replaceChildren(
      h("option", { value: "" }, "a new style"),
      ...this.own.map(({ id, version }) =>
        h("option", { value: id }, `version ${version + 1} of ${id}`),
      ),
    );
    this.over.control.value = before;
    this.offer();
  }

  /** Offers the built-in themes and every version of the key's own styles to compare with. */
  private offer(): void {
    const versions = this.own.flatMap(({ id, version }) =>
      Array.from({ length: Math.min(version, MOST_VERSIONS) }, (_, i) => {
        const spec = `${id}@${version - i}`;
        return [spec, spec] as const;
      }),
    );
    this.compare.offer([
      ...(versions.length ? ([["Published with your key", ...versions]] as const) : []),
      ["Themes", ...THEMES],
    ]);
  }

  /** Takes a change of the theme; what names the member that was changed. */
  private edit(theme: ThemeDocument, what: string): void {
    this.steps.add(theme, what);
    this.changed();
  }

  private changed(): void {
    this.undo.disabled = !this.steps.back;
    this.redo.disabled = !this.steps.forth;
    this.keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), REST_MS);
  }

  /** Keeps the theme for this tab, which is loaded anew with another key. */
  private keep(): void {
    draft.set({ from: this.from, name: this.name.control.value, theme: this.steps.theme });
  }

  private step(by: number): void {
    this.steps.go(by);
    this.writeText();
    this.changed();
    announce(by < 0 ? "Undone." : "Done again.");
  }

  /** Steps back and forth by keys, but for a text that one writes, which has its own. */
  private shortcut(event: KeyboardEvent): void {
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const { target } = event;
    const writes =
      target instanceof HTMLTextAreaElement ||
      (target instanceof HTMLInputElement && /^(text|password)$/.test(target.type));
    const key = event.key.toLowerCase();
    const back = key === "z" && !event.shiftKey;
    const forth = key === "y" || (key === "z" && event.shiftKey);
    if (writes || !(back || forth)) return;
    event.preventDefault();
    if (back ? this.steps.back : this.steps.forth) this.step(back ? -1 : 1);
  }

  private writeText(): void {
    this.text.complain(null);
    this.text.control.value = prettyJSON(this.steps.theme);
  }

  /** Has the server compile the theme, and shows what came of it. */
  private ask(): void {
    clearTimeout(this.timer);
    const round = ++this.round;
    const { theme } = this.steps;
    const shown = this.controls.parentElement!;
    shown.setAttribute("aria-busy", "true");
    void preview(theme)
      .then((made) => {
        if (round !== this.round) return;
        this.complain([]);
        this.show(made);
      })
      .catch((error: unknown) => {
        if (round !== this.round) return;
        const body =
          error instanceof Refused && "body" in error.failure ? error.failure.body : null;
        const problems = readProblems(body);
        if (problems.length) this.complain(problems);
        else this.wrong.replaceChildren(refusal(error));
      })
      .finally(() => round === this.round && shown.removeAttribute("aria-busy"));
  }

  private show({ style, theme, fonts }: Preview): void {
    if (!this.fields) {
      this.fields = themeFields(theme, fonts, (group, key, value) => {
        this.edit(withValue(this.steps.theme, group, key, value), `${group}.${key}`);
        this.writeText();
      });
      this.controls.replaceChildren(this.fields.element);
    }
    this.fields.show(theme, (group, key) => valueOf(this.steps.theme, group, key) !== undefined);
    this.compare.show(theme);
    this.view?.map.setStyle(absoluteURLs(style, at("")), { diff: true });
  }

  private complain(problems: readonly Problem[]): void {
    const rest = this.fields?.complain(problems) ?? problems;
    const line = (one: Problem): string => problemLine(one, this.text.control.value);
    this.text.complain(problems.length ? problems.map(line).join("\n") : null);
    this.wrong.replaceChildren(
      ...(rest.length
        ? [
            notice(
              "danger",
              "The theme cannot be drawn",
              h(
                "ul",
                {},
                rest.map((one) => h("li", {}, line(one))),
              ),
            ),
          ]
        : []),
    );
    if (problems.length) announce(problems.map(line).join(". "));
  }

  private publishing(): HTMLElement[] {
    return [
      form({
        label: "Publish the style",
        fields: [this.name, this.over],
        children: [this.name.element, this.over.element],
        submit: "Publish",
        act: async () => {
          const id = this.over.control.value;
          const known = this.own.find((style) => style.id === id)?.version ?? 0;
          const issue = await call<Issue>({
            method: "POST",
            path: "styles",
            token: apiKey,
            body: {
              name: this.name.control.value.trim(),
              theme: this.steps.theme,
              ...(id ? { id } : {}),
            },
          });
          this.issued.replaceChildren(publishedCard(issue, known));
          announce(`Published as version ${issue.version} of ${issue.id}.`);
          await this.listOwn();
          this.over.control.value = issue.id;
          this.showVersions(`${issue.id}@${issue.version}`);
          this.issued.scrollIntoView({ block: "nearest" });
        },
      }),
      keyBox(""),
    ];
  }
}

function stepButton(label: string, act: () => void): HTMLButtonElement {
  return h(
    "button",
    { type: "button", class: "button second small", disabled: true, onclick: act },
    label,
  );
}

void new Editor().open().catch((error: unknown) => page.replaceChildren(refusal(error)));
