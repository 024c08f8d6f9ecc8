package measure

import "math"

const (
	directions = 8
	fine       = 5   // steps to each side of a direction of scan lines
	fineStep   = 0.1 // degrees
	peaks      = 3   // directions of scan lines that are looked for
	apart      = 4   // degrees between them
	stripShare = 4   // bins in a strip
	everyPoint = 16  // points, of which one is counted at a time
	// halfStrip is half the length in metres of the strips that are looked at.
	halfStrip = 1.5
	// block is how many patches share their directions of scan lines.
	block = 2
	// lineBin is the width in metres of the bins in which scan lines show.
	lineBin = 0.01
	// mostLinePoints bounds the points that are looked at for scan lines.
	mostLinePoints = 1500
)

// xy is a point of the road from the centre of a patch, in metres.
type xy struct{ x, y float32 }

// findDense finds the patches across which no thin object can be missed.
func (w *above) findDense() {
	w.dense = make([]bool, len(w.patch.height))
	s := newStrips((w.o.LeastObject+w.o.Footprint)/w.o.Stretch, w.o.Cell*patchCells*math.Sqrt2)
	lines := newLines()
	for by := 0; by < w.patch.h; by += block {
		for bx := 0; bx < w.patch.w; bx += block {
			w.denseBlock(bx, by, s, lines)
		}
	}
}

// denseBlock looks at some patches with the same directions of scan lines, those of the patch
// with the most points.
func (w *above) denseBlock(bx, by int, s *strips, lines *lines) {
	var around [block * block][]xy
	most := -1
	for i := range around {
		px, py := bx+i%block, by+i/block
		if px >= w.patch.w || py >= w.patch.h || !w.nearPatch(py*w.patch.w+px) {
			continue
		}
		around[i] = w.roadPoints(s.room[i][:0], px, py)
		s.room[i] = around[i]
		if most < 0 || len(around[i]) > len(around[most]) {
			most = i
		}
	}
	if most < 0 {
		return
	}
	angles := lines.angles(around[most])
	for i, points := range around {
		if len(points) > 0 {
			s.points = points
			w.dense[(by+i/block)*w.patch.w+bx+i%block] = s.full(angles)
		}
	}
}

// nearPatch reports whether a patch has a road, and cells that are near one.
func (w *above) nearPatch(patch int) bool {
	near := false
	if w.patch.piece[patch] != 0 {
		w.inPatch(patch, func(cell int) { near = near || w.Lane[cell] >= 0 })
	}
	return near
}

// roadPoints returns the points of the road around the centre of a patch.
func (w *above) roadPoints(dst []xy, px, py int) []xy {
	size := w.o.Cell
	cx, cy := px*patchCells+patchCells/2, py*patchCells+patchCells/2
	half := int(math.Ceil(halfStrip / size))
	for j := max(0, cy-half); j < min(w.H, cy+half); j++ {
		for k := max(0, cx-half); k < min(w.W, cx+half); k++ {
			c := j*w.W + k
			pl := &w.planes[c]
			if w.ground[c].n == 0 || !pl.ok {
				continue
			}
			shaded := w.shade.beyond[w.shadeSquare(c)]
			for _, q := range w.of(c) {
				if q.Bits&Down != 0 || shaded>>(q.Pass%64)&1 != 0 {
					continue
				}
				if z := float64(q.Z); math.Abs(z-pl.at(float64(q.X)/size, float64(q.Y)/size)) <= nearRoad {
					dst = append(dst, xy{q.X - float32(float64(cx)*size), q.Y - float32(float64(cy)*size)})
				}
			}
		}
	}
	return dst
}

// strips counts points in strips through a patch.
type strips struct {
	points []xy
	room   [block * block][]xy // that is used again
	bin    float32
	half   float32
	counts []uint16
}

// newStrips is for strips of a width whose middles are within half an edge of the centre.
func newStrips(width, edge float64) *strips {
	s := &strips{bin: float32(width / stripShare), half: float32(edge / 2)}
	s.counts = make([]uint16, int(edge/(width/stripShare))+1)
	return s
}

// full reports whether each strip in any direction has enough points.
func (s *strips) full(angles []float64) bool {
	if len(s.points) < support*len(s.counts)/stripShare {
		return false
	}
	for _, a := range angles {
		if !s.fullAlong(a) {
			return false
		}
	}
	for d := range directions {
		if !s.fullAlong(math.Pi * float64(d) / directions) {
			return false
		}
	}
	return true
}

// fullAlong looks at strips along an angle. A strip has at least one bin less than its
// share as a whole, wherever it begins. Points of one place follow each other: where the road
// is dense, a few of each place are enough.
func (s *strips) fullAlong(angle float64) bool {
	clear(s.counts)
	sin64, cos64 := math.Sincos(angle)
	sin, cos, scale, n := float32(-sin64), float32(cos64), 1/s.bin, float32(len(s.counts))
	for first := range everyPoint {
		for i := first; i < len(s.points); i += everyPoint {
			p := &s.points[i]
			if v := (p.x*sin + p.y*cos + s.half) * scale; v >= 0 && v < n {
				s.counts[int(v)]++
			}
		}
		if s.enough() {
			return true
		}
	}
	return false
}

// enough reports whether each strip has as many points as support each other.
func (s *strips) enough() bool {
	c := s.counts
	for i := 0; i+stripShare-1 < len(c); i++ {
		if int(c[i])+int(c[i+1])+int(c[i+2]) < support {
			return false
		}
	}
	return true
}

// lines finds the directions of scan lines: seen along them, points are in few bins.
type lines struct {
	counts []int32
	score  [180]float64
}

func newLines() *lines {
	reach := math.Ceil(halfStrip * math.Sqrt2 / lineBin)
	return &lines{counts: make([]int32, 2*int(reach)+2)}
}

// angles returns the directions of scan lines and some close to each.
func (l *lines) angles(points []xy) []float64 {
	every := 1 + len(points)/mostLinePoints
	score := func(angle float64) (sum float64) {
		clear(l.counts)
		sin64, cos64 := math.Sincos(angle)
		sin, cos := float32(-sin64), float32(cos64)
		for i := 0; i < len(points); i += every {
			v := int((points[i].x*sin+points[i].y*cos)*(1/lineBin)) + len(l.counts)/2
			if v >= 0 && v < len(l.counts) {
				l.counts[v]++
			}
		}
		for _, c := range l.counts {
			sum += float64(c) * float64(c)
		}
		return sum
	}
	const degree = math.Pi / 180
	for i := range l.score {
		l.score[i] = score(float64(i) * degree)
	}
	var all []float64
	for range peaks {
		best := 0
		for i, v := range l.score {
			if v > l.score[best] {
				best = i
			}
		}
		if l.score[best] == 0 {
			break
		}
		top, angle := 0.0, 0.0
		for d := -10; d <= 10; d++ {
			a := (float64(best) + float64(d)*fineStep) * degree
			if v := score(a); v > top {
				top, angle = v, a
			}
		}
		for d := -fine; d <= fine; d++ {
			all = append(all, angle+float64(d)*fineStep*degree)
		}
		for d := -apart; d <= apart; d++ {
			l.score[(best+d+180)%180] = 0
		}
	}
	return all
}
