package geocode

import (
	"bytes"
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/index/place/find"
	"github.com/waygate/waygate/index/place/fold"
)

// Source is the index of a region.
type Source struct {
	ID          string
	Name        string
	Bounds      geo.Bounds
	Attribution []string
	Index       *find.Index
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

// asked returns the sources that a question is for: with a box those that share
// some of it, else all; those that hold the bias come first.
func (x indexes) asked(q *Forward) indexes {
	var all indexes
	for i := range x {
		if q.Box == nil || q.Box.Intersects(x[i].Bounds) {
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

// question is about what one question to the indexes takes that is no text.
var question = engine.Estimate{Kind: "geocode", Work: time.Millisecond, Bytes: 1 << 20, Cores: 1, Cheaper: "fewer queries"}

// Effort returns about what the question of a text takes. Each word brings up names, which
// are compared with all words.
func Effort(text []byte) engine.Estimate {
	e := question
	words := min(len(bytes.Fields(text)), fold.MaxWords)
	e.Work = max(e.Work, time.Duration(words*words)*pairOfWords)
	return e
}

// pairOfWords is about what two words of a question take, which is more for common words.
const pairOfWords = 40 * time.Microsecond

// search searches every source, and orders the hits of all by their scores.
func (x indexes) search(ctx context.Context, q *Forward) (*Answer, error) {
	return engine.WorkFor(ctx, Effort([]byte(q.Text)), func(ctx context.Context) (*Answer, error) { return x.found(ctx, q) })
}

func (x indexes) found(ctx context.Context, q *Forward) (*Answer, error) {
	asked := x.asked(q)
	a := &Answer{Attribution: asked.attribution()}
	limit := q.Limit
	switch {
	case !q.Typing:
		limit++ // by which the last has a gap too
	case len(q.Recent) > 0:
		limit = recentLimit
	}
	for i := range asked {
		hits, err := asked[i].Index.Search(ctx, &place.Query{Text: q.Text, Limit: limit, Lang: q.Lang, Bias: q.Bias, Box: q.Box, Kinds: q.kinds, Only: q.Only, Typing: q.Typing, Open: q.Open, Opens: q.opens})
		if err != nil {
			return nil, err
		}
		for j := range hits {
			if h := &hits[j]; h.ID == "" || !a.has(h.ID) {
				a.Results = append(a.Results, Result{Place: h.Place, Score: &h.Score, Match: h.Match, OpenNow: h.Opening == place.IsOpen, Unit: h.Unit, words: h.Words})
			}
		}
	}
	if q.Typing {
		a.Kinds = asked.kinds(q)
	}
	slices.SortStableFunc(a.Results, func(a, b Result) int { return cmp.Compare(*b.Score, *a.Score) })
	if q.parts {
		return a, nil
	}
	if !q.Typing {
		for i := range a.Results {
			r := &a.Results[i]
			r.Parts, r.Unmet = freeParts(r), unmet(q.Text, r.words)
		}
		a.setGaps()
	}
	if q.Only == nil {
		if err := asked.addHubs(ctx, a, q); err != nil {
			return nil, err
		}
	}
	a.firstRecent(q.Recent)
	a.Results = a.Results[:min(len(a.Results), q.Limit)]
	return a, nil
}

// recentLimit is how many places are looked through for those that were picked before.
const recentLimit = 50

// firstRecent puts the places that were picked before first, the last picked before the others.
func (a *Answer) firstRecent(picked []string) {
	rank := func(r *Result) int {
		if n := slices.Index(picked, r.ID); n >= 0 && r.ID != "" {
			return n
		}
		return len(picked)
	}
	for i := range a.Results {
		a.Results[i].Recent = rank(&a.Results[i]) < len(picked)
	}
	slices.SortStableFunc(a.Results, func(x, y Result) int { return cmp.Compare(rank(&x), rank(&y)) })
}

// kinds returns the kinds that a text is or begins, of all sources, each once.
func (x indexes) kinds(q *Forward) []KindWord {
	var all []KindWord
	for i := range x {
		for _, k := range x[i].Index.KindWords(q.Text, q.Lang, MostKinds) {
			if len(all) < MostKinds && !slices.ContainsFunc(all, func(o KindWord) bool { return slices.Equal(o.Categories, k.Categories) }) {
				all = append(all, k)
			}
		}
	}
	return all
}

// has reports whether a place is in an answer, as that of overlapping regions may
// be twice.
func (a *Answer) has(id string) bool {
	return slices.ContainsFunc(a.Results, func(r Result) bool { return r.ID == id })
}

// reaches are how far around a point it is looked, in metres, until something is
// found.
var reaches = [...]float64{250, 2500, 25_000}

// reverse searches the sources around a point, further and further out.
func (x indexes) reverse(ctx context.Context, q *Reverse) (*Answer, error) {
	return engine.WorkFor(ctx, question, func(ctx context.Context) (*Answer, error) { return x.near(ctx, q) })
}

func (x indexes) near(ctx context.Context, q *Reverse) (*Answer, error) {
	a := &Answer{}
	far := reaches[:]
	if q.Metres > 0 {
		far = []float64{q.Metres}
	}
	for _, metres := range far {
		around := geo.Around(q.At, metres)
		var asked indexes
		for i := range x {
			if !around.Intersects(x[i].Bounds) {
				continue
			}
			asked = append(asked, x[i])
			found, err := x[i].Index.ReverseOnly(ctx, q.At, q.Kinds, q.Only, q.Limit, metres, q.Lang)
			if err != nil {
				return nil, err
			}
			for j := range found {
				if n := &found[j]; !a.has(n.ID) {
					a.Results = append(a.Results, Result{Place: n.Place, Metres: &n.Metres, order: n.Order})
				}
			}
		}
		a.Attribution = asked.attribution()
		if len(a.Results) > 0 {
			break
		}
	}
	slices.SortStableFunc(a.Results, func(a, b Result) int { return cmp.Compare(a.order, b.order) })
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
