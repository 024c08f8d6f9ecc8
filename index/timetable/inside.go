package timetable

import "github.com/waygate/waygate/geo"

// Inside calls yield for every stop in a box, in no order. A box whose west is the larger
// lies across the antimeridian.
func (x *Index) Inside(b geo.Bounds, yield func(stop uint32)) {
	if len(x.stops) == 0 {
		return
	}
	low, high := b.Min.Fix(), b.Max.Fix()
	first, last := max(0, int(rowOf(low.Lat))-int(x.southRow[0])), min(len(x.stopRow)-2, int(rowOf(high.Lat))-int(x.southRow[0]))
	for r := first; r <= last; r++ {
		for n := x.stopRow[r]; n < x.stopRow[r+1]; n++ {
			at := x.stops[n].At
			in := at.Lon >= low.Lon && at.Lon <= high.Lon
			if low.Lon > high.Lon {
				in = at.Lon >= low.Lon || at.Lon <= high.Lon
			}
			if in && at.Lat >= low.Lat && at.Lat <= high.Lat {
				yield(n)
			}
		}
	}
}
