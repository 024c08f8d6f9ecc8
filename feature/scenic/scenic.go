// Package scenic finds a route with more scenery beside it than the fastest has.
//
// It scores alternates and a route without motorways by what the map has along them, and
// chooses among those that take no more than a number of extra minutes.
package scenic

import (
	"context"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/surroundings"
	"github.com/waygate/waygate/wire/null"
)

const (
	// DefaultExtra is how many minutes a scenic route may take more than the fastest where the
	// caller does not say.
	DefaultExtra = 30
	// MostExtra is how many minutes a caller may allow.
	MostExtra = 120

	alternates = 2    // that are requested
	floor      = 0.15 // below which no route is called scenic
	leastGain  = 500  // metres of a kind of scenery more than the fastest route has
	leastKnown = 0.5  // share of a route that must have been measured
	mostTiles  = 1000 // that one call reads
)

// Service compares routes. Both are required.
type Service struct {
	Engine engine.Engine
	Ground *surroundings.Reader
}

// Request asks about a route that was found.
type Request struct {
	Route    *engine.RouteRequest // as it was asked
	MaxExtra float64              // minutes
}

// Wants are the parts of the routes that are read.
const Wants = engine.WantLine | engine.WantEdges

// Most returns how many computations the comparison takes besides that of a route through a number
// of locations, of which so many alternates are asked for anyway: at most two.
func Most(locations, asked int) int {
	if comparesAlternates(locations) && asked < alternates {
		return 2
	}
	return 1
}

// comparesAlternates reports whether alternates are among the candidates: of a route between
// two places.
func comparesAlternates(locations int) bool { return locations == 2 }

// Unavailable returns the block of a region without a map.
func Unavailable() *Block {
	note := "this region was imported without a map, so that nothing is known of scenery: no other route was computed"
	return &Block{Note: &note}
}

// route is one that is compared.
type route struct {
	source Source
	answer *engine.RouteAnswer
	index  int // of the answer's routes
	track  *track
}

func (r *route) found() *engine.Route { return &r.answer.Routes[r.index] }

// Chosen is a scenic route: that of an index among the routes of an answer.
type Chosen struct {
	Answer *engine.RouteAnswer
	Index  int
}

// comparison is one in the making.
type comparison struct {
	*Service
	*Request
	fastest    *route
	candidates []*route
	probes     int
	notes      []string // on candidates
}

// Compare compares the first of the routes found with others. scenic is nil where none of them is
// called scenic. A computation that fails leaves a note; the error is that of the context or of
// the scheduler. damaged are tiles that could not be read.
func (s *Service) Compare(ctx context.Context, r *Request, found *engine.RouteAnswer) (block *Block, scenic *Chosen, damaged []error, err error) {
	c := &comparison{Service: s, Request: r, fastest: &route{answer: found, track: trackOf(&found.Routes[0])}}
	lined := len(found.Routes[0].Line()) > 1
	if lined {
		if err := c.collect(ctx); err != nil {
			return nil, nil, nil, err
		}
	}
	view := s.Ground.View(mostTiles)
	all := append([]*route{c.fastest}, c.candidates...)
	for _, one := range all[1:] {
		one.track = trackOf(one.found())
	}
	if err := engine.Work(ctx, effort(all), func(ctx context.Context) error {
		for _, one := range all {
			if err := one.track.look(ctx, view); err != nil {
				return err
			}
		}
		return nil
	}); err != nil {
		return nil, nil, nil, err
	}
	block, chosen := c.judge()
	block.Coverage.Read, block.Coverage.Missing = view.Read, view.Missing
	if !lined {
		note := "the routing engine gave no line of the route, so that nothing could be compared"
		block.Note = &note
	}
	if chosen != nil {
		scenic = &Chosen{chosen.answer, chosen.index}
	}
	return block, scenic, view.Damaged, nil
}

// What a look takes on one core: a sample, and a tile that is not cached; and how much of a route
// lies in one tile.
const (
	sampleNanos = 2_000
	tileNanos   = 2e6
	tileMetres  = 5_000
)

// effort is about what it takes to look along routes. What they share is looked at in tiles that
// are read once.
func effort(all []*route) engine.Estimate {
	samples, longest := 0, 0.0
	for _, one := range all {
		samples += len(one.track.samples)
		longest = max(longest, one.track.length)
	}
	tiles := min(mostTiles, 2+2*longest/tileMetres)
	return engine.Estimate{
		Kind: "scenic", Work: time.Duration(float64(samples)*sampleNanos + tiles*tileNanos),
		Bytes: 32<<20 + int64(samples*64), Cores: 1, Cheaper: "a shorter route",
	}
}

// collect computes the candidates.
func (c *comparison) collect(ctx context.Context) error {
	q, found := c.Route, c.fastest.answer
	switch {
	case !comparesAlternates(len(q.Locations)):
		c.note("the route has more than two locations, so that no alternates were compared")
	case q.Alternates >= alternates:
		c.add(Alternate, found)
	default:
		probe := *q
		probe.Alternates = alternates
		answer, err := c.probe(ctx, &probe, "that of the alternates")
		if err != nil {
			return err
		}
		if answer != nil {
			c.add(Alternate, answer)
		}
	}
	if !found.Routes[0].Highway {
		if c.silent(c.fastest) {
			c.note("the routing engine does not say whether the fastest route uses a motorway, so that none without was computed")
		} else {
			c.note("the fastest route uses no motorway, so that none without was computed")
		}
		return nil
	}
	probe := *q
	probe.Alternates, probe.Options = 0, withoutMotorways(q, c.Engine.Can())
	answer, err := c.probe(ctx, &probe, "that of a route without motorways")
	if err == nil && answer != nil {
		c.candidates = append(c.candidates, &route{source: NoMotorway, answer: answer})
	}
	return err
}

