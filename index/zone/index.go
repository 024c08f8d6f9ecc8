package zone

import (
	"slices"

	"github.com/waygate/waygate/geo"
)

// Index has the zones of one region. It is immutable and safe for concurrent use; a nil
// Index is empty.
type Index struct{ placed []Placed }

// Placed is a zone with its area.
type Placed struct {
	Zone
	Area   *geo.Area
	Mapped bool // from the map, not from a dataset
}

// Crossing is a zone that a line runs through.
type Crossing struct {
	*Placed
	Stretches []geo.Stretch
}

// Place computes the areas of a dataset's zones, once for all regions.
func Place(zones []Zone, mapped bool) []Placed {
	list := make([]Placed, 0, len(zones))
	for _, z := range zones {
		if z.Boundary.Geometry != nil {
			list = append(list, Placed{Zone: z, Area: geo.NewArea(z.Boundary.Geometry.Polygons...), Mapped: mapped})
		}
	}
	return list
}

// NewIndex joins lists of zones, earlier lists first. A zone that an earlier one
// replaces, or whose id an earlier one has, is left out.
func NewIndex(lists ...[]Placed) *Index {
	x := &Index{}
	gone := map[string]bool{}
	for _, list := range lists {
		for _, p := range list {
			if gone[p.ID] {
				continue
			}
			gone[p.ID] = true
			for _, id := range p.Replaces {
				gone[id] = true
			}
			x.placed = append(x.placed, p)
		}
	}
	return x
}

// All lists the zones.
func (x *Index) All() []Placed {
	if x == nil {
		return nil
	}
	return x.placed
}

// Crossed returns the zones that a line runs through, in the order in which it enters
// them.
func (x *Index) Crossed(line []geo.Point) (list []Crossing) {
	if x == nil || len(x.placed) == 0 || len(line) < 2 {
		return nil
	}
	track := geo.NewTrack(line)
	for i := range x.placed {
		if in := x.placed[i].Area.Within(track); in != nil {
			list = append(list, Crossing{&x.placed[i], in})
		}
	}
	slices.SortStableFunc(list, func(a, b Crossing) int {
		switch p, q := a.Stretches[0].From, b.Stretches[0].From; {
		case p < q:
			return -1
		case p > q:
			return 1
		}
		return 0
	})
	return list
}
