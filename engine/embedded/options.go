package embedded

import (
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/road/profile"
)

var kinds = map[engine.Costing]profile.Kind{
	engine.Auto: profile.Auto, engine.Truck: profile.Truck, engine.Bus: profile.Bus, engine.MotorScooter: profile.MotorScooter,
	engine.Motorcycle: profile.Motorcycle, engine.Bicycle: profile.Bicycle, engine.Pedestrian: profile.Pedestrian,
}

var bicycles = map[string]profile.BicycleType{
	"Road": profile.RoadBicycle, "Hybrid": profile.HybridBicycle, "City": profile.HybridBicycle, "Cross": profile.CrossBicycle, "Mountain": profile.MountainBicycle,
}

// untouched are the options of requests that give none.
var untouched = func() map[engine.Costing]profile.Options {
	all := map[engine.Costing]profile.Options{}
	for c := range kinds {
		s, _, _ := engine.ParseSettings(c, nil, "")
		all[c] = given(c, &s)
	}
	return all
}()

// optionsOf puts a request's settings in the kernel's terms. An option that a
// costing does not have stays at zero, which its profile never looks at.
func optionsOf(c engine.Costing, s *engine.Settings) profile.Options {
	if s.Usual(c) {
		return untouched[c]
	}
	return given(c, s)
}

func given(c engine.Costing, s *engine.Settings) profile.Options {
	number := func(name string) float64 {
		if s.Has(name) {
			return s.Number(name)
		}
		return 0
	}
	on := func(name string) bool { return number(name) != 0 }
	text := func(name string) string {
		if s.Has(name) {
			return s.Text(name)
		}
		return ""
	}
	return profile.Options{
		Kind:            kinds[c],
		ManeuverPenalty: number("maneuver_penalty"), DestinationOnlyPenalty: number("destination_only_penalty"), PrivateAccessPenalty: number("private_access_penalty"),
		GateCost: number("gate_cost"), GatePenalty: number("gate_penalty"), TollBoothCost: number("toll_booth_cost"), TollBoothPenalty: number("toll_booth_penalty"),
		CountryCrossingCost: number("country_crossing_cost"), CountryCrossingPenalty: number("country_crossing_penalty"),
		FerryCost: number("ferry_cost"), RailFerryCost: number("rail_ferry_cost"),
		AlleyPenalty: number("alley_penalty"), ServicePenalty: number("service_penalty"), ServiceFactor: number("service_factor"),
		LowClassPenalty: number("low_class_penalty"), HGVNoAccessPenalty: number("hgv_no_access_penalty"),

		UseFerry: number("use_ferry"), UseRailFerry: number("use_rail_ferry"), UseHighways: number("use_highways"), UseTolls: number("use_tolls"),
		UseLivingStreets: number("use_living_streets"), UseTracks: number("use_tracks"), UsePrimary: number("use_primary"), UseTrails: number("use_trails"),
		UseTruckRoute: number("use_truck_route"), UseDistance: number("use_distance"), UseRoads: number("use_roads"), UseHills: number("use_hills"),
		UseLit: number("use_lit"), AvoidBadSurfaces: number("avoid_bad_surfaces"),

		TopSpeed: number("top_speed"), FixedSpeed: number("fixed_speed"), SpeedPenaltyFactor: number("speed_penalty_factor"),

		Height: number("height"), Width: number("width"), Length: number("length"), Weight: number("weight"),
		AxleLoad: number("axle_load"), AxleCount: int(number("axle_count")), Hazmat: on("hazmat"),
		TunnelFrom: engine.ForbiddenFrom(text("adr_tunnel_code")),

		Bicycle: bicycles[text("bicycle_type")], CyclingSpeed: number("cycling_speed"), WalkingSpeed: number("walking_speed"),
		WalkwayFactor: number("walkway_factor"), SidewalkFactor: number("sidewalk_factor"), AlleyFactor: number("alley_factor"), DrivewayFactor: number("driveway_factor"),
		StepPenalty: number("step_penalty"), MaxHikingDifficulty: uint8(number("max_hiking_difficulty")), Wheelchair: text("type") == "wheelchair",

		Shortest: on("shortest"), ExcludeBridges: on("exclude_bridges"), ExcludeTunnels: on("exclude_tunnels"), ExcludeTolls: on("exclude_tolls"),
		ExcludeHighways: on("exclude_highways"), ExcludeFerries: on("exclude_ferries"), ExcludeUnpaved: on("exclude_unpaved"), ExcludeCashTolls: on("exclude_cash_only_tolls"),
		IgnoreRestrictions: on("ignore_restrictions") || on("ignore_non_vehicular_restrictions"), IgnoreOneways: on("ignore_oneways"),
		IgnoreAccess: on("ignore_access"), IgnoreConstruction: on("ignore_construction"),
		IncludeHOV: on("include_hov2") || on("include_hov3") || on("include_hot"),
	}
}

// idle are options that the kernel reads and cannot honour, with the reason.
var idle = []struct{ option, why string }{
	{"max_grade", "slopes are weighed, not limited, here"},
	{"closure_factor", "there are no live closures"},
	{"ignore_closures", "there are no live closures"},
	{"elevator_penalty", "lifts cost no time here"},
	{"max_distance", "the length of a walk is not limited here"},
}

// warnings tell of options and languages that were asked for in vain.
func (e *Engine) warnings(c engine.Costing, s *engine.Settings, o *engine.Output) []engine.Warning {
	var list []engine.Warning
	vain := func(option, why string) {
		if s.Given(option) {
			list = append(list, engine.Warning{Code: engine.WarnOption, Text: "costing_options." + string(c) + "." + option + " had no effect: " + why})
		}
	}
	if e.g.Grades == nil {
		vain("use_hills", "the region has no heights")
	}
	for _, x := range idle {
		vain(x.option, x.why)
	}
	if l, asked := narrate.Find(o.Language); !asked && o.Speaks() {
		list = append(list, engine.Warning{Code: engine.WarnLanguage, Text: "there are no instructions in " + o.Language + " here; they are in " + l.Tag()})
	}
	return list
}
