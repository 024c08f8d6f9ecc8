package engine

import "slices"

// OptionKind is the type of a costing option's value.
type OptionKind uint8

// The kinds.
const (
	Number OptionKind = iota
	Integer
	Bool
	Choice
)

// Option is one costing option: its type, range and default. Names, ranges and
// defaults are those of Valhalla's documented costing options.
type Option struct {
	Name     string
	Kind     OptionKind
	Min, Max float64
	Default  float64 // of numbers and switches
	Values   []string
	Text     string // default of a choice
	Unit     string
	Doc      string
}

const day = 43200 // the longest cost or penalty, half a day, in seconds

func seconds(name string, def float64, doc string) Option {
	return Option{Name: name, Kind: Number, Max: day, Default: def, Unit: "seconds", Doc: doc}
}

func share(name string, def float64, doc string) Option {
	return Option{Name: name, Kind: Number, Max: 1, Default: def, Doc: doc + ", 0 avoids, 1 favours"}
}

func flag(name, doc string) Option { return Option{Name: name, Kind: Bool, Max: 1, Doc: doc} }

func span(name string, lo, hi, def float64, unit, doc string) Option {
	return Option{Name: name, Kind: Number, Min: lo, Max: hi, Default: def, Unit: unit, Doc: doc}
}

var everyone = []Option{
	seconds("maneuver_penalty", 5, "penalty when the road name changes"),
	seconds("gate_cost", 30, "time to pass a gate"),
	seconds("gate_penalty", 300, "penalty of a gate"),
	seconds("private_access_penalty", 450, "penalty of a private gate or bollard"),
	seconds("country_crossing_cost", 600, "time to cross a border"),
	seconds("country_crossing_penalty", 0, "penalty of a border"),
	seconds("destination_only_penalty", 600, "penalty of a road for its destinations only"),
	seconds("alley_penalty", 5, "penalty of an alley"),
	seconds("ferry_cost", 300, "time to board a ferry"),
	seconds("rail_ferry_cost", 300, "time to board a rail ferry"),
	share("use_rail_ferry", 0.4, "willingness to take rail ferries"),
	span("service_factor", 0.1, 100000, 1, "", "cost factor of service roads"),
	span("closure_factor", 1, 10, 9, "", "cost factor of closed roads at the ends"),
	flag("shortest", "minimise length instead of cost"),
	flag("exclude_bridges", "no bridges but at the very ends"),
	flag("exclude_tunnels", "no tunnels but at the very ends"),
	flag("exclude_tolls", "no toll roads but at the very ends"),
	flag("exclude_highways", "no motorways but at the very ends"),
	flag("exclude_ferries", "no ferries but at the very ends"),
	flag("ignore_restrictions", "ignore turn restrictions and conditional access"),
	flag("ignore_oneways", "ignore one-way rules"),
	flag("ignore_access", "ignore access rules"),
	flag("ignore_closures", "ignore live closures"),
	flag("disable_hierarchy_pruning", "accepted for compatibility; the search here is exact"),
}

func motorised(topSpeed float64) []Option {
	return append([]Option{
		seconds("toll_booth_cost", 15, "time to pass a toll booth"),
		seconds("toll_booth_penalty", 0, "penalty of a toll booth"),
		share("use_tolls", 0.5, "willingness to use toll roads"),
		share("use_ferry", 0.5, "willingness to take ferries"),
		share("use_living_streets", 0.1, "willingness to use living streets"),
		share("use_tracks", 0, "willingness to use tracks"),
		span("top_speed", 10, 252, topSpeed, "km/h", "highest speed of the vehicle"),
		span("fixed_speed", 0, 252, 0, "km/h", "one speed for every road; 0 is off"),
		flag("exclude_unpaved", "no unpaved roads but at the very ends"),
		flag("exclude_cash_only_tolls", "no tolls that take only cash"),
		flag("include_hov2", "may use lanes for two or more people"),
		flag("include_hov3", "may use lanes for three or more people"),
		flag("include_hot", "may use lanes that are tolled for single drivers"),
		flag("ignore_non_vehicular_restrictions", "ignore restrictions that concern no vehicle dimension"),
		flag("ignore_construction", "use roads under construction"),
		{Name: "speed_penalty_factor", Kind: Number, Max: 1, Default: 0.05, Doc: "penalty of roads faster than the top speed"},
	}, everyone...)
}

func dimensions(height, width, length, weight float64) []Option {
	return []Option{
		span("height", 0, 10, height, "metres", "height of the vehicle"),
		span("width", 0, 10, width, "metres", "width of the vehicle"),
		span("length", 0, 50, length, "metres", "length of the vehicle"),
		span("weight", 0, 100, weight, "tonnes", "weight of the loaded vehicle"),
	}
}

