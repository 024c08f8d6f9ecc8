package geocode

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
)

// Source is the index of a region.
type Source struct {
	ID          string
	Name        string
	Bounds      geo.Bounds
	Attribution []string
	Index       *place.Index
}

// indexes answers from the indexes of several regions.
type indexes []Source

// OSM is whose data places are where nobody says.
const OSM = "© OpenStreetMap contributors"

// attribution lists whose data some sources are, each once.
func (x indexes) attribution() []string {
	var all []string
	for i := range x {
		for _, whose := range x[i].Attribution {
			if !slices.Contains(all, whose) {
				all = append(all, whose)
			}
		}
	}
	if len(all) == 0 {
		all = []string{OSM}
	}
	return all
}

// asked gives the sources that a question is for: with a box those that share
// some of it, else all; those that hold the bias come first.
func (x indexes) asked(q *Forward) indexes {
	var all indexes
	for i := range x {
		if q.Box == nil || shares(*q.Box, x[i].Bounds) {
			all = append(all, x[i])
		}
	}
	if q.Bias != nil {
		slices.SortStableFunc(all, func(a, b Source) int {
			return cmp.Compare(sign(!a.Bounds.Contains(*q.Bias)), sign(!b.Bounds.Contains(*q.Bias)))
		})
	}
	return all
}

func sign(b bool) int {
	if b {
		return 1
	}
	return 0
}

// shares is Bounds.Intersects for a box that may cross the antimeridian.
func shares(box, b geo.Bounds) bool {
	for _, part := range parts(box) {
		if part.Intersects(b) {
			return true
		}
	}
	return false
}

// parts gives a box as one or two that do not cross the antimeridian.
func parts(box geo.Bounds) []geo.Bounds {
	if box.Min.Lon <= box.Max.Lon {
		return []geo.Bounds{box}
	}
	west, east := box, box
	west.Max.Lon, east.Min.Lon = 180, -180
	return []geo.Bounds{west, east}
}

// question is about what one question to the indexes takes.
var question = engine.Estimate{Kind: "geocode", Work: time.Millisecond, Bytes: 1 << 20, Cores: 1, Cheaper: "fewer queries"}

// search asks every source, and puts the hits of all in the order of their scores.
func (x indexes) search(ctx context.Context, q *Forward) (*Answer, error) {
	return engine.WorkFor(ctx, question, func(ctx context.Context) (*Answer, error) { return x.found(ctx, q) })
}

func (x indexes) found(ctx context.Context, q *Forward) (*Answer, error) {
	asked := x.asked(q)
	a := &Answer{Attribution: asked.attribution()}
	limit := q.Limit
	if !q.Typing {
		limit++ // by which the last has a gap too
	}
	for i := range asked {
		hits, err := asked[i].Index.Search(ctx, &place.Query{Text: q.Text, Limit: limit, Lang: q.Lang, Bias: q.Bias, Box: q.Box, Kinds: q.kinds, Typing: q.Typing})
		if err != nil {
			return nil, err
		}
		for j := range hits {
			if h := &hits[j]; h.ID == "" || !a.has(h.ID) {
				a.Results = append(a.Results, Result{Place: h.Place, Score: &h.Score, Match: h.Match, Unit: h.Unit, words: h.Words})
			}
		}
	}
	slices.SortStableFunc(a.Results, func(a, b Result) int { return cmp.Compare(*b.Score, *a.Score) })
	if q.parts {
		return a, nil
	}
	if !q.Typing {
		for i := range a.Results {
			a.Results[i].Parts = freeParts(&a.Results[i])
		}
		a.setGaps()
	}
	if err := asked.addHubs(ctx, a, q); err != nil {
		return nil, err
	}
	a.Results = a.Results[:min(len(a.Results), q.Limit)]
	return a, nil
}

// has reports whether a place is in an answer, as that of overlapping regions may
// be twice.
func (a *Answer) has(id string) bool {
	return slices.ContainsFunc(a.Results, func(r Result) bool { return r.ID == id })
}

// reaches are how far around a point it is looked, in metres, until something is
// found.
var reaches = [...]float64{250, 2500, 25_000}

// reverse asks the sources around a point, further and further out.
func (x indexes) reverse(ctx context.Context, q *Reverse) (*Answer, error) {
	return engine.WorkFor(ctx, question, func(ctx context.Context) (*Answer, error) { return x.near(ctx, q) })
}

func (x indexes) near(ctx context.Context, q *Reverse) (*Answer, error) {
	a := &Answer{}
	for _, metres := range reaches {
		around := geo.Around(q.At, metres)
		var asked indexes
		for i := range x {
			if !shares(around, x[i].Bounds) {
				continue
			}
			asked = append(asked, x[i])
			found, err := x[i].Index.Reverse(ctx, q.At, q.Kinds, q.Limit, metres, q.Lang)
			if err != nil {
				return nil, err
			}
			for j := range found {
				if n := &found[j]; !a.has(n.ID) {
					a.Results = append(a.Results, Result{Place: n.Place, Metres: &n.Metres})
				}
			}
		}
		a.Attribution = asked.attribution()
		if len(a.Results) > 0 {
			break
		}
	}
	slices.SortStableFunc(a.Results, func(a, b Result) int { return cmp.Compare(*a.Metres, *b.Metres) })
	a.Results = a.Results[:min(len(a.Results), q.Limit)]
	return a, nil
}

// Retrieve finds a place by its id.
func (g *Geocoder) Retrieve(id, lang string) (*Answer, error) {
	if err := g.FirstParty("finding a place by its id"); err != nil {
		return nil, err
	}
	names := make([]string, len(g.indexes))
	for i := range g.indexes {
		if p, ok := g.indexes[i].Index.Find(id, lang); ok {
			return &Answer{Results: []Result{{Place: p}}, Attribution: g.indexes[i : i+1].attribution()}, nil
		}
		names[i] = g.indexes[i].ID
	}
	return nil, fault.New(fault.NotFound, "no place has the id %s in what is served here (%s): it may be of another region, or no longer on the map", fault.Clip(id), strings.Join(names, ", "))
}
