package contour

import (
	"context"

	"github.com/waygate/waygate/geo"
)

// crossing reports whether what was reached lies on both sides of the antimeridian.
func (b *box) crossing() bool { return int64(b.maxX)-int64(b.minX) > 180e7 }

// halves draws each side of the antimeridian by itself, as RFC 7946 requires.
func (d *Drawer) halves(ctx context.Context, r *Reached, levels []Level, o Options) ([][]Polygon, error) {
	out := make([][]Polygon, len(levels))
	for _, east := range [...]bool{true, false} {
		part, err := d.Draw(ctx, r.half(east), levels, o)
		if err != nil {
			return nil, err
		}
		for i := range out {
			out[i] = append(out[i], part[i]...)
		}
	}
	return out, nil
}

// half returns what lies east or west of Greenwich. It leaves out lines across the
// antimeridian, which are too short to be seen.
func (r *Reached) half(east bool) *Reached {
	within := func(line Line) bool {
		first, last := line[0], line[len(line)-1]
		return (first.Lon >= 0) == east && !geo.Across(first, last)
	}
	h := &Reached{Whole: make([][]Line, len(r.Whole)), Parts: make([][]Part, len(r.Parts))}
	for i, roads := range r.Whole {
		for _, line := range roads {
			if within(line) {
				h.Whole[i] = append(h.Whole[i], line)
			}
		}
	}
	for i, list := range r.Parts {
		for _, p := range list {
			if (p.box.minX >= 0) == east {
				h.Parts[i] = append(h.Parts[i], p)
			}
		}
	}
	for _, s := range r.Strokes {
		if within(s.Line) {
			h.Strokes = append(h.Strokes, s)
		}
	}
	return h
}
