package costing

// Options are a traveller's properties and wishes as the routing kernel reads
// them. Times are in seconds, lengths in metres, weights in tonnes, speeds in
// km/h, wishes from 0 (avoid) to 1 (favour). What a costing has no option for
// is zero. Every field but the first belongs to a row of the table.
type Options struct {
	Costing Costing

	ManeuverPenalty, DestinationOnlyPenalty, PrivateAccessPenalty float64
	GateCost, GatePenalty                                         float64
	TollBoothCost, TollBoothPenalty                               float64
	CountryCrossingCost, CountryCrossingPenalty                   float64
	FerryCost, RailFerryCost                                      float64
	AlleyPenalty, ServicePenalty, ServiceFactor                   float64
	LowClassPenalty, LowClassFactor, HGVNoAccessPenalty           float64

	UseFerry, UseRailFerry, UseHighways, UseTolls, UseLivingStreets, UseTracks float64
	UsePrimary, UseTrails, UseTruckRoute, UseDistance                          float64
	UseRoads, UseHills, UseLit, AvoidBadSurfaces                               float64

	TopSpeed, FixedSpeed float64 // FixedSpeed 0 is off
	SpeedPenaltyFactor   float64

	Height, Width, Length, Weight, AxleLoad float64
	AxleCount                               uint8
	Hazmat                                  bool
	// TunnelFrom is the least restricted ADR category, 'B' to 'E', that the
	// load may not pass; 0 where it may pass all.
	TunnelFrom uint8

	Bicycle                                                    BicycleType
	CyclingSpeed                                               float64
	WalkingSpeed                                               float64
	WalkwayFactor, SidewalkFactor, AlleyFactor, DrivewayFactor float64
	StepPenalty                                                float64
	MaxHikingDifficulty                                        uint8
	Wheelchair                                                 bool

	Shortest                                                            bool
	ExcludeBridges, ExcludeTunnels, ExcludeTolls, ExcludeHighways       bool
	ExcludeFerries, ExcludeUnpaved, ExcludeCashTolls                    bool
	IgnoreRestrictions, IgnoreOneways, IgnoreAccess, IgnoreConstruction bool
	IgnoreNonVehicular                                                  bool // restrictions of turns and conditions, but those about the vehicle
	IncludeHOV                                                          bool
}

// BicycleType is the kind of bicycle.
type BicycleType uint8

// The bicycle types.
const (
	RoadBicycle BicycleType = iota
	HybridBicycle
	CrossBicycle
	MountainBicycle
)

// bicyclePace is the speed of each bicycle type in km/h, from Valhalla's
// bicycle costing: the default.
var bicyclePace = [...]float64{RoadBicycle: 25, HybridBicycle: 18, CrossBicycle: 20, MountainBicycle: 16}
