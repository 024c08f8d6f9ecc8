import { Marker as Pin } from "maplibre-gl";
import type { LonLat } from "../geo/coords";
import { h } from "../ui/dom";
import {
  imageCall,
  MOST_MARKERS,
  type Framing,
  type ImageRequest,
  type Marker,
} from "../image/request";
import { FIELD_OF, heldRequest } from "../image/held";
import { alongRoads } from "../image/roads";
import { ImageView } from "../image/view";
import { styleChoice } from "../map/stylechoice";
import { apiKey as storedKey } from "../call/secrets";
import { field, type Field, type FieldSetup } from "../site/form";
import { counted } from "../site/money";
import type { FieldComplaint } from "../site/refusal";
import { announce, card, page, refusal } from "../site/page";
import { PageMap } from "../site/pagemap";
import { line } from "../map/shape";

const apiKey = storedKey.get();

/** Browsers take an address bar's entry anew a few times a second at most. */
const REST_MS = 200;

/** What a click on the map does. */
type Tool = "look" | "marker" | "route";

/** The page: the parameters of one image, the map that they are taken from, and the image. */
class Builder {
  private request: ImageRequest = heldRequest();
  private tool: Tool = "look";
  /** What was clicked for the route, before it follows roads. */
  private stops: LonLat[] = [...this.request.route];
  private alongRoads = false;
  private view: PageMap | null = null;
  private pins: Pin[] = [];
  private round = 0;
  private keeping: ReturnType<typeof setTimeout> | undefined;
  private readonly fields = new Map<string, Field>();
  private readonly image = new ImageView((complaints) => this.complain(complaints));
  private readonly frame = h("div", { class: "image-frame", "aria-hidden": "true" });
  private readonly list = h("ul", { class: "markers" });
  private readonly routed = h("p", { class: "hint" });
  private readonly shown = h("p", { class: "hint" });

  async open(): Promise<void> {
    page.replaceChildren(...this.cards());
    this.view = await PageMap.open({
      container: document.getElementById("map")!,
      apiKey,
      theme: this.request.style,
      turns: true,
    });
    if (history.state) this.turnBack();
    this.bindMap();
    this.setMarkers(this.request.markers);
  }

  /** Turns the map to where it was. */
  private turnBack(): void {
    const { center, zoom, bearing, pitch } = this.request;
    this.view?.map.jumpTo({ center: [...center], zoom, bearing, pitch: Math.min(60, pitch) });
  }

  /** A field at which is said what is wrong with it. */
  private field(setup: FieldSetup): HTMLElement {
    const made = field(setup);
    this.fields.set(setup.name, made);
    return made.element;
  }

  private complain(complaints: readonly FieldComplaint[]): void {
    for (const made of this.fields.values()) {
      if (made.control.validity.valid) made.complain(null);
    }
    for (const { name, text } of complaints) {
      const made = this.fields.get(FIELD_OF[name] ?? name);
      made?.complain(text);
      const fold = made?.element.closest("details");
      if (fold) fold.open = true;
    }
  }

  private change(patch: Partial<ImageRequest>): void {
    this.request = { ...this.request, ...patch };
    const { width, height, framing } = this.request;
    this.frame.style.width = `${width}px`;
    this.frame.style.height = `${height}px`;
    this.frame.hidden = framing === "fit";
    this.shown.textContent = {
      center:
        "The image has the map’s middle, zoom and turn: move the map. The frame shows its edges.",
      bbox: "The image has all that the map shows, and more where its sides are unlike.",
      fit: "The image is fitted to the route, the markers and the GeoJSON.",
    }[framing];
    // Another key has the page loaded anew: then it has the same image.
    clearTimeout(this.keeping);
    this.keeping = setTimeout(() => history.replaceState(this.request, ""), REST_MS);
    this.drawOverlays();
    this.image.show(imageCall(this.request));
  }

  private cards(): HTMLElement[] {
    return [
      card("The image", this.image.element),
      card("What it shows", this.framing(), this.shown, this.size()),
      card("On the map", this.tools(), this.list, this.routeFields(), this.geojson()),
      card("How it looks", this.looks()),
      card("The same as a call", this.image.calls),
    ];
  }

