package scenic

import (
	"context"
	"math"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/surroundings"
)

const (
	// every is how many metres of a route one sample stands for: it is taken in their middle.
	every = 100.0
	// mostSamples are taken of one route, 2,000 km; what is beyond is not measured.
	mostSamples = 20_000
)

// What a kind of scenery is called, how near a sample must be to it in metres, and its weight
// in the score.
var kinds = [surroundings.Sights]struct {
	kind   Kind
	reach  float64
	weight float64
}{
	surroundings.Sea:        {"coast", 300, 0.30},
	surroundings.Protected:  {"protected_landscape", 0, 0.25},
	surroundings.OpenWater:  {"open_water", 150, 0.20},
	surroundings.Woodland:   {"woodland", 50, 0.15},
	surroundings.NamedWater: {"watercourse", 100, 0.10},
	surroundings.Park:       {"park", 0, 0},
	surroundings.Viewpoint:  {"viewpoint", 200, 0},
	surroundings.Pass:       {"mountain_pass", 200, 0},
}

// motorwayWeight is the weight that a route loses that is on motorways all the way.
const motorwayWeight = 0.25

var reaches = func() (r [surroundings.Sights]float64) {
	for k := range kinds {
		r[k] = kinds[k].reach
	}
	return r
}()

// sample is a place on a route.
type sample struct {
	at     geo.Point
	metres float64 // of the route that it stands for
	tunnel bool
}

// track is a route in samples, and what was seen along it.
type track struct {
	samples  []sample
	length   float64 // of the line
	motorway float64 // metres of it on motorways
	unmarked bool    // the engine does not say where on it motorways are
	measured float64 // metres whose samples could be looked at
	seen     [surroundings.Sights]stretch
}

// stretch is how much of a route has one kind of scenery beside it.
type stretch struct {
	metres, longest, run float64
	names                map[string]float64 // metres by name
}

// What a piece of a line is on.
const (
	onMotorway uint8 = 1 << iota
	inTunnel
)

// trackOf takes samples of a route.
func trackOf(r *engine.Route) *track {
	t := &track{}
	for i := range r.Legs {
		leg := &r.Legs[i]
		marks, ok := marksOf(leg)
		t.unmarked = t.unmarked || !ok
		for j := 1; j < len(leg.Line); j++ {
			a, b := leg.Line[j-1], leg.Line[j]
			metres := geo.Distance(a, b)
			if marks[j]&onMotorway != 0 {
				t.motorway += metres
			}
			for len(t.samples) < mostSamples && metres > 0 {
				part := (float64(len(t.samples))*every + every/2 - t.length) / metres
				if part > 1 {
					break
				}
				p := geo.Point{Lon: a.Lon + part*(nearestTurn(b.Lon, a.Lon)-a.Lon), Lat: a.Lat + part*(b.Lat-a.Lat)}
				t.samples = append(t.samples, sample{at: p, metres: every, tunnel: marks[j]&inTunnel != 0})
			}
			t.length += metres
		}
	}
	if n := len(t.samples); n > 0 && n < mostSamples {
		t.samples[n-1].metres = t.length - float64(n-1)*every
	}
	return t
}

// nearestTurn returns a longitude in the turn of the globe that brings it nearest to another.
func nearestTurn(lon, to float64) float64 { return lon - 360*math.Round((lon-to)/360) }

// marksOf returns what each piece of a leg's line is on, by the point where it ends. It is not
// ok where the engine does not say.
func marksOf(leg *engine.Leg) (marks []uint8, ok bool) {
	marks = make([]uint8, len(leg.Line))
	mark := func(from, to int, m uint8) {
		for j := max(1, from+1); j <= to && j < len(marks); j++ {
			marks[j] |= m
		}
	}
	for i := range leg.Edges {
		e := &leg.Edges[i]
		if e.Class == "motorway" {
			mark(e.FromPoint, e.ToPoint, onMotorway)
		}
		if e.Tunnel {
			mark(e.FromPoint, e.ToPoint, inTunnel)
		}
	}
	if len(leg.Edges) > 0 {
		return marks, true
	}
	for i := range leg.Manoeuvres {
		if m := &leg.Manoeuvres[i]; m.Highway {
			mark(m.BeginShape, m.EndShape, onMotorway)
		}
	}
	return marks, len(leg.Manoeuvres) > 0
}

// look looks at the scenery around every sample. In a tunnel there is none.
func (t *track) look(ctx context.Context, view *surroundings.View) error {
	var seen [surroundings.Sights]*surroundings.Feature
	for i := range t.samples {
		if i%32 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := &t.samples[i]
		known, err := view.Scenery(ctx, surroundings.WorldPointOf(s.at), &reaches, &seen)
		if err != nil {
			return err
		}
		if known {
			t.measured += s.metres
		}
		for k := range t.seen {
			f := seen[k]
			if !known || s.tunnel {
				f = nil
			}
			t.seen[k].step(f, s.metres)
		}
	}
	return nil
}

// step goes on by some metres, along which there is a feature, nil for none.
func (s *stretch) step(f *surroundings.Feature, metres float64) {
	if f == nil {
		s.run = 0
		return
	}
	s.metres += metres
	s.run += metres
	s.longest = max(s.longest, s.run)
	if f.Name != "" {
		if s.names == nil {
			s.names = map[string]float64{}
		}
		s.names[f.Name] += metres
	}
}

// name returns the one with the most metres, of several the first in the alphabet; nil for none.
func (s *stretch) name() (name *string) {
	for n, metres := range s.names {
		if name == nil || metres > s.names[*name] || metres == s.names[*name] && n < *name {
			name = &n
		}
	}
	return name
}

func (t *track) share(k int) float64 {
	if t.measured == 0 {
		return 0
	}
	return t.seen[k].metres / t.measured
}

// measuredShare returns the share of the route that could be measured.
func (t *track) measuredShare() float64 {
	if t.length == 0 {
		return 0
	}
	return min(1, t.measured/t.length)
}

// score returns the sum of the shares by their weights, with three digits.
func (t *track) score() float64 {
	sum := 0.0
	for k := range kinds {
		sum += kinds[k].weight * t.share(k)
	}
	if t.length > 0 {
		sum -= motorwayWeight * t.motorway / t.length
	}
	return thousandths(sum)
}

func thousandths(v float64) float64 { return math.Round(v*1000) / 1000 }

// features lists what was seen, in the order of the kinds.
func (t *track) features() []Feature {
	list := []Feature{}
	for k := range t.seen {
		if s := &t.seen[k]; s.metres > 0 {
			list = append(list, Feature{Kind: kinds[k].kind, Metres: math.Round(s.metres), Longest: math.Round(s.longest), Share: thousandths(t.share(k)), Name: s.name()})
		}
	}
	return list
}
