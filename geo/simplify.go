package geo

// Simplify drops the points of a line that lie within metres of the line
// without them (Douglas and Peucker, 1973). The ends stay; the order stays.
// The result is a new slice.
func Simplify(line []Point, metres float64) []Point {
	if len(line) < 3 {
		return append([]Point(nil), line...)
	}
	keep := make([]bool, len(line))
	keep[0], keep[len(line)-1] = true, true
	// A stack, not recursion: a spiral of a million points must not overflow.
	spans := [][2]int{{0, len(line) - 1}}
	for len(spans) > 0 {
		span := spans[len(spans)-1]
		spans = spans[:len(spans)-1]
		farthest, most := 0, metres*metres
		for i := span[0] + 1; i < span[1]; i++ {
			if _, _, square := Nearest(line[i], line[span[0]], line[span[1]]); square > most {
				farthest, most = i, square
			}
		}
		if farthest > 0 {
			keep[farthest] = true
			spans = append(spans, [2]int{span[0], farthest}, [2]int{farthest, span[1]})
		}
	}
	var kept []Point
	for i, p := range line {
		if keep[i] {
			kept = append(kept, p)
		}
	}
	return kept
}
