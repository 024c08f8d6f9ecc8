// Package observations finds what a journey passes, as far as map and heights prove it.
//
// Watercourses that it crosses or follows, parks, settlements, long stretches of one road, and
// climbs are proved by the geometry of the map or by heights; what cannot be proved is left out.
package observations

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/index/surroundings"
)

// Heights is where heights are from: height.Shared. Of a place that is not known it returns
// NaN.
type Heights interface {
	Heights(ctx context.Context, places []geo.Point) (metres []float64, damaged []error, err error)
}

// Service observes.
type Service struct {
	Ground      *surroundings.Reader
	Heights     Heights // nil has none
	Dataset     string  // what the heights are
	Attribution []string
}

// Request is a request for what a line passes.
type Request struct {
	Line     []geo.Point // of a length within MostMetres
	Miles    bool        // lengths are said in miles and feet
	Gap      float64     // least metres of line between two observations
	Most     int         // observations
	Language *narrate.Language
}

const (
	// MostMetres is the length of the longest line that is looked along.
	MostMetres = 2_000_000.0
	// mostTiles is how many tiles one call reads.
	mostTiles = 6000
)

// What an observation needs, in metres.
const (
	roadReach   = 25.0   // of a line to the road that it is on
	roadLeast   = 4000.0 // of line on one road
	waterReach  = 60.0   // of a line to the watercourse that it follows
	waterLeast  = 3000.0 // of line beside it
	landLeast   = 3000.0 // of line inside a park
	climbLeast  = 120.0  // of rise
	looseEnd    = 6.0    // within which a watercourse that ends may go on in a culvert
	clearOf     = 10.0   // by which a road without a number must be further away than the one claimed
	pieceMetres = 25.0   // longest stretch of line between two places that are looked at
	lookMetres  = 15.0   // shortest such stretch
)

// radii are how near a route comes to the label of a settlement that it passes, in metres, by
// the place tag.
var radii = map[string]float64{"city": 2000, "town": 1200, "village": 600, "hamlet": 300}

// widest is the largest of radii.
const widest = 2000.0

// What looking along a line takes on one core: a piece of it, and a tile that is not cached.
const (
	pieceNanos = 3000
	tileNanos  = 1e6
	tileMetres = 1000 // of line in one tile
)

// Effort is about what a request takes.
func (q *Request) Effort() engine.Estimate {
	length := geo.Length(q.Line)
	nanos := (length/pieceMetres+float64(len(q.Line)))*pieceNanos + min(mostTiles, 4+length/tileMetres)*tileNanos
	return engine.Estimate{Kind: "observations", Work: time.Duration(nanos), Bytes: 16<<20 + int64(length*8), Cores: 1, Cheaper: "a shorter line"}
}

// Observe returns what a line passes, in its order. damaged are tiles and files of heights
// that could not be read.
func (s *Service) Observe(ctx context.Context, q *Request) (a *Answer, damaged []error, err error) {
	w := &walk{q: q, view: s.Ground.View(mostTiles)}
	if err := w.along(ctx); err != nil {
		return nil, nil, err
	}
	if err := w.settlements(ctx); err != nil {
		return nil, nil, err
	}
	a = &Answer{Route: Route{Length: decimetres(w.length()), Points: len(q.Line)}, Attribution: slices.Concat([]string{}, s.Attribution), Caveat: caveat}
	a.Coverage = Coverage{Zooms: []int{surroundings.Detailed, surroundings.Wide}, Read: w.view.Read, Missing: w.view.Missing, Measured: share(w.measured, w.length())}
	damaged = w.view.Damaged
	if s.Heights != nil {
		unread, known, err := w.climbs(ctx, s.Heights)
		if err != nil {
			return nil, nil, err
		}
		damaged = append(damaged, unread...)
		a.Coverage.Dataset, a.Coverage.Heights = &s.Dataset, &known
	}
	a.Observations = chosen(w.found, q.Gap, q.Most)
	a.Coverage.LeftOut = len(w.found) - len(a.Observations)
	return a, damaged, nil
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 0
	}
	return math.Round(min(1, part/whole)*1000) / 1000
}

func decimetres(v float64) float64 { return math.Round(v*10) / 10 }

// piece is a short stretch of the line.
type piece struct {
	a, b     surroundings.WorldPoint
	from, to float64 // metres from the start
	built    bool    // on a bridge or in a tunnel, where the ground is not the road
}

// walk is one look along a line.
type walk struct {
	q        *Request
	view     *surroundings.View
	pieces   []piece
	looked   float64 // metres of the line up to where it was looked at
	built    bool    // what was seen there
	measured float64 // metres whose map could be read
	found    []candidate

	roads, waters, lands runs
	numbers              map[string][]string // of roads, by their ref
}

func (w *walk) length() float64 {
	if len(w.pieces) == 0 {
		return 0
	}
	return w.pieces[len(w.pieces)-1].to
}

