package build

import (
	"math"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/measure"
	"github.com/waygate/waygate/clearance/structures"
)

// medians counts cells by their returns.
type medians struct {
	counts [1 << 12]int64
	n      int64
}

func (m *medians) add(v int) {
	m.counts[min(v, len(m.counts)-1)]++
	m.n++
}

func (m *medians) median() int {
	seen := int64(0)
	for i, n := range m.counts {
		if seen += n; 2*seen >= m.n {
			return i
		}
	}
	return 0
}

// count adds a cell to the figures of quality.
func (b *builder) count(c *artefact.Cell) {
	q := &b.header.QA
	if c.Flags == 0 {
		return
	}
	q.Cells++
	if c.Flags&artefact.Surveyed != 0 {
		q.Surveyed++
		b.median.add(c.SurfaceReturns)
	}
	if c.Flags&artefact.Dense != 0 {
		q.Dense++
	}
	if c.Kind != artefact.Nothing {
		q.Overhead++
	}
	if c.State() == artefact.Insufficient {
		q.Insufficient++
	}
}

// finish fills in what is known at the end.
func (b *builder) finish() {
	h := &b.header
	for _, s := range h.Sources {
		if s.From != "" && (h.From == "" || s.From < h.From) {
			h.From = s.From
		}
		h.To = max(h.To, s.To)
	}
	h.QA.Isolated = b.counts.Isolated
	h.QA.MedianDensity = float64(b.median.median()) / (b.o.Cell * b.o.Cell)
	if b.counts.Planes > 0 {
		h.QA.SurfaceRMS = math.Round(math.Sqrt(b.counts.Squares/float64(b.counts.Planes))*1e4) / 1e4
	}
}

// row is a structure of a table in the survey's system.
type row struct {
	structures.Structure
	x, y   float64
	source int
}

// tabled returns the structures that concern a part.
func (b *builder) tabled(k partKey) (all []row) {
	edge := b.o.Cell * partCells
	for i, t := range b.in.Tables {
		for _, s := range t.Rows {
			x, y, err := b.plane.Project(s.Lat, s.Lon)
			if err != nil {
				continue // settle has refused it
			}
			r := s.Length/2 + edge/2 + b.o.Cell
			if math.Abs(x-b.grid.OriginX-(float64(k.x)+0.5)*edge) <= r && math.Abs(y-b.grid.OriginY-(float64(k.y)+0.5)*edge) <= r {
				all = append(all, row{s, x, y, len(b.in.Clouds) + i})
			}
		}
	}
	return all
}

// apply gives the cells around a structure of a table its headroom, unless what was measured
// there is lower. A table does not say which road it means where one is above another: of the
// upper one it shows nothing that was not measured.
func (b *builder) apply(level int, k partKey, t *row, p *measure.Part, cells []artefact.Cell) {
	size := b.o.Cell
	for i := range cells {
		if p.Lane[i] < 0 || t.Lane > 0 && int(p.Lane[i]) != t.Lane {
			continue
		}
		x := b.grid.OriginX + (float64(k.x)*partCells-float64(b.halo)+float64(i%p.W)+0.5)*size
		y := b.grid.OriginY + (float64(k.y)*partCells-float64(b.halo)+float64(i/p.W)+0.5)*size
		if math.Hypot(x-t.x, y-t.y) > t.Length/2 {
			continue
		}
		c := &cells[i]
		if state := c.State(); level > 0 && state != artefact.Free && state != artefact.Measured {
			continue
		}
		lower := c.Safe() > max(0, t.Clearance-2*t.Uncertainty)
		if c.Flags == 0 {
			*c = artefact.NewCell()
			c.Lane, lower = int(p.Lane[i]), true
		}
		c.Flags |= artefact.Tabled
		if lower || c.Kind == artefact.Deck || c.Kind == artefact.Unexplained {
			c.Kind, c.Headroom, c.Sigma, c.Gap, c.Spread = artefact.Structure, t.Clearance, t.Uncertainty, 0, 0
			c.OverheadReturns, c.Source = 0, t.source
		}
	}
}
