package timetable

import (
	"cmp"
	"encoding/binary"
	"maps"
	"slices"
)

// packPatterns groups trips by the stops at which they call and the rules there. It returns the shape of each pattern, that which most of its
// trips have.
func (b *packing) packPatterns() (shapes []int) {
	x := &b.x
	b.at = slices.Repeat([]uint32{None}, b.added)
	groups := map[string][]int{}
	var key []byte
	for i, t := range b.trips {
		key = binary.BigEndian.AppendUint32(key[:0], uint32(t.Line))
		key = append(key, t.Direction, byte(min(len(t.Headways), 1)))
		for _, v := range t.Visits {
			key = append(binary.BigEndian.AppendUint32(key, b.place[v.Stop]), v.Rules)
			key = binary.BigEndian.AppendUint32(key, uint32(v.Sign))
		}
		groups[string(key)] = append(groups[string(key)], i)
	}
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		group := groups[name]
		slices.SortStableFunc(group, func(i, j int) int {
			p, q := b.trips[i], b.trips[j]
			return cmp.Or(cmp.Compare(p.Visits[0].Call.Depart, q.Visits[0].Call.Depart), cmp.Compare(p.last().Arrive, q.last().Arrive), cmp.Compare(p.ID, q.ID))
		})
		if len(b.trips[group[0]].Headways) > 0 {
			b.packPattern(group)
			shapes = append(shapes, b.commonShape(group))
			continue
		}
		for _, chain := range b.chains(group) {
			b.packPattern(chain)
			shapes = append(shapes, b.commonShape(chain))
		}
	}
	if !slices.ContainsFunc(x.tripAccess, func(w uint8) bool { return w != 0 }) {
		x.tripAccess = nil
	}
	return shapes
}

// commonShape returns the shape that most of some trips have, the first of several.
func (b *packing) commonShape(group []int) (best int) {
	count := map[int]int{}
	for _, i := range group {
		count[b.trips[i].Shape]++
	}
	for _, i := range group {
		if s := b.trips[i].Shape; s != 0 && (best == 0 || count[s] > count[best]) {
			best = s
		}
	}
	return best
}

func (t *Trip) last() Call { return t.Visits[len(t.Visits)-1].Call }

// chains parts trips that are in the order of their first departures so that within a
// part no trip overtakes another.
func (b *packing) chains(group []int) (chains [][]int) {
next:
	for _, i := range group {
		for c := range chains {
			if follows(b.trips[chains[c][len(chains[c])-1]].Visits, b.trips[i].Visits) {
				chains[c] = append(chains[c], i)
				continue next
			}
		}
		chains = append(chains, []int{i})
	}
	return chains
}

// follows reports whether each call of a trip is not before that of another.
func follows(before, after []Visit) bool {
	for i := range before {
		if after[i].Call.Arrive < before[i].Call.Arrive || after[i].Call.Depart < before[i].Call.Depart {
			return false
		}
	}
	return true
}

func (b *packing) packPattern(group []int) {
	x := &b.x
	model := b.trips[group[0]]
	p := pattern{
		Line: uint32(model.Line), Direction: model.Direction, Length: uint16(len(model.Visits)), Count: uint32(len(group)),
		Stops: uint32(len(x.patternStops)), Signs: None, Trips: uint32(len(x.trips)), Times: uint32(len(x.times)), Headways: uint32(len(x.headways)),
	}
	for _, v := range model.Visits {
		x.patternStops, x.patternRules = append(x.patternStops, b.place[v.Stop]), append(x.patternRules, v.Rules)
		if v.Sign != 0 {
			p.Signs = uint32(len(x.patternSigns))
		}
	}
	if p.Signs != None {
		for _, v := range model.Visits {
			x.patternSigns = append(x.patternSigns, uint32(v.Sign))
		}
	}
	for n, i := range group {
		t := b.trips[i]
		b.at[t.number] = uint32(len(x.trips))
		x.trips = append(x.trips, trip{ID: b.put(t.ID), Sign: uint32(b.Text(t.Sign, t.SignIn...)), Block: b.put(t.Block), Service: uint32(t.Service)})
		x.tripAccess = append(x.tripAccess, t.Wheelchair)
		base := int32(0)
		if len(t.Headways) > 0 { // whose times count from the first departure
			base = t.Visits[0].Call.Depart
		}
		for _, v := range t.Visits {
			x.times = append(x.times, Call{v.Call.Arrive - base, v.Call.Depart - base})
		}
		for _, h := range t.Headways {
			h.Trip = uint32(n)
			x.headways = append(x.headways, h)
			p.Repeats++
		}
	}
	x.patterns = append(x.patterns, p)
}

// listCalls lists the patterns that visit each stop.
func (b *packing) listCalls() {
	x := &b.x
	x.callAt = make([]uint32, len(x.stops)+1)
	for _, s := range x.patternStops {
		x.callAt[s+1]++
	}
	for i := range x.stops {
		x.callAt[i+1] += x.callAt[i]
	}
	x.calls = make([]StopCall, len(x.patternStops))
	next := slices.Clone(x.callAt)
	for n, p := range x.patterns {
		for i, s := range x.patternStops[p.Stops:][:p.Length] {
			x.calls[next[s]] = StopCall{uint32(n), uint32(i)}
			next[s]++
		}
	}
}

// sumModes notes which modes call at each stop, and at the stations that they are in.
func (b *packing) sumModes() {
	x := &b.x
	for s := range x.stops {
		for _, c := range x.calls[x.callAt[s]:x.callAt[s+1]] {
			x.stops[s].Modes |= uint16(Mode(x.lines[x.patterns[c.Pattern].Line].Mode).Set())
		}
	}
	for s := range x.stops {
		if p := x.stops[s].Parent; p != None {
			x.stops[p].Modes |= x.stops[s].Modes
		}
	}
}
