// Package guide turns a path through the road graph into what a traveller is
// told: one list of manoeuvres per leg. The list holds facts only, so that
// every face of an answer and every language is written from the same one.
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
	Language string        // names in this language (OSM's name:xx) are preferred; "" is the local name
}

// Manoeuvres lists what to do along a leg: its path and its line, as made by
// Shape. The first is a start, unless the leg begins on stairs or between
// floors; the last is a destination of no length; between them they cover the
// path without gap. An empty path has no manoeuvres.
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
	b.combine()
	b.polish()
	b.finish()
	list := b.list
	b.reset()
	builders.Put(b)
	return list
}

// builders are kept for their memory.
var builders = sync.Pool{New: func() any { return &builder{} }}

// reset forgets all but the memory.
func (b *builder) reset() {
	clear(b.store)
	clear(b.names)
	*b = builder{hops: b.hops[:0], names: b.names[:0], store: b.store[:0], candidates: b.candidates[:0]}
}
