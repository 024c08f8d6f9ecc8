package basemap

import (
	"math"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/planar"
	"github.com/paulmach/orb/simplify"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/basemap/shore"
	"github.com/waygate/waygate/importer/multipolygon"
)

// Boxes are wider than what an extract has in them: one cut along a border fills its box
// to a half. covered is the part of a box with roads, on a grid, and the land in the rest
// of the box is drawn as not mapped.

const (
	// coveredCells is the most cells across the longer side of a box, leastCoveredCell
	// the least size of a cell in metres: about as far as roads are apart in the country.
	coveredCells     = 96
	leastCoveredCell = 500
	// leastCoveredSide is the fewest cells across a box that is divided. A village is all
	// of its map.
	leastCoveredSide = 8
	// coveredMargin is how many cells lie round the box on each side, as averages need.
	coveredMargin = 8
	// coveredShare is the share of cells with roads round a covered one. A line that
	// leads out of the map has less, a straight edge of dense roads a half.
	coveredShare = 0.3
	// leastCovered is the smallest part, in cells.
	leastCovered = 6
)

// covered is where in a box roads are. It is immutable once its outline is made.
type covered struct {
	box   orb.Bound
	size  float64 // of a cell in world units
	grid  plane.Grid
	steps []uint8              // by cell, from what is covered
	rings [stepsOut][]orb.Ring // round what is covered, and round what is within each step of it, without holes
}

// newCovered makes a grid without roads over a box of world coordinates; nil if the box is too
// small to be divided.
func newCovered(box orb.Bound) *covered {
	side := max(box.Max[0]-box.Min[0], box.Max[1]-box.Min[1])
	lat := plane.Unproject(box.Center()).Lat
	size := max(side/coveredCells, leastCoveredCell/(equator*math.Cos(lat*math.Pi/180)))
	cells := int(math.Ceil(side / size))
	if cells < leastCoveredSide {
		return nil
	}
	return &covered{box: box, size: size, grid: plane.NewGrid(cells + 1 + 2*coveredMargin)}
}

// covered returns the boxes in which a part has no roads, with what of them has.
func (e *extract) covered(boxes []orb.Bound) (known []*covered) {
	var all []*covered
	for _, box := range boxes {
		if c := newCovered(box); c != nil {
			all = append(all, c)
		}
	}
	if len(all) == 0 {
		return nil
	}
	for at := range e.eachRoadNode {
		p := plane.Project(e.inTurn(at))
		for _, c := range all {
			c.mark(p)
		}
	}
	for _, c := range all {
		if c.outline() {
			known = append(known, c)
		}
	}
	return known
}

// cell returns the column and row that hold a place; false outside the grid.
func (c *covered) cell(p orb.Point) (index int, ok bool) {
	x := int(math.Floor((p[0]-c.box.Min[0])/c.size)) + coveredMargin
	y := int(math.Floor((p[1]-c.box.Min[1])/c.size)) + coveredMargin
	if x < 0 || y < 0 || x >= c.grid.Side || y >= c.grid.Side {
		return 0, false
	}
	return y*c.grid.Side + x, true
}

// mark records that a road is at a place.
func (c *covered) mark(p orb.Point) {
	if i, ok := c.cell(p); ok {
		c.grid.Values[i] = 1
	}
}

// holds reports whether a place is covered, once the outline is made.
func (c *covered) holds(p orb.Point) bool {
	i, ok := c.cell(p)
	return ok && c.grid.Values[i] > 0
}

// outline finds the rings round what is covered, and reports whether there are any.
func (c *covered) outline() bool {
	dense := averaged(c.grid, 4)
	for i, v := range dense.Values {
		c.grid.Values[i] = 0
		if v >= coveredShare {
			c.grid.Values[i] = 1
		}
	}
	c.growOut()
	for step := range c.rings {
		c.rings[step] = c.within(step)
	}
	return len(c.rings[0]) > 0
}

// within returns the rings round what is so many steps out of what is covered at most.
func (c *covered) within(step int) (rings []orb.Ring) {
	near := plane.NewGrid(c.grid.Side)
	for i, out := range c.steps {
		if int(out) <= step {
			near.Values[i] = 1
		}
	}
	smooth := averaged(near, 2)
	closed, _ := smooth.Isolines(0.35)
	for _, path := range closed {
		ring := make(orb.Ring, 0, len(path)+1)
		for _, at := range path {
			ring = append(ring, orb.Point{c.box.Min[0] + (at[0]-coveredMargin+0.5)*c.size, c.box.Min[1] + (at[1]-coveredMargin+0.5)*c.size})
		}
		ring = simplify.DouglasPeucker(c.size / 8).Ring(append(ring, ring[0]))
		// Rings of what is covered run one way, those of gaps in it the other.
		if multipolygon.Shoelace(ring) >= leastCovered*c.size*c.size {
			rings = append(rings, ring)
		}
	}
	return rings
}

// averaged blurs a grid so many times. Its outermost cells are 0, as without roads.
func averaged(g plane.Grid, times int) plane.Grid {
	for range times {
		side, inner := g.Side, g.Smoothed()
		g = plane.NewGrid(side)
		for y := range inner.Side {
			copy(g.Values[(y+1)*g.Side+1:], inner.Values[y*inner.Side:(y+1)*inner.Side])
		}
	}
	return g
}

