import type { Bounds, LonLat } from "../geo/coords";
import { boundsOf } from "../geo/polyline";
import type { Handles } from "../map/handles";
import type { Layer } from "../map/layers";
import type { Overlay } from "../map/overlay";
import type { Around, Shape } from "../map/shape";
import type { Piece } from "../route/stretches";
import type { MapSetup, MapView } from "../map/view";
import type { Sheet } from "./sheet";

/** The size in pixels from which things on the map can be dragged apart. */
const DRAG_PX = 200;

/** Loads the code of the map, which the panel does not wait for. */
export const loadMapCode = () =>
  Promise.all([import("../map/view"), import("../map/pins"), import("../map/handles")]);

export type MapCode = Awaited<ReturnType<typeof loadMapCode>>;

/**
 * The map as the panel uses it, also before it is loaded: shapes and handles that come
 * earlier are drawn once it is there, and movements of the view are left out.
 */
export class LazyMap {
  private readonly sheet: Sheet;
  private view: MapView | null = null;
  private handles: Handles | null = null;
  private found: readonly Shape[] = [];
  private own: readonly Shape[] = [];
  private painted: readonly Piece[] = [];
  private dragged: Parameters<Handles["show"]> | null = null;
  private laid: (readonly [Overlay, () => void])[] = [];

  constructor(sheet: Sheet) {
    this.sheet = sheet;
  }

  /** Opens the map, and draws on it what has been found meanwhile. */
  async open([{ MapView }, , { Handles }]: MapCode, setup: MapSetup): Promise<MapView> {
    const view = await MapView.open(setup);
    this.view = view;
    this.showShapes();
    view.show({ paint: this.painted });
    for (const one of this.laid) this.put(...one);
    this.handles = new Handles(view.map);
    if (this.dragged) this.handles.show(...this.dragged);
    return view;
  }

  /** The shapes that the task found. */
  get shapes(): readonly Shape[] {
    return this.found;
  }

  /** The parts of the chosen route in colours of their own. */
  get pieces(): readonly Piece[] {
    return this.painted;
  }

  showFound(shapes: readonly Shape[]): void {
    this.found = shapes;
    this.showShapes();
  }

  showOwn(shapes: readonly Shape[]): void {
    this.own = shapes;
    this.showShapes();
  }

  private showShapes(): void {
    this.view?.show({ shapes: [...this.own, ...this.found] });
  }

  /** Draws something of its own over the map; calls moved once it is there and after each move. */
  lay(overlay: Overlay, moved: () => void): void {
    this.laid.push([overlay, moved]);
    this.put(overlay, moved);
  }

  private put(overlay: Overlay, moved: () => void): void {
    if (!this.view) return;
    this.view.lay(overlay);
    this.view.map.on("moveend", moved);
    moved();
  }

  /** Draws something no longer, whose own end takes its layers off. */
  unlay(overlay: Overlay): void {
    for (const [one, moved] of this.laid) if (one === overlay) this.view?.map.off("moveend", moved);
    this.laid = this.laid.filter(([one]) => one !== overlay);
    this.view?.unlay(overlay);
  }

  showHandles(...dragged: Parameters<Handles["show"]>): void {
    this.dragged = dragged;
    this.handles?.show(...dragged);
  }

  showLayers(shown: (layer: Layer) => boolean): void {
    this.view?.layers(shown);
  }

  /** Marks a stretch of the route; null clears the mark. */
  highlight(line: readonly LonLat[] | null): void {
    this.view?.show({ step: line });
  }

  /** Draws parts of the chosen route in colours of their own. */
  paint(pieces: readonly Piece[]): void {
    this.painted = pieces;
    this.view?.show({ paint: pieces });
  }

  mark(at: LonLat | null): void {
    this.view?.mark(at);
  }

  travel(at: LonLat | null): void {
    this.view?.travel(at);
  }

  fit(bounds: Bounds): void {
    this.view?.fit(bounds);
  }

  /** Brings a finding into view. While something can be dragged and is seen, the map stays. */
  fitFound(bounds: Bounds): void {
    if (this.dragged?.[0].length && this.view?.sees(bounds, DRAG_PX)) return;
    this.fit(bounds);
  }

  /** Brings places into view. On a phone the sheet gives way to them. */
  look(places: readonly LonLat[]): void {
    const bounds = boundsOf(places);
    if (!bounds) return;
    if (this.sheet.phone) this.sheet.set("half");
    this.fit(bounds);
  }

  /** Moves the map so that a place is in its middle. */
  centreOn(at: LonLat): void {
    this.view?.centreOn(at);
  }

  centre(): LonLat | null {
    return this.view?.centre() ?? null;
  }

  /** 0 before there is a map. */
  zoom(): number {
    return this.view?.map.getZoom() ?? 0;
  }

  around(): Around | null {
    return this.view?.around() ?? null;
  }

  /** Draws the map in a theme or published style, and reports whether the server has it. */
  async wear(theme: string): Promise<boolean> {
    return this.view ? this.view.wear(theme) : true;
  }

  go(...camera: Parameters<MapView["go"]>): void {
    this.view?.go(...camera);
  }
}
