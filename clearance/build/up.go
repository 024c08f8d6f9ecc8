package build

// Passes of scanners that look down alone, as those of pavements, show nothing overhead, which is
// no sign of a free sky. A pass counts as looking up once it has seen something high somewhere,
// as trees, masts and house fronts are along any road.
//
// From a bridge a scanner that looks down sees ground below, though not beside the edge of the
// bridge, so that the squares are small; and one that passes over and below the bridge sees both
// roads, which are farther apart than upMost.
const (
	upSquare = 10_000    // edge of squares in which heights are compared, in units of fixed: 1 m
	upLeast  = 32_000    // what is so much higher than the lowest in its square is high, in these units,
	upMost   = 50_000    // and up to here
	upPoints = 20        // that are high
	upKept   = 1_000_000 // squares that are kept
)

type upKey struct {
	x, y int32
	pass uint16
}

// ups finds the passes that look up.
type ups struct {
	seen   [mostPasses]uint8 // high points
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
		if u.lowest == nil || len(u.lowest) >= upKept {
			u.lowest = map[upKey]int32{}
		}
		u.lowest[k] = r.z
	case r.z-z > upLeast && r.z-z < upMost:
		u.seen[r.pass]++
	}
}

// looks reports whether a pass looks up.
func (u *ups) looks(pass uint16) bool { return u.seen[pass] >= upPoints }
