// Package guide turns a path through the road graph into the list of manoeuvres
// of a leg: where to turn, onto what, over which lanes, by which signs. The
// list (package guidance) holds facts only; package narrate makes words of it,
// and every format and language is written from the same list.
//
// The rules are those of Valhalla's maneuvers builder, named in its words where
// it has them: internal edges, turn channels, forks, intersecting edges, small
// end ramp forks. Its answers are what docs/fidelity.md compares with.
//
// Manoeuvres works in three steps. The hops of a leg are made first: each step of
// the path is looked at once, and steps along which the road plainly continues
// are joined (Continuation, worked out at import). A splitter then cuts the hops
// into candidates, from the last hop to the first: a new candidate begins at each
// junction where something is to be done. The passes go over the list of
// candidates one after another: they join candidates that a traveller sees as
// one, such as the pieces of road inside a junction, and settle names and signs.
// What is left is written as the list of manoeuvres.
package guide

import (
	"sync"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// Options are the facts of the traveller and of the leg's ends that guidance depends on.
type Options struct {
	Modes    graph.Modes   // the traveller's modes along the path; zero is graph.Auto
	From, To guidance.Side // the sides of the street on which the leg's ends lie
	// Language is an OSM language code (the xx of name:xx). Names in it are preferred where
	// it is official; "" stands for the local names.
	Language string
	// Translated extends the preference for Language to all countries.
	Translated bool
	// Tolled reports whether the traveller pays toll on an edge that is tolled for some
	// travellers; nil means that every traveller pays.
	Tolled func(graph.Edge) bool
}

// tolls returns the flags of an edge, without the toll flag where the traveller pays none.
func (o *Options) tolls(m hopFlags, e graph.Edge) hopFlags {
	if m&toll != 0 && o.Tolled != nil && !o.Tolled(e) {
		m &^= toll
	}
	return m
}

// Manoeuvres lists the manoeuvres of a leg, given its path and the line that
// Shape makes of it. The first is a start, unless the leg begins on stairs or
// between floors; the last is a destination of no length; between them they
// cover the path without gap. An empty path has no manoeuvres.
func Manoeuvres(g *graph.Graph, path graph.Path, line Line, o Options) []guidance.Manoeuvre {
	if len(path) == 0 {
		return nil
	}
	if o.Modes == 0 {
		o.Modes = graph.Auto
	}
	m := scratches.Get().(*scratch)
	l := &m.leg
	l.g, l.path, l.line, l.o = g, path, line, o
	l.lonScale = lonScaleAt(line.Points[0])
	l.collectHops()
	l.names.begin(g, &l.o, len(l.hops))
	list := m.splitter.split(l)
	for _, p := range passes {
		list = p(l, list)
	}
	written := writeList(l, list)
	m.reset()
	scratches.Put(m)
	return written
}

// passes are applied to the candidates in this order. Each changes candidates or
// removes some, and returns those that are left.
var passes = [...]func(*leg, []*candidate) []*candidate{
	collapse,
	readSigns,
	nameRoundabouts,
	markStays,
	signMerges,
	moveTurns,
	dropSmallForks,
	dropMerges,
}

// scratch is the memory that making a list needs.
type scratch struct {
	leg      leg
	splitter splitter
}

// scratches are pooled for the memory of their slices.
var scratches = sync.Pool{New: func() any { return &scratch{} }}

// reset clears everything and keeps the memory of the slices.
func (m *scratch) reset() {
	m.leg = leg{hops: m.leg.hops[:0], names: m.leg.names.cleared()}
	clear(m.splitter.store)
	m.splitter = splitter{store: m.splitter.store[:0], list: m.splitter.list[:0]}
}
