package build

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/waygate/waygate/clearance/artefact"
	"github.com/waygate/waygate/clearance/measure"
)

// measure measures one part after the other.
func (b *builder) measure(ctx context.Context, out *artefact.Writer) error {
	keys := make([]partKey, 0, len(b.parts))
	for k := range b.parts {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, c partKey) int {
		if a.y != c.y {
			return int(a.y - c.y)
		}
		return int(a.x - c.x)
	})
	for i, k := range keys {
		b.o.Progress("measuring", int64(i), int64(len(keys)))
		if err := b.measurePart(ctx, k, out); err != nil {
			return err
		}
	}
	b.o.Progress("measuring", int64(len(keys)), int64(len(keys)))
	return nil
}

func (b *builder) measurePart(ctx context.Context, k partKey, out *artefact.Writer) error {
	bucket := b.spill.parts[k]
	tabled := b.tabled(k)
	if bucket == nil && len(tabled) == 0 {
		return nil
	}
	n := partCells + 2*b.halo
	p := &measure.Part{W: n, H: n, Overlooked: b.overlooked(k)}
	lowest := func(*Road) bool { return true } // a table alone does not say which road it means
	if bucket != nil {
		lowest = onGround
		if err := b.points(k, bucket, p); err != nil {
			return err
		}
	}
	delete(b.spill.parts, k)
	p.Lane = b.lanes(k, lowest)
	if err := b.measureLevel(ctx, 0, k, p, tabled, out); err != nil {
		return err
	}
	if p.Surface = b.deckOf(k, p.Base); p.Surface == nil {
		return nil
	}
	p.Lane = b.lanes(k, onBridge)
	return b.measureLevel(ctx, 1, k, p, tabled, out)
}

// measureLevel measures a part on a level.
func (b *builder) measureLevel(ctx context.Context, level int, k partKey, p *measure.Part, tabled []row, out *artefact.Writer) error {
	cells, counts, err := measure.Measure(ctx, &b.o.Options, p)
	if err != nil {
		return err
	}
	b.counts.Isolated += counts.Isolated
	b.counts.Squares += counts.Squares
	b.counts.Planes += counts.Planes
	for _, t := range tabled {
		b.apply(level, k, &t, p, cells)
	}
	return b.write(level, k, p, cells, out)
}

// points reads the returns of a part.
func (b *builder) points(k partKey, bucket *bucket, p *measure.Part) error {
	every := (bucket.points + b.o.MostPoints - 1) / b.o.MostPoints
	p.Points = make([]measure.Point, 0, bucket.points/every+1)
	x0 := (int64(k.x)*partCells - int64(b.halo)) * int64(math.Round(b.o.Cell/fixed))
	y0 := (int64(k.y)*partCells - int64(b.halo)) * int64(math.Round(b.o.Cell/fixed))
	base, known := int64(0), false
	number := map[uint16]int{} // of the passes, within the part
	err := bucket.each(b.spill.file, every, func(r record) {
		pass, ok := number[r.pass]
		if !ok {
			pass = len(number)
			number[r.pass] = pass
			p.Survey = append(p.Survey, b.survey[r.source])
		}
		if !known {
			base, known = int64(r.z), true
		}
		bits := r.bits
		if b.in.Clouds[r.source].View == Below {
			bits |= measure.Below
		}
		if !b.up.looks(r.pass) {
			bits |= measure.Down
		}
		p.Points = append(p.Points, measure.Point{
			X: float32(float64(int64(r.x)-x0) * fixed), Y: float32(float64(int64(r.y)-y0) * fixed), Z: float32(float64(int64(r.z)-base) * fixed),
			Class: r.class, Bits: bits, Source: uint8(r.source), Pass: uint8(pass),
		})
	})
	p.Base = float64(base) * fixed
	if len(number) > mostPartPasses {
		return fmt.Errorf("%d files and point source IDs have points in a square of %.0f m at %.0f, %.0f; the limit is %d",
			len(number), b.o.Cell*partCells, b.grid.OriginX+float64(k.x)*b.o.Cell*partCells, b.grid.OriginY+float64(k.y)*b.o.Cell*partCells, mostPartPasses)
	}
	return err
}

// lanes returns the lane of each cell of a part with those around it, of some roads. Where roads
// meet, the road on whose carriageway a cell is more counts.
func (b *builder) lanes(k partKey, of func(*Road) bool) []int16 {
	n := partCells + 2*b.halo
	lane := make([]int16, n*n)
	best := make([]float32, n*n)
	for i := range lane {
		lane[i], best[i] = -1, math.MaxFloat32
	}
	size := b.o.Cell
	x0 := b.grid.OriginX + (float64(k.x)*partCells-float64(b.halo))*size
	y0 := b.grid.OriginY + (float64(k.y)*partCells-float64(b.halo))*size
	for _, index := range b.parts[k].roads {
		r := &b.roads[index]
		if !of(r) {
			continue
		}
		reach := b.reach(r)
		clip := func(v float64) int { return max(0, min(n-1, int(v))) }
		for j := clip((min(r.AY, r.BY) - reach - y0) / size); j <= clip((max(r.AY, r.BY)+reach-y0)/size); j++ {
			for i := clip((min(r.AX, r.BX) - reach - x0) / size); i <= clip((max(r.AX, r.BX)+reach-x0)/size); i++ {
				x, y := x0+(float64(i)+0.5)*size, y0+(float64(j)+0.5)*size
				d, left := r.offset(x, y)
				at := j*n + i
				if d > reach || r.beyond(x, y) || float32(d-r.Half) >= best[at] {
					continue
				}
				best[at] = float32(d - r.Half)
				lane[at] = 0
				if d <= r.Half {
					lane[at] = 1 + int16(max(0, min(float64(r.Lanes-1), math.Floor((r.Half-left)/(2*r.Half)*float64(r.Lanes)))))
				}
			}
		}
	}
	return lane
}

// write adds the tiles of a part.
func (b *builder) write(level int, k partKey, p *measure.Part, cells []artefact.Cell, out *artefact.Writer) error {
	for ty := range partTiles {
		for tx := range partTiles {
			var tile [artefact.TileCells * artefact.TileCells]*artefact.Cell
			for i := range tile {
				at := (b.halo+ty*artefact.TileCells+i/artefact.TileCells)*p.W + b.halo + tx*artefact.TileCells + i%artefact.TileCells
				// A cell of which nothing is known is not written: it is as if there were none.
				if c := &cells[at]; p.Lane[at] >= 0 && c.Flags != 0 {
					tile[i] = c
				}
				if p.Lane[at] >= 0 {
					b.count(&cells[at])
				}
			}
			if err := out.Add(level, int(k.x)*partTiles+tx, int(k.y)*partTiles+ty, &tile); err != nil {
				return err
			}
		}
	}
	return nil
}