  private framing(): HTMLElement {
    const select = h(
      "select",
      { onchange: () => this.frameBy(select.value as Framing) },
      h("option", { value: "center" }, "The middle of the map, at its zoom"),
      h("option", { value: "bbox" }, "All that the map shows"),
      h("option", { value: "fit" }, "What is drawn on it"),
    );
    select.value = this.request.framing;
    return this.field({ name: "framing", label: "The view is", control: select });
  }

  private frameBy(framing: Framing): void {
    this.change({ framing });
    this.lookAgain();
  }

  /** Takes the view from the map. */
  private lookAgain(): void {
    const map = this.view?.map;
    if (!map) return;
    const { lng, lat } = map.getCenter();
    const bounds = map.getBounds();
    const [[west, south], [east, north]] = bounds.toArray() as [LonLat, LonLat];
    this.change({
      center: [lng, lat],
      zoom: Math.max(0, Math.min(20, map.getZoom())),
      bearing: map.getBearing(),
      pitch: map.getPitch(),
      bbox: [west, south, east, north],
    });
  }

  private size(): HTMLElement {
    const side = (name: "width" | "height", label: string) =>
      this.number({ name, label }, this.request[name], [16, 1280], (value) =>
        this.change({ [name]: value }),
      ).element;
    return h(
      "div",
      {},
      h("div", { class: "pairs" }, side("width", "Width"), side("height", "Height")),
      this.tick("retina", "Twice the density (@2x)"),
    );
  }

  private tools(): HTMLElement {
    const tools: readonly (readonly [Tool, string])[] = [
      ["look", "Move the map"],
      ["marker", "Add markers"],
      ["route", "Draw a route"],
    ];
    const buttons = tools.map(([tool, label]) =>
      h(
        "button",
        {
          type: "button",
          class: "button second small",
          "aria-pressed": String(tool === this.tool),
          onclick: () => {
            this.tool = tool;
            buttons.forEach((button, i) => {
              button.setAttribute("aria-pressed", String(tools[i]![0] === tool));
              button.classList.toggle("on", tools[i]![0] === tool);
            });
            centre.disabled = tool === "look";
            if (this.view) {
              this.view.map.getCanvas().style.cursor = tool === "look" ? "" : "crosshair";
            }
          },
        },
        label,
      ),
    );
    buttons[0]!.classList.add("on");
    const centre = h(
      "button",
      {
        type: "button",
        class: "button second small",
        disabled: true,
        onclick: () => {
          const centre = this.view?.map.getCenter();
          if (centre) this.add([centre.lng, centre.lat]);
        },
      },
      "Put one at the middle",
    );
    return h(
      "div",
      { class: "buttons", role: "group", "aria-label": "What a click on the map does" },
      buttons,
      centre,
    );
  }

  private add(place: LonLat): void {
    if (this.tool === "marker" && this.request.markers.length < MOST_MARKERS) {
      const label = String.fromCharCode(65 + (this.request.markers.length % 26));
      this.setMarkers([...this.request.markers, { at: place, label, colour: "" }]);
      announce(`Marker ${label} added.`);
    }
    if (this.tool === "route") this.setStops([...this.stops, place]);
  }

  private setMarkers(markers: readonly Marker[]): void {
    this.change({ markers });
    const put = (index: number, patch: Partial<Marker>): void =>
      this.setMarkers(this.request.markers.map((m, i) => (i === index ? { ...m, ...patch } : m)));
    const active = document.activeElement instanceof HTMLElement ? document.activeElement.id : "";
    this.list.replaceChildren(
      ...markers.map(({ at: [lon, lat], label, colour }, i) =>
        h(
          "li",
          {},
          h("span", {}, `${lat.toFixed(4)}, ${lon.toFixed(4)}`),
          h("input", {
            id: `label-${i}`,
            "aria-label": `Label of marker ${i + 1}`,
            maxlength: 2,
            value: label,
            oninput: (event: InputEvent) =>
              put(i, { label: (event.target as HTMLInputElement).value }),
          }),
          h("input", {
            id: `colour-${i}`,
            type: "color",
            "aria-label": `Colour of marker ${i + 1}`,
            value: colour || "#d1344b",
            onchange: (event: Event) =>
              put(i, { colour: (event.target as HTMLInputElement).value }),
          }),
          h(
            "button",
            {
              type: "button",
              class: "link",
              "aria-label": `Remove marker ${i + 1}`,
              onclick: () => this.setMarkers(this.request.markers.filter((_, k) => k !== i)),
            },
            "Remove",
          ),
        ),
      ),
    );
    if (active) document.getElementById(active)?.focus();
    this.placePins();
  }