// cut divides the line into pieces.
func (w *walk) cut() {
	arc := 0.0
	for i := 1; i < len(w.q.Line); i++ {
		p, o := w.q.Line[i-1], w.q.Line[i]
		metres := geo.Distance(p, o)
		if metres == 0 {
			continue
		}
		a := surroundings.WorldPointOf(p)
		b := surroundings.WorldPointOf(o).UnwrapNear(a)
		n := math.Ceil(metres / pieceMetres)
		at := func(k float64) surroundings.WorldPoint {
			return surroundings.WorldPoint{X: a.X + (b.X-a.X)*k/n, Y: a.Y + (b.Y-a.Y)*k/n}
		}
		for k := range int(n) {
			k := float64(k)
			w.pieces = append(w.pieces, piece{a: at(k), b: at(k + 1), from: arc + metres*k/n, to: arc + metres*(k+1)/n})
		}
		arc += metres
	}
}

// along looks at every piece of the line.
func (w *walk) along(ctx context.Context) error {
	w.cut()
	w.numbers = map[string][]string{}
	w.roads, w.waters, w.lands = runs{least: roadLeast}, runs{least: waterLeast}, runs{least: landLeast}
	for i := range w.pieces {
		if err := w.look(ctx, &w.pieces[i]); err != nil {
			return err
		}
	}
	w.roads.finish(func(number string, _ surroundings.Feature, from, to float64) {
		run := decimetres(to - from)
		w.add(candidate{rank: rankRoad}, from, number, Road, "near-one-road", w.q.Language.StaysOnRoad(number, to-from, w.q.Miles)).Run = &run
	})
	w.waters.finish(func(name string, f surroundings.Feature, from, _ float64) {
		w.add(candidate{rank: rankWater}, from, name, Watercourse, "near-line", w.q.Language.AlongWater(waterOf(&f), name))
	})
	w.lands.finish(func(name string, _ surroundings.Feature, from, _ float64) {
		w.add(candidate{rank: rankLand}, from, name, Landscape, "inside-area", w.q.Language.ThroughLandscape(name))
	})
	return nil
}

// look looks at a piece: what it crosses, and what is near where it ends, unless that is next
// to the last place that was looked at.
func (w *walk) look(ctx context.Context, p *piece) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := w.view.Crossings(ctx, p.a, p.b, looseEnd, func(f *surroundings.Feature, at float64) {
		arc := p.from + at*(p.to-p.from)
		rank := rankCrossing
		if waterOf(f) == narrate.Stream {
			rank = rankStream
		}
		w.add(candidate{rank: rank}, arc, f.Name, Crossing, "crossing-of-lines", w.q.Language.CrossesWater(waterOf(f), f.Name))
	})
	if err != nil {
		return err
	}
	if p.built = w.built; p.to-w.looked < lookMetres {
		return nil
	}
	w.roads.step(p.to)
	w.waters.step(p.to)
	w.lands.step(p.to)
	var lane roadsBeside
	known, err := w.view.Near(ctx, p.b, roadReach, waterReach, func(n *surroundings.Near) {
		if n.Kind == surroundings.Watercourse {
			w.waters.see(n.Name, n.Feature)
			return
		}
		lane.add(n, p)
	})
	if err != nil {
		return err
	}
	w.built = lane.numbers(w.parts, func(number string) { w.roads.see(number, lane.nearest.Feature) })
	p.built = w.built
	if _, err := w.view.Within(ctx, p.b, func(f *surroundings.Feature) { w.lands.see(f.Name, f) }); err != nil {
		return err
	}
	if known {
		w.measured += p.to - w.looked
	}
	w.looked = p.to
	return nil
}

// parts returns the numbers of a road.
func (w *walk) parts(ref string) []string {
	list, ok := w.numbers[ref]
	if !ok {
		for one := range strings.SplitSeq(ref, ";") {
			if one = strings.TrimSpace(one); one != "" {
				list = append(list, one)
			}
		}
		w.numbers[ref] = list
	}
	return list
}

func waterOf(f *surroundings.Feature) narrate.Water {
	switch f.Detail {
	case "river":
		return narrate.River
	case "canal":
		return narrate.Canal
	}
	return narrate.Stream
}

// candidate is an observation that may be answered with.
type candidate struct {
	Observation
	rank int // the least is chosen first
}

// The ranks of candidates: what is rarest first.
const (
	rankClimb = iota
	rankCrossing
	rankLand
	rankTown
	rankRoad
	rankWater
	rankVillage
	rankStream
)

// add adds a candidate and returns it, to be completed at once.
func (w *walk) add(c candidate, arc float64, subject string, kind Kind, basis Basis, say string) *Observation {
	c.Observation = Observation{At: decimetres(arc), Kind: kind, Subject: subject, Say: say, Basis: basis}
	w.found = append(w.found, c)
	return &w.found[len(w.found)-1].Observation
}

// chosen returns candidates at least a gap of metres apart, no more than most, in the order
// of the line. A lower rank goes first.
func chosen(list []candidate, gap float64, most int) []Observation {
	slices.SortStableFunc(list, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.At, b.At), cmp.Compare(a.Subject, b.Subject))
	})
	out := []Observation{}
	for i := range list {
		if len(out) == most {
			break
		}
		at, _ := slices.BinarySearchFunc(out, list[i].At, func(o Observation, arc float64) int { return cmp.Compare(o.At, arc) })
		if at > 0 && list[i].At-out[at-1].At < gap || at < len(out) && out[at].At-list[i].At < gap {
			continue
		}
		out = slices.Insert(out, at, list[i].Observation)
	}
	return out
}
