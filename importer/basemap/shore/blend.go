package shore

import (
	"math"
	"slices"

	"github.com/paulmach/orb"
	"github.com/paulmach/orb/clip"

	"github.com/waygate/waygate/importer/basemap/plane"
	"github.com/waygate/waygate/importer/multipolygon"
)

// Coarse is the land of a map of the world in a box and round it, with its coast: the sides
// of the land without those along which it was cut.
type Coarse struct {
	Land  orb.MultiPolygon
	Coast []orb.LineString
}

// Blending says how an extract's coast turns into that of the world.
type Blending struct {
	World Coarse
	// Known reports whether the extract has data at a position; nil stands for everywhere.
	Known func(orb.Point) bool
	Metre float64 // in the units of the plane
}

// Distances in metres. Within certain of its data an extract's coast is its own, as the
// world's lacks small islands, harbours and polders; beyond doubtful it is the world's. Past
// an end in the middle of the box it turns into the world's over turning, which is twice as
// far as two coasts of one place are apart. On a coarse grid, as of a box of a thousand
// kilometres, they are as many more gaps as positions beside a coast must be within certain of it.
const (
	certain  = 2000
	doubtful = 6000
	turning  = 3000
	leastGap = 100 // of positions on the grid
	mostGaps = 640 // across the grid

	certainGaps = 1.5 // the corners of a gap through which a coast leads are nearer to it
	turningGaps = 6
)

// Blend divides a wide box as Divide does, but so that at its sides the coast is the
// world's, and so it is where the extract has none. In between, what is land is
// decided by the weighted sum of the distances to both coasts, so that one turns into the
// other. Without a coast of the world nothing differs, nor where the two do not become one that
// divides the box, as they may not if the extract's ends where it has data.
func Blend(work *multipolygon.Effort, lines []Coast, box, wide orb.Bound, with Blending) Shore {
	var coast []orb.LineString
	for _, line := range with.World.Coast {
		coast = append(coast, clip.LineString(wide, line)...)
	}
	if len(coast) == 0 {
		return Divide(work, lines, box, wide)
	}
	own, islands := divide(work, lines, box, wide)
	b := newBlend(own, coast, box, wide, with)
	sum := plane.NewGrid(b.side)
	for i := range sum.Values {
		mine, w := b.own(i)
		sum.Values[i] = w*mine + (1-w)*b.worlds(i)
		if w == 1 {
			sum.Values[i] = math.NaN() // what the extract has is drawn as it is
		}
	}
	blended := Divide(work, slices.Concat(b.kept(&sum), b.coasts(&sum)), wide, wide)
	blended.Loose = own.Loose
	if !blended.fills(wide) {
		cut(work, own.Sea, islands)
		return own
	}
	return blended
}

// fills reports whether land and sea have about the area of a box: they have a multiple of it, or
// none, where one lies over the other.
func (s *Shore) fills(box orb.Bound) bool {
	area := (box.Max[0] - box.Min[0]) * (box.Max[1] - box.Min[1])
	return math.Abs(multipolygon.Area(s.Land)+multipolygon.Area(s.Sea)-area) < 0.02*area
}

// CoastOf returns the sides of land that do not lie on those of a box.
func CoastOf(land orb.MultiPolygon, box orb.Bound) (out []orb.LineString) {
	for _, p := range land {
		for _, ring := range p {
			first := slices.IndexFunc(ring, func(p orb.Point) bool { return onSide(p, box) })
			if first < 0 {
				out = append(out, orb.LineString(ring))
				continue
			}
			n := len(ring) - 1
			run := orb.LineString{ring[first%n]}
			for k := 1; k <= n; k++ {
				at := ring[(first+k)%n]
				if along(run[len(run)-1], at, box) {
					run = orb.LineString{at}
					continue
				}
				if run = append(run, at); onSide(at, box) {
					out, run = append(out, run), orb.LineString{at}
				}
			}
		}
	}
	return out
}

// along reports whether a stretch lies on a side of a box.
func along(a, b orb.Point, box orb.Bound) bool {
	for axis := range a {
		if a[axis] == b[axis] && (a[axis] == box.Min[axis] || a[axis] == box.Max[axis]) {
			return true
		}
	}
	return false
}

// blend has at each position of a raster whether it is land on both maps and how far the
// coasts are.
type blend struct {
	raster
	box   orb.Bound
	reach orb.Bound // up to where the extract's coast is known
	with  Blending
	metre float64            // of the distances: more than a metre where gaps are wide
	coast []orb.LineString   // of the extract, in the box
	ends  map[orb.Point]bool // of the coast, in the middle of the box

	given, guessed, data, world field // what the extract has of a coast, where it was drawn on, where there is data
	land, worldLand             []bool
}

func newBlend(own Shore, world []orb.LineString, box, wide orb.Bound, with Blending) *blend {
	b := &blend{raster: newRaster(wide, with.Metre), box: box, reach: own.reach, with: with, ends: map[orb.Point]bool{}}
	b.metre = max(with.Metre, certainGaps*b.gap()/certain)
	for _, line := range CoastOf(own.Land, wide) {
		if line[0] == line[len(line)-1] {
			b.coast = append(b.coast, line) // in its right direction
		}
	}
	b.coast = append(b.coast, own.pieces...)
	for _, piece := range own.pieces {
		for _, end := range []orb.Point{piece[0], piece[len(piece)-1]} {
			b.ends[end] = !onSide(end, box)
		}
	}
	b.land, b.worldLand = b.inside(own.Land), b.inside(with.World.Land)
	b.given, b.guessed, b.world = b.toLines(b.coast), b.toLines(own.guessed), b.toLines(world)
	b.data = b.toLines(b.coast, b.known()...)
	return b
}

