import { send } from "../call/call";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import type { Planner } from "../explorer/planner";
import { readPlaces } from "../search/suggest";
import { at } from "../call/root";
import { FOUND } from "../task/found";
import { dot, type Shape } from "../map/shape";
import { chosenTheme } from "../map/themes";
import { isShown } from "../explorer/state";
import { LAYERS, type Layer } from "../map/layers";
import { styleChoice } from "../map/stylechoice";
import { tr } from "../ui/translate";

/** A button for what the map shows and how; own places and styles need a key. */
export function layersButton(planner: Planner, apiKey: string | null): HTMLElement {
  const keyed = apiKey !== null;
  const box = h("div", {
    class: "layers",
    popover: "auto",
    id: "layers",
    "aria-label": tr("Layers"),
  });
  const toggle = (layer: Layer): void => {
    const { layers } = planner.state.panel;
    const next = layers.includes(layer) ? layers.filter((l) => l !== layer) : [...layers, layer];
    planner.show({ layers: next });
  };
  const boxes = LAYERS.filter(([name]) => name !== "own" || keyed).map(([name, label]) => {
    const input = h("input", { type: "checkbox", onchange: () => toggle(name) });
    return { name, input, row: h("label", {}, input, label) };
  });
  const looks = styleChoice(apiKey, (theme) => {
    chosenTheme.set(theme);
    planner.show({ theme });
  });
  box.append(
    h("p", { class: "menu-title" }, tr("On the map")),
    ...boxes.map(({ row }) => row),
    h("label", { class: "look" }, tr("Style"), looks.element),
    h("a", { class: "link", href: at("themes") }, tr("Make a style of your own")),
  );
  planner.subscribe(({ panel }) => {
    for (const { name, input } of boxes) input.checked = isShown(panel, name);
    looks.show(panel.theme);
  });
  const button = h(
    "button",
    { type: "button", class: "task", title: tr("Layers"), popovertarget: "layers" },
    uiIcon("layers"),
    tr("Layers"),
  );
  box.addEventListener("toggle", (event) => {
    if ((event as ToggleEvent).newState === "open") void looks.load();
    const { right, top, bottom, left } = button.getBoundingClientRect();
    // On a phone the rail lies flat.
    const flat = bottom > innerHeight / 2 && left > 60;
    const { width, height } = box.getBoundingClientRect();
    const x = flat ? left : right + 6;
    box.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
    box.style.top = `${Math.max(8, Math.min(flat ? top - height - 6 : top, innerHeight - height - 8))}px`;
  });
  return h("div", { class: "layers-holder" }, button, box);
}

/** More of them are not drawn. */
const MOST_OWN = 2000;

/** The caller's own places as dots with names; none where they are not wanted, or cannot be had. */
export async function ownPlaces(wanted: boolean, apiKey: string | null): Promise<readonly Shape[]> {
  if (!wanted || !apiKey) return [];
  const answered = await send({ path: "places" }, apiKey, new AbortController().signal);
  if (answered?.kind !== "ok") return [];
  return readPlaces(answered.body)
    .slice(0, MOST_OWN)
    .map(({ at }) => dot(at, FOUND));
}
