package basemap

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/waygate/waygate/geo"
)

// areas chooses the boxes the map consists of, the fullest first: the bounds
// asked for; else what the extracts declare, no wider than what they hold;
// else boxes round their roads. Boxes that overlap become one.
func (o *Options) areas(e *extract) ([]geo.Bounds, error) {
	if o.Bounds != (geo.Bounds{}) {
		b := o.Bounds
		if b.Empty() || !b.Min.Valid() || !b.Max.Valid() || b.Min.Lon == b.Max.Lon || b.Min.Lat == b.Max.Lat {
			return nil, fmt.Errorf("basemap: bounds from %v to %v hold nothing", b.Min, b.Max)
		}
		return []geo.Bounds{onMercator(b)}, nil
	}
	data := e.nodeBounds()
	if data.Empty() {
		return nil, fmt.Errorf("basemap: the extracts hold nothing to draw (%d ways, %d tagged nodes)", len(e.ways), len(e.nodes))
	}
	var boxes []geo.Bounds
	for _, b := range e.declared {
		if b.Empty() || !b.Intersects(data) {
			boxes = nil
			break
		}
		if size(b) <= maxDeclaredRatio*size(data) {
			boxes = append(boxes, b)
			continue
		}
		boxes = append(boxes, geo.Bounds{
			Min: geo.Point{Lon: max(b.Min.Lon, data.Min.Lon), Lat: max(b.Min.Lat, data.Min.Lat)},
			Max: geo.Point{Lon: min(b.Max.Lon, data.Max.Lon), Lat: min(b.Max.Lat, data.Max.Lat)},
		})
	}
	if len(boxes) == 0 {
		boxes = e.roadAreas()
	}
	if len(boxes) == 0 {
		boxes = []geo.Bounds{data}
	}
	for i, b := range boxes {
		if b.Min.Lon == b.Max.Lon || b.Min.Lat == b.Max.Lat {
			// A single point or line: give it room to be seen.
			b = b.Union(geo.Around(b.Centre(), 1000))
		}
		boxes[i] = onMercator(b)
	}
	return unite(boxes), nil
}

// maxDeclaredRatio is how many times as large as the box of the data a declared box
// may be to be believed: that of an island has sea around it, but some programs
// declare the whole world.
const maxDeclaredRatio = 30

func size(b geo.Bounds) float64 { return (b.Max.Lon - b.Min.Lon) * (b.Max.Lat - b.Min.Lat) }

// onMercator keeps a box on the Web Mercator square.
func onMercator(b geo.Bounds) geo.Bounds {
	b.Min.Lat, b.Max.Lat = max(b.Min.Lat, -85), min(b.Max.Lat, 85)
	b.Min.Lon, b.Max.Lon = max(b.Min.Lon, -180), min(b.Max.Lon, 180)
	return b
}

// unite merges boxes that overlap until none do.
func unite(boxes []geo.Bounds) []geo.Bounds {
	var out []geo.Bounds
	for _, b := range boxes {
		for {
			i := slices.IndexFunc(out, b.Intersects)
			if i < 0 {
				break
			}
			b = b.Union(out[i])
			out = slices.Delete(out, i, i+1)
		}
		out = append(out, b)
	}
	return out
}

// cell is a square of a whole degree divided by cellsPerDegree.
type cell struct{ x, y int32 }

const cellsPerDegree = 2

// Clusters with fewer road nodes than minClusterNodes, or than one in
// minClusterShare of all, are strays, unless there is no other.
const (
	minClusterNodes = 20
	minClusterShare = 500
)

// roadAreas is a box round each cluster of roads, the largest first. Extracts
// hold stray ways that reach far out, so a box leaves out the outermost
// hundredth of the cluster's nodes in each direction, then gets a tenth of its
// size back on each side, no further than the nodes reach.
func (e *extract) roadAreas() []geo.Bounds {
	cells := map[cell][]geo.Point{}
	total := 0
	for _, w := range e.ways {
		if !w.Tags.Has("highway") {
			continue
		}
		for _, id := range w.Nodes {
			if i, ok := slices.BinarySearch(e.ids, id); ok && e.version[i] >= 0 {
				p := e.at[i].Point()
				c := cell{int32((p.Lon + 180) * cellsPerDegree), int32((p.Lat + 90) * cellsPerDegree)}
				cells[c] = append(cells[c], p)
				total++
			}
		}
	}
	var keys []cell
	for c := range cells {
		keys = append(keys, c)
	}
	slices.SortFunc(keys, func(a, b cell) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	var clusters [][]geo.Point
	for _, c := range keys {
		if points := component(cells, c); len(points) > 0 {
			clusters = append(clusters, points)
		}
	}
	slices.SortStableFunc(clusters, func(a, b []geo.Point) int { return cmp.Compare(len(b), len(a)) })
	var out []geo.Bounds
	for i, points := range clusters {
		if i == 0 || len(points) >= max(minClusterNodes, total/minClusterShare) {
			out = append(out, robustBox(points))
		}
	}
	return out
}

// component removes a cell and all that it is connected with from cells.
func component(cells map[cell][]geo.Point, from cell) []geo.Point {
	points, ok := cells[from]
	if !ok {
		return nil
	}
	delete(cells, from)
	todo := []cell{from}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				n := cell{c.x + dx, c.y + dy}
				if more, ok := cells[n]; ok {
					points = append(points, more...)
					delete(cells, n)
					todo = append(todo, n)
				}
			}
		}
	}
	return points
}

func robustBox(points []geo.Point) geo.Bounds {
	values := make([]float64, len(points))
	span := func(of func(geo.Point) float64) (lo, hi float64) {
		for i, p := range points {
			values[i] = of(p)
		}
		sort.Float64s(values)
		cut := len(values) / 100
		lo, hi = values[cut], values[len(values)-1-cut]
		margin := (hi - lo) / 10
		return max(lo-margin, values[0]), min(hi+margin, values[len(values)-1])
	}
	var b geo.Bounds
	b.Min.Lon, b.Max.Lon = span(func(p geo.Point) float64 { return p.Lon })
	b.Min.Lat, b.Max.Lat = span(func(p geo.Point) float64 { return p.Lat })
	return b
}
