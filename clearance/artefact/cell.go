package artefact

import "math"

// TileCells is how many cells the edge of a tile has.
const TileCells = 32

const (
	bitmapSize = TileCells * TileCells / 8
	cellSize   = 28
	// MostTileBytes is the size of a tile with all its cells.
	MostTileBytes = bitmapSize + TileCells*TileCells*cellSize
)

// MostHeadroom in metres is the most that a cell can say.
const MostHeadroom = 60.0

// MostGap in metres is the largest sampling gap that a cell can say. A larger one is
// written as infinite.
const MostGap = 60.0

// Kind is the kind of the lowest thing above a cell.
type Kind uint8

// Kinds.
const (
	Nothing     Kind = iota // nothing below the ceiling
	Structure               // seen from below, supported by several returns
	Wire                    // a thin line
	Foliage                 // by classification or by several returns of pulses
	Deck                    // returns of something that was seen only from above
	Unexplained             // a small thing in the air that nothing holds: a bird, or not
)

// String returns the name as reports and tables write it.
func (k Kind) String() string {
	return [...]string{"nothing", "structure", "wire", "foliage", "deck_seen_from_above", "unexplained"}[min(k, Unexplained)]
}

// Flags of cells.
type Flags uint8

const (
	// Surveyed cells have a road surface.
	Surveyed Flags = 1 << iota
	// Dense cells have so many pulses in every direction that a straight object of the
	// diameter LeastObject across them is not missed.
	Dense
	// Obstructed cells have something on the road, such as a vehicle, a kerbside wall or a
	// pier. What is above was possibly hidden by it.
	Obstructed
	// Tabled cells have a headroom of a table of structures.
	Tabled
)

// State says which conclusions a report may draw from a cell.
type State uint8

const (
	// NotSurveyed cells have no road surface, because no survey saw any.
	NotSurveyed State = iota
	// Insufficient cells have a road surface, but what is above it is not known.
	Insufficient
	// Free cells have nothing overhead below the ceiling.
	Free
	// Measured cells have a headroom.
	Measured
)

// Cell has the measurements of a cell. Lengths are metres.
type Cell struct {
	Surface        float64 // height of the road at the cell's centre; NaN if it is not Surveyed
	SlopeX, SlopeY float64 // rise of the road's plane for a metre east and north
	// Headroom is the distance from the road's plane, at right angles to it, of the lowest
	// thing overhead, with the neighbouring cells; +Inf for nothing below the ceiling.
	Headroom float64
	// Sigma is the standard uncertainty of the headroom. It has the noise of the sensor,
	// the registration, and half of a systematic margin of 30 mm.
	Sigma float64
	// Gap bounds how much lower than Headroom the thing may be between returns; +Inf if
	// nothing bounds it.
	Gap             float64
	Spread          float64 // standard deviation of the returns that decide
	SurfaceReturns  int     // on the road, at most 65535
	OverheadReturns int     // that decide, at most 65535
	Kind            Kind
	Flags           Flags
	Lane            int // from the left in the direction of the road's geometry, 1 to 255; 0 beside the carriageway
	Source          int // index of the source that decides, modulo 256
	// ObstacleFrom and ObstacleTo are the lowest and the highest height above the plane of
	// what stands on the road between 0.25 m and Header.Least; both 0 if nothing does.
	ObstacleFrom, ObstacleTo float64
}

// Safe returns the headroom less two sigma and the sampling gap, never below 0. It is +Inf
// for Free cells, for which Header.Ceiling is the limit.
func (c *Cell) Safe() float64 {
	if math.IsInf(c.Headroom, 1) {
		return c.Headroom
	}
	return max(0, c.Headroom-2*c.Sigma-c.Gap)
}

// State returns what may be concluded. Foliage is Measured: how old it may be is up to the
// report.
func (c *Cell) State() State {
	switch {
	case c.Flags&Tabled != 0 && !math.IsInf(c.Headroom, 1):
		return Measured
	case c.Flags&Surveyed == 0:
		return NotSurveyed
	case c.Kind == Deck || c.Kind == Unexplained || c.Flags&Dense == 0 || c.Flags&Obstructed != 0:
		return Insufficient
	case c.Kind == Nothing:
		return Free
	}
	return Measured
}

const (
	noHeadroom = math.MaxUint16
	noGap      = math.MaxUint16
	noSurface  = math.MinInt32
)

// scaled rounds a value to a multiple of a step, within the range of 16 bits.
func scaled(v, step float64) uint16 {
	return uint16(max(0, min(math.MaxUint16-1, math.Round(v/step))))
}

// append writes a cell behind the bytes of dst, and returns both. Headrooms are rounded
// down and uncertainties up, so that nothing becomes safer.
func (c *Cell) append(dst []byte) []byte {
	surface := int32(noSurface)
	if c.Flags&Surveyed != 0 {
		surface = int32(max(-2e9, min(2e9, math.Round(c.Surface*1e3))))
	}
	headroom, gap := uint16(noHeadroom), uint16(noGap)
	if !math.IsInf(c.Headroom, 1) {
		headroom = uint16(max(0, min(MostHeadroom*1e3, math.Floor(c.Headroom*1e3+1e-6))))
	}
	if c.Gap <= MostGap {
		gap = uint16(max(0, math.Ceil(c.Gap*1e3-1e-6)))
	}
	slope := func(v float64) uint16 { return uint16(int16(max(-32767, min(32767, math.Round(v*1e4))))) }
	dst = le.AppendUint32(dst, uint32(surface))
	dst = le.AppendUint16(le.AppendUint16(dst, slope(c.SlopeX)), slope(c.SlopeY))
	dst = le.AppendUint16(le.AppendUint16(dst, headroom), scaled(math.Ceil(c.Sigma*1e4-1e-6)/1e4, 1e-4))
	dst = le.AppendUint16(le.AppendUint16(dst, gap), scaled(c.Spread, 1e-4))
	dst = le.AppendUint16(le.AppendUint16(dst, uint16(min(c.SurfaceReturns, math.MaxUint16))), uint16(min(c.OverheadReturns, math.MaxUint16)))
	dst = append(dst, byte(c.Kind), byte(c.Flags), byte(c.Lane), byte(c.Source))
	return le.AppendUint16(le.AppendUint16(dst, scaled(c.ObstacleFrom, 1e-3)), scaled(c.ObstacleTo, 1e-3))
}

// readCell returns the inverse of append.
func readCell(b []byte) Cell {
	c := Cell{
		Surface: math.NaN(), Headroom: math.Inf(1), Gap: math.Inf(1),
		SlopeX: float64(int16(le.Uint16(b[4:]))) / 1e4, SlopeY: float64(int16(le.Uint16(b[6:]))) / 1e4,
		Sigma: float64(le.Uint16(b[10:])) / 1e4, Spread: float64(le.Uint16(b[14:])) / 1e4,
		SurfaceReturns: int(le.Uint16(b[16:])), OverheadReturns: int(le.Uint16(b[18:])),
		Kind: Kind(b[20]), Flags: Flags(b[21]), Lane: int(b[22]), Source: int(b[23]),
		ObstacleFrom: float64(le.Uint16(b[24:])) / 1e3, ObstacleTo: float64(le.Uint16(b[26:])) / 1e3,
	}
	if v := int32(le.Uint32(b)); v != noSurface {
		c.Surface = float64(v) / 1e3
	}
	if v := le.Uint16(b[8:]); v != noHeadroom {
		c.Headroom = float64(v) / 1e3
	}
	if v := le.Uint16(b[12:]); v != noGap {
		c.Gap = float64(v) / 1e3
	}
	return c
}
