package fleet

// schedule works out the earliest times of a sequence of stops exactly, with
// breaks and limits on rides, which the sums of a route know nothing of. It
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
	brk   []int64 // by break: when it starts
}

func (x *schedule) init(m *model) {
	x.m = m
	x.place = make([]int32, len(m.loc))
	x.load = make([]int32, m.dims)
}

// run gives the earliest end of a trip that visits seq and starts at ready or
// later, and whether it is possible by due. begin, taken and brk hold its times.
// Where it is not possible a later start is not either.
func (x *schedule) run(sl *slot, seq []int32, ready, due int64) (end int64, ok bool) {
	k := len(seq)
	x.floor = grow(x.floor, k+2)
	clear(x.floor)
	rides := false
	for i, v := range seq {
		x.place[v] = int32(i + 1)
		rides = rides || x.m.units[x.m.unitOf[v]].ride < never
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
			u := &x.m.units[x.m.unitOf[v]]
			if u.ride == never || v != u.first {
				continue
			}
			late := x.begin[x.place[v+1]] - u.ride - x.m.service[sl.kind][v]
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
	m, c := x.m, sl.class
	d := m.dims
	for e := range d {
		x.load[e] = 0
		for _, v := range seq {
			x.load[e] += m.brings[int(v)*d+e]
		}
	}
	at := sl.start
	for i := 0; i <= k; i++ {
		to, setup := sl.end, int64(0)
		if i < k {
			to = m.loc[seq[i]]
			if to != at {
				setup = m.setup[sl.kind][seq[i]]
			}
		}
		drive := int64(c.sec[int(at)*c.n+int(to)])
		any := false
		for n := range b {
			t := x.done[i*b+n]
			if t >= never {
				continue
			}
			left := drive
			for taken := n; ; taken++ {
				arrive := t + left + setup
				if i < k {
					arrive = startIn(m.windows[seq[i]], max(arrive, x.floor[i+1]))
					if arrive < never {
						arrive += m.service[sl.kind][seq[i]]
					}
				}
				if arrive <= due && arrive < x.done[(i+1)*b+taken] {
					x.done[(i+1)*b+taken], x.from[(i+1)*b+taken] = arrive, int8(n)
					any = true
				}
				if taken == len(breaks) || !x.light(&breaks[taken]) {
					break
				}
				start := breakStart(&breaks[taken], t)
				if start >= never {
					break
				}
				left = max(0, left-(start-t))
				t = start + breaks[taken].Service
			}
		}
		if !any {
			return never, false
		}
		if i < k {
			for e := range d {
				x.load[e] += m.takes[int(seq[i])*d+e] - m.brings[int(seq[i])*d+e]
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

// light reports whether a break can be taken with the load on board.
func (x *schedule) light(b *Break) bool {
	for e, n := range b.MaxLoad {
		if x.load[e] > n {
			return false
		}
	}
	return true
}

func breakStart(b *Break, t int64) int64 {
	if len(b.Windows) == 0 {
		return t
	}
	return startIn(b.Windows, t)
}

// back reads the times of the best way through the table.
func (x *schedule) back(sl *slot, seq []int32, b int) {
	k := len(seq)
	x.begin, x.taken, x.brk = grow(x.begin, k+2), grow(x.taken, k+2), grow(x.brk, b)
	n := b - 1
	for i := k + 1; i > 0; i-- {
		x.begin[i] = x.done[i*b+n]
		if i <= k {
			x.begin[i] -= x.m.service[sl.kind][seq[i-1]]
		}
		before := int(x.from[i*b+n])
		t := x.done[(i-1)*b+before]
		for q := before; q < n; q++ {
			x.brk[q] = breakStart(&sl.v.Breaks[q], t)
			t = x.brk[q] + sl.v.Breaks[q].Service
		}
		x.taken[i] = int8(n)
		n = before
	}
	x.begin[0] = x.done[0]
}
