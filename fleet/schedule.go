package fleet

// schedule works out the earliest times of all trips of a vehicle exactly, with
// breaks, pauses and limits on rides, which the sums of a route know nothing of. It
// keeps its arrays between calls.
type schedule struct {
	m *model
	// By position and breaks taken by then: the earliest end of the service there, and
	// how many breaks were taken before the way to it.
	done  []int64
	from  []int8
	floor []int64 // by position: the service starts no earlier
	begin []int64 // by position: when it does
	taken []int8  // by position: breaks taken by the arrival there
	place []int32 // by visit: its position, for rides
	load  []int32
	watch *watch
}

// reload stands among visits for a call at the depot.
const reload = -1

func (x *schedule) init(m *model) {
	x.m = m
	x.place = make([]int32, len(m.visits))
	x.load = make([]int32, m.dims)
}

// run gives the earliest end of a vehicle's work seq, which starts at ready or
// later, and whether it is possible by due. begin and taken hold its times. Where it
// is not possible a later start is not either. Work that is to end finds nothing possible.
func (x *schedule) run(sl *slot, seq []int32, ready, due int64) (end int64, ok bool) {
	k := len(seq)
	x.floor = grow(x.floor, k+2)
	clear(x.floor)
	rides := false
	for i, v := range seq {
		if v != reload {
			x.place[v] = int32(i + 1)
			u := &x.m.units[x.m.visits[v].unit]
			if u.pair && v == u.first {
				x.place[v+1] = 0 // until it comes, if it does
			}
			rides = rides || u.ride < never
		}
	}
	// A ride that is too long has its pickup start later. The times only grow, up to the
	// earliest at which all rides are short enough.
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
			u := &x.m.units[x.m.visits[v].unit]
			if u.ride == never || v != u.first || x.place[v+1] == 0 {
				continue
			}
			late := x.begin[x.place[v+1]] - u.ride - x.m.kinds[sl.kind].service[v]
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

// scheduleWork is the work to end a way with some breaks on it, of a vehicle that has so
// many windows.
func scheduleWork(windows int) int { return 8 + windows }

// earliest does so under the floors, by dynamic programming over positions and breaks
// taken.
func (x *schedule) earliest(sl *slot, seq []int32, ready, due int64) (int64, bool) {
	k, breaks := len(seq), sl.v.Breaks
	b := len(breaks) + 1
	x.done, x.from = grow(x.done, (k+2)*b), grow(x.from, (k+2)*b)
	for i := range x.done {
		x.done[i] = never
	}
	x.done[0] = ready
	m := x.m
	clear(x.load)
	add(x.load, sl.board, 1)
	x.fill(seq)
	at := sl.start
	for i := 0; i <= k; i++ {
		to := sl.end
		if i < k {
			to = x.at(sl, seq[i])
		}
		drive := int64(sl.net.at(at, to).sec)
		any, looked := false, 0
		for n := range b {
			t := x.done[i*b+n]
			if t >= never {
				continue
			}
			left := drive
			for taken := n; ; taken++ {
				looked++
				if end := x.arrive(sl, seq, i, sl.v.after(t, left)); end <= due && end < x.done[(i+1)*b+taken] {
					x.done[(i+1)*b+taken], x.from[(i+1)*b+taken] = end, int8(n)
					any = true
				}
				if taken == len(breaks) || !x.light(&breaks[taken]) {
					break
				}
				start := sl.v.rest(&breaks[taken], t)
				if start >= never {
					break
				}
				left = max(0, left-sl.v.between(t, start))
				t = start + breaks[taken].Service
			}
		}
		if x.watch.spend(b+looked*scheduleWork(len(sl.v.Windows))) || !any {
			return never, false
		}
		if i < k {
			if seq[i] == reload {
				clear(x.load)
				x.fill(seq[i+1:])
			} else {
				d := m.dims
				for e := range d {
					x.load[e] += m.takes[int(seq[i])*d+e] - m.brings[int(seq[i])*d+e]
				}
			}
			at = to
		}
	}
	end := x.done[(k+1)*b+b-1]
	if end >= never {
		return never, false
	}
	x.back(sl, seq, b)
	return end, true
}

// fill loads what a trip brings.
func (x *schedule) fill(seq []int32) {
	d := x.m.dims
	for _, v := range seq {
		if v == reload {
			return
		}
		for e := range d {
			x.load[e] += x.m.brings[int(v)*d+e]
		}
	}
}

func (x *schedule) at(sl *slot, v int32) int32 {
	if v == reload {
		return sl.depot
	}
	return x.m.visits[v].loc
}

// arrive is the end of what is done at position i+1 by an arrival at t.
func (x *schedule) arrive(sl *slot, seq []int32, i int, t int64) int64 {
	if i == len(seq) || t >= never {
		return t
	}
	v := seq[i]
	if v == reload {
		t = sl.v.whole(t, sl.v.Reloads.Seconds)
		return min(never, t+sl.v.Reloads.Seconds)
	}
	vi, k := &x.m.visits[v], &x.m.kinds[sl.kind]
	from := sl.start
	if i > 0 {
		from = x.at(sl, seq[i-1])
	}
	if from != vi.loc {
		t = sl.v.whole(t, k.setup[v]) + k.setup[v]
	}
	t = max(t, x.floor[i+1])
	// Until a start agrees with the windows of the place and of the vehicle.
	for t < never {
		start := vi.start(t)
		if t = sl.v.whole(start, k.service[v]); t == start {
			return min(never, t+k.service[v])
		}
	}
	return never
}

// light reports whether a break can be taken with the load on board.
func (x *schedule) light(b *Break) bool {
	for e, n := range b.MaxLoad {
		if x.load[e] > n {
			return false
		}
	}
	return true
}

// back reads the times of the best way through the table.
func (x *schedule) back(sl *slot, seq []int32, b int) {
	k := len(seq)
	x.begin, x.taken = grow(x.begin, k+2), grow(x.taken, k+2)
	n := b - 1
	for i := k + 1; i > 0; i-- {
		x.begin[i] = x.done[i*b+n]
		if i <= k {
			if v := seq[i-1]; v == reload {
				x.begin[i] -= sl.v.Reloads.Seconds
			} else {
				x.begin[i] -= x.m.kinds[sl.kind].service[v]
			}
		}
		x.taken[i] = int8(n)
		n = int(x.from[i*b+n])
	}
	x.begin[0] = x.done[0]
}
