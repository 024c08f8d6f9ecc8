package build

import "fmt"

// mostPasses is how many passes the surveys may have, and mostPartPasses a part of them.
const mostPasses, mostPartPasses = 1 << 16, 1 << 8

// pass numbers the passes of a scanner: a source of points within a file.
func (b *builder) pass(cloud, source int) (uint16, error) {
	k := [2]int{cloud, source}
	n, ok := b.passes[k]
	if !ok {
		if len(b.passes) == mostPasses {
			return 0, fmt.Errorf("the files together have more than %d point source IDs, which is the limit: build several artefacts", mostPasses)
		}
		n = uint16(len(b.passes))
		b.passes[k] = n
	}
	return n, nil
}

// surveys numbers the surveys of the clouds: those whose days overlap are tiles of one.
func (b *builder) surveys() []int {
	all := make([]int, len(b.in.Clouds))
	for i := range all {
		all[i] = i
		for j := range i {
			if a, c := b.in.Clouds[i], b.in.Clouds[j]; a.From <= c.To && c.From <= a.To {
				all[i] = all[j]
				break
			}
		}
	}
	return all
}

// Passes of scanners that look down alone, as those of pavements, show nothing overhead, which is
// no sign of a free sky. A pass counts as looking up once it has seen something high somewhere,
// as trees, masts and house fronts are along any road.
//
// A scanner that looks down from a bridge sees the ground below, though not straight below the
// edge, so that the squares are small; and one that also drives below the bridge sees both roads,
// which are farther apart than upMost.
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
