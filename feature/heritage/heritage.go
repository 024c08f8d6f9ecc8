// Package heritage finds the heritage lines that are spoken along a route. It makes no text:
// every line is an entry of an operator's file, and every answer counts what became of all
// entries.
package heritage

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
	"github.com/waygate/waygate/index/heritage"
)

// alongside is by how many degrees the course of a route may differ from the direction of
// an entry.
const alongside = 60

// rounding is how much nearer in metres a later pass must be to count.
const rounding = 0.001

// Request is a line to speak along, and how much.
type Request struct {
	Line       []geo.Point // two or more positions
	Duration   *float64    // seconds for the whole line, above 0; nil where not known
	GapSeconds float64     // between two lines; counts with Duration only
	GapMetres  float64     // between two lines
	Offset     float64     // metres from the line, at most heritage.MostOffset
	MostLines  int
}

// heard is an entry within reach of the line.
type heard struct {
	heritage.Located
	corpus *heritage.Corpus
	pass   corridor.Pass
}

// Along returns what is spoken along a line from the corridors of some indexes, such as
// those of the regions in service. Of two corridors with one id the first counts. The error
// is that the work was not begun, or the context's.
func Along(ctx context.Context, indexes []*heritage.Index, r *Request) (*Answer, error) {
	lineEffort := engine.Estimate{Kind: "heritage-line", Work: time.Duration(len(r.Line) * lineNanos), Bytes: int64(len(r.Line)) * 100, Cores: 1, Cheaper: "a shorter line"}
	c, err := engine.WorkFor(ctx, lineEffort, func(context.Context) (*corridor.Corridor, error) { return corridor.New(r.Line), nil })
	if err != nil {
		return nil, err
	}
	a := &Answer{Route: Route{c.Length(), len(r.Line)}, Lines: []Line{}, Attribution: []string{}, Caveat: caveat}
	var within []heard
	err = engine.Work(ctx, effort(c, indexes, r.Offset), func(ctx context.Context) (err error) {
		within, err = a.find(ctx, c, indexes, r.Offset)
		return err
	})
	if err != nil {
		return nil, err
	}
	a.choose(indexes, within)
	a.Census.budget(r, c.Length())
	a.speak(within, r.MostLines)
	return a, nil
}

// About how many nanoseconds it takes for each vertex of a line to measure it and to compare
// it, and for each pair of a vertex and an entry that are compared.
const (
	lineNanos   = 100
	vertexNanos = 100
	pairNanos   = 100
)

func effort(c *corridor.Corridor, indexes []*heritage.Index, metres float64) engine.Estimate {
	n := len(c.Line())
	nanos, entries := float64(n)*vertexNanos, 0
	for _, x := range indexes {
		nanos += c.Pairs(x.Points(), metres) * pairNanos
		entries += x.Len()
	}
	return engine.Estimate{Kind: "heritage", Work: time.Duration(nanos), Bytes: int64(n)*100 + int64(entries)*200 + 1<<20, Cores: 1, Cheaper: "a shorter line"}
}

// find returns the entries within so many metres of a line that are for its direction of
// travel, and counts all.
func (a *Answer) find(ctx context.Context, c *corridor.Corridor, indexes []*heritage.Index, metres float64) (within []heard, err error) {
	seen := map[string]bool{}
	for _, x := range indexes {
		corpora := x.Corpora()
		repeated := make([]bool, len(corpora))
		for i := range corpora {
			id := corpora[i].Corridor.ID
			if repeated[i] = seen[id]; !repeated[i] {
				a.Census.Entries += len(corpora[i].Entries)
			}
			seen[id] = true
		}
		err := c.Near(ctx, x.Points(), metres, func(i int, near []corridor.Part) bool {
			e := x.Entry(i)
			if repeated[e.Corpus] {
				return true
			}
			pass, reached, taken := nearest(c, e.Entry, metres, near)
			if reached {
				a.Census.Within++
			}
			if taken {
				within = append(within, heard{e, &corpora[e.Corpus], pass})
			}
			return true
		})
		if err != nil {
			return nil, err
		}
	}
	a.Census.Beyond = a.Census.Entries - a.Census.Within
	a.Census.Direction = a.Census.Within - len(within)
	return within, nil
}

// nearest returns the first of the nearest passes of an entry's place by those whom it is
// for. reached reports whether any pass is near enough, and taken whether one is by them.
func nearest(c *corridor.Corridor, e *heritage.Entry, metres float64, near []corridor.Part) (best corridor.Pass, reached, taken bool) {
	takes := corridor.Takes(nil)
	if e.Direction != nil {
		takes = corridor.Facing(*e.Direction, alongside)
	}
	for _, pass := range c.Passes(e.At(), metres, near, takes) {
		if !taken || pass.Metres < best.Metres-rounding {
			best, taken = pass, true
		}
	}
	reached = taken || e.Direction != nil && len(c.Passes(e.At(), metres, near, nil)) > 0
	return best, reached, taken
}

// choose chooses the corridor that the answer is about.
func (a *Answer) choose(indexes []*heritage.Index, within []heard) {
	count := map[*heritage.Corpus]int{}
	for i := range within {
		count[within[i].corpus]++
	}
	var best *heritage.Corpus
	for _, x := range indexes {
		corpora := x.Corpora()
		for i := range corpora {
			if best == nil || count[&corpora[i]] > count[best] {
				best = &corpora[i]
			}
		}
	}
	if best != nil {
		a.Corridor = &Corridor{ID: best.Corridor.ID, Name: best.Corridor.Name, Road: best.Corridor.Road, ReviewedOn: best.ReviewedOn}
		a.Census.Corridor = &a.Corridor.ID
	}
}

// budget works out the least distance between two lines: with a duration as far as the
// route comes in GapSeconds at its mean speed, and never less than GapMetres.
func (c *Census) budget(r *Request, metres float64) {
	c.Gap, c.Basis = r.GapMetres, "distance"
	if r.Duration == nil {
		return
	}
	speed := metres / *r.Duration
	kph := speed * 3.6
	c.Speed = &kph
	if byTime := speed * r.GapSeconds; byTime > c.Gap {
		c.Gap, c.Basis = byTime, "time"
	}
}

// speak takes the first entry on the way, then each that is no nearer to the one before than
// the budget allows, which makes as many lines as can be. Of entries at one place on the way
// the nearest is taken.
func (a *Answer) speak(within []heard, most int) {
	slices.SortFunc(within, func(p, q heard) int {
		return cmp.Or(cmp.Compare(p.pass.Arc, q.pass.Arc), cmp.Compare(p.pass.Metres, q.pass.Metres), cmp.Compare(p.ID, q.ID))
	})
	for i := range within {
		h := &within[i]
		if n := len(a.Lines); n == most || n > 0 && h.pass.Arc-a.Lines[n-1].At < a.Census.Gap {
			a.Census.Budget++
			continue
		}
		plaques := h.PlaqueIDs
		if plaques == nil {
			plaques = []string{}
		}
		a.Lines = append(a.Lines, Line{
			At: h.pass.Arc, Offset: h.pass.Metres, Say: h.Text, Subject: h.Subject, Basis: h.Basis, PlaqueIDs: plaques, ID: h.ID,
			Corridor: h.corpus.Corridor.ID, Source: h.Source, Licence: h.Licence,
		})
		for _, whose := range h.corpus.Attribution {
			if !slices.Contains(a.Attribution, whose) {
				a.Attribution = append(a.Attribution, whose)
			}
		}
	}
	a.Census.Spoken = len(a.Lines)
}
