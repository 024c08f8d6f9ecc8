package basemap

import (
	"cmp"
	"fmt"
	"slices"
	"sort"

	"github.com/waygate/waygate/geo"
)

// areas are the boxes of the map, the fullest first, and the box of the first view,
// round the roads.
type areas struct {
	boxes []geo.Bounds // of what the extracts know
	view  geo.Bounds
	edge  float64 // the share of its size that a box gets on each side
}

// areas chooses the boxes of the map: the bounds of the options; or else the extracts'
// own bounds, no wider than their data, with the roads that continue beyond; or else
// boxes round their roads. Overlapping boxes are joined.
func (o *Options) areas(e *extract) (areas, error) {
	if o.Bounds != (geo.Bounds{}) {
		e.turnTo(o.Bounds)
		b := e.turn(o.Bounds)
		if b.Empty() || !o.Bounds.Min.Valid() || !o.Bounds.Max.Valid() || b.Min.Lon == b.Max.Lon || b.Min.Lat == b.Max.Lat {
			return areas{}, fmt.Errorf("basemap: bounds from %v to %v hold nothing", o.Bounds.Min, o.Bounds.Max)
		}
		b = onMercator(b)
		return areas{boxes: []geo.Bounds{b}, view: b}, nil
	}
	data := e.around
	if data.Empty() {
		return areas{}, fmt.Errorf("basemap: the extracts hold nothing to draw (%d ways, %d tagged nodes)", len(e.drawnWays.objects), len(e.drawnNodes.objects))
	}
	roads, view := e.roadAreas()
	var boxes []geo.Bounds
	for _, b := range e.declared {
		b = e.turn(b)
		if b.Empty() || !b.Intersects(data) || b.Max.Lon-b.Min.Lon > 180 && width(roads) < 180 { // some programs give what lies across the antimeridian the whole globe
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
	for i, b := range boxes {
		for _, r := range roads {
			if r.Intersects(b) {
				boxes[i] = boxes[i].Union(r)
			}
		}
	}
	if len(boxes) == 0 {
		boxes = roads
	}
	if len(boxes) == 0 {
		boxes = []geo.Bounds{data}
	}
	if view.Empty() {
		view = boxes[0]
	}
	for i, b := range boxes {
		if b.Min.Lon == b.Max.Lon || b.Min.Lat == b.Max.Lat {
			// A single point or line: give it room to be seen.
			middle := geo.Point{Lon: (b.Min.Lon + b.Max.Lon) / 2, Lat: b.Centre().Lat}
			b = b.Union(geo.Around(middle, 1000))
		}
		if !e.across { // what does not cross the antimeridian does not come to cross it
			b.Min.Lon, b.Max.Lon = max(b.Min.Lon, -180), min(b.Max.Lon, 180)
		}
		boxes[i] = onMercator(b)
	}
	found := areas{boxes: unite(boxes), view: onMercator(view)}
	if len(found.boxes) == 1 { // several could come to overlap
		found.edge = edge
	}
	return found, nil
}

// edge is the margin beyond the outermost roads.
const edge = 0.04

// widened returns a box enlarged by a share of its size on each side.
func widened(b geo.Bounds, edge float64) geo.Bounds {
	lon, lat := edge*(b.Max.Lon-b.Min.Lon), edge*(b.Max.Lat-b.Min.Lat)
	wide := onMercator(geo.Bounds{
		Min: geo.Point{Lon: b.Min.Lon - lon, Lat: b.Min.Lat - lat},
		Max: geo.Point{Lon: b.Max.Lon + lon, Lat: b.Max.Lat + lat},
	})
	if b.Max.Lon <= 180 { // nor does what has more on each side
		wide.Max.Lon = min(wide.Max.Lon, 180)
	}
	wide.Min.Lon = max(wide.Min.Lon, -180)
	return wide
}

// maxDeclaredRatio limits how many times as large as the box of the data a declared box
// may be: that of an island has sea around it, but some programs declare the whole
// world.
const maxDeclaredRatio = 30

// width returns how many degrees of longitude boxes have together.
func width(boxes []geo.Bounds) (sum float64) {
	for _, b := range boxes {
		sum += b.Max.Lon - b.Min.Lon
	}
	return sum
}

func size(b geo.Bounds) float64 { return (b.Max.Lon - b.Min.Lon) * (b.Max.Lat - b.Min.Lat) }

// onMercator cuts a box to the Web Mercator square.
func onMercator(b geo.Bounds) geo.Bounds {
	b.Min.Lat, b.Max.Lat = max(b.Min.Lat, -85), min(b.Max.Lat, 85)
	if b.Width() > 360 {
		b.Min.Lon, b.Max.Lon = -180, 180
	}
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

// maxStretch is how many times as large as the box round most of a cluster's roads the
// box round all of them may be. Extracts contain stray ways that reach far out; those
// are drawn, but no ground beneath them.
const maxStretch = 3

// fullView is up to how many times as large the box round all roads is the first view,
// instead of that round most.
const fullView = 1.6

// roadAreas returns a box round each cluster of roads, the largest first, and one
// round most of the roads of all.
func (e *extract) roadAreas() (boxes []geo.Bounds, view geo.Bounds) {
	cells := map[cell][]geo.Fixed{}
	total := 0
	for at := range e.eachRoadNode {
		p := e.inTurn(at)
		c := cell{int32((p.Lon + 180) * cellsPerDegree), int32((p.Lat + 90) * cellsPerDegree)}
		cells[c] = append(cells[c], at)
		total++
	}
	var keys []cell
	for c := range cells {
		keys = append(keys, c)
	}
	slices.SortFunc(keys, func(a, b cell) int { return cmp.Or(cmp.Compare(a.y, b.y), cmp.Compare(a.x, b.x)) })
	var clusters []cluster
	for _, c := range keys {
		if of := component(cells, c); of.nodes > 0 {
			of.place = e.inTurn
			clusters = append(clusters, of)
		}
	}
	slices.SortStableFunc(clusters, func(a, b cluster) int { return cmp.Compare(b.nodes, a.nodes) })
	view = geo.NoBounds()
	for i, of := range clusters {
		if i > 0 && of.nodes < max(minClusterNodes, total/minClusterShare) {
			continue
		}
		most, whole := robustBox(of), geo.NoBounds()
		for p := range of.each {
			whole = whole.Extend(p)
		}
		if size(whole) > maxStretch*size(most) {
			whole = most
		}
		if size(whole) < fullView*size(most) {
			most = whole
		}
		view = view.Union(most)
		boxes = append(boxes, whole)
	}
	return boxes, view
}

// cluster are nodes in cells that are connected.
type cluster struct {
	cells [][]geo.Fixed
	nodes int
	place func(geo.Fixed) geo.Point
}

func (c *cluster) add(cell []geo.Fixed) {
	c.cells, c.nodes = append(c.cells, cell), c.nodes+len(cell)
}

func (c *cluster) each(yield func(geo.Point) bool) {
	for _, cell := range c.cells {
		for _, p := range cell {
			if !yield(c.place(p)) {
				return
			}
		}
	}
}

// component removes a cell and all that it is connected with from cells.
func component(cells map[cell][]geo.Fixed, from cell) (of cluster) {
	first, ok := cells[from]
	if !ok {
		return of
	}
	of.add(first)
	delete(cells, from)
	todo := []cell{from}
	for len(todo) > 0 {
		c := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for dy := int32(-1); dy <= 1; dy++ {
			for dx := int32(-1); dx <= 1; dx++ {
				n := cell{c.x + dx, c.y + dy}
				if more, ok := cells[n]; ok {
					of.add(more)
					delete(cells, n)
					todo = append(todo, n)
				}
			}
		}
	}
	return of
}

// robustBox returns a box round most of the nodes: it leaves out the outermost
// hundredth in each direction, then adds a tenth of its size on each side, no further
// than the nodes reach.
func robustBox(c cluster) geo.Bounds {
	values := make([]float64, 0, c.nodes)
	span := func(of func(geo.Point) float64) (lo, hi float64) {
		values = values[:0]
		for p := range c.each {
			values = append(values, of(p))
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
