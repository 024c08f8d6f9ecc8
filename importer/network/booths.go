package network

import (
	"github.com/waygate/waygate/importer/tags"
	"github.com/waygate/waygate/road/graph"
)

// booths notes the toll at toll booths on a way whose own tags do not say who pays:
// those who pay for the way, or all if two ways there differ.
func (a *assembler) booths(w *way, f *tags.Way) {
	if f.Flags&graph.Toll == 0 {
		return
	}
	pay := f.Forward.Limits
	if pay.Toll == 0 {
		pay = f.Backward.Limits
	}
	pay = pay.Tolls()
	for _, n := range a.c.refs[w.first : w.first+w.count] {
		if b, ok := a.c.barriers[n]; !ok || !b.UntoldToll {
			continue
		}
		if other, known := a.tolls[n]; known && other != pay {
			pay = graph.Limits{Toll: graph.AllModes}
		}
		a.tolls[n] = pay
	}
}

// atBooth returns the limits at a node with the toll that booths noted.
func (a *assembler) atBooth(n nodeNumber, l graph.Limits) graph.Limits {
	if pay, ok := a.tolls[n]; ok {
		return l.WithTolls(pay)
	}
	return l
}
