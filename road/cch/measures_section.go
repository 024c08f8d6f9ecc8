package cch

import (
	"context"
	"errors"
	"fmt"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/region"
	"github.com/waygate/waygate/road/graph"
	"github.com/waygate/waygate/road/profile"
)

// The section of a region with the measures of the metrics of the default options.
const (
	MeasuresSection = "measures"
	MeasuresVersion = 4
)

func (x *Measures) lists() [3]*measures { return [3]*measures{&x.up, &x.down, &x.own} }

var (
	measureNames = [3]string{".up", ".down", ".own"}
	cellNames    = [2]string{departing: ".into", arriving: ".out"}
)

// fields are the arrays of the measures of a kind, under its name.
func (x *Measures) fields(k costing.Costing) []region.Field {
	var all []region.Field
	for i, m := range x.lists() {
		name := k.String() + measureNames[i]
		all = append(all, region.FieldOf(name, &m.words), region.FieldOf(name+".wide", &m.wide))
	}
	all = append(all, region.FieldOf(k.String()+".cells", &x.cells.roots))
	for i := range x.cells.ways {
		b, name := &x.cells.ways[i], k.String()+cellNames[i]
		all = append(all,
			region.FieldOf(name+".at", &b.at), region.FieldOf(name+".reach", &b.reach),
			region.FieldOf(name+".needs", &b.needs), region.FieldOf(name+".joined", &b.joined))
	}
	return all
}

// WriteMeasures works out the measures of the metrics of the default options, on
// all cores, and writes them to the section file at path, each as they are made. It
// ends with its context, whose error it gives.
func (t *Topology) WriteMeasures(ctx context.Context, g *graph.Graph, metrics map[costing.Costing]*Metric, path string) error {
	s, err := region.NewStream(path, len(costing.All)*len(new(Measures).fields(0)))
	if err != nil {
		return err
	}
	measurer := func() kindWorker[*Measures] {
		return func(ctx context.Context, k costing.Costing) (*Measures, error) {
			return t.measure(ctx, profile.New(g, costing.Default(k)), metrics[k])
		}
	}
	err = eachKind(ctx, costing.All[:], measurer, func(k costing.Costing, x *Measures) error {
		a := &region.Arrays{}
		for _, f := range x.fields(k) {
			f.Put(a)
		}
		return s.Put(a)
	})
	return errors.Join(err, s.Close())
}

// OpenMeasures gives the measures of the metrics of a region.
func OpenMeasures(r *region.Region, t *Topology, metrics map[costing.Costing]*Metric) (map[costing.Costing]*Measures, error) {
	s, err := r.Section(MeasuresSection, MeasuresVersion, MeasuresVersion)
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
		for _, f := range x.fields(k) {
			if err := f.Get(s); err != nil {
				return nil, err
			}
		}
		want := [3]int{len(m.forward.arcs), len(m.backward.arcs), len(t.Edge)}
		for i, l := range x.lists() {
			l.shift = millisBits(k)
			if len(l.words) != want[i] {
				return nil, fmt.Errorf("section %s: array %s%s has %d elements, want %d", s.Name(), k, measureNames[i], len(l.words), want[i])
			}
		}
		if err := x.cells.checkSizes(want[2]); err != nil {
			return nil, fmt.Errorf("section %s: %s: %w", s.Name(), k, err)
		}
		out[k] = x
	}
	return out, nil
}

// VerifyMeasures reads the measures of a region and reports the first that is not
// there. Whether they are those of the roads it does not tell.
func (t *Topology) VerifyMeasures(all map[costing.Costing]*Measures) error {
	for _, k := range costing.All {
		for i, m := range all[k].lists() {
			for j, w := range m.words {
				if w >= wideBit && int(w-wideBit) >= len(m.wide) {
					return wrong(MeasuresSection, k.String()+measureNames[i], j, "is number %d of %d wide ones", w-wideBit, len(m.wide))
				}
			}
		}
		if err := all[k].cells.verify(t); err != nil {
			return fmt.Errorf("section %s: %s: %w", MeasuresSection, k, err)
		}
	}
	return nil
}
