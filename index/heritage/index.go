package heritage

import (
	"github.com/waygate/waygate/geo"
	"github.com/waygate/waygate/geo/corridor"
)

// Index has the entries of some corridors by position. It is immutable and safe for
// concurrent use.
type Index struct {
	corpora []Corpus
	located []Located
	points  *corridor.Index
	bounds  geo.Bounds
}

// Located is an entry and the number of its corridor in Corpora.
type Located struct {
	*Entry
	Corpus int
}

// NewIndex makes an index of corridors.
func NewIndex(all []Corpus) *Index {
	x := &Index{corpora: all, bounds: geo.NoBounds()}
	var points []geo.Point
	for i := range all {
		for j := range all[i].Entries {
			e := &all[i].Entries[j]
			x.located = append(x.located, Located{e, i})
			points = append(points, e.At())
			x.bounds = x.bounds.Extend(e.At())
		}
	}
	x.points = corridor.PointIndex(points)
	return x
}

// Corpora returns the corridors.
func (x *Index) Corpora() []Corpus { return x.corpora }

// Len returns the number of entries of all corridors.
func (x *Index) Len() int { return len(x.located) }

// Entry returns an entry by its number in Points.
func (x *Index) Entry(i int) Located { return x.located[i] }

// Points returns the positions of the entries.
func (x *Index) Points() *corridor.Index { return x.points }

// Bounds returns the bounds of the positions.
func (x *Index) Bounds() geo.Bounds { return x.bounds }
