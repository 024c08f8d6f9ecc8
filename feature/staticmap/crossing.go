package staticmap

import (
	"slices"

	"github.com/waygate/waygate/geo"
)

// Bounds of what is done for a ring that crosses itself.
const (
	maxCorners  = 1000
	maxSplits   = 32
	leastCorner = 3
)

// parts gives polygons without a ring that crosses itself, which the renderer
// would leave out where its parts cancel each other: a ring is cut in two where it
// does. Polygons with holes and very long rings stay as they are.
func parts(p rings) polygons {
	if len(p) != 1 || len(p[0]) > maxCorners {
		return polygons{p}
	}
	var done polygons
	open := make(geo.Ring, 0, len(p[0])-1)
	for _, at := range p[0][:len(p[0])-1] {
		open = append(open, geo.Point{Lon: at[0], Lat: at[1]})
	}
	waiting := []geo.Ring{open}
	for splits := 0; len(waiting) > 0; {
		r := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		a, b, cut := halves(r)
		if cut && splits < maxSplits {
			splits++
			waiting = append(waiting, a, b)
			continue
		}
		if len(r) >= leastCorner {
			done = append(done, rings{closing(r)})
		}
	}
	return done
}

// halves cuts a ring at the first place where it crosses itself.
func halves(r geo.Ring) (a, b geo.Ring, ok bool) {
	i, j, ok := r.Crosses()
	if !ok {
		return nil, nil, false
	}
	from, to, _ := geo.Crossing(r[i], r[i+1], r[j], r[(j+1)%len(r)])
	if from != to {
		return nil, nil, false // a stretch, which takes up no room
	}
	at := geo.Point{Lon: r[i].Lon + from*(r[i+1].Lon-r[i].Lon), Lat: r[i].Lat + from*(r[i+1].Lat-r[i].Lat)}
	a = append(geo.Ring{at}, r[i+1:j+1]...)
	b = append(append(geo.Ring{at}, r[j+1:]...), r[:i+1]...)
	a, b = distinct(a), distinct(b)
	return a, b, len(a) < len(r) && len(b) < len(r)+1
}

// distinct leaves out corners that are where the one before is.
func distinct(r geo.Ring) geo.Ring {
	r = slices.Compact(r)
	if len(r) > 1 && r[0] == r[len(r)-1] {
		r = r[:len(r)-1]
	}
	return r
}

func closing(r geo.Ring) line {
	out := make(line, 0, len(r)+1)
	for _, p := range append(slices.Clone(r), r[0]) {
		out = append(out, position{p.Lon, p.Lat})
	}
	return out
}
