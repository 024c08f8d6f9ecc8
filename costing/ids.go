package costing

// Option is one of the options in the table. The zero value is none.
type Option uint8

// The options, in the order of the table. Their names are those of Valhalla's
// documented costing options.
const (
	_ Option = iota
	ManeuverPenalty
	GateCost
	GatePenalty
	PrivateAccessPenalty
	DestinationOnlyPenalty
	CountryCrossingCost
	CountryCrossingPenalty
	TollBoothCost
	TollBoothPenalty
	FerryCost
	RailFerryCost
	AlleyPenalty
	ServicePenalty
	LowClassPenalty
	LowClassFactor
	HGVNoAccessPenalty
	StepPenalty
	ServiceFactor
	WalkwayFactor
	SidewalkFactor
	AlleyFactor
	DrivewayFactor

	UseHills
	AvoidBadSurfaces
	UseRoads
	UseHighways
	UsePrimary
	UseLit
	MaxHikingDifficulty
	UseTolls
	UseFerry
	UseRailFerry
	UseLivingStreets
	UseTracks
	UseTrails
	UseTruckRoute
	UseDistance

	TopSpeed
	FixedSpeed
	SpeedPenaltyFactor
	CyclingSpeed
	WalkingSpeed

	Height
	Width
	Length
	Weight
	AxleLoad
	AxleCount
	Hazmat
	ADRTunnelCode
	BicycleKind
	WalkerKind

	ExcludeTolls
	ExcludeFerries
	ExcludeHighways
	ExcludeBridges
	ExcludeTunnels
	ExcludeUnpaved
	ExcludeCashTolls
	IncludeHOV2
	IncludeHOV3
	IncludeHOT
	Shortest
	IgnoreRestrictions
	IgnoreNonVehicularRestrictions
	IgnoreOneways
	IgnoreAccess
	IgnoreConstruction
	DisableHierarchyPruning

	MaxGrade
	ClosureFactor
	IgnoreClosures
	ElevatorPenalty
	MaxDistance

	beyond // the last
)
