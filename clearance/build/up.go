package build

// Passes of scanners that look down alone, as those of pavements, show nothing overhead, which is
// no sign of a free sky. A pass counts as looking up once it has seen something high somewhere,
// as trees, masts and house fronts are along any road.
const (
	upSquare = 40_000    // edge of squares in which heights are compared, in units of fixed: 4 m
	upHeight = 50_000    // what is so much higher than the lowest in its square is high: 5 m
	upPoints = 20        // that are high
	upMost   = 1_000_000 // squares that are kept
)

type upKey struct {
	x, y int32
	pass uint8
}

// ups finds the passes that look up.
type ups struct {
	seen   [256]int // high points
	lowest map[upKey]int32
}

func (u *ups) add(r *record) {
	if u.seen[r.pass] >= upPoints {
		return
	}
	k := upKey{r.x / upSquare, r.y / upSquare, r.pass}
	z, ok := u.lowest[k]
	switch {
	case !ok || r.z < z:
		if u.lowest == nil || len(u.lowest) >= upMost {
			u.lowest = map[upKey]int32{}
		}
		u.lowest[k] = r.z
	case r.z-z > upHeight:
		u.seen[r.pass]++
	}
}

// looks reports whether a pass looks up.
func (u *ups) looks(pass uint8) bool { return u.seen[pass] >= upPoints }
