// Package profile says what the roads cost a traveller: whether an edge may be
// travelled, how long it takes, and how a traveller of that kind weighs it
// against others. Names, meanings and numbers are those of Valhalla's costing
// options, so that a user of that engine finds the same knobs.
//
// A cost is in milliseconds of weighted time, a whole number, so that sums do
// not depend on the order they are made in.
package profile

import (
	"github.com/waygate/waygate/road/graph"
)

// Kind is the kind of traveller.
type Kind uint8

// The kinds, one for each costing.
const (
	Auto Kind = iota
	Truck
	Bus
	MotorScooter
	Motorcycle
	Bicycle
	Pedestrian
)

// Options are a traveller's properties and wishes. Times are in seconds,
// lengths in metres, weights in tonnes, speeds in km/h, wishes from 0 (avoid)
// to 1 (favour).
type Options struct {
	Kind Kind

	ManeuverPenalty, DestinationOnlyPenalty, PrivateAccessPenalty float64
	GateCost, GatePenalty                                         float64
	TollBoothCost, TollBoothPenalty                               float64
	CountryCrossingCost, CountryCrossingPenalty                   float64
	FerryCost, RailFerryCost                                      float64
	AlleyPenalty, ServicePenalty, ServiceFactor                   float64
	LowClassPenalty, HGVNoAccessPenalty                           float64

	UseFerry, UseRailFerry, UseHighways, UseTolls, UseLivingStreets, UseTracks float64
	UsePrimary, UseTrails, UseTruckRoute, UseDistance                          float64
	UseRoads, UseHills, UseLit, AvoidBadSurfaces                               float64

	TopSpeed, FixedSpeed float64 // FixedSpeed 0 is off
	SpeedPenaltyFactor   float64

	Height, Width, Length, Weight, AxleLoad float64
	AxleCount                               int
	Hazmat                                  bool
	// TunnelFrom is the least restricted ADR category, 'B' to 'E', that the
	// load may not pass; 0 where it may pass all.
	TunnelFrom uint8

	Bicycle                                                    BicycleType
	CyclingSpeed                                               float64 // 0 is that of the type
	WalkingSpeed                                               float64
	WalkwayFactor, SidewalkFactor, AlleyFactor, DrivewayFactor float64
	StepPenalty                                                float64
	MaxHikingDifficulty                                        uint8
	Wheelchair                                                 bool

	Shortest                                                            bool
	ExcludeBridges, ExcludeTunnels, ExcludeTolls, ExcludeHighways       bool
	ExcludeFerries, ExcludeUnpaved, ExcludeCashTolls                    bool
	IgnoreRestrictions, IgnoreOneways, IgnoreAccess, IgnoreConstruction bool
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

// Mode is the traveller's bit in the graph's access sets.
func (k Kind) Mode() graph.Modes {
	return [...]graph.Modes{graph.Auto, graph.Truck, graph.Bus, graph.MotorScooter, graph.Motorcycle, graph.Bicycle, graph.Pedestrian}[k]
}
