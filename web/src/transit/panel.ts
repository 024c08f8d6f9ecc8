import "../style/transit.css";
import type { LonLat } from "../geo/coords";
import type { Around } from "../map/shape";
import type { Spot } from "../plan/plan";
import { h } from "../ui/dom";
import { uiIcon } from "../ui/icons";
import { formatLength } from "../ui/format";
import { dayName } from "../site/dates";
import { reconcile } from "../ui/reconcile";
import type { Vehicle } from "./answers";
import { lineBadge } from "./badge";
import { BoardCard } from "./board";
import { groupsOf, linesOf, STOPS_ZOOM, type Group } from "./cells";
import { importHelp } from "./help";
import { Live } from "./live";
import { TransitOverlay } from "./overlay";
import { stopOf, stopSpot } from "./spot";
import { ago } from "./words";
import { tr } from "../ui/translate";

/** More groups of stops are not listed. */
const MOST_LISTED = 8;

export interface TransitSetup {
  readonly apiKey: string | null;
  /** Where the board of a stop goes, what is known of a vehicle, and the list of stops. */
  readonly board: HTMLElement;
  readonly vehicle: HTMLElement;
  readonly nearby: HTMLElement;
  readonly around: () => Around | null;
  readonly zoom: () => number;
  /** Opens the card of a place; null closes it. */
  readonly open: (spot: Spot | null) => void;
  readonly start: (at: LonLat, name: string) => void;
  readonly end: (at: LonLat, name: string) => void;
  /** Hears that something came into the panel that a phone's sheet may hide. */
  readonly opened: () => void;
}

/** What of public transport is to be shown. */
export interface Wanted {
  readonly stops: boolean;
  readonly vehicles: boolean;
  /** Whether the stops in view are listed, and what is missing is said. */
  readonly listed: boolean;
  /** Whether journeys are asked for, so that the list gives way. */
  readonly journey: boolean;
  readonly spot: Spot | null;
}

/** Stops and vehicles on the map, with the cards of what was chosen there. */
export class TransitPanel {
  private readonly setup: TransitSetup;
  /** To be laid over the map by the caller, who says when that has moved. */
  readonly overlay: TransitOverlay;
  private readonly live: Live;
  private readonly board: BoardCard;
  private wanted: Wanted = {
    stops: false,
    vehicles: false,
    listed: false,
    journey: false,
    spot: null,
  };
  private vehicle: Vehicle | null = null;
  /** When the vehicle's age was ageShownAt. */
  private ageShownAt = 0;
  private tick: ReturnType<typeof setInterval> | undefined;

  constructor(setup: TransitSetup) {
    this.setup = setup;
    const { apiKey, board, around, zoom, open } = setup;
    this.overlay = new TransitOverlay({
      stop: (id) => {
        const stop = this.live.stop(id);
        if (stop) open(stopSpot(stop));
      },
      vehicle: (id) => this.choose(this.live.vehicle(id)),
    });
    this.live = new Live({
      apiKey,
      overlay: this.overlay,
      around,
      zoom,
      changed: () => this.render(),
    });
    const name = ({ name: called, indicator }: { name: string; indicator: string | null }) =>
      [called, indicator].filter(Boolean).join(", ");
    this.board = new BoardCard(board, {
      apiKey,
      close: () => open(null),
      from: ({ stop }) => setup.start([stop.lon, stop.lat], name(stop)),
      to: ({ stop }) => setup.end([stop.lon, stop.lat], name(stop)),
    });
  }

  show(wanted: Wanted): void {
    this.wanted = wanted;
    this.live.show(wanted);
    const stop = stopOf(wanted.spot);
    if (stop && stop !== this.opened) this.setup.opened();
    this.opened = stop;
    this.board.show(stop, wanted.spot?.name);
    if (!wanted.vehicles) this.choose(null);
    this.render();
  }

  private opened: string | null = null;

  /** Hears that the map has been moved, or is there now. */
  moved(): void {
    this.live.moved();
    this.render();
  }

  private choose(vehicle: Vehicle | null): void {
    clearInterval(this.tick);
    if (vehicle) {
      this.tick = setInterval(() => this.renderVehicle(), 5000);
      if (!this.vehicle) this.setup.opened();
    }
    this.vehicle = vehicle;
    this.ageShownAt = Date.now();
    this.renderVehicle();
  }

  private render(): void {
    if (this.vehicle) {
      const newer = this.live.vehicle(this.vehicle.id);
      if (newer && newer !== this.vehicle) {
        this.vehicle = newer;
        this.ageShownAt = Date.now();
      }
      this.renderVehicle();
    }
    const { nearby } = this.setup;
    nearby.hidden = !this.wanted.stops && !this.wanted.vehicles;
    if (!nearby.hidden) reconcile(nearby, ...this.list());
  }

