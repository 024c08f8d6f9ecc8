package overlay

import (
	"math"
	"slices"

	"github.com/waygate/waygate/road/graph"
)

// limits are the speed limits of an edge over time, each from its time on.
type limits struct {
	from []int64 // milliseconds from the moment, ascending
	are  []graph.SpeedLimits
}

// Limited reports whether a speed limit of an original edge depends on the time. It is
// false for nil.
func (k *Clock) Limited(e graph.Edge) bool {
	return k != nil && k.conditions.g.ByEdge[e].Flags&graph.Conditional != 0 && k.conditions.speedRules(e, k.traveller.Mode) != nil
}

// during returns the index of the limits at a time.
func (l *limits) during(at int64) int {
	i, found := slices.BinarySearch(l.from, at)
	if !found {
		i--
	}
	return max(0, i)
}

// all reports whether the limits equal the given ones from one time to another.
func (l *limits) all(from, to int64, same graph.SpeedLimits) bool {
	for i := l.during(from); i < len(l.are) && (l.from[i] <= to || i == 0); i++ {
		if l.are[i] != same {
			return false
		}
	}
	return true
}

// LimitsAt returns the speed limits at a time of an original edge that Limited reports.
func (k *Clock) LimitsAt(e graph.Edge, at int64) graph.SpeedLimits {
	x := k.limitsOf(e)
	if k.Frozen {
		at = 0
	}
	return x.are[x.during(at)]
}

// LimitsStay reports whether the limits of an original edge that Limited reports equal the
// given ones for so many milliseconds after the moment, or before it for a clock of
// arrival.
func (k *Clock) LimitsStay(e graph.Edge, same graph.SpeedLimits, within int64) bool {
	from, to := k.window(within)
	return k.limitsOf(e).all(from, to, same)
}

// Travel returns the milliseconds that so many metres of an original edge that Limited
// reports take a traveller who reaches them at a time or, with a clock of arrival, leaves
// them then; kmh returns the speed under limits. A traveller who starts later never arrives
// earlier.
func (k *Clock) Travel(e graph.Edge, metres float64, at int64, kmh func(graph.SpeedLimits) float64) int64 {
	x := k.limitsOf(e)
	k.steady.note(x.from[1:]...)
	if k.Frozen {
		at = 0
	}
	i := x.during(at)
	now, left := float64(at), metres
	rest := func(need float64) int64 { // in whole milliseconds, the same ones whenever that is
		if left == metres {
			return int64(math.Round(need))
		}
		if k.Backwards() {
			return at - int64(math.Round(now-need))
		}
		return int64(math.Round(now+need)) - at
	}
	for {
		speed := kmh(x.are[i]) / 3600 // metres a millisecond
		need := left / speed
		if k.Backwards() {
			if i == 0 || now-need >= float64(x.from[i]) || k.Frozen {
				return rest(need)
			}
			left -= (now - float64(x.from[i])) * speed
			now, i = float64(x.from[i]), i-1
			continue
		}
		if i+1 == len(x.from) || now+need <= float64(x.from[i+1]) || k.Frozen {
			return rest(need)
		}
		left -= (float64(x.from[i+1]) - now) * speed
		now, i = float64(x.from[i+1]), i+1
	}
}
