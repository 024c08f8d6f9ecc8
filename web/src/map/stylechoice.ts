import { send } from "../call/call";
import { h } from "../ui/dom";
import { isRecord } from "../call/record";
import { isLook, THEMES } from "./themes";
import { tr } from "../ui/translate";

/** A published style of the caller's key. */
export interface Published {
  readonly id: string;
  readonly name: string;
  readonly version: number;
}

/** Reads the answer of GET /styles; what is none is left out. */
export function readPublished(answer: unknown): Published[] {
  const list = isRecord(answer) && Array.isArray(answer["styles"]) ? answer["styles"] : [];
  return list.filter(isRecord).flatMap(({ id, name, version }) => {
    if (typeof id !== "string" || !isLook(id) || typeof version !== "number") return [];
    return [{ id, name: typeof name === "string" && name ? name : id, version }];
  });
}

export interface StyleChoice {
  readonly element: HTMLSelectElement;
  /** Shows what is chosen, also where it is in no list. */
  show(look: string): void;
  /** Asks for the key's own styles, once. */
  load(): Promise<void>;
}

/** A choice of the themes and of the styles that the key published. */
export function styleChoice(
  apiKey: string | null,
  chosen: (look: string) => void,
  usual: string | null = tr("As the device is"),
): StyleChoice {
  const option = ([value, label]: readonly [string, string]) => h("option", { value }, tr(label));
  const own = h("optgroup", { label: tr("Published with your key"), hidden: true });
  const others = h("optgroup", { label: tr("From a link"), hidden: true });
  const element = h(
    "select",
    { "aria-label": tr("Style"), onchange: () => chosen(element.value) },
    usual !== null && option(["", usual]),
    h("optgroup", { label: tr("Themes") }, THEMES.map(option)),
    own,
    others,
  );
  let look = "";
  let asked = false;
  const show = (next: string): void => {
    look = next;
    const known = [...element.options].some(
      ({ value, parentElement }) => value === look && parentElement !== others,
    );
    others.replaceChildren(...(known ? [] : [option([look, look])]));
    others.hidden = known;
    element.value = look;
  };
  return {
    element,
    show,
    async load() {
      if (asked || !apiKey) return;
      asked = true;
      const answered = await send({ path: "styles" }, apiKey, new AbortController().signal);
      if (answered?.kind !== "ok") {
        asked = false;
        return;
      }
      const list = readPublished(answered.body);
      own.replaceChildren(...list.map(({ id, name }) => option([id, name])));
      own.hidden = list.length === 0;
      show(look);
    },
  };
}
