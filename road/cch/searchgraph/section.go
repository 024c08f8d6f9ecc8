package searchgraph

import (
	"fmt"

	"github.com/waygate/waygate/region"
)

// SharedName begins the names of arrays that all kinds of a section share.
const SharedName = "all"

// KindFields returns the arrays of a direction that a kind has alone, under its name.
func (w *Graph) KindFields(name string) []region.Field {
	return []region.Field{
		region.FieldOf(name+".first", &w.Blocks),
		region.FieldOf(name+".long", &w.LongBlocks),
		region.FieldOf(name+".alone", &w.Alone),
	}
}

// SharedFields returns the arrays of a direction that kinds share, with or without the ranks that
// paths lead over.
func (w *Graph) SharedFields(direction string, paths bool) []region.Field {
	name := SharedName + direction
	fields := []region.Field{
		region.FieldOf(name+".steps", &w.Arcs),
		region.FieldOf(name+".wide", &w.Wide),
	}
	if paths {
		fields = append(fields,
			region.FieldOf(name+".mid", &w.Via),
			region.FieldOf(name+".far.at", &w.FarAt),
			region.FieldOf(name+".far", &w.Far),
			region.FieldOf(name+".farthest", &w.Farthest))
	}
	return fields
}

// ReadPool reads the arcs of all kinds, with or without the ranks that their paths
// lead over.
func (w *Graph) ReadPool(s *region.Section, direction string, paths bool) error {
	for _, f := range w.SharedFields(direction, paths) {
		if err := f.Get(s); err != nil {
			return err
		}
	}
	if paths && (len(w.Via) != len(w.Arcs) || len(w.FarAt) != (len(w.Arcs)+FarEach-1)/FarEach) {
		return fmt.Errorf("section %s: the arrays of all%s do not fit together: %d steps, %d of them with paths, far ones counted at %d", s.Name(), direction, len(w.Arcs), len(w.Via), len(w.FarAt))
	}
	return nil
}

// Read reads which arcs are those of a kind.
func (w *Graph) Read(s *region.Section, name string, ranks int) error {
	for _, f := range w.KindFields(name) {
		if err := f.Get(s); err != nil {
			return err
		}
	}
	if len(w.Blocks) != BlocksOf(ranks) || len(w.Alone) != 1 {
		return fmt.Errorf("section %s: %s has %d blocks for %d ranks, and %d counts of its steps", s.Name(), name, len(w.Blocks), ranks, len(w.Alone))
	}
	return nil
}
