package metric

import (
	"math"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine/embedded/kernel"
	"github.com/waygate/waygate/road/cch"
)

// The time that parts of the work take on one core of the machine of docs/performance.md, in
// nanoseconds. They need to be right to a factor of two or three between kinds of work: the
// times that calls really take correct them.
const (
	SnapNanos      = 15e3 // a location
	RoadNanos      = 4e3  // a road within its radius
	VerboseNanos   = 3e4  // one described in full
	LookNanos      = 450  // a road that is looked at
	HopNanos       = 80e3 // a way by the hierarchy
	GuidedNanos    = 15e4 // its line and words
	AstarNanos     = 6e5  // a way by A*, and
	AstarKmNanos   = 4e4  // for each of its kilometres
	SettleNanos    = 800  // an edge of a search on the graph
	TimedNanos     = 1600 // one of a search by the clock,
	ManyNanos      = 6500 // where options have an edge come to again and again, later and cheaper
	OtherHopNanos  = 6e5  // another way by the hierarchy, with its line and words
	OtherNanos     = 300  // an edge of a search for alternatives without it
	ScanNanos      = 4    // an edge that it, or an outline, only looks at
	RangeNanos     = 120  // an edge within reach by the hierarchy
	OutlineNanos   = 350  // one in an outline
	sweepNanos     = 12   // a rank in the sweep of one source
	CellNanos      = 120
	TreeCellNanos  = 4e3 // one that is read from the search of its source
	TimedCellNanos = 3e4
	CloseNanos     = 400 // an edge near an excluded polygon's line
	CustomNanos    = 1500
	MeasureNanos   = 900
	MatchNanos     = 12e3 // a position of a trace
	StepNanos      = 170  // an edge within reach of one position from the one before
	RoadPairNanos  = 100  // a road within a radius, for each source of a matrix
)

// SweepTime returns the time of a table on a metric that is there, in nanoseconds.
func SweepTime(d *kernel.Data, sources, targets float64) float64 {
	ranks := math.Min(targets*float64(d.Height())*0.3, float64(d.Graph.Edges()))
	return math.Ceil(sources/cch.Lanes) * cch.Lanes * ranks * sweepNanos
}

// CustomiseFirst reports whether a matrix with options that have no metric takes
// less with one that is made for it than with searches from source after source,
// of so many edges each.
func CustomiseFirst(d *kernel.Data, sources, targets, within float64) bool {
	edges := float64(d.Graph.Edges())
	return edges*(CustomNanos+MeasureNanos)+SweepTime(d, sources, targets) < sources*(within*SettleNanos+targets*TreeCellNanos)
}

// CustomiseForTimed is customiseFirst for a matrix at a time, with searches from so many hubs.
// The metric finds most ways by itself.
func CustomiseForTimed(d *kernel.Data, hubs, within float64) bool {
	return float64(d.Graph.Edges())*CustomNanos < hubs*within*ManyNanos
}

// TopSpeed is how fast one gets on as the crow flies, at the most, in km/h: how far
// away what is within reach may be.
var TopSpeed = map[costing.Costing]float64{
	costing.Auto: 60, costing.Truck: 50, costing.Bus: 50, costing.Motorcycle: 60, costing.MotorScooter: 30,
	costing.Bicycle: 14, costing.Pedestrian: 4.2,
}

// DetourTime is about the most time that a way between places so far apart, in metres, takes
// round what is closed: four times that of the straight line.
func DetourTime(by costing.Costing, metres float64) time.Duration {
	return time.Duration(4 * metres / 1000 / TopSpeed[by] * float64(time.Hour))
}

// MostChanged is how many changed edges the ways past them are worked out for by themselves,
// which takes some milliseconds: a clean-air zone has some thousands.
const MostChanged = 1 << 15