var table = map[Costing][]Option{
	// A car is taken to pass limits of length and weight unless it says how
	// long and heavy it is.
	Auto: join(motorised(140), dimensions(1.6, 1.9, 0, 0), []Option{
		share("use_highways", 0.5, "willingness to use motorways and trunk roads"),
		share("use_distance", 0, "weight of distance against time"),
		seconds("service_penalty", 75, "penalty of turning into a service road"),
	}),
	Bus: join(motorised(140), dimensions(3.2, 2.55, 12, 18), []Option{
		share("use_highways", 0.5, "willingness to use motorways and trunk roads"),
		share("use_distance", 0, "weight of distance against time"),
		seconds("service_penalty", 75, "penalty of turning into a service road"),
	}),
	Truck: join(motorised(120), dimensions(4.11, 2.6, 21.64, 21.77), []Option{
		share("use_living_streets", 0, "willingness to use living streets"),
		span("axle_load", 0, 40, 9.07, "tonnes", "load of the heaviest axle"),
		{Name: "axle_count", Kind: Integer, Min: 2, Max: 20, Default: 5, Doc: "number of axles"},
		flag("hazmat", "carries dangerous goods"),
		{Name: "adr_tunnel_code", Kind: Choice, Values: TunnelCodes(), Doc: "ADR tunnel restriction code of the load"},
		share("use_highways", 0.5, "willingness to use motorways and trunk roads"),
		share("use_truck_route", 0, "willingness to keep to roads designated for lorries"),
		share("use_distance", 0, "weight of distance against time"),
		seconds("low_class_penalty", 30, "penalty of turning into a residential or smaller road"),
		seconds("hgv_no_access_penalty", day, "penalty of a road closed to lorries; half a day means never"),
		seconds("service_penalty", 0, "penalty of turning into a service road"),
	}),
	Motorcycle: join(motorised(140), []Option{
		share("use_tracks", 0.5, "willingness to use tracks"),
		share("use_highways", 0.5, "willingness to use motorways and trunk roads"),
		share("use_trails", 0, "willingness to use tracks and trails"),
		seconds("service_penalty", 15, "penalty of turning into a service road"),
	}),
	MotorScooter: join(motorised(45), []Option{
		share("use_tracks", 0.5, "willingness to use tracks"),
		share("use_highways", 0.5, "willingness to use large roads"),
		share("use_primary", 0.5, "willingness to use primary roads"),
		share("use_hills", 0.5, "willingness to climb"),
		seconds("service_penalty", 15, "penalty of turning into a service road"),
	}),
	Bicycle: join(everyone, []Option{
		seconds("alley_penalty", 60, "penalty of an alley"),
		{Name: "bicycle_type", Kind: Choice, Values: []string{"Road", "Hybrid", "City", "Cross", "Mountain"}, Text: "Hybrid", Doc: "kind of bicycle"},
		span("cycling_speed", 5, 60, 0, "km/h", "speed on the flat; by default that of the bicycle type"),
		share("use_roads", 0.25, "willingness to share roads with cars"),
		share("use_hills", 0.25, "willingness to climb"),
		share("use_ferry", 0.5, "willingness to take ferries"),
		share("use_living_streets", 0.5, "willingness to use living streets"),
		share("use_tracks", 0.5, "willingness to use tracks"),
		{Name: "avoid_bad_surfaces", Kind: Number, Max: 1, Default: 0.25, Doc: "aversion to surfaces unfit for the bicycle type"},
		seconds("service_penalty", 15, "penalty of turning into a service road"),
	}),
	Pedestrian: join(everyone, []Option{
		seconds("gate_penalty", 10, "penalty of a gate"),
		seconds("private_access_penalty", 600, "penalty of a private gate"),
		span("walking_speed", 0.5, 25, 5.1, "km/h", "walking speed"),
		span("walkway_factor", 0.1, 100000, 1, "", "cost factor of footways"),
		span("sidewalk_factor", 0.1, 100000, 1, "", "cost factor of roads with a pavement"),
		span("alley_factor", 0.1, 100000, 2, "", "cost factor of alleys"),
		span("driveway_factor", 0.1, 100000, 5, "", "cost factor of driveways"),
		seconds("step_penalty", 30, "penalty of a flight of steps"),
		seconds("elevator_penalty", 0, "penalty of a lift"),
		share("use_ferry", 1, "willingness to take ferries"),
		share("use_living_streets", 0.6, "willingness to use living streets"),
		share("use_tracks", 0.5, "willingness to use tracks"),
		share("use_hills", 0.5, "willingness to climb"),
		share("use_lit", 0, "preference for lit ways"),
		{Name: "max_hiking_difficulty", Kind: Integer, Max: 6, Default: 1, Doc: "hardest SAC hiking grade: 0 none, 1 hiking, up to 6 difficult alpine hiking"},
		{Name: "max_grade", Kind: Number, Max: 90, Default: 90, Unit: "per cent", Doc: "steepest way"},
		{Name: "max_distance", Kind: Number, Max: 100, Default: 100, Unit: "kilometres", Doc: "longest walk"},
		{Name: "type", Kind: Choice, Values: []string{"foot", "wheelchair", "blind"}, Text: "foot", Doc: "kind of pedestrian"},
		seconds("service_penalty", 0, "penalty of turning into a service road"),
	}),
}

// join puts lists together; an option of a later list takes the place of one
// with its name.
func join(lists ...[]Option) []Option {
	var all []Option
	for _, l := range lists {
		for _, o := range l {
			if i := slices.IndexFunc(all, func(x Option) bool { return x.Name == o.Name }); i >= 0 {
				all[i] = o
			} else {
				all = append(all, o)
			}
		}
	}
	return all
}

// Options lists the options of a costing; nil for an unknown costing. The
// slice is shared and must not be changed.
func Options(c Costing) []Option { return table[c] }

func option(c Costing, name string) (*Option, bool) {
	o, ok := byName[c][name]
	return o, ok
}

var byName = func() map[Costing]map[string]*Option {
	all := map[Costing]map[string]*Option{}
	for c, list := range table {
		all[c] = make(map[string]*Option, len(list))
		for i := range list {
			all[c][list[i].Name] = &list[i]
		}
	}
	return all
}()
