package fleet

// knownSize is how many places are remembered: more would be slower to reach.
const knownSize = 1 << 13

// known is what an earlier look for a place of a unit in a route has found: most routes are
// the same when the unit is next looked for, and places that are dear to judge, those of
// shipments and those in routes with breaks, need not be judged again. Passing over by chance
// is remembered too, as long as the route stays as it is.
type known struct {
	key           int64 // of the content of the route and the unit
	delta         int64 // the least; of none found, what it is not below
	first, second int32 // as of a spot; first is -1 where none was found
}

// renew says that a route is another than before.
func (s *state) renew(rt *route) {
	s.content++
	rt.content = s.content
}

// recall looks for a cheaper place in one route as into does, by what is known of it.
func (s *state) recall(u, r int32, b *spot) {
	if !s.m.dear || !s.m.units[u].pair && !s.hard(r) {
		s.into(u, r, b)
		return
	}
	if s.known == nil {
		s.known = make([]known, knownSize)
	}
	rt := &s.routes[r]
	key := rt.content*int64(len(s.m.units)) + int64(u)
	k := &s.known[uint64(key)*0x9e3779b97f4a7c15>>32%knownSize]
	if k.key == key && !s.blink() {
		if k.delta >= b.delta {
			return
		}
		if k.first >= 0 {
			*b = spot{k.delta, r, k.first, k.second}
			return
		}
	}
	limit := b.delta
	s.into(u, r, b)
	if key != rt.content*int64(len(s.m.units))+int64(u) {
		return // looking has changed the route and changed it back
	}
	*k = known{key, b.delta, b.first, b.second}
	if b.delta == limit {
		k.first = -1
	}
}
