package geo

// Ring is a polygon's outer ring, each corner once: the last is joined to the
// first. It is judged in the plane of longitude and latitude and holds its
// border.
type Ring []Point

// Perimeter returns the length of the ring in metres.
func (r Ring) Perimeter() float64 {
	sum := 0.0
	for i := range r {
		sum += Distance(r[i], r[(i+1)%len(r)])
	}
	return sum
}

// Contains reports whether a point lies in the ring, by the even-odd rule.
func (r Ring) Contains(p Point) bool {
	in := false
	for i := range r {
		a, b := r[i], r[(i+1)%len(r)]
		if (a.Lat > p.Lat) != (b.Lat > p.Lat) && p.Lon < a.Lon+(p.Lat-a.Lat)/(b.Lat-a.Lat)*(b.Lon-a.Lon) {
			in = !in
		}
	}
	return in
}

// hair is how far, in parts of a line's length, lines may miss each other and
// still meet: what a float makes of a line through a corner.
const hair = 1e-9

// Crossing returns the part of the line from a to b that it has in common with
// the line from c to d: one place, or a stretch where one lies along the other.
func Crossing(a, b, c, d Point) (from, to float64, ok bool) {
	abx, aby, cdx, cdy := b.Lon-a.Lon, b.Lat-a.Lat, d.Lon-c.Lon, d.Lat-c.Lat
	acx, acy := c.Lon-a.Lon, c.Lat-a.Lat
	across := abx*cdy - aby*cdx
	if across != 0 {
		t, u := (acx*cdy-acy*cdx)/across, (acx*aby-acy*abx)/across
		at := min(max(t, 0), 1)
		return at, at, t >= -hair && t <= 1+hair && u >= -hair && u <= 1+hair
	}
	length := abx*abx + aby*aby
	if length == 0 || acx*aby-acy*abx != 0 {
		return 0, 0, false
	}
	from, to = (acx*abx+acy*aby)/length, ((d.Lon-a.Lon)*abx+(d.Lat-a.Lat)*aby)/length
	if from > to {
		from, to = to, from
	}
	from, to = max(from, 0), min(to, 1)
	return from, to, from <= to
}

// Crosses finds two sides of the ring that meet elsewhere than at a corner they
// share; ok is false for a simple ring. It compares all sides with each other.
func (r Ring) Crosses() (i, j int, ok bool) {
	r = r.Turns()[0]
	n := len(r)
	for i := range n {
		for j := i + 1; j < n; j++ {
			a, b, c, d := r[i], r[(i+1)%n], r[j], r[(j+1)%n]
			from, to, meets := Crossing(a, b, c, d)
			if !meets {
				continue
			}
			switch {
			case j == i+1: // share b
				if from < 1 {
					return i, j, true
				}
			case i == 0 && j == n-1: // share a
				if to > 0 {
					return i, j, true
				}
			default:
				return i, j, true
			}
		}
	}
	return 0, 0, false
}
