package cch

import (
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/cch/searchgraph"
)

func (x *Measures) lists() [3]*measures { return [3]*measures{&x.up, &x.down, &x.own.measures} }

var (
	measureNames = [3]string{".up", ".down", ".own"}
	cellNames    = [2]string{departing: ".into", arriving: ".out"}
)

// fields returns the arrays of a list under its name.
func (m *measures) fields(name string) []region.Field {
	return []region.Field{region.FieldOf(name, &m.packed), region.FieldOf(name+".blocks", &m.blocks)}
}

// fields returns the arrays of a kind under its name, and its piece of the shared measures
// of edges.
func (x *Measures) fields(k costing.Costing) []region.Field {
	all := append(x.own.fields(searchgraph.SharedName+measureNames[2]),
		region.FieldOf(k.String()+measureNames[2], &x.own.pages), region.FieldOf(k.String()+".cells", &x.cells.roots))
	for i := range x.cells.ways {
		b, name := &x.cells.ways[i], k.String()+cellNames[i]
		all = append(all,
			region.FieldOf(name+".at", &b.at), region.FieldOf(name+".reach", &b.reach),
			region.FieldOf(name+".needs", &b.needs), region.FieldOf(name+".joined", &b.joined))
	}
	return all
}

// OpenMeasures returns the measures of the metrics of a region.
func OpenMeasures(r *region.Region, t *Topology, metrics map[costing.Costing]*Metric) (map[costing.Costing]*Measures, error) {
	s, err := r.Section(MetricsSection, MetricsVersion, MetricsVersion)
	if err != nil {
		return nil, err
	}
	return t.readMeasures(s, metrics)
}

// readMeasures is OpenMeasures of an opened section.
func (t *Topology) readMeasures(s *region.Section, metrics map[costing.Costing]*Metric) (map[costing.Costing]*Measures, error) {
	out := map[costing.Costing]*Measures{}
	for _, k := range costing.All {
		x, m := &Measures{}, metrics[k]
		fields := x.fields(k)
		for i, w := range (regionMetric{m, x}).directions() {
			fields = append(fields, w.of.fields(searchgraph.SharedName+directionNames[i]+".measures")...)
		}
		for _, f := range fields {
			if err := f.Get(s); err != nil {
				return nil, err
			}
		}
		if len(x.up.blocks) != blocksOfMeasures(len(m.forward.Arcs)) || len(x.down.blocks) != blocksOfMeasures(len(m.backward.Arcs)) || len(x.own.pages) != blocksOfMeasures(len(t.Edge)) {
			return nil, fmt.Errorf("section %s: the measures of %s do not fit its steps: %d blocks of %d up, %d of %d down, %d pages of %d ranks",
				s.Name(), k, len(x.up.blocks), len(m.forward.Arcs), len(x.down.blocks), len(m.backward.Arcs), len(x.own.pages), len(t.Edge))
		}
		if err := x.cells.checkSizes(len(t.Edge)); err != nil {
			return nil, fmt.Errorf("section %s: %s: %w", s.Name(), k, err)
		}
		out[k] = x
	}
	return out, nil
}

// verify reports the first block that does not follow on the one before, or is missing.
func (m *measures) verify(name string) error {
	next := uint64(0)
	for i, b := range m.blocks {
		first, millis, all := b.open()
		if next += all; millis == 0 || millis > 32 || all < millis || all > millis+32 || first != next-all || (next+1)*inWord > uint64(len(m.packed)) {
			return wrong(MetricsSection, name+".blocks", i, "has %d of %d bits for milliseconds, from %d of %d bytes on", millis, all, first*inWord, len(m.packed))
		}
	}
	return nil
}

// VerifyMeasures reads the measures of a region and reports the first that is missing. It
// does not check that they are those of the roads.
func (t *Topology) VerifyMeasures(all map[costing.Costing]*Measures) error {
	for _, k := range costing.All {
		for i, m := range all[k].lists() {
			if err := m.verify(k.String() + measureNames[i]); err != nil {
				return err
			}
		}
		own := &all[k].own
		for p, from := range own.pages {
			if int(from) >= len(own.blocks) {
				return wrong(MetricsSection, k.String()+measureNames[2], p, "is block %d of %d", from, len(own.blocks))
			}
		}
		if err := all[k].cells.verify(t); err != nil {
			return fmt.Errorf("section %s: %s: %w", MetricsSection, k, err)
		}
	}
	return nil
}