// silent reports whether the engine does not say whether a route uses motorways: an answer in
// OSRM's form that has no steps does not.
func (c *comparison) silent(r *route) bool {
	return r.track.unmarked && r.answer.Raw != nil && c.Route.Format == engine.OSRM
}

// add adds all routes of an answer but the first.
func (c *comparison) add(source Source, answer *engine.RouteAnswer) {
	for i := 1; i < len(answer.Routes); i++ {
		c.candidates = append(c.candidates, &route{source: source, answer: answer, index: i})
	}
	if len(answer.Routes) < 2 {
		c.note("the routing engine found no alternate")
	}
}

func (c *comparison) note(text string) { c.notes = append(c.notes, text) }

// probe computes a route besides; nil where that fails.
func (c *comparison) probe(ctx context.Context, q *engine.RouteRequest, what string) (*engine.RouteAnswer, error) {
	q.Want |= Wants
	answer, err := c.Engine.Route(ctx, q)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		c.note("one computation failed: " + what)
		return nil, nil //nolint:nilerr,nilnil // a failed probe is a note, not a failed route
	}
	c.probes++
	if len(answer.Routes) == 0 {
		return nil, nil //nolint:nilnil // an engine that found nothing
	}
	return answer, nil
}

// withoutMotorways returns the options of a request with motorways excluded. An engine that may
// ignore the exclusion dislikes them too.
func withoutMotorways(q *engine.RouteRequest, can engine.Can) costing.Settings {
	raw := maps.Clone(q.Options.Raw())
	if raw == nil {
		raw = map[string]json.RawMessage{}
	}
	raw[costing.ExcludeHighways.String()] = json.RawMessage("true")
	if !can.Exclusions {
		raw[costing.UseHighways.String()] = json.RawMessage("0")
	}
	options, _, _ := costing.Parse(q.Costing, raw, "") // checked before
	return options
}

// judge rejects candidates, and chooses the best of the others: nil where there is none.
func (c *comparison) judge() (*Block, *route) {
	b := &Block{
		Available: true, Chosen: Fastest, Candidates: []Candidate{}, Caveats: []string{caveat},
		Metering: &Metering{Route: 1, Probes: c.probes, MostEver: Most(len(c.Route.Locations), c.Route.Alternates)},
	}
	if text := strings.Join(c.notes, "; "); text != "" {
		b.CandidateNote = &text
	}
	best := (*route)(nil)
	for i, one := range c.candidates {
		why := c.reject(i)
		b.Candidates = append(b.Candidates, Candidate{Source: one.source, Score: one.track.score(), Rejected: null.IfZero(why)})
		if why == "" && (best == nil || one.track.score() > best.track.score()) {
			best = one
		}
	}
	chosen := c.fastest
	if best != nil {
		chosen, b.Chosen = best, Scenic
		reason := c.reason(best)
		b.Reason = &reason
		for _, w := range best.answer.Warnings {
			if !slices.Contains(c.fastest.answer.Warnings, w) {
				b.Caveats = append(b.Caveats, w.Text)
			}
		}
	}
	if slices.ContainsFunc(append(c.candidates, c.fastest), func(r *route) bool { return r.track.unmarked && (r.found().Highway || c.silent(r)) }) {
		b.Caveats = append(b.Caveats, unmarked)
	}
	b.Features = chosen.track.features()
	b.Comparison = c.compared(chosen, best != nil)
	b.Coverage = &Coverage{Zoom: surroundings.Wide, Measured: thousandths(chosen.track.measuredShare())}
	return b, best
}

const (
	caveat   = "What is claimed follows from the map alone: it is not known what can be seen from the road. Areas are drawn to some ten metres and left out below some twenty-five, and stretches in tunnels count as without scenery where the routing engine names tunnels."
	unmarked = "The routing engine does not say where a route is on a motorway, so that no motorway lowered a score."
)

// reject returns why the candidate of an index is not called scenic, "" where it may be.
func (c *comparison) reject(i int) Rejected {
	one, fast := c.candidates[i], c.fastest
	same := func(o *route) bool { return sameLine(one.found().Line(), o.found().Line()) }
	switch {
	case same(fast) || slices.ContainsFunc(c.candidates[:i], same):
		return SameRoute
	case one.found().Rounded().Seconds-fast.found().Rounded().Seconds > c.MaxExtra*60:
		return OverTimeBudget
	case one.track.score() <= fast.track.score():
		return NoScenicGain
	case one.track.score() < floor:
		return NotEnough
	case min(one.track.measuredShare(), fast.track.measuredShare()) < leastKnown || len(c.gains(one)) == 0:
		return NothingToSay
	}
	return ""
}

// sameLine compares lines to a metre or so, since they may have come with five digits.
func sameLine(a, b []geo.Point) bool {
	const near = 1.2e-5 // degrees
	return slices.EqualFunc(a, b, func(p, q geo.Point) bool { return math.Abs(p.Lon-q.Lon) < near && math.Abs(p.Lat-q.Lat) < near })
}
