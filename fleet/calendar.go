package fleet

import "math"

// Never is a time that is later than any other.
const Never = math.MaxInt64 / 4

// A vehicle with several windows works inside them and stands still between them. The
// methods in this file count working time only; for a vehicle with one window, or none,
// that is plain time.

// DriveEnd returns the time at which a drive of d seconds ends that starts at t and may
// pause between windows; Never if the windows are too short for it.
func (v *Vehicle) DriveEnd(t, d int64) int64 {
	if len(v.Windows) < 2 {
		return t + d
	}
	for _, w := range v.Windows {
		t = max(t, w.Start)
		if t+d <= w.End {
			return t + d
		}
		if t < w.End {
			d -= w.End - t
			t = w.End
		}
	}
	return Never
}

// WorkBetween returns how many seconds of a drive are done between two times.
func (v *Vehicle) WorkBetween(from, to int64) (d int64) {
	if len(v.Windows) < 2 {
		return to - from
	}
	for _, w := range v.Windows {
		d += max(0, min(to, w.End)-max(from, w.Start))
	}
	return d
}

// FitFrom returns the first time at or after t from which d seconds lie in one window;
// Never if there is none.
func (v *Vehicle) FitFrom(t, d int64) int64 {
	if len(v.Windows) < 2 {
		return t
	}
	for _, w := range v.Windows {
		if s := max(t, w.Start); s+d <= w.End {
			return s
		}
	}
	return Never
}

// BreakFrom returns the first time at or after t at which a break can start; Never if
// there is none.
func (v *Vehicle) BreakFrom(b *Break, t int64) int64 {
	for t < Never {
		start := t
		if len(b.Windows) > 0 {
			start = StartIn(b.Windows, t)
		}
		if t = v.FitFrom(start, b.Service); t == start {
			return t
		}
	}
	return Never
}

// Misfit returns the first break that the vehicle cannot take in its turn within its
// windows, and the earliest time at which the break could begin after those before it.
// Only windows and durations count here. The break is -1 if all can be taken.
func (v *Vehicle) Misfit() (k int, from int64) {
	end := int64(Never)
	if n := len(v.Windows); n > 0 {
		from, end = v.Windows[0].Start, v.Windows[n-1].End
	}
	for k := range v.Breaks {
		b := &v.Breaks[k]
		start := v.BreakFrom(b, from)
		if start >= Never || start+b.Service > end {
			return k, from
		}
		from = start + b.Service
	}
	return -1, from
}

// StartIn returns the first time in the windows at or after t; Never if there is none.
func StartIn(ws []Window, t int64) int64 {
	if i := endsFrom(ws, t); i < len(ws) {
		return max(t, ws[i].Start)
	}
	return Never
}

// endsFrom returns the index of the first window that ends at t or later; len(ws) if
// there is none.
func endsFrom(ws []Window, t int64) int {
	low := 0
	for n := len(ws); n > 0; {
		if half := n / 2; ws[low+half].End < t {
			low, n = low+half+1, n-half-1
		} else {
			n = half
		}
	}
	return low
}

// LatestIn returns the last arrival from which a start by t is possible; negative
// if there is none.
func LatestIn(ws []Window, t int64) int64 {
	// It lies in the first window that ends after t, or at the end of the one before.
	i := endsFrom(ws, t)
	if i < len(ws) && t >= ws[i].Start {
		return t
	}
	if i > 0 {
		return ws[i-1].End
	}
	return -1
}