// unmapped draws the part of the box that is not covered, whether land or sea, over which the
// sea is drawn.
func (c *covered) unmapped(land *shore.Shore) feature {
	return c.around(land, 0, seaRim, "unmapped")
}

// fading draws the land cover's end: areas round what is covered, each within the one before,
// that styles draw over it in the colour of the ground, so that it ends softly both there and
// at the sides of the box.
func (c *covered) fading(land *shore.Shore) (out []feature) {
	for step := range c.rings {
		f := c.around(land, step, seaRim*float64(len(c.rings)-step), "beyond")
		f.order += int32(1 + step)
		f.add("beyond", integer(1+step), 0)
		out = append(out, f)
	}
	return out
}

// around draws the box without what is so many steps out of what is covered at most, and without
// what lies further inside its sides than a share of its size.
func (c *covered) around(land *shore.Shore, step int, aside float64, kind string) feature {
	areas := orb.MultiPolygon{{land.Rim(c.box, seaRim)}}
	for _, part := range clipRings(c.box, c.rings[step], aside) {
		areas[0] = append(areas[0], part)
	}
	f := areaFeature(earth, areas)
	f.base, f.order = true, math.MinInt32+1 // over the land
	f.minZoom = unmappedZoom
	f.add("kind", text(kind), 0)
	return f
}

// edge draws where on land what is covered ends: at sea nothing is missing.
func (c *covered) edge(land orb.MultiPolygon) feature {
	var lines orb.MultiLineString
	for _, ring := range clipRings(c.box, c.rings[0], seaRim) {
		var run orb.LineString
		for _, p := range ring {
			switch {
			case planar.MultiPolygonContains(land, p):
				run = append(run, p)
				continue
			case len(run) > 1:
				lines = append(lines, run)
			}
			run = nil
		}
		if len(run) > 1 {
			lines = append(lines, run)
		}
	}
	f := lineFeature(earth, lines)
	f.minZoom = unmappedZoom
	f.add("kind", text("unmapped"), 0)
	return f
}

// coastFeature draws a coast without the sides of the map's boxes.
func coastFeature(lines []orb.LineString) feature {
	f := lineFeature(earth, lines)
	f.minZoom = coastZoom
	f.add("kind", text("coast"), 0)
	return f
}

// coastZoom is from where coasts are drawn as lines.
const coastZoom = 11

// unmappedZoom is from where land without a map is drawn as such: on earlier zooms a region is
// a spot on the map of the world.
const unmappedZoom = 6

// seaRim is by which share of a box what is not mapped ends before its sides at sea.
const seaRim = 0.01

// clipRings cuts rings to inside a box, by a share of its size and a little more, so that they
// stay holes of a rim.
func clipRings(box orb.Bound, rings []orb.Ring, share float64) (out []orb.Ring) {
	for axis := range box.Min {
		aside := 1.1 * share * (box.Max[axis] - box.Min[axis])
		box.Min[axis], box.Max[axis] = box.Min[axis]+aside, box.Max[axis]-aside
	}
	for _, r := range rings {
		for _, p := range clipAreas(box, orb.MultiPolygon{{r}}) {
			out = append(out, p[0])
		}
	}
	return out
}

// stepsOut is how many steps lines go out of what is covered until they are palest, of
// stepCells cells each.
const (
	stepsOut  = 4
	stepCells = 2
)

// growOut counts from the covered cells outwards in steps.
func (c *covered) growOut() {
	c.steps = make([]uint8, len(c.grid.Values))
	for i, v := range c.grid.Values {
		if v == 0 {
			c.steps[i] = stepsOut
		}
	}
	for ring := range (stepsOut - 1) * stepCells {
		var next []int
		for i, step := range c.steps {
			x, y := i%c.grid.Side, i/c.grid.Side
			if step < stepsOut || x == 0 || y == 0 || x == c.grid.Side-1 || y == c.grid.Side-1 {
				continue
			}
			if min(c.steps[i-1], c.steps[i+1], c.steps[i-c.grid.Side], c.steps[i+c.grid.Side]) < stepsOut {
				next = append(next, i)
			}
		}
		for _, i := range next {
			c.steps[i] = uint8(1 + ring/stepCells)
		}
	}
}

// out returns how many steps a place is from what is covered, 0 within.
func (c *covered) out(p orb.Point) int {
	if i, ok := c.cell(p); ok {
		return int(c.steps[i])
	}
	return stepsOut
}

// parted splits the lines of a road by how many steps they are out of what is covered.
func (c *covered) parted(lines orb.MultiLineString) (parts [stepsOut + 1]orb.MultiLineString) {
	for _, line := range lines {
		for from := 0; from+1 < len(line); {
			step := func(i int) int { return max(c.out(line[i]), c.out(line[i+1])) }
			out, to := step(from), from+1
			for to+1 < len(line) && step(to) == out {
				to++
			}
			parts[out] = append(parts[out], line[from:to+1])
			from = to
		}
	}
	return parts
}
