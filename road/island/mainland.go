package island

import (
	"context"
	"fmt"
	mathbits "math/bits"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// Section and Version name the section of a region that has its Mainlands, and its
// format.
const (
	Section = "islands"
	Version = 1
)

// Mainland has the edges that are on no island for one kind of traveller with its
// default options. It is immutable.
type Mainland struct {
	departing, arriving []uint64 // a bit for each original edge
}

// Has reports whether an edge is known to be on no island. An edge that it does not report
// may be on no island for a traveller whose options allow more than the default ones. The
// zero Mainland has no edges.
func (m *Mainland) Has(e graph.Edge, d Direction) bool {
	bits := *m.of(d)
	return int(e/64) < len(bits) && bits[e/64]>>(e%64)&1 != 0
}

func (m *Mainland) of(d Direction) *[]uint64 {
	if d == Departing {
		return &m.departing
	}
	return &m.arriving
}

// Of computes the mainland of a costing. Its only error is the context's.
func Of(ctx context.Context, c *profile.Costing) (*Mainland, error) {
	m, s, g := &Mainland{}, Search{}, c.Graph()
	for _, d := range []Direction{Departing, Arriving} {
		*m.of(d) = make([]uint64, words(g))
		spread := Search{}
		for e := range g.Base {
			if e%4096 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			if m.Has(e, d) || !c.Allowed(e) || s.count(c, e, d, func(x graph.Edge) bool { return m.Has(x, d) }) < Enough {
				continue
			}
			if err := m.spread(ctx, c, &spread, e, d); err != nil {
				return nil, err
			}
		}
	}
	return m, nil
}

// spread adds an edge to the mainland, and all edges that lead to it or, where paths end,
// that it leads to: they belong to the mainland too. s has the edges that were added before.
func (m *Mainland) spread(ctx context.Context, c *profile.Costing, s *Search, from graph.Edge, d Direction) error {
	g, bits := c.Graph(), *m.of(d)
	s.queue = s.queue[:0]
	s.add(from)
	for i := 0; i < len(s.queue); i++ {
		if i%4096 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		e := s.queue[i]
		if own := g.Original(e); e == own || d == Arriving { // paths may come to an edge in the middle of a restriction
			bits[own/64] |= 1 << (own % 64)
		}
		s.expand(c, e, !d)
	}
	return nil
}

func words(g *graph.Graph) int { return (int(g.Base) + 63) / 64 }

func (m *Mainland) fields(k costing.Costing) []region.Field {
	return []region.Field{
		region.FieldOf(k.String()+".departing", &m.departing),
		region.FieldOf(k.String()+".arriving", &m.arriving),
	}
}

// Write computes the mainlands of a graph and writes their section file.
func Write(ctx context.Context, g *graph.Graph, path string) error {
	a := &region.Arrays{}
	for _, k := range costing.All {
		m, err := Of(ctx, profile.New(g, costing.Default(k)))
		if err != nil {
			return err
		}
		for _, f := range m.fields(k) {
			f.Put(a)
		}
	}
	return a.WriteFile(path)
}

// Open returns the mainlands of a region with the graph g.
func Open(r *region.Region, g *graph.Graph) (map[costing.Costing]*Mainland, error) {
	s, err := r.Section(Section, Version, Version)
	if err != nil {
		return nil, err
	}
	return read(s, g)
}

// read is Open of an opened section.
func read(s *region.Section, g *graph.Graph) (map[costing.Costing]*Mainland, error) {
	all := map[costing.Costing]*Mainland{}
	for _, k := range costing.All {
		m := &Mainland{}
		for _, f := range m.fields(k) {
			if err := f.Get(s); err != nil {
				return nil, err
			}
		}
		if n, o := len(m.departing), len(m.arriving); n != words(g) || o != n {
			return nil, fmt.Errorf("section %s: %s has %d and %d words, want %d", Section, k, n, o, words(g))
		}
		all[k] = m
	}
	return all, nil
}

// Verify checks that mainlands read from a region can be those of its graph: no edge that
// the traveller may not use is in one.
func Verify(all map[costing.Costing]*Mainland, g *graph.Graph) error {
	for k, m := range all {
		c := profile.New(g, costing.Default(k))
		for _, bits := range [][]uint64{m.departing, m.arriving} {
			for w, word := range bits {
				for ; word != 0; word &= word - 1 {
					if e := graph.Edge(64*w + mathbits.TrailingZeros64(word)); e >= g.Base || !c.Allowed(e) {
						return fmt.Errorf("section %s: %s has edge %d, which it may not use", Section, k, e)
					}
				}
			}
		}
	}
	return nil
}