// known returns the positions with data of the extract.
func (b *blend) known() (at []int) {
	for i := range b.side * b.side {
		if p := b.at(i); b.box.Contains(p) && (b.with.Known == nil || b.with.Known(p)) {
			at = append(at, i)
		}
	}
	return at
}

// limited returns a distance of at most doubtful, negative if it is to land.
func (b *blend) limited(away float64, land bool) float64 {
	away = min(away, doubtful*b.metre)
	if !land {
		return -away
	}
	return away
}

// worlds returns how far a position is from the world's coast, negative at sea.
func (b *blend) worlds(i int) float64 { return b.limited(b.world.away[i], b.worldLand[i]) }

// own returns how far a position is from the extract's coast, negative at sea, and how much
// that counts, 0 to 1. Past an end of the coast it is taken to go straight on for a while.
func (b *blend) own(i int) (mine, weight float64) {
	gap, metre := b.gap(), b.metre
	away := b.given.away[i]
	mine, weight = b.limited(away, b.land[i]), 1-unit((b.data.away[i]-certain*metre)/((doubtful-certain)*metre))
	if s := b.given.nearest[i]; s >= 0 {
		p, q, at := b.given.stretches[s][0], b.given.stretches[s][1], b.at(i)
		share := foot(at, p, q)
		dx, dy, length := q[0]-p[0], q[1]-p[1], distance(p, q)
		aside := ((at[0]-p[0])*dy - (at[1]-p[1])*dx) / max(length, 1e-300) // to the left
		onward := ((at[0]-q[0])*dx + (at[1]-q[1])*dy) / max(length*away, 1e-300)
		if share == 0 {
			onward = ((p[0]-at[0])*dx + (p[1]-at[1])*dy) / max(length*away, 1e-300)
		}
		switch atEnd := share == 1 && b.ends[q] || share == 0 && b.ends[p]; {
		case atEnd:
			mine = b.limited(math.Abs(aside), aside > 0)
			weight = min(weight, 1-unit((away-2*gap)/max(turning*b.with.Metre, turningGaps*gap))*unit(2*onward))
		case b.guessed.away[i] < away:
			mine = b.limited(away, aside > 0)
		}
	}
	return mine, min(weight, b.inMargin(b.at(i)))
}

// inMargin returns 1 where the coast is known and less the nearer a point is to the sides of the wide
// box.
func (b *blend) inMargin(p orb.Point) float64 {
	least, share := leastMargin*float64(b.side)*b.gap(), 1.0
	wide := b.raster.box
	for axis := range p {
		share = min(share, (p[axis]-wide.Min[axis])/max(least, b.reach.Min[axis]-wide.Min[axis]), (wide.Max[axis]-p[axis])/max(least, wide.Max[axis]-b.reach.Max[axis]))
	}
	return unit(share)
}

// leastMargin is the share of a box in which its coast turns into the world's if there is no
// margin round it.
const leastMargin = 0.02

func unit(v float64) float64 { return max(0, min(1, v)) }

// kept returns what of the extract's coast lies where that is drawn, in pieces.
func (b *blend) kept(sum *plane.Grid) (out []Coast) {
	inside := func(p orb.Point) bool {
		x, y := b.cell(p)
		if x < 0 || y < 0 || x >= b.side-1 || y >= b.side-1 {
			return false
		}
		return math.IsNaN(sum.At(x, y)) && math.IsNaN(sum.At(x+1, y)) && math.IsNaN(sum.At(x, y+1)) && math.IsNaN(sum.At(x+1, y+1))
	}
	for _, line := range b.coast {
		if !slices.ContainsFunc(line, func(p orb.Point) bool { return !inside(p) }) {
			out = append(out, named(line, line[0] == line[len(line)-1]))
			continue
		}
		var run orb.LineString
		end := func() {
			if len(run) > 1 {
				out = append(out, named(run, false))
			}
			run = nil
		}
		for i := 1; i < len(line); i++ {
			p, q := line[i-1], line[i]
			steps := 1
			if !inside(p) || !inside(q) {
				steps = b.steps(p, q)
			}
			for k := range steps + 1 {
				switch at := between(p, q, float64(k)/float64(steps)); {
				case !inside(at):
					end()
				case k > 0 || len(run) == 0:
					run = append(run, at)
				}
			}
		}
		end()
	}
	for i := range out {
		out[i].number(i)
	}
	return out
}

// named returns a line as a coast, a closed one as a ring.
func named(line orb.LineString, closed bool) Coast {
	c := Coast{Last: 1, Points: line}
	if closed {
		c.Last = 0
	}
	return c
}

// number makes the ends of a coast differ from those of the others of a list.
func (c *Coast) number(i int) { c.First, c.Last = c.First+int64(2*i), c.Last+int64(2*i) }

func between(p, q orb.Point, share float64) orb.Point {
	return orb.Point{p[0] + (q[0]-p[0])*share, p[1] + (q[1]-p[1])*share}
}
