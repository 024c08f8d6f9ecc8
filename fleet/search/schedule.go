package search

import (
	"github.com/waygate/waygate/fleet"
	"github.com/waygate/waygate/fleet/search/limit"
	"github.com/waygate/waygate/fleet/search/model"
)

// schedule computes the earliest times of all trips of a vehicle exactly, with breaks,
// pauses and limits on rides, which the sums of a route leave out. It keeps its arrays
// between calls.
type schedule struct {
	m *model.Model
	// By position and breaks taken by then: the earliest end of the service there, and
	// how many breaks were taken before the way to it.
	done  []int64
	from  []int8
	floor []int64 // by position: the service starts no earlier
	begin []int64 // by position: when it does
	taken []int8  // by position: breaks taken by the arrival there
	place []int32 // by visit: its position, for rides
	load  []int32
	watch *limit.Watch
}

// reload marks a call at the depot among visits.
const reload = -1

func (x *schedule) init(m *model.Model) {
	x.m = m
	x.place = make([]int32, len(m.Visits))
	x.load = make([]int32, m.Dimensions)
}

// run returns the earliest end of a vehicle's work seq, which starts at ready or later,
// and whether it is possible by due. The times are then in begin and taken. If it is
// impossible, a later start is impossible too. Nothing is possible once the watch has
// ended.
func (x *schedule) run(sl *model.Slot, seq []int32, ready, due int64) (end int64, ok bool) {
	k := len(seq)
	x.floor = grow(x.floor, k+2)
	clear(x.floor)
	rides := false
	for i, v := range seq {
		if v != reload {
			x.place[v] = int32(i + 1)
			u := &x.m.Tasks[x.m.Visits[v].Task]
			if u.Pair && v == u.First {
				x.place[v+1] = 0 // until it comes, if it does
			}
			rides = rides || u.Ride < fleet.Never
		}
	}
	// A ride that is too long makes its pickup start later. The times only grow, up to
	// the earliest at which all rides are short enough.
	for range 4*k + 4 {
		end, ok = x.earliest(sl, seq, ready, due)
		if !ok || !rides {
			return end, ok
		}
		again := false
		for i, v := range seq {
			if v == reload {
				continue
			}
			u := &x.m.Tasks[x.m.Visits[v].Task]
			if u.Ride == fleet.Never || v != u.First || x.place[v+1] == 0 {
				continue
			}
			late := x.begin[x.place[v+1]] - u.Ride - x.m.Kinds[sl.Kind].Service[v]
			if late > x.begin[i+1] {
				x.floor[i+1], again = late, true
			}
		}
		if !again {
			return end, true
		}
	}
	return end, false
}

// scheduleWork returns the work of ending a way with breaks on it, for a vehicle with
// so many windows.
func scheduleWork(windows int) int { return 8 + windows }

// earliest does the same as run under the floors, by dynamic programming over positions
// and breaks taken.
func (x *schedule) earliest(sl *model.Slot, seq []int32, ready, due int64) (int64, bool) {
	k, breaks := len(seq), sl.Of.Breaks
	b := len(breaks) + 1
	x.done, x.from = grow(x.done, (k+2)*b), grow(x.from, (k+2)*b)
	for i := range x.done {
		x.done[i] = fleet.Never
	}
	x.done[0] = ready
	m := x.m
	clear(x.load)
	fleet.AddLoad(x.load, sl.OnBoard, 1)
	x.fill(seq)
	at := sl.Start
	for i := 0; i <= k; i++ {
		to := sl.End
		if i < k {
			to = x.at(sl, seq[i])
		}
		drive := int64(sl.Network.At(at, to).Sec)
		any, looked := false, 0
		for n := range b {
			t := x.done[i*b+n]
			if t >= fleet.Never {
				continue
			}
			left := drive
			for taken := n; ; taken++ {
				looked++
				if end := x.arrive(sl, seq, i, sl.Of.DriveEnd(t, left)); end <= due && end < x.done[(i+1)*b+taken] {
					x.done[(i+1)*b+taken], x.from[(i+1)*b+taken] = end, int8(n)
					any = true
				}
				if taken == len(breaks) || !x.light(&breaks[taken]) {
					break
				}
				start := sl.Of.BreakFrom(&breaks[taken], t)
				if start >= fleet.Never {
					break
				}
				left = max(0, left-sl.Of.WorkBetween(t, start))
				t = start + breaks[taken].Service
			}
		}
		if x.watch.Spend(b+looked*scheduleWork(len(sl.Of.Windows))) || !any {
			return fleet.Never, false
		}
		if i < k {
			if seq[i] == reload {
				clear(x.load)
				x.fill(seq[i+1:])
			} else {
				d := m.Dimensions
				for e := range d {
					x.load[e] += m.Takes[int(seq[i])*d+e] - m.Brings[int(seq[i])*d+e]
				}
			}
			at = to
		}
	}
	end := x.done[(k+1)*b+b-1]
	if end >= fleet.Never {
		return fleet.Never, false
	}
	x.back(sl, seq, b)
	return end, true
}

// fill loads what a trip delivers.
func (x *schedule) fill(seq []int32) {
	d := x.m.Dimensions
	for _, v := range seq {
		if v == reload {
			return
		}
		for e := range d {
			x.load[e] += x.m.Brings[int(v)*d+e]
		}
	}
}

func (x *schedule) at(sl *model.Slot, v int32) int32 {
	if v == reload {
		return sl.Depot
	}
	return x.m.Visits[v].Location
}

// arrive returns the end of the service at position i+1 after an arrival at t.
func (x *schedule) arrive(sl *model.Slot, seq []int32, i int, t int64) int64 {
	if i == len(seq) || t >= fleet.Never {
		return t
	}
	v := seq[i]
	if v == reload {
		t = sl.Of.FitFrom(t, sl.Of.Reloads.Seconds)
		return min(fleet.Never, t+sl.Of.Reloads.Seconds)
	}
	vi, k := &x.m.Visits[v], &x.m.Kinds[sl.Kind]
	from := sl.Start
	if i > 0 {
		from = x.at(sl, seq[i-1])
	}
	if from != vi.Location {
		t = sl.Of.FitFrom(t, k.Setup[v]) + k.Setup[v]
	}
	t = max(t, x.floor[i+1])
	// Repeat until the start agrees with the windows of the place and of the vehicle.
	for t < fleet.Never {
		start := vi.Start(t)
		if t = sl.Of.FitFrom(start, k.Service[v]); t == start {
			return min(fleet.Never, t+k.Service[v])
		}
	}
	return fleet.Never
}

// light reports whether a break can be taken with the load on board.
func (x *schedule) light(b *fleet.Break) bool {
	for e, n := range b.MaxLoad {
		if x.load[e] > n {
			return false
		}
	}
	return true
}

// back reads the times of the best way from the table.
func (x *schedule) back(sl *model.Slot, seq []int32, b int) {
	k := len(seq)
	x.begin, x.taken = grow(x.begin, k+2), grow(x.taken, k+2)
	n := b - 1
	for i := k + 1; i > 0; i-- {
		x.begin[i] = x.done[i*b+n]
		if i <= k {
			if v := seq[i-1]; v == reload {
				x.begin[i] -= sl.Of.Reloads.Seconds
			} else {
				x.begin[i] -= x.m.Kinds[sl.Kind].Service[v]
			}
		}
		x.taken[i] = int8(n)
		n = int(x.from[i*b+n])
	}
	x.begin[0] = x.done[0]
}
