package build

import "math"

// sight is how far a road may be, in metres, from which a scanner sees the one of a part below
// what stands there.
const sight = 40.0

// wide are the roads in squares of sight, by their numbers.
type wide map[[2]int32][]int32

func (b *builder) findWide() {
	b.wide = wide{}
	for i := range b.roads {
		r := &b.roads[i]
		for x := square(min(r.AX, r.BX)); x <= square(max(r.AX, r.BX)); x++ {
			for y := square(min(r.AY, r.BY)); y <= square(max(r.AY, r.BY)); y++ {
				b.wide[[2]int32{x, y}] = append(b.wide[[2]int32{x, y}], int32(i))
			}
		}
	}
}

func square(v float64) int32 { return int32(math.Floor(v / sight)) }

// overlooked reports whether a scanner may have looked at the road of a part from elsewhere than
// its carriageway and what continues that straight: from another within sight, or from round a bend.
func (b *builder) overlooked(k partKey) bool {
	edge := b.o.Cell * partCells
	cx, cy := b.grid.OriginX+(float64(k.x)+0.5)*edge, b.grid.OriginY+(float64(k.y)+0.5)*edge
	var own *Road
	for _, i := range b.parts[k].roads {
		if r := &b.roads[i]; own == nil || r.distance(cx, cy) < own.distance(cx, cy) {
			own = r
		}
	}
	far := edge/2 + sight
	for x := square(cx - far); x <= square(cx+far); x++ {
		for y := square(cy - far); y <= square(cy+far); y++ {
			for _, i := range b.wide[[2]int32{x, y}] {
				if b.roads[i].beside(own, cx, cy, far) {
					return true
				}
			}
		}
	}
	return false
}

// beside reports whether some place of a road in a square about another place is beside the line of
// a second road, by more than its half and a lane. far is half the edge of the square.
func (r *Road) beside(own *Road, x, y, far float64) bool {
	dx, dy := r.BX-r.AX, r.BY-r.AY
	ox, oy := own.BX-own.AX, own.BY-own.AY
	long, n := math.Hypot(dx, dy), math.Hypot(ox, oy)
	if long == 0 || n == 0 {
		return false
	}
	dx, dy, ox, oy = dx/long, dy/long, ox/n, oy/n
	const step = 5
	nearest := (x-r.AX)*dx + (y-r.AY)*dy
	to := min(long, nearest+far*math.Sqrt2)
	for at := max(0, nearest-far*math.Sqrt2); ; at += step {
		at = min(at, to)
		px, py := r.AX+at*dx, r.AY+at*dy
		if max(math.Abs(px-x), math.Abs(py-y)) <= far && math.Abs((py-own.AY)*ox-(px-own.AX)*oy) > own.Half+laneWidth {
			return true
		}
		if at >= to {
			return false
		}
	}
}
