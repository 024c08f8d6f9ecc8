package profile

// Default gives the usual options of a kind of traveller: those that a request
// has which asks for none. Regions hold the hierarchies' metrics of them.
func Default(k Kind) Options {
	o := Options{
		Kind:            k,
		ManeuverPenalty: 5, DestinationOnlyPenalty: 600, PrivateAccessPenalty: 450,
		GateCost: 30, GatePenalty: 300, CountryCrossingCost: 600, FerryCost: 300, RailFerryCost: 300,
		AlleyPenalty: 5, ServiceFactor: 1, UseFerry: 0.5, UseRailFerry: 0.4,
	}
	switch k {
	case Bicycle:
		o.ServicePenalty, o.AlleyPenalty, o.UseLivingStreets, o.UseTracks = 15, 60, 0.5, 0.5
		o.UseRoads, o.UseHills, o.AvoidBadSurfaces, o.Bicycle = 0.25, 0.25, 0.25, HybridBicycle
		return o
	case Pedestrian:
		o.UseFerry, o.UseLivingStreets, o.UseTracks, o.UseHills = 1, 0.6, 0.5, 0.5
		o.WalkingSpeed, o.WalkwayFactor, o.SidewalkFactor, o.AlleyFactor, o.DrivewayFactor = 5.1, 1, 1, 2, 5
		o.MaxHikingDifficulty, o.GatePenalty, o.PrivateAccessPenalty, o.StepPenalty = 1, 10, 600, 30
		return o
	}
	o.TollBoothCost, o.ServicePenalty, o.UseHighways, o.UseTolls, o.UseLivingStreets = 15, 75, 0.5, 0.5, 0.1
	o.TopSpeed, o.SpeedPenaltyFactor = 140, 0.05
	switch k {
	case Auto:
		o.Height, o.Width = 1.6, 1.9
	case Truck:
		o.LowClassPenalty, o.HGVNoAccessPenalty, o.TopSpeed = 30, 43200, 120
		o.ServicePenalty, o.UseLivingStreets = 0, 0
		o.Height, o.Width, o.Length, o.Weight, o.AxleLoad, o.AxleCount = 4.11, 2.6, 21.64, 21.77, 9.07, 5
	case Bus:
		o.Height, o.Width, o.Length, o.Weight = 3.2, 2.55, 12, 18
	case MotorScooter:
		o.ServicePenalty, o.UsePrimary, o.UseHills, o.UseTracks, o.TopSpeed = 15, 0.5, 0.5, 0.5, 45
	case Motorcycle:
		o.ServicePenalty, o.UseTracks = 15, 0.5
	}
	return o
}

// Kinds are all kinds of traveller.
var Kinds = [...]Kind{Auto, Truck, Bus, MotorScooter, Motorcycle, Bicycle, Pedestrian}

// String gives the name of the costing.
func (k Kind) String() string {
	return [...]string{"auto", "truck", "bus", "motor_scooter", "motorcycle", "bicycle", "pedestrian"}[k]
}
