package inview

import (
	"context"
	"math"

	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/wire/null"
)

const (
	// interval is the most between two points of a sight line, in metres.
	interval = 25.0
	// refraction is how much of the Earth's curvature light follows, in the usual
	// air: the coefficient k of surveyors.
	refraction = 0.13
)

// sight is a line of sight from an eye to a target, with the ground below it.
type sight struct {
	from, to    geo.Point
	metres      float64
	eye, target float64   // metres above the ground
	ground      []float64 // at even distances from the observer to the place; NaN where it is not known

	terrain, building *obstacle // what stands highest above it; nil for nothing
	gap               bool      // some of the ground is not known
	unread            string    // why some building may not have been looked at; "" where none
}

// obstacle is something above a sight line.
type obstacle struct {
	at, above float64 // metres from the observer, and above the line
	height    float64 // of a building
	assumed   bool
}

// bulge returns how far the ground between two ends lies above a straight line
// between them, for the Earth is round, less what the air bends the light.
func bulge(metres, at float64) float64 {
	return (1 - refraction) * at * (metres - at) / (2 * geo.EarthRadius)
}

// above returns how far something of a height above sea level stands above the line.
func (s *sight) above(at, height float64) float64 {
	a, b := s.ends()
	part := 0.0
	if s.metres > 0 {
		part = at / s.metres
	}
	return height + bulge(s.metres, at) - (a + (b-a)*part)
}

// levelled reports whether the ground at either end is not known, so that all of
// it is taken to be level.
func (s *sight) levelled() bool {
	return math.IsNaN(s.ground[0]) || math.IsNaN(s.ground[len(s.ground)-1])
}

// ends returns the heights of the eye and the target above sea level.
func (s *sight) ends() (eye, target float64) {
	if s.levelled() {
		return s.eye, s.target
	}
	return s.ground[0] + s.eye, s.ground[len(s.ground)-1] + s.target
}

// look compares the ground with the line.
func (s *sight) look() {
	last := len(s.ground) - 1
	for i, h := range s.ground {
		if math.IsNaN(h) {
			s.gap = true
		}
		if i == 0 || i == last || math.IsNaN(h) || s.levelled() {
			continue
		}
		at := s.metres * float64(i) / float64(last)
		if over := s.above(at, h); over > 0 && (s.terrain == nil || over > s.terrain.above) {
			s.terrain = &obstacle{at: at, above: over}
		}
	}
}

// under returns the height of the ground at a distance: between the points around it,
// or of the nearest that is known.
func (s *sight) under(at float64) float64 {
	if s.levelled() {
		return 0
	}
	last := len(s.ground) - 1
	x := min(max(at/s.metres*float64(last), 0), float64(last))
	i := min(int(x), last-1)
	a, b := s.ground[i], s.ground[i+1]
	if !math.IsNaN(a) && !math.IsNaN(b) {
		return a + (b-a)*(x-float64(i))
	}
	for d := 0; ; d++ { // the ends are known
		if j := i - d; j >= 0 && !math.IsNaN(s.ground[j]) {
			return s.ground[j]
		}
		if j := i + 1 + d; j <= last && !math.IsNaN(s.ground[j]) {
			return s.ground[j]
		}
	}
}

// verdict judges what was found.
func (s *sight) verdict() Visibility {
	v := Visibility{Verdict: Unknown, Checks: Checks{Terrain: check(s.terrain, s.gap, noElevation), Buildings: check(s.building, s.unread != "", s.unread)}}
	terrain, buildings := v.Checks.Terrain.Verdict, v.Checks.Buildings.Verdict
	switch {
	case s.terrain != nil || s.building != nil:
		v.Verdict, v.Obstruction = Occluded, s.obstruction()
	case terrain == Clear:
		v.Verdict = Clear
	}
	switch {
	case terrain != Unknown && buildings != Unknown:
		v.Basis = "terrain-and-buildings"
	case terrain != Unknown:
		v.Basis = "terrain-only"
	case buildings != Unknown:
		v.Basis = "buildings-only"
	default:
		v.Basis = "nothing"
	}
	return v
}

// check returns the result for one kind of obstacle: one that was found proves that a place
// is hidden, and what was not looked at proves nothing.
func check(found *obstacle, unknown bool, why string) Check {
	switch {
	case found != nil:
		return Check{Verdict: Occluded}
	case unknown:
		return Check{Verdict: Unknown, Reason: &why}
	}
	return Check{Verdict: Clear}
}

func (s *sight) obstruction() *Obstruction {
	o, kind := s.terrain, "terrain"
	if o == nil || s.building != nil && s.building.above > o.above {
		o, kind = s.building, "building"
	}
	out := &Obstruction{Kind: kind, Distance: rounded(o.at, 10), Above: max(rounded(o.above, 10), 0.1)}
	if kind == "building" {
		height, basis := rounded(o.height, 10), "mapped"
		if o.assumed {
			basis = "assumed"
		}
		out.Height, out.Basis = &height, &basis
	}
	return out
}

// sights draws a line to each candidate and compares it with the ground.
func (s *Service) sights(ctx context.Context, q *Request, list []candidate, a *Answer) (lines []sight, damaged []error, err error) {
	places := []geo.Point{q.At}
	for i := range list {
		n := max(1, int(math.Ceil(list[i].Metres/interval)))
		lines = append(lines, sight{from: q.At, to: list[i].At, metres: list[i].Metres, eye: q.Eye, target: q.Target, ground: make([]float64, n+1)})
		bearing := list[i].bearing
		for j := 1; j < n; j++ {
			places = append(places, geo.Destination(q.At, bearing, list[i].Metres*float64(j)/float64(n)))
		}
		places = append(places, list[i].At)
	}
	heights := make([]float64, len(places))
	for i := range heights {
		heights[i] = math.NaN()
	}
	a.Coverage.Interval = interval
	if s.Heights != nil {
		if heights, damaged, err = s.Heights.Heights(ctx, places); err != nil {
			return nil, nil, err
		}
		a.Coverage.Dataset = &s.Dataset
		some := 0
		for _, h := range heights {
			if !math.IsNaN(h) {
				some++
			}
		}
		share := rounded(float64(some)/float64(len(heights)), 1000)
		a.Coverage.Ground = &share
	}
	a.Observer.Ground = null.IfNaN(rounded(heights[0], 10))
	rest := heights[1:]
	for i := range lines {
		n := len(lines[i].ground) - 1
		lines[i].ground[0] = heights[0]
		copy(lines[i].ground[1:], rest[:n])
		rest = rest[n:]
		lines[i].look()
	}
	return lines, damaged, nil
}