  private list(): (HTMLElement | false)[] {
    const { stops, vehicles, fleet, timetable } = this.live;
    const { listed } = this.wanted;
    // Beside journeys the task says it.
    if (this.wanted.stops && stops === "missing") {
      return [!(listed && this.wanted.journey) && importHelp()];
    }
    const over = timetable?.coverage.expired ? (timetable.coverage.last_day ?? "") : "";
    return [
      over !== "" &&
        h(
          "p",
          { class: "notice warning" },
          tr("The timetable ended on {0}: it is out of date, and boards are empty.", dayName(over)),
        ),
      // Where journeys are shown, the stops are a step away.
      listed &&
        h(
          "details",
          { class: "more", open: !this.wanted.journey, "data-key": `${this.wanted.journey}` },
          h("summary", { "data-focus": "stops-on-map" }, tr("Stops on the map")),
          this.stopList(),
        ),
      this.wanted.stops &&
        timetable !== null &&
        h("p", { class: "transit-label" }, timetable.attribution.join(" · ")),
      !this.wanted.vehicles
        ? false
        : vehicles === "missing"
          ? h(
              "p",
              { class: "hint" },
              tr("The positions of buses are not known here: no feed has them."),
            )
          : vehicles === "failed"
            ? h(
                "p",
                { class: "hint" },
                tr("Where buses are could not be looked up; it is tried again."),
              )
            : fleet !== null && this.fleetNote(),
    ];
  }

  private stopList(): (HTMLElement | false)[] {
    const { stops, more, inView } = this.live;
    if (this.setup.zoom() < STOPS_ZOOM) {
      return [
        h("p", { class: "hint" }, tr("Come nearer: stops are shown from the scale of a town.")),
      ];
    }
    const centre = this.setup.around()?.centre;
    const groups = centre ? groupsOf(inView, centre) : [];
    if (groups.length === 0) {
      const why =
        stops === "failed"
          ? tr("Stops could not be looked up; move the map to try again.")
          : stops === "some"
            ? tr("There is no stop with a timetable on this part of the map.")
            : tr("Looking for stops…");
      return [h("p", { class: "hint" }, why)];
    }
    return [
      h(
        "ul",
        { class: "stop-groups" },
        groups.slice(0, MOST_LISTED).map((group) => this.group(group)),
      ),
      more &&
        h("p", { class: "hint" }, tr("There are more stops than are drawn: come nearer for all.")),
    ];
  }

  private fleetNote(): HTMLElement {
    const { features, truncated, feed, attribution } = this.live.fleet!;
    const count = features.length;
    return h(
      "div",
      {},
      feed.status === "stale" &&
        h(
          "p",
          { class: "notice warning", role: "status" },
          tr(
            "The feed of positions has stopped: the newest is from {0}. Where buses are drawn, they were then.",
            ago(feed.age_s ?? 3600),
          ),
        ),
      h(
        "p",
        { class: "hint" },
        feed.status === "unknown"
          ? tr("No position of a bus has come yet.")
          : tr(
              "{0} {0|bus is|buses are} on this part of the map{1}. Each is drawn where it was last seen.",
              count,
              truncated ? tr("; there are more") : "",
            ),
      ),
      h("p", { class: "transit-label" }, attribution.join(" · ")),
    );
  }

  private group({ name, locality, stops, metres }: Group): HTMLElement {
    const lines = linesOf(stops).slice(0, 12).join(", ") || tr("no line");
    const away = formatLength(metres / 1000, false);
    const alone = stops.length === 1;
    return h(
      "li",
      { "data-key": stops[0]!.id },
      h(
        "div",
        { class: "stop-group" },
        h("span", { class: "stop-group-name" }, name),
        h(
          "span",
          { class: "stop-group-lines" },
          [lines, locality, away].filter(Boolean).join(" · "),
        ),
      ),
      h(
        "div",
        { class: "card-actions" },
        stops.slice(0, 8).map((stop, index) => {
          const { indicator } = stop;
          const to = linesOf([stop]).slice(0, 3).join(", ");
          const numbered = alone ? "" : tr("Stop {0}: {1}", index + 1, to);
          const which = indicator ?? numbered;
          return h(
            "button",
            {
              type: "button",
              class: "chip",
              "data-focus": `board-of-${stop.id}`,
              "aria-label": tr("Departures from {0}", [name, which].filter(Boolean).join(", ")),
              onclick: () => this.setup.open(stopSpot(stop)),
            },
            which || tr("Departures"),
          );
        }),
      ),
    );
  }

  private renderVehicle(): void {
    const { vehicle: box } = this.setup;
    const { vehicle } = this;
    box.hidden = vehicle === null;
    if (!vehicle) return box.replaceChildren();
    const { line, colour, destination, operator, age_s: age } = vehicle.properties;
    const stopped = this.live.fleet?.feed.status === "stale";
    const seconds = age + (Date.now() - this.ageShownAt) / 1000;
    const gone = this.live.vehicle(vehicle.id) === null;
    reconcile(
      box,
      h(
        "header",
        { class: "card-head" },
        h(
          "div",
          {},
          h(
            "h2",
            {},
            lineBadge({ line, mode: "bus", ...(colour ? { colour } : {}) }),
            ` ${destination ? tr("to {0}", destination) : tr("where to is not known")}`,
          ),
          h(
            "p",
            { class: "card-kind" },
            [tr("seen {0}", ago(seconds)), operator && tr("operator {0}", operator)]
              .filter(Boolean)
              .join(" · "),
          ),
        ),
        h(
          "button",
          {
            type: "button",
            class: "quiet",
            "aria-label": tr("Close the vehicle"),
            "data-focus": "close-vehicle",
            onclick: () => this.choose(null),
          },
          uiIcon("close"),
        ),
      ),
      (stopped || seconds > 180 || gone) &&
        h(
          "p",
          { class: "notice warning", role: "status" },
          stopped
            ? tr("The feed of positions has stopped: it may be elsewhere by now.")
            : gone
              ? tr("It is not on this part of the map any more.")
              : tr("It has not been seen for a while: it may be elsewhere by now."),
        ),
    );
  }
}
