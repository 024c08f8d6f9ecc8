package geo

import "math"

// maxUneven is how often a part of a line is divided where it lies farthest from its chord. What
// is left then is divided in halves, since each point of a long zigzag could take one more
// division, and each division a look at all the others.
const maxUneven = 128

// Simplify drops the points of a line that lie within metres of the line
// without them (Douglas and Peucker, 1973). The ends stay; the order stays.
// The result is a new slice. It takes time in proportion to the points.
func Simplify(line []Point, metres float64) []Point {
	keep, _ := simplify(line, metres)
	var kept []Point
	for i, p := range line {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept
}

// simplify reports which points stay, and how many times a point was compared with a chord.
func simplify(line []Point, metres float64) (keep []bool, compared int) {
	keep = make([]bool, len(line))
	if len(line) < 3 {
		for i := range keep {
			keep[i] = true
		}
		return keep, 0
	}
	keep[0], keep[len(line)-1] = true, true
	type span struct{ from, to, depth int }
	// A stack, not recursion: a spiral of a million points must not overflow.
	spans := []span{{0, len(line) - 1, 0}}
	for len(spans) > 0 {
		s := spans[len(spans)-1]
		spans = spans[:len(spans)-1]
		farthest, most := 0, metres*metres
		for i := s.from + 1; i < s.to; i++ {
			if _, square := nearest(line[i], math.Cos(rad(line[i].Lat)), line[s.from], line[s.to]); square > most {
				farthest, most = i, square
			}
		}
		compared += s.to - s.from - 1
		if farthest == 0 {
			continue
		}
		if s.depth >= maxUneven {
			farthest = (s.from + s.to) / 2
		}
		keep[farthest] = true
		spans = append(spans, span{s.from, farthest, s.depth + 1}, span{farthest, s.to, s.depth + 1})
	}
	return keep, compared
}
