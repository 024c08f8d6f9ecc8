package fleet

// A vehicle with several windows works in these and stands still in between. These tell
// working time; with one window, or none, it is time as it passes.

// after is when a drive that takes d is over, if it can go on from t.
func (v *Vehicle) after(t, d int64) int64 {
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
	return never
}

// between is how much of a drive is done from a time to another.
func (v *Vehicle) between(from, to int64) (d int64) {
	if len(v.Windows) < 2 {
		return to - from
	}
	for _, w := range v.Windows {
		d += max(0, min(to, w.End)-max(from, w.Start))
	}
	return d
}

// whole is the first time from t on from which d lies in one window.
func (v *Vehicle) whole(t, d int64) int64 {
	if len(v.Windows) < 2 {
		return t
	}
	for _, w := range v.Windows {
		if s := max(t, w.Start); s+d <= w.End {
			return s
		}
	}
	return never
}

// rest is the first start of a break from t on.
func (v *Vehicle) rest(b *Break, t int64) int64 {
	for t < never {
		start := t
		if len(b.Windows) > 0 {
			start = startIn(b.Windows, t)
		}
		if t = v.whole(start, b.Service); t == start {
			return t
		}
	}
	return never
}

// Misfit returns the first break that the vehicle cannot take in its turn within its windows,
// and the earliest time at which these and the breaks before it let it begin. It looks at
// nothing but windows and durations. The break is -1 where all can be taken.
func (v *Vehicle) Misfit() (k int, from int64) {
	end := int64(never)
	if n := len(v.Windows); n > 0 {
		from, end = v.Windows[0].Start, v.Windows[n-1].End
	}
	for k := range v.Breaks {
		b := &v.Breaks[k]
		start := v.rest(b, from)
		if start >= never || start+b.Service > end {
			return k, from
		}
		from = start + b.Service
	}
	return -1, from
}
