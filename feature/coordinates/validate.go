package coordinates

import (
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/fault"
)

// Extent is the box of a set of coordinates in their own units.
type Extent struct {
	MinX float64 `json:"min_x"`
	MaxX float64 `json:"max_x"`
	MinY float64 `json:"min_y"`
	MaxY float64 `json:"max_y"`
}

func noExtent() Extent {
	inf := math.Inf(1)
	return Extent{inf, -inf, inf, -inf}
}

func (e Extent) extend(p XY) Extent {
	return Extent{math.Min(e.MinX, p.X), math.Max(e.MaxX, p.X), math.Min(e.MinY, p.Y), math.Max(e.MaxY, p.Y)}
}

// inBox reports whether e lies in the box of o; the edge counts.
func (e Extent) inBox(o Extent) bool {
	return e.MinX >= o.MinX && e.MaxX <= o.MaxX && e.MinY >= o.MinY && e.MaxY <= o.MaxY
}

func (e Extent) swapped() Extent { return Extent{e.MinY, e.MaxY, e.MinX, e.MaxX} }

func (e Extent) scaled(by float64) Extent {
	return Extent{e.MinX * by, e.MaxX * by, e.MinY * by, e.MaxY * by}
}

// The verdicts, from good to bad: nothing speaks against the declaration;
// possible, but something is odd; some coordinate cannot exist in it.
const (
	Consistent = "consistent"
	Suspect    = "suspect"
	Impossible = "impossible"
)

// Verdict is whether coordinates can be what they are declared to be.
type Verdict struct {
	Verdict       string   `json:"verdict" enum:"consistent,suspect,impossible"`
	InterpretedAs string   `json:"interpreted_as"` // what the declared code was taken for
	Problems      []string `json:"problems"`       // what speaks against it; empty when consistent
	Suggestions   []string `json:"suggestions"`    // what the coordinates could be instead, likeliest first
	Extent        Extent   `json:"extent"`
}

func (v *Verdict) suspect(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
	if v.Verdict == Consistent {
		v.Verdict = Suspect
	}
}

func (v *Verdict) impossible(format string, args ...any) {
	v.Problems = append(v.Problems, fmt.Sprintf(format, args...))
	v.Verdict = Impossible
}

func (v *Verdict) suggest(format string, args ...any) {
	v.Suggestions = append(v.Suggestions, fmt.Sprintf(format, args...))
}

// Validate checks the ranges, spans and signs of coordinates against a
// declared system; a few dozen points suffice. It never reprojects them. It
// understands geographic degrees (EPSG 4326, 4258, 4269), Web Mercator (3857,
// 900913, 3785) and the UTM zones of WGS 84 and ETRS89; any other EPSG code is
// a generic projected system in metres. A malformed declared_crs, no
// coordinates and a value that is not finite are a fault.BadRequest.
func Validate(declared string, points []XY) (Verdict, error) {
	d, err := declare(declared)
	if err != nil {
		return Verdict{}, err
	}
	if len(points) == 0 {
		return Verdict{}, fault.Invalid(fault.Violation{Location: "coordinates", Value: 0, Message: "needs at least one coordinate, has none"})
	}
	extent := noExtent()
	for i, p := range points {
		if !p.finite() {
			return Verdict{}, fault.Invalid(fault.Violation{
				Location: fmt.Sprintf("coordinates[%d]", i),
				Value:    p.String(), Message: p.String() + " is not a pair of finite numbers",
			})
		}
		extent = extent.extend(p)
	}
	v := Verdict{Verdict: Consistent, InterpretedAs: d.String(), Problems: []string{}, Suggestions: []string{}, Extent: extent}
	if rest := v.setAsidePlaceholders(points); len(rest) > 0 {
		v.check(d, rest)
	}
	return v, nil
}

func (v *Verdict) check(d declaration, points []XY) {
	e := noExtent()
	for _, p := range points {
		e = e.extend(p)
	}
	if len(points) > 1 && e.MinX == e.MaxX && e.MinY == e.MaxY {
		v.suspect("all %d coordinates are identical", len(points))
	}
	switch d.family {
	case degreesFamily:
		v.checkDegrees(d, points, e)
	case webMercatorFamily:
		v.checkWebMercator(points, e)
	case utmFamily:
		v.checkUTM(d, points, e)
	default:
		v.checkGeneric(d, points, e)
	}
}

// setAsidePlaceholders reports values that stand for "no position" in any
// system and gives the others, so that one of them does not condemn the rest.
func (v *Verdict) setAsidePlaceholders(points []XY) []XY {
	origin := count(points, atOrigin)
	if origin > 0 {
		v.suspect("%s exactly 0,0, which often means a missing position (null island)", these(origin, len(points)))
		v.suggest("remove or repair positions at 0,0")
	}
	missing := count(points, isMissing)
	if missing > 0 {
		v.suspect("%s a number that usually stands for no data (such as -9999)", these(missing, len(points)))
		v.suggest("remove no-data values")
	}
	if origin+missing == 0 {
		return points
	}
	return slices.DeleteFunc(slices.Clone(points), func(p XY) bool { return atOrigin(p) || isMissing(p) })
}

func atOrigin(p XY) bool { return p.X == 0 && p.Y == 0 }

func isMissing(p XY) bool { return noData(p.X) && noData(p.Y) }

func noData(n float64) bool {
	switch n {
	case -999, -9999, -99999, -999999, -32768, 999999, 9999999, -1e38, 1e20:
		return true
	}
	return math.Abs(n) > 1e30
}

func count(points []XY, holds func(XY) bool) int {
	n := 0
	for _, p := range points {
		if holds(p) {
			n++
		}
	}
	return n
}

// these returns the subject of a sentence about n of total coordinates, with its
// verb.
func these(n, total int) string {
	switch {
	case total == 1:
		return "the only coordinate is"
	case n == total:
		return fmt.Sprintf("all %d coordinates are", n)
	case n == 1:
		return fmt.Sprintf("1 of %d coordinates is", total)
	}
	return fmt.Sprintf("%d of %d coordinates are", n, total)
}
