package overlay

// daysAround is how many days before and after the moment's timetables are worked
// out for. Beyond them things stay as they are on the first and the last.
const daysAround = 3

// never is later than all times.
const never = 1 << 62

// timetable is when something is open: from open[0] up to but not including
// open[1], from open[2] up to open[3] and so on.
type timetable struct{ open []int64 }

// during reports whether a timetable is open, or shut, from one time to another.
func (t *timetable) during(from, to int64) (open, shut bool) {
	shut = true
	for i := 0; i < len(t.open); i += 2 {
		open = open || t.open[i] <= from && to < t.open[i+1]
		shut = shut && (to < t.open[i] || t.open[i+1] <= from)
	}
	return open, shut
}

// next returns the first open time from at on, never where there is none.
func (t *timetable) next(at int64) int64 {
	for i := 0; i < len(t.open); i += 2 {
		if at < t.open[i+1] {
			return max(at, t.open[i])
		}
	}
	return never
}

// last returns the last open time up to at, -never where there is none.
func (t *timetable) last(at int64) int64 {
	for i := len(t.open) - 2; i >= 0; i -= 2 {
		if at >= t.open[i] {
			return min(at, t.open[i+1]-1)
		}
	}
	return -never
}

// throughout reports whether a timetable is open for so many milliseconds before and
// after the moment.
func (t *timetable) throughout(around int64) bool {
	for i := 0; i < len(t.open); i += 2 {
		if t.open[i] <= -around && around < t.open[i+1] {
			return true
		}
	}
	return false
}
