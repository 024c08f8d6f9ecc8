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
  use_highways: words("Motorways", "Whether motorways and other fast roads are liked."),
  use_primary: words("Main roads", "Whether main roads are liked."),
  use_tolls: words("Toll roads", "Whether paying a toll is worth the time."),
  use_ferry: words("Ferries", "Whether ferries are liked."),
  use_rail_ferry: words("Car trains", "Whether trains that carry cars are liked."),
  use_living_streets: words("Living streets", "Whether streets where people play are liked."),
  use_tracks: words("Tracks", "Whether farm and forest tracks are liked."),
  use_trails: words("Trails", "Whether tracks and trails are liked."),
  use_hills: words("Hills", "Whether climbing is liked."),
  use_roads: words("Roads with cars", "Whether riding among cars is liked."),
  use_lit: words("Lit ways", "Whether ways with street lamps are liked better."),
  use_truck_route: words("Lorry routes", "Whether roads signed for lorries are liked better."),
  use_distance: words("Distance over time", "How much a shorter way counts against a quicker one."),
  avoid_bad_surfaces: words("Bad surfaces", "How much surfaces unfit for the bicycle are avoided."),
  shortest: words("Shortest instead of quickest", "The least metres, whatever time they take."),

  height: words("Height", "Roads under lower bridges are closed.", METRES),
  width: words("Width", "Narrower gates and roads are closed.", METRES),
  length: words("Length", "Roads with a limit below it are closed.", METRES),
  weight: words("Weight", "Loaded; roads with a limit below it are closed.", TONNES),
  axle_load: words(
    "Axle load",
    "Of the heaviest axle; roads with a limit below it are closed.",
    TONNES,
  ),
  axle_count: words("Axles", "Roads closed to so many axles are not used."),
  hazmat: words(
    "Carries hazardous material",
    "Roads closed to such loads are not used. Without a tunnel code they count as B.",
  ),
  adr_tunnel_code: words("ADR tunnel code", "Tunnels closed to the load are not used."),
  tunnel_code: words("ADR tunnel code", "Sent as an ADR vehicle profile with all dimensions."),
  bicycle_type: words("Bicycle", "Decides speed, and which surfaces are fit."),
  type: words("Walker", "Wheelchairs keep off steps and steep ways."),

  top_speed: words("Top speed", "The vehicle never goes faster.", SPEED),
  fixed_speed: words("One speed everywhere", "Whatever the road; 0 is off.", SPEED),
  speed_penalty_factor: words("Dislike of faster roads", "For roads faster than the top speed."),
  cycling_speed: words("Cycling speed", "On the flat; by default that of the bicycle.", SPEED),
  walking_speed: words("Walking speed", "On the flat.", { unit: "km/h", step: 0.1 }),
  max_hiking_difficulty: words("Paths up to", "The hardest paths that are taken."),
  max_grade: words("Steepest way", "Steeper ways are not taken.", { unit: "%" }),
  max_distance: words("Longest walk", "Farther places are not reached.", { unit: "km" }),

  maneuver_penalty: words(
    "Change of road",
    "Added in choosing where one road leads into another.",
    SECONDS,
  ),
  gate_cost: words("Time at a gate", "How long it takes to open and shut.", SECONDS),
  gate_penalty: words("Dislike of gates", "Added in choosing, for each gate.", SECONDS),
  private_access_penalty: words(
    "Dislike of private gates",
    "Added in choosing, for each.",
    SECONDS,
  ),
  destination_only_penalty: words(
    "Access-only roads",
    "Added in choosing where a road is for its residents.",
    SECONDS,
  ),
  country_crossing_cost: words("Time at a border", "How long it takes to cross.", SECONDS),
  country_crossing_penalty: words(
    "Dislike of borders",
    "Added in choosing, for each border.",
    SECONDS,
  ),
  toll_booth_cost: words("Time at a toll booth", "How long it takes to pay.", SECONDS),
  toll_booth_penalty: words(
    "Dislike of toll booths",
    "Added in choosing, for each booth.",
    SECONDS,
  ),
  ferry_cost: words("Time to board a ferry", "Before it leaves.", SECONDS),
  rail_ferry_cost: words("Time to board a car train", "Before it leaves.", SECONDS),
  alley_penalty: words("Dislike of alleys", "Added in choosing, for each alley.", SECONDS),
  service_penalty: words(
    "Dislike of service roads",
    "Added in choosing on turning into one.",
    SECONDS,
  ),
  low_class_penalty: words(
    "Dislike of small roads",
    "Added in choosing on turning into one.",
    SECONDS,
  ),
  low_class_factor: words("Small roads", "How many times as dear they are.", TIMES),
  hgv_no_access_penalty: words(
    "Roads closed to lorries",
    "Added in choosing; half a day means never.",
    SECONDS,
  ),
  step_penalty: words("Dislike of steps", "Added in choosing, for each flight.", SECONDS),
  elevator_penalty: words("Dislike of lifts", "Added in choosing, for each lift.", SECONDS),
  service_factor: words("Service roads", "How many times as dear they are.", TIMES),
  walkway_factor: words("Footways", "How many times as dear they are.", TIMES),
  sidewalk_factor: words("Roads with a pavement", "How many times as dear they are.", TIMES),
  alley_factor: words("Alleys", "How many times as dear they are.", TIMES),
  driveway_factor: words("Driveways", "How many times as dear they are.", TIMES),
  closure_factor: words("Closed roads at the ends", "How many times as dear they are.", TIMES),

  exclude_tolls: words("No toll roads", "None but at the very ends of the route."),
  exclude_ferries: words("No ferries", "None but at the very ends of the route."),
  exclude_highways: words("No motorways", "None but at the very ends of the route."),
  exclude_bridges: words("No bridges", "None but at the very ends of the route."),
  exclude_tunnels: words("No tunnels", "None but at the very ends of the route."),
  exclude_unpaved: words("No unpaved roads", "None but at the very ends of the route."),
  exclude_cash_only_tolls: words("No cash-only tolls", "Tolls that take nothing but cash."),
  include_hov2: words("Lanes for two or more people", "They may be used."),
  include_hov3: words("Lanes for three or more people", "They may be used."),
  include_hot: words("Lanes with a toll for single drivers", "They may be used."),
  ignore_restrictions: words("Ignore turn restrictions", "And rules that hold at certain times."),
  ignore_non_vehicular_restrictions: words(
    "Ignore other restrictions",
    "Those that concern no size or weight.",
  ),
  ignore_oneways: words("Ignore one-way rules", "Every road is open both ways."),
  ignore_access: words("Ignore access rules", "Private and closed roads are open."),
  ignore_construction: words("Use building sites", "Roads under construction are open."),
  ignore_closures: words("Ignore live closures", "Roads that are closed at the moment are open."),
  disable_hierarchy_pruning: words(
    "Exact search",
    "Accepted from other clients; the search is exact anyway.",
  ),
};

/** A text of the server's with the names of options in words. */
export function inWords(text: string): string {
  return text.replaceAll(/\b[a-z]+(?:_[a-z0-9]+)+\b/g, (name) => {
    const known = WORDS[name];
    return known ? `“${known.label}”` : name;
  });
}
