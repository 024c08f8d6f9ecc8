package costing

// Never is the longest time or penalty, half a day, in seconds. A penalty of so
// much stands for a prohibition.
const Never = 43200

// Ranges that many options have.
var (
	seconds  = Range{0, Never, "seconds", 1}
	willing  = Range{Max: 1, PerUnit: 20}
	multiple = Range{Min: 0.1, Max: 100000, PerUnit: 20}
	toggle   = Range{Max: 1} // of a switch: off and on
)

// table has the options. Names, ranges and defaults are those of Valhalla's
// documented costing options.
var table = [beyond]Row{
	// Times and penalties.

	ManeuverPenalty: {
		Name: "maneuver_penalty", doc: "penalty when the road name changes",
		Range: seconds, usual: every(5), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.ManeuverPenalty },
	},
	GateCost: {
		Name: "gate_cost", doc: "time to pass a gate",
		Range: seconds, usual: every(30), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.GateCost },
	},
	GatePenalty: {
		Name: "gate_penalty", doc: "penalty of a gate",
		Range: seconds, usual: every(300).in(10, Pedestrian), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.GatePenalty },
	},
	PrivateAccessPenalty: {
		Name: "private_access_penalty", doc: "penalty of a private gate or bollard", docs: map[Costing]string{Pedestrian: "penalty of a private gate"},
		Range: seconds, usual: every(450).in(600, Pedestrian), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.PrivateAccessPenalty },
	},
	DestinationOnlyPenalty: {
		Name: "destination_only_penalty", doc: "penalty of a road for its destinations only, and of one that is discouraged or unsuitable",
		Range: seconds, usual: every(600), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.DestinationOnlyPenalty },
	},
	CountryCrossingCost: {
		Name: "country_crossing_cost", doc: "time to cross a border",
		Range: seconds, usual: every(600), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.CountryCrossingCost },
	},
	CountryCrossingPenalty: {
		Name: "country_crossing_penalty", doc: "penalty of a border",
		Range: seconds, usual: every(0), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.CountryCrossingPenalty },
	},
	TollBoothCost: {
		Name: "toll_booth_cost", doc: "time to pass a toll booth",
		Range: seconds, usual: motor(15), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.TollBoothCost },
	},
	TollBoothPenalty: {
		Name: "toll_booth_penalty", doc: "penalty of a toll booth",
		Range: seconds, usual: motor(0), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.TollBoothPenalty },
	},
	FerryCost: {
		Name: "ferry_cost", doc: "time to board a ferry",
		Range: seconds, usual: every(300), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.FerryCost },
	},
	RailFerryCost: {
		Name: "rail_ferry_cost", doc: "time to board a rail ferry",
		Range: seconds, usual: every(300), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.RailFerryCost },
	},
	AlleyPenalty: {
		Name: "alley_penalty", doc: "penalty of an alley",
		Range: seconds, usual: every(5).in(60, Bicycle), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.AlleyPenalty },
	},
	ServicePenalty: {
		Name: "service_penalty", doc: "penalty of turning into a service road",
		Range: seconds, usual: only(75, Auto, Bus).in(15, MotorScooter, Motorcycle, Bicycle).in(0, Truck, Pedestrian), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.ServicePenalty },
	},
	LowClassPenalty: {
		Name: "low_class_penalty", doc: "penalty of turning from a larger road into a residential or smaller one",
		Range: seconds, usual: only(30, Truck), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.LowClassPenalty },
	},
	LowClassFactor: {
		Name: "low_class_factor", doc: "cost factor of residential and smaller roads",
		Range: multiple, usual: only(1.5, Truck), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.LowClassFactor },
	},
	HGVNoAccessPenalty: {
		Name: "hgv_no_access_penalty", doc: "penalty of a road closed to lorries; half a day means never",
		Range: seconds, usual: only(Never, Truck), Effect: DearerClosing,
		number: func(o *Options) *float64 { return &o.HGVNoAccessPenalty },
	},
	StepPenalty: {
		Name: "step_penalty", doc: "penalty of a flight of steps",
		Range: seconds, usual: only(30, Pedestrian), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.StepPenalty },
	},
	ServiceFactor: {
		Name: "service_factor", doc: "cost factor of service roads",
		Range: multiple, usual: every(1), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.ServiceFactor },
	},
	WalkwayFactor: {
		Name: "walkway_factor", doc: "cost factor of footways",
		Range: multiple, usual: only(1, Pedestrian), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.WalkwayFactor },
	},
	SidewalkFactor: {
		Name: "sidewalk_factor", doc: "cost factor of roads with a pavement",
		Range: multiple, usual: only(1, Pedestrian), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.SidewalkFactor },
	},
	AlleyFactor: {
		Name: "alley_factor", doc: "cost factor of alleys",
		Range: multiple, usual: only(2, Pedestrian), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.AlleyFactor },
	},
	DrivewayFactor: {
		Name: "driveway_factor", doc: "cost factor of driveways",
		Range: multiple, usual: only(5, Pedestrian), Effect: Multiplying,
		number: func(o *Options) *float64 { return &o.DrivewayFactor },
	},

	// Wishes.

	UseHills: {
		Name: "use_hills", doc: "willingness to climb, 0 avoids, 1 favours",
		Range: willing, usual: only(0.25, Bicycle).in(0.5, MotorScooter, Pedestrian), Effect: Cheaper,
		Rationale: "hill_avoided", explained: set(Bicycle, MotorScooter),
		number: func(o *Options) *float64 { return &o.UseHills },
	},
	AvoidBadSurfaces: {
		Name: "avoid_bad_surfaces", doc: "aversion to surfaces unfit for the bicycle type",
		Range: willing, usual: only(0.25, Bicycle), Effect: DearerClosing,
		Rationale: "surface_avoided", explained: set(Bicycle),
		number: func(o *Options) *float64 { return &o.AvoidBadSurfaces },
	},
	UseRoads: {
		Name: "use_roads", doc: "willingness to share roads with cars, 0 avoids, 1 favours",
		Range: willing, usual: only(0.25, Bicycle), Effect: Mixed,
		Rationale: "road_avoided", explained: set(Bicycle),
		number: func(o *Options) *float64 { return &o.UseRoads },
	},
	UseHighways: {
		Name: "use_highways", doc: "willingness to use motorways and trunk roads, 0 avoids, 1 favours", docs: map[Costing]string{MotorScooter: "willingness to use large roads, 0 avoids, 1 favours"},
		Range: willing, usual: motor(0.5), Effect: Cheaper,
		Rationale: "highway_avoided", explained: set(Auto), Hard: ExcludeHighways,
		number: func(o *Options) *float64 { return &o.UseHighways },
	},
	UsePrimary: {
		Name: "use_primary", doc: "willingness to use primary roads, 0 avoids, 1 favours",
		Range: willing, usual: only(0.5, MotorScooter), Effect: Cheaper,
		Rationale: "primary_road_avoided", explained: set(MotorScooter),
		number: func(o *Options) *float64 { return &o.UsePrimary },
	},
	UseLit: {
		Name: "use_lit", doc: "preference for lit ways, 0 avoids, 1 favours",
		Range: willing, usual: only(0, Pedestrian), Effect: Dearer,
		Rationale: "unlit_street_avoided", explained: set(Pedestrian),
		number: func(o *Options) *float64 { return &o.UseLit },
	},
	MaxHikingDifficulty: {
		Name: "max_hiking_difficulty", doc: "hardest SAC hiking grade: 0 none, 1 hiking, up to 6 difficult alpine hiking",
		Kind: Integer, Range: Range{Max: 6}, usual: only(1, Pedestrian), Effect: Opening,
		Rationale: "hiking_difficulty_limited", explained: set(Pedestrian),
		small: func(o *Options) *uint8 { return &o.MaxHikingDifficulty },
	},
	UseTolls: {
		Name: "use_tolls", doc: "willingness to use toll roads, 0 avoids, 1 favours",
		Range: willing, usual: motor(0.5), Effect: Cheaper,
		Rationale: "toll_avoided", explained: set(Auto, MotorScooter), Hard: ExcludeTolls,
		number: func(o *Options) *float64 { return &o.UseTolls },
	},
	UseFerry: {
		Name: "use_ferry", doc: "willingness to take ferries, 0 avoids, 1 favours",
		Range: willing, usual: every(0.5).in(1, Pedestrian), Effect: Cheaper,
		Rationale: "ferry_avoided", explained: set(Auto, MotorScooter, Bicycle, Pedestrian), Hard: ExcludeFerries,
		number: func(o *Options) *float64 { return &o.UseFerry },
	},
	UseRailFerry: {
		Name: "use_rail_ferry", doc: "willingness to take rail ferries, 0 avoids, 1 favours",
		Range: willing, usual: every(0.4), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.UseRailFerry },
	},
	UseLivingStreets: {
		Name: "use_living_streets", doc: "willingness to use living streets, 0 avoids, 1 favours",
		Range: willing, usual: motor(0.1).in(0, Truck).in(0.5, Bicycle).in(0.6, Pedestrian), Effect: Cheaper,
		Rationale: "living_street_avoided", explained: set(Auto, Bicycle, Pedestrian),
		number: func(o *Options) *float64 { return &o.UseLivingStreets },
	},
	UseTracks: {
		Name: "use_tracks", doc: "willingness to use tracks, 0 avoids, 1 favours",
		Range: willing, usual: motor(0).in(0.5, MotorScooter, Motorcycle, Bicycle, Pedestrian), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.UseTracks },
	},
	UseTrails: {
		Name: "use_trails", doc: "willingness to use tracks and trails, 0 avoids, 1 favours",
		Range: willing, usual: only(0, Motorcycle), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.UseTrails },
	},
	UseTruckRoute: {
		Name: "use_truck_route", doc: "willingness to keep to roads designated for lorries, 0 avoids, 1 favours",
		Range: willing, usual: only(0, Truck), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.UseTruckRoute },
	},
	UseDistance: {
		Name: "use_distance", doc: "weight of distance against time, 0 avoids, 1 favours",
		Range: willing, usual: motor(0),
		number: func(o *Options) *float64 { return &o.UseDistance },
	},

	// Speeds.

	TopSpeed: {
		Name: "top_speed", doc: "highest speed of the vehicle",
		Range: Range{10, 252, "km/h", 1}, usual: motor(140).in(120, Truck).in(45, MotorScooter), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.TopSpeed },
	},
	FixedSpeed: {
		Name: "fixed_speed", doc: "one speed for every road; 0 is off",
		Range: Range{0, 252, "km/h", 1}, usual: motor(0),
		number: func(o *Options) *float64 { return &o.FixedSpeed },
	},
	SpeedPenaltyFactor: {
		Name: "speed_penalty_factor", doc: "penalty of roads faster than the top speed",
		Range: willing, usual: motor(0.05), Effect: Dearer,
		number: func(o *Options) *float64 { return &o.SpeedPenaltyFactor },
	},
	CyclingSpeed: {
		Name: "cycling_speed", doc: "speed on the flat; by default that of the bicycle type",
		Range: Range{5, 60, "km/h", 1}, usual: only(0, Bicycle), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.CyclingSpeed },
	},
	WalkingSpeed: {
		Name: "walking_speed", doc: "walking speed",
		Range: Range{0.5, 25, "km/h", 10}, usual: only(5.1, Pedestrian), Effect: Cheaper,
		number: func(o *Options) *float64 { return &o.WalkingSpeed },
	},

	// The traveller. A car is taken to pass limits of length and weight unless it says
	// how long and heavy it is.

	Height: {
		Name: "height", doc: "height of the vehicle",
		Range: Range{0, 10, "metres", 20}, usual: only(1.6, Auto).in(4.11, Truck).in(3.2, Bus), Effect: Closing,
		Rationale: "max_height", explained: set(Truck),
		number: func(o *Options) *float64 { return &o.Height },
	},
	Width: {
		Name: "width", doc: "width of the vehicle",
		Range: Range{0, 10, "metres", 20}, usual: only(1.9, Auto).in(2.6, Truck).in(2.55, Bus), Effect: Closing,
		Rationale: "max_width", explained: set(Truck),
		number: func(o *Options) *float64 { return &o.Width },
	},
	Length: {
		Name: "length", doc: "length of the vehicle",
		Range: Range{0, 50, "metres", 10}, usual: only(0, Auto).in(21.64, Truck).in(12, Bus), Effect: Closing,
		Rationale: "max_length", explained: set(Truck),
		number: func(o *Options) *float64 { return &o.Length },
	},
	Weight: {
		Name: "weight", doc: "weight of the loaded vehicle",
		Range: Range{0, 100, "tonnes", 10}, usual: only(0, Auto).in(21.77, Truck).in(18, Bus), Effect: Closing,
		Rationale: "max_weight", explained: set(Truck),
		number: func(o *Options) *float64 { return &o.Weight },
	},
	AxleLoad: {
		Name: "axle_load", doc: "load of the heaviest axle",
		Range: Range{0, 40, "tonnes", 10}, usual: only(9.07, Truck), Effect: Closing,
		number: func(o *Options) *float64 { return &o.AxleLoad },
	},
	AxleCount: {
		Name: "axle_count", doc: "number of axles",
		Kind: Integer, Range: Range{Min: 2, Max: 20}, usual: only(5, Truck), Effect: Closing,
		small: func(o *Options) *uint8 { return &o.AxleCount },
	},
	Hazmat: {
		Name: "hazmat", doc: "carries dangerous goods; without adr_tunnel_code they count as code B, the most restricted",
		Kind: Bool, Range: toggle, usual: only(0, Truck), Effect: Closing,
		Rationale: "hazmat", explained: set(Truck),
		flag: func(o *Options) *bool { return &o.Hazmat },
	},
	ADRTunnelCode: {
		Name: "adr_tunnel_code", doc: "ADR tunnel restriction code of the load; (—) forbids no tunnel, any other says that the load is dangerous goods",
		Kind: Choice, usual: only(0, Truck), Effect: Closing,
		Values: TunnelCodes(), codes: forbidden,
		Rationale: "adr_tunnel", explained: set(Truck),
		small: func(o *Options) *uint8 { return &o.TunnelFrom },
	},
	BicycleKind: {
		Name: "bicycle_type", doc: "kind of bicycle",
		Kind: Choice, usual: only(0, Bicycle), Effect: Mixed,
		Values: []string{"Road", "Hybrid", "City", "Cross", "Mountain"}, codes: bicycles, Text: "Hybrid",
		small: func(o *Options) *uint8 { return (*uint8)(&o.Bicycle) },
	},
	WalkerKind: {
		Name: "type", doc: "kind of pedestrian",
		Kind: Choice, usual: only(0, Pedestrian),
		Values: []string{"foot", "wheelchair", "blind"}, codes: []uint8{0, 1, 0}, Text: "foot",
		Rationale: "access_profile", explained: set(Pedestrian),
		flag: func(o *Options) *bool { return &o.Wheelchair },
	},

	// The options that rule roads out, and those that lift rules.

	ExcludeTolls: {
		Name: "exclude_tolls", doc: "no toll roads but at the very ends",
		Kind: Bool, Range: toggle, usual: every(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeTolls },
	},
	ExcludeFerries: {
		Name: "exclude_ferries", doc: "no ferries but at the very ends",
		Kind: Bool, Range: toggle, usual: every(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeFerries },
	},
	ExcludeHighways: {
		Name: "exclude_highways", doc: "no motorways but at the very ends",
		Kind: Bool, Range: toggle, usual: every(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeHighways },
	},
	ExcludeBridges: {
		Name: "exclude_bridges", doc: "no bridges but at the very ends",
		Kind: Bool, Range: toggle, usual: every(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeBridges },
	},
	ExcludeTunnels: {
		Name: "exclude_tunnels", doc: "no tunnels but at the very ends",
		Kind: Bool, Range: toggle, usual: every(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeTunnels },
	},
	ExcludeUnpaved: {
		Name: "exclude_unpaved", doc: "no unpaved roads but at the very ends",
		Kind: Bool, Range: toggle, usual: motor(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeUnpaved },
	},
	ExcludeCashTolls: {
		Name: "exclude_cash_only_tolls", doc: "no tolls that take only cash",
		Kind: Bool, Range: toggle, usual: motor(0), Effect: Dearer,
		flag: func(o *Options) *bool { return &o.ExcludeCashTolls },
	},
	IncludeHOV2: {
		Name: "include_hov2", doc: "may use lanes for two or more people",
		Kind: Bool, Range: toggle, usual: motor(0), Effect: Opening,
		flag: func(o *Options) *bool { return &o.IncludeHOV },
	},
	IncludeHOV3: {
		Name: "include_hov3", doc: "may use lanes for three or more people",
		Kind: Bool, Range: toggle, usual: motor(0), Effect: Opening,
		flag: func(o *Options) *bool { return &o.IncludeHOV },
	},
	IncludeHOT: {
		Name: "include_hot", doc: "may use lanes that are tolled for single drivers",
		Kind: Bool, Range: toggle, usual: motor(0), Effect: Opening,
		flag: func(o *Options) *bool { return &o.IncludeHOV },
	},
	Shortest: {
		Name: "shortest", doc: "minimise length instead of cost",
		Kind: Bool, Range: toggle, usual: every(0),
		flag: func(o *Options) *bool { return &o.Shortest },
	},
	IgnoreRestrictions: {
		Name: "ignore_restrictions", doc: "ignore turn restrictions and conditional access",
		Kind: Bool, Range: toggle, usual: every(0),
		flag: func(o *Options) *bool { return &o.IgnoreRestrictions },
	},
	IgnoreNonVehicularRestrictions: {
		Name: "ignore_non_vehicular_restrictions", doc: "ignore restrictions that concern no vehicle dimension",
		Kind: Bool, Range: toggle, usual: motor(0),
		flag: func(o *Options) *bool { return &o.IgnoreNonVehicular },
	},
	IgnoreOneways: {
		Name: "ignore_oneways", doc: "ignore one-way rules",
		Kind: Bool, Range: toggle, usual: every(0),
		flag: func(o *Options) *bool { return &o.IgnoreOneways },
	},
	IgnoreAccess: {
		Name: "ignore_access", doc: "ignore access rules",
		Kind: Bool, Range: toggle, usual: every(0),
		flag: func(o *Options) *bool { return &o.IgnoreAccess },
	},
	IgnoreConstruction: {
		Name: "ignore_construction", doc: "use roads under construction",
		Kind: Bool, Range: toggle, usual: motor(0),
		flag: func(o *Options) *bool { return &o.IgnoreConstruction },
	},
	DisableHierarchyPruning: {
		Name: "disable_hierarchy_pruning", doc: "accepted for compatibility; the search here is exact",
		Kind: Bool, Range: toggle, usual: every(0),
	},

	// The options that the kernel cannot honour.

	MaxGrade: {
		Name: "max_grade", doc: "steepest way",
		Range: Range{0, 90, "per cent", 0}, usual: only(90, Pedestrian),
		Idle: "slopes are weighed, not limited, here",
	},
	ClosureFactor: {
		Name: "closure_factor", doc: "cost factor of closed roads at the ends",
		Range: Range{Min: 1, Max: 10}, usual: every(9),
		Idle: "there are no live closures",
	},
	IgnoreClosures: {
		Name: "ignore_closures", doc: "ignore live closures",
		Kind: Bool, Range: toggle, usual: every(0),
		Idle: "there are no live closures",
	},
	ElevatorPenalty: {
		Name: "elevator_penalty", doc: "penalty of a lift",
		Range: seconds, usual: only(0, Pedestrian),
		Idle: "lifts cost no time here",
	},
	MaxDistance: {
		Name: "max_distance", doc: "longest walk",
		Range: Range{0, 100, "kilometres", 0}, usual: only(100, Pedestrian),
		Idle: "the length of a walk is not limited here",
	},
}

// forbidden are the categories from which on the tunnel codes keep a load out.
var forbidden = func() (from []uint8) {
	for _, code := range TunnelCodes() {
		from = append(from, ForbiddenFrom(code))
	}
	return from
}()

// bicycles are the bicycle types that the names mean.
var bicycles = []uint8{uint8(RoadBicycle), uint8(HybridBicycle), uint8(HybridBicycle), uint8(CrossBicycle), uint8(MountainBicycle)}
