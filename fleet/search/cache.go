package search

// cacheSize is how many insertions are remembered: more would be slower to look up.
const cacheSize = 1 << 13

// cachedInsertion is the result of an earlier search for an insertion of a task into a
// route. Most routes have not changed when the task is next inserted, and some
// insertions (of shipments, and into routes with breaks) are expensive to evaluate.
// Insertions that were passed over by chance are part of the result, as long as the
// route does not change.
type cachedInsertion struct {
	key           int64 // of the content of the route and the task
	delta         int64 // the least; of none found, what it is not below
	first, second int32 // as of a insertion; first is -1 where none was found
}

// markChanged gives the content of a route another number.
func (s *routeSet) markChanged(rt *route) {
	s.content++
	rt.content = s.content
}

// cachedInto looks for a cheaper insertion in one route as into does, and uses the
// cache.
func (s *inserter) cachedInto(u, r int32, b *insertion) {
	if !s.m.Dear || !s.m.Tasks[u].Pair && !s.hard(r) {
		s.into(u, r, b)
		return
	}
	if s.cache == nil {
		s.cache = make([]cachedInsertion, cacheSize)
	}
	rt := &s.routes[r]
	key := rt.content*int64(len(s.m.Tasks)) + int64(u)
	k := &s.cache[uint64(key)*0x9e3779b97f4a7c15>>32%cacheSize]
	if k.key == key && !s.blink() {
		if k.delta >= b.delta {
			return
		}
		if k.first >= 0 {
			*b = insertion{k.delta, r, k.first, k.second}
			return
		}
	}
	limit := b.delta
	s.into(u, r, b)
	if key != rt.content*int64(len(s.m.Tasks))+int64(u) {
		return // the evaluation changed the route and changed it back
	}
	*k = cachedInsertion{key, b.delta, b.first, b.second}
	if b.delta == limit {
		k.first = -1
	}
}
