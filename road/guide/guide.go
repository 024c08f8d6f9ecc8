// Package guide turns a path through the road graph into the list of manoeuvres
// of a leg: where to turn, onto what, over which lanes, by which signs. The
// list (package guidance) holds facts only; package narrate makes words of it,
// and every format and language is written from the same list.
//
// The rules are those of Valhalla's maneuvers builder, named in its words where
// it has them: internal edges, turn channels, forks, intersecting edges, small
// end ramp forks. Its answers are what docs/fidelity.md compares with.
//
// Manoeuvres works in four steps. collectHops looks at every step of the path
// once and joins those along which the road plainly continues (Continuation,
// worked out at import). split cuts the hops, from the last to the first, into
// candidates: a new one begins at each junction where something is to be done.
// collapse joins candidates that a traveller sees as one, as the pieces of road
// inside a junction. polish and finish sort out names, signs and lanes and
// write the list.
package guide

import (
	"sync"

	"github.com/waygate/waygate/guidance"
	"github.com/waygate/waygate/road/graph"
)

// Options says who travels and where they come from.
type Options struct {
	Modes    graph.Modes   // ways of travel used along the path; zero is graph.Auto
	From, To guidance.Side // of the street on which the leg's ends lie
	Language string        // names in this language (OSM's name:xx) are preferred where it is official; "" is the local name
	// Translated prefers them wherever there are such names.
	Translated bool
	// Tolled reports whether the traveller pays toll on an edge that somebody pays toll
	// on; nil where everybody does.
	Tolled func(graph.Edge) bool
}

// tolls gives the flags of an edge without that of a toll which the traveller does not pay.
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
	b := builders.Get().(*builder)
	b.g, b.path, b.line, b.o = g, path, line, o
	b.split()
	b.collapse()
	b.polish()
	b.finish()
	list := b.list
	b.reset()
	builders.Put(b)
	return list
}

// builders are pooled for the memory of their slices.
var builders = sync.Pool{New: func() any { return &builder{} }}

// reset clears the builder and keeps the memory of its slices.
func (b *builder) reset() {
	clear(b.store)
	clear(b.names)
	*b = builder{hops: b.hops[:0], names: b.names[:0], store: b.store[:0], candidates: b.candidates[:0]}
}
