import { tr } from "../ui/translate";
/** The words of an option on the page. */
export interface Words {
  readonly label: string;
  /** What it does, in a line. */
  readonly help: string;
  readonly unit?: string;
  /** Between neighbouring values of a number; 1 where it is not given. */
  readonly step?: number;
}

const SECONDS = { unit: "s" };
const TIMES = { unit: "×", step: 0.1 };
const SPEED = { unit: "km/h" };
const METRES = { unit: "m", step: 0.01 };
const TONNES = { unit: "t", step: 0.01 };

function words(label: string, help: string, more: Partial<Words> = {}): Words {
  return { label, help, ...more };
}

/** Every costing option by its name on the wire. */
export const WORDS: Readonly<Record<string, Words>> = {
  use_highways: words(tr("Motorways"), tr("Whether motorways and other fast roads are liked.")),
  use_primary: words(tr("Main roads"), tr("Whether main roads are liked.")),
  use_tolls: words(tr("Toll roads"), tr("Whether paying a toll is worth the time.")),
  use_ferry: words(tr("Ferries"), tr("Whether ferries are liked.")),
  use_rail_ferry: words(tr("Car trains"), tr("Whether trains that carry cars are liked.")),
  use_living_streets: words(
    tr("Living streets"),
    tr("Whether streets where people play are liked."),
  ),
  use_tracks: words(tr("Tracks"), tr("Whether farm and forest tracks are liked.")),
  use_trails: words(tr("Trails"), tr("Whether tracks and trails are liked.")),
  use_hills: words(tr("Hills"), tr("Whether climbing is liked.")),
  use_roads: words(tr("Roads with cars"), tr("Whether riding among cars is liked.")),
  use_lit: words(tr("Lit ways"), tr("Whether ways with street lamps are liked better.")),
  use_truck_route: words(
    tr("Lorry routes"),
    tr("Whether roads signed for lorries are liked better."),
  ),
  use_distance: words(
    tr("Distance over time"),
    tr("How much a shorter way counts against a quicker one."),
  ),
  avoid_bad_surfaces: words(
    tr("Bad surfaces"),
    tr("How much surfaces unfit for the bicycle are avoided."),
  ),
  shortest: words(
    tr("Shortest instead of quickest"),
    tr("The least metres, whatever time they take."),
  ),

  height: words(tr("Height"), tr("Roads under lower bridges are closed."), METRES),
  width: words(tr("Width"), tr("Narrower gates and roads are closed."), METRES),
  length: words(tr("Length"), tr("Roads with a limit below it are closed."), METRES),
  weight: words(tr("Weight"), tr("Loaded; roads with a limit below it are closed."), TONNES),
  axle_load: words(
    tr("Axle load"),
    tr("Of the heaviest axle; roads with a limit below it are closed."),
    TONNES,
  ),
  axle_count: words(tr("Axles"), tr("Roads closed to so many axles are not used.")),
  hazmat: words(
    tr("Carries hazardous material"),
    tr("Roads closed to such loads are not used. Without a tunnel code they count as B."),
  ),
  adr_tunnel_code: words(tr("ADR tunnel code"), tr("Tunnels closed to the load are not used.")),
  tunnel_code: words(
    tr("ADR tunnel code"),
    tr("Sent as an ADR vehicle profile with all dimensions."),
  ),
  bicycle_type: words(tr("Bicycle"), tr("Decides speed, and which surfaces are fit.")),
  type: words(tr("Walker"), tr("Wheelchairs keep off steps and steep ways.")),

  top_speed: words(tr("Top speed"), tr("The vehicle never goes faster."), SPEED),
  fixed_speed: words(tr("One speed everywhere"), tr("Whatever the road; 0 is off."), SPEED),
  speed_penalty_factor: words(
    tr("Dislike of faster roads"),
    tr("For roads faster than the top speed."),
  ),
  cycling_speed: words(
    tr("Cycling speed"),
    tr("On the flat; by default that of the bicycle."),
    SPEED,
  ),
  walking_speed: words(tr("Walking speed"), tr("On the flat."), { unit: "km/h", step: 0.1 }),
  max_hiking_difficulty: words(tr("Paths up to"), tr("The hardest paths that are taken.")),
  max_grade: words(tr("Steepest way"), tr("Steeper ways are not taken."), { unit: "%" }),
  max_distance: words(tr("Longest walk"), tr("Farther places are not reached."), { unit: "km" }),

  maneuver_penalty: words(
    tr("Change of road"),
    tr("Added in choosing where one road leads into another."),
    SECONDS,
  ),
  gate_cost: words(tr("Time at a gate"), tr("How long it takes to open and shut."), SECONDS),
  gate_penalty: words(tr("Dislike of gates"), tr("Added in choosing, for each gate."), SECONDS),
  private_access_penalty: words(
    tr("Dislike of private gates"),
    tr("Added in choosing, for each."),
    SECONDS,
  ),
  destination_only_penalty: words(
    tr("Access-only roads"),
    tr("Added in choosing where a road is for its residents."),
    SECONDS,
  ),
  country_crossing_cost: words(tr("Time at a border"), tr("How long it takes to cross."), SECONDS),
  country_crossing_penalty: words(
    tr("Dislike of borders"),
    tr("Added in choosing, for each border."),
    SECONDS,
  ),
  toll_booth_cost: words(tr("Time at a toll booth"), tr("How long it takes to pay."), SECONDS),
  toll_booth_penalty: words(
    tr("Dislike of toll booths"),
    tr("Added in choosing, for each booth."),
    SECONDS,
  ),
  ferry_cost: words(tr("Time to board a ferry"), tr("Before it leaves."), SECONDS),
  rail_ferry_cost: words(tr("Time to board a car train"), tr("Before it leaves."), SECONDS),
  alley_penalty: words(tr("Dislike of alleys"), tr("Added in choosing, for each alley."), SECONDS),
  service_penalty: words(
    tr("Dislike of service roads"),
    tr("Added in choosing on turning into one."),
    SECONDS,
  ),
  low_class_penalty: words(
    tr("Dislike of small roads"),
    tr("Added in choosing on turning into one."),
    SECONDS,
  ),
  low_class_factor: words(tr("Small roads"), tr("How many times as dear they are."), TIMES),
  hgv_no_access_penalty: words(
    tr("Roads closed to lorries"),
    tr("Added in choosing; half a day means never."),
    SECONDS,
  ),
  step_penalty: words(tr("Dislike of steps"), tr("Added in choosing, for each flight."), SECONDS),
  elevator_penalty: words(tr("Dislike of lifts"), tr("Added in choosing, for each lift."), SECONDS),
  service_factor: words(tr("Service roads"), tr("How many times as dear they are."), TIMES),
  walkway_factor: words(tr("Footways"), tr("How many times as dear they are."), TIMES),
  sidewalk_factor: words(
    tr("Roads with a pavement"),
    tr("How many times as dear they are."),
    TIMES,
  ),
  alley_factor: words(tr("Alleys"), tr("How many times as dear they are."), TIMES),
  driveway_factor: words(tr("Driveways"), tr("How many times as dear they are."), TIMES),
  closure_factor: words(
    tr("Closed roads at the ends"),
    tr("How many times as dear they are."),
    TIMES,
  ),

  exclude_tolls: words(tr("No toll roads"), tr("None but at the very ends of the route.")),
  exclude_ferries: words(tr("No ferries"), tr("None but at the very ends of the route.")),
  exclude_highways: words(tr("No motorways"), tr("None but at the very ends of the route.")),
  exclude_bridges: words(tr("No bridges"), tr("None but at the very ends of the route.")),
  exclude_tunnels: words(tr("No tunnels"), tr("None but at the very ends of the route.")),
  exclude_unpaved: words(tr("No unpaved roads"), tr("None but at the very ends of the route.")),
  exclude_cash_only_tolls: words(tr("No cash-only tolls"), tr("Tolls that take nothing but cash.")),
  include_hov2: words(tr("Lanes for two or more people"), tr("They may be used.")),
  include_hov3: words(tr("Lanes for three or more people"), tr("They may be used.")),
  include_hot: words(tr("Lanes with a toll for single drivers"), tr("They may be used.")),
  ignore_restrictions: words(
    tr("Ignore turn restrictions"),
    tr("And rules that hold at certain times."),
  ),
  ignore_non_vehicular_restrictions: words(
    tr("Ignore other restrictions"),
    tr("Those that concern no size or weight."),
  ),
  ignore_oneways: words(tr("Ignore one-way rules"), tr("Every road is open both ways.")),
  ignore_access: words(tr("Ignore access rules"), tr("Private and closed roads are open.")),
  ignore_construction: words(tr("Use building sites"), tr("Roads under construction are open.")),
  ignore_closures: words(
    tr("Ignore live closures"),
    tr("Roads that are closed at the moment are open."),
  ),
  disable_hierarchy_pruning: words(
    tr("Exact search"),
    tr("Accepted from other clients; the search is exact anyway."),
  ),
};

/** A text of the server's with the names of options in words. */
export function inWords(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => {
    const known = WORDS[name];
    return known ? `“${known.label}”` : name;
  });
}