  /** The markers on the map, to be dragged. */
  private placePins(): void {
    const map = this.view?.map;
    if (!map) return;
    for (const pin of this.pins) pin.remove();
    this.pins = this.request.markers.map(({ at: [lon, lat], colour }, index) => {
      const pin = new Pin({ draggable: true, color: colour || "#d1344b" });
      pin.setLngLat([lon, lat]).addTo(map);
      pin.on("dragend", () => {
        const { lng, lat: to } = pin.getLngLat();
        this.setMarkers(
          this.request.markers.map((m, i) => (i === index ? { ...m, at: [lng, to] } : m)),
        );
      });
      return pin;
    });
  }

  private setStops(stops: LonLat[]): void {
    this.stops = stops;
    const round = ++this.round;
    this.change({ route: stops });
    const count = stops.length;
    this.routed.textContent = count ? `${counted(count, "point")} of the route.` : "";
    if (!this.alongRoads || count < 2) return;
    void alongRoads(stops, apiKey)
      .then((route) => round === this.round && this.change({ route }))
      .catch((error: unknown) => {
        if (round !== this.round) return;
        this.routed.textContent = `${count} points, in straight lines: no way along roads was found (${error instanceof Error ? error.message : ""}).`;
      });
  }

  private routeFields(): HTMLElement {
    const { routeColour, routeWidth, precision: digits } = this.request;
    const roads = h("input", {
      type: "checkbox",
      onchange: () => {
        this.alongRoads = roads.checked;
        this.setStops(this.stops);
      },
    });
    const colour = h("input", {
      type: "color",
      value: routeColour,
      oninput: () => this.change({ routeColour: colour.value }),
    });
    const width = this.number({ name: "route_width", label: "Width" }, routeWidth, [1, 40], (to) =>
      this.change({ routeWidth: to }),
    );
    const precision = h(
      "select",
      { onchange: () => this.change({ precision: precision.value === "5" ? 5 : 6 }) },
      h("option", { value: "6" }, "6 digits"),
      h("option", { value: "5" }, "5 digits"),
    );
    precision.value = String(digits);
    const act = (label: string, stops: () => LonLat[]) =>
      h(
        "button",
        { type: "button", class: "button second small", onclick: () => this.setStops(stops()) },
        label,
      );
    return h(
      "details",
      { class: "fold" },
      h("summary", {}, "The route"),
      this.routed,
      field({ name: "roads", label: "Along roads (POST /route)", control: roads }).element,
      h(
        "div",
        { class: "pairs" },
        this.field({ name: "route_colour", label: "Colour", control: colour }),
        width.element,
      ),
      this.field({ name: "precision", label: "Encoded with", control: precision }),
      h(
        "div",
        { class: "buttons" },
        act("Take back the last point", () => this.stops.slice(0, -1)),
        act("Clear", () => []),
      ),
    );
  }

  private geojson(): HTMLElement {
    const area = h("textarea", {
      rows: 5,
      class: "mono",
      spellcheck: "false",
      oninput: () => {
        this.change({ geojson: area.value });
      },
    });
    area.value = this.request.geojson;
    return h(
      "details",
      { class: "fold" },
      h("summary", {}, "GeoJSON"),
      this.field({
        name: "geojson",
        label: "Features, painted by stroke, stroke-width, stroke-opacity, fill and fill-opacity",
        hint: "Too long for an address it is sent as the body of a POST.",
        control: area,
      }),
    );
  }

