package plan

import (
	"fmt"
	"strings"
	"time"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/road/conditional"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/search"
)

// warnOfConditions warns of waiting on a path, and of restrictions that were not heeded:
// those that depend on what is not known, and those that hold at times where the request
// has none.
func (p *Planner) warnOfConditions(f search.Found, t Timed) {
	g := p.Base.Graph
	at := t.begin
	before := graph.Edge(graph.None)
	var doubts doubts
	for i, e := range f.Edges {
		o := g.Original(e)
		if t.Waits != nil {
			p.warnOfWait(o, at, t.Waits[i])
			at += t.Waits[i]
		}
		if g.ByEdge[o].Flags&graph.Conditional != 0 || i > 0 && g.ByEdge[before].Flags&graph.Turning != 0 {
			var local *conditional.LocalTime
			if p.Query.When != nil {
				local = &conditional.LocalTime{Local: p.Clock.Epoch().Add(time.Duration(at) * time.Millisecond)}
			}
			p.Base.Conditions().Doubts(before, o, local, p.vehicle(), func(tag string, atTimes bool) {
				doubts.add(fmt.Sprintf("%s, on way %d", tag, g.WayID[g.Segment(o)]), atTimes)
			})
		}
		if t.Waits != nil {
			if i > 0 {
				at += p.turnMillis(f, i)
			}
			if x, limited := t.Limited[i]; limited {
				at += x.Millis
			} else {
				at += p.Millis(f, i)
			}
		}
		before = e
	}
	for _, what := range doubts.unknown {
		p.warn(engine.WarnIgnored, "%s, depends on what is not known here, and was not heeded", what)
	}
	if n := len(doubts.timed); n > 0 {
		more := ""
		if n > namedDoubts {
			more = fmt.Sprintf(", and %d more", n-namedDoubts)
		}
		p.warn(engine.WarnIgnored, "restrictions at times were not heeded, since the request has no date_time: %s%s", strings.Join(doubts.timed[:min(n, namedDoubts)], "; "), more)
	}
}

// namedDoubts is how many restrictions at times a warning names.
const namedDoubts = 5

// doubts are the restrictions on a path that were not heeded, each once.
type doubts struct {
	unknown, timed []string
	seen           map[string]bool
}

func (d *doubts) add(what string, atTimes bool) {
	if d.seen[what] {
		return
	}
	if d.seen == nil {
		d.seen = map[string]bool{}
	}
	if d.seen[what] = true; atTimes {
		d.timed = append(d.timed, what)
	} else {
		d.unknown = append(d.unknown, what)
	}
}

// warnOfWait warns of waiting before an edge, which is come to at a time of the clock.
func (p *Planner) warnOfWait(o graph.Edge, at, wait int64) {
	if wait < 1000 {
		return
	}
	g := p.Base.Graph
	local := p.Clock.Epoch().Add(time.Duration(at+wait) * time.Millisecond)
	p.warn(engine.WarnWait, "the route waits %s at %s, before way %d, until it opens at %s",
		(time.Duration(wait) * time.Millisecond).Round(time.Second), g.Position[g.ByEdge[o].Tail].Point(), g.WayID[g.Segment(o)], local.Format(engine.TimeForm))
}
