package timetable

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/geo"
)

// packOnward writes which trips a vehicle goes on as. Rules between two trips come before
// blocks, on the days on which both their trips run.
func (b *changing) packOnward() {
	x := &b.x
	rules, blocks := b.seats(), b.blocks()
	onward := make([][]uint32, len(x.trips))
	some := false
	for i := range b.trips {
		for _, next := range b.onward(i, rules[i], blocks[b.block(i)]) {
			onward[b.lies(i)] = append(onward[b.lies(i)], b.lies(next))
			some = true
		}
	}
	if !some {
		return
	}
	x.onwardAt = []uint32{0}
	for _, list := range onward {
		x.onward = append(x.onward, list...)
		x.onwardAt = append(x.onwardAt, uint32(len(x.onward)))
	}
}

// seatRule is a rule on whether passengers stay seated between a trip and the next of the same
// vehicle.
type seatRule struct {
	next int
	stay bool
}

// seats lists the rules of each trip of b.trips in the order of the next ones' times.
func (b *changing) seats() map[int][]seatRule {
	rules := map[int][]seatRule{}
	for _, c := range b.changes {
		if c.Kind < InSeat || c.FromTrip < 0 || c.ToTrip < 0 {
			continue
		}
		for _, from := range b.became(c.FromTrip) {
			for _, to := range b.became(c.ToTrip) {
				rules[from] = append(rules[from], seatRule{to, c.Kind == InSeat})
			}
		}
	}
	for _, list := range rules {
		slices.SortStableFunc(list, func(p, q seatRule) int { return b.byTime(p.next, q.next) })
	}
	return rules
}

// byTime orders trips of b.trips by their first departures.
func (b *changing) byTime(i, j int) int {
	p, q := &b.trips[i], &b.trips[j]
	return cmp.Or(cmp.Compare(p.Visits[0].Call.Depart, q.Visits[0].Call.Depart), cmp.Compare(p.last().Arrive, q.last().Arrive), cmp.Compare(i, j))
}

// block is one vehicle's trips of a day.
type block struct {
	feed int
	id   string
}

func (b *changing) block(i int) block {
	t := &b.trips[i]
	return block{int(b.x.agencies[b.x.lines[t.Line].Agency].Feed), t.Block}
}

// blocks lists the trips of each block in the order of their times.
func (b *changing) blocks() map[block][]int {
	blocks := map[block][]int{}
	for i := range b.trips {
		if t := &b.trips[i]; t.Block != "" && len(t.Headways) == 0 {
			blocks[b.block(i)] = append(blocks[b.block(i)], i)
		}
	}
	for _, list := range blocks {
		slices.SortFunc(list, b.byTime)
	}
	return blocks
}

// onward lists the trips that the vehicle of a trip goes on as with its passengers. Days on
// which a rule or a block names a trip are taken by the first that it names. A trip that the
// vehicle goes on as after one for which passengers get off is none of them.
func (b *changing) onward(i int, rules []seatRule, block []int) (list []int) {
	t := &b.trips[i]
	if len(t.Headways) > 0 || len(rules) == 0 && len(block) < 2 {
		return nil
	}
	days := slices.Clone(b.bits(i))
	lost := make([]uint64, len(days))
	take := func(next int, stay bool) {
		if next == i || len(b.trips[next].Headways) > 0 || b.trips[next].Visits[0].Call.Depart < t.last().Arrive {
			return
		}
		bits, taken := b.bits(next), false
		for w := range days {
			taken = taken || days[w]&bits[w] != 0
			stay = stay && lost[w]&bits[w] == 0
		}
		if taken && stay {
			list = append(list, next)
		}
		for w := range days {
			if !stay {
				lost[w] |= days[w] & bits[w]
			}
			days[w] &^= bits[w]
		}
	}
	for _, r := range rules {
		if r.stay {
			take(r.next, true)
		}
	}
	forbidden := func(next int) bool {
		return slices.ContainsFunc(rules, func(r seatRule) bool { return r.next == next && !r.stay })
	}
	after, _ := slices.BinarySearchFunc(block, t.last().Arrive, func(j int, at int32) int { return cmp.Compare(b.trips[j].Visits[0].Call.Depart, at) })
	for _, next := range block[after:min(len(block), after+mostLater)] {
		if !slices.ContainsFunc(days, func(w uint64) bool { return w != 0 }) {
			break
		}
		take(next, !forbidden(next) && b.beside(t.Visits[len(t.Visits)-1].Stop, b.trips[next].Visits[0].Stop))
	}
	return list
}

// bits returns the days of a trip of b.trips.
func (b *changing) bits(i int) []uint64 {
	words := serviceWords(&b.x)
	return b.x.services[b.trips[i].Service*words:][:words]
}

// beside reports whether a vehicle that ends at a stop begins there again.
func (b *changing) beside(last, first int32) bool {
	p, q := &b.stops[last], &b.stops[first]
	return last == first || p.Parent >= 0 && p.Parent == q.Parent || geo.Distance(p.At, q.At) <= sameVehicle
}