  private looks(): HTMLElement {
    const style = styleChoice(
      apiKey,
      (look) => {
        this.change({ style: look });
        void this.view?.wear(look);
      },
      null,
    );
    style.show(this.request.style);
    void style.load();
    const format = h(
      "select",
      {
        onchange: () => {
          quality.control.disabled = format.value === "png";
          this.change({ format: format.value as ImageRequest["format"] });
        },
      },
      ["png", "webp", "jpeg"].map((name) => h("option", { value: name }, name.toUpperCase())),
    );
    format.value = this.request.format;
    const quality = this.number(
      { name: "quality", label: "Quality" },
      this.request.quality,
      [1, 100],
      (value) => this.change({ quality: value }),
    );
    quality.control.disabled = format.value === "png";
    const lang = h("input", {
      type: "text",
      maxlength: 12,
      autocomplete: "off",
      placeholder: "as the style has it",
      value: this.request.lang,
      oninput: () => this.change({ lang: lang.value.trim() }),
    });
    const pois = h(
      "select",
      { onchange: () => this.change({ pois: pois.value as ImageRequest["pois"] }) },
      h("option", { value: "" }, "As the style has them"),
      h("option", { value: "1" }, "Shown"),
      h("option", { value: "0" }, "Left out"),
    );
    pois.value = this.request.pois;
    const turn = (name: "bearing" | "pitch", label: string, range: readonly [number, number]) => {
      const made = this.number({ name, label }, this.request[name], range, (value) => {
        this.change({ [name]: value });
        this.view?.map.jumpTo({ [name]: Math.min(value, name === "pitch" ? 60 : value) });
      });
      this.turns[name] = made.control as HTMLInputElement;
      return made.element;
    };
    return h(
      "div",
      {},
      this.field({ name: "style", label: "Style", control: style.element }),
      h(
        "div",
        { class: "pairs" },
        this.field({ name: "format", label: "Format", control: format }),
        quality.element,
        turn("bearing", "Bearing", [-360, 360]),
        turn("pitch", "Pitch", [0, 85]),
        this.field({ name: "lang", label: "Names in", control: lang }),
        this.field({ name: "pois", label: "Points of interest", control: pois }),
      ),
      this.tick("buildings3d", "Buildings as blocks"),
      this.tick("satellite", "Imagery from satellites, where there is any"),
    );
  }

  private readonly turns: Partial<Record<"bearing" | "pitch", HTMLInputElement>> = {};

  /** A field of a whole number; another text is no value, and says so. */
  private number(
    named: Pick<FieldSetup, "name" | "label">,
    value: number,
    [min, max]: readonly [number, number],
    changed: (value: number) => void,
  ): Field {
    const input = h("input", {
      type: "number",
      inputmode: "numeric",
      required: true,
      min,
      max,
      value: String(Math.round(value)),
    });
    const made = field({ ...named, control: input });
    this.fields.set(named.name, made);
    // After the field's own, which takes back what was said of the value before.
    input.addEventListener("input", () => {
      if (input.checkValidity()) changed(input.valueAsNumber);
      else made.complain(`must be a whole number from ${min} to ${max}; the image is as before`);
    });
    return made;
  }

  private tick(name: "retina" | "buildings3d" | "satellite", label: string): HTMLElement {
    const control = h("input", {
      type: "checkbox",
      checked: this.request[name],
      onchange: () => this.change({ [name]: control.checked }),
    });
    return this.field({ name, label, control });
  }

  private bindMap(): void {
    if (!this.view) return;
    const { map } = this.view;
    map.getContainer().append(this.frame);
    map.on("moveend", () => {
      this.lookAgain();
      for (const name of ["bearing", "pitch"] as const) {
        const input = this.turns[name];
        if (input && document.activeElement !== input) {
          input.value = String(Math.round(this.request[name]));
        }
      }
    });
    map.on("click", ({ lngLat: { lng, lat } }) => this.add([lng, lat]));
    this.lookAgain();
  }

  private drawOverlays(): void {
    const { route, routeColour } = this.request;
    this.view?.draw(route.length > 1 ? [line(route, routeColour)] : []);
  }
}

void new Builder().open().catch((error: unknown) => page.replaceChildren(refusal(error)));
