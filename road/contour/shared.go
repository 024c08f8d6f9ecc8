package contour

// shared are the points of the outlines of several levels, each once, and which of them
// the outlines have in common.
type shared struct {
	at     []vertex // the points
	others []int32  // by point: the next in its cell, plus 1
	before []int32  // by point: the one before it on the outlines
	after  []int32  // by point: the one after it
	parts  []bool   // of each whether outlines meet or part there
	bends  []bool   // of each whether an outline turns there
	arc    []int32  // by point: the arc that it is inside of, plus 1
	rings  []int32  // the points of all outlines, one after the other
	ends   []int32  // by outline: the end of its points
}

// numberPoints numbers the points of the outlines of several levels, each once.
func (t *simplifier) numberPoints(levels [][]outline) {
	s := &t.shared
	s.at, s.others, s.before, s.after = s.at[:0], s.others[:0], s.before[:0], s.after[:0]
	s.parts, s.bends, s.rings, s.ends = s.parts[:0], s.bends[:0], s.rings[:0], s.ends[:0]
	for _, all := range levels {
		for i := range all {
			first := len(s.rings)
			for k, v := range all[i].line {
				n := t.point(v)
				s.rings, s.bends[n] = append(s.rings, n), s.bends[n] || all[i].bends[k]
			}
			ring := s.rings[first:]
			last := ring[len(ring)-1]
			for k, n := range ring {
				next := ring[(k+1)%len(ring)]
				if s.before[n] < 0 {
					s.before[n], s.after[n] = last, next
				} else if s.before[n] != last || s.after[n] != next {
					s.parts[n] = true
				}
				last = n
			}
			s.ends = append(s.ends, int32(len(s.rings)))
		}
	}
	if cap(s.arc) < len(s.at) {
		s.arc = make([]int32, len(s.at))
	} else {
		s.arc = s.arc[:len(s.at)]
		clear(s.arc)
	}
}

// point returns the number of a point, a new one if no outline had it.
func (t *simplifier) point(v vertex) int32 {
	s, b := &t.shared, &t.bucket[t.cell(v).at(t.w)]
	for n := *b; n != 0; n = s.others[n-1] {
		if s.at[n-1] == v {
			return n - 1
		}
	}
	n := int32(len(s.at))
	s.at, s.others, s.before, s.after = append(s.at, v), append(s.others, *b), append(s.before, -1), append(s.after, -1)
	s.parts, s.bends = append(s.parts, false), append(s.bends, false)
	*b = n + 1
	return n
}

// cut makes arcs of the numbered outlines, one of each stretch that several have. Of
// their points those remain where an outline turns, meets another or parts from it.
func (t *simplifier) cut() {
	s, begin := &t.shared, int32(0)
	for _, end := range s.ends {
		ring := s.rings[begin:end]
		begin = end
		first := 0
		for first < len(ring) && !s.parts[ring[first]] {
			first++
		}
		if first == len(ring) { // all of the outline is shared, or none of it
			for first = 0; !s.bends[ring[first]]; first++ {
			}
		}
		part := int32(len(t.parts))
		for done := 0; done < len(ring); {
			done += t.arcFrom(ring, (first+done)%len(ring))
		}
		t.rings = append(t.rings, [2]int32{part, int32(len(t.parts))})
	}
}

// arcFrom adds the arc that begins at a point of an outline to its parts, and returns how
// many points it has.
func (t *simplifier) arcFrom(ring []int32, from int) (points int) {
	s := &t.shared
	known := int32(0)
	for points = 1; points < len(ring); points++ {
		n := ring[(from+points)%len(ring)]
		if s.parts[n] {
			break
		}
		known = s.arc[n]
	}
	if known > 0 {
		t.parts = append(t.parts, known-1)
		return points
	}
	t.open()
	t.push(s.at[ring[from]])
	for i := 1; i < points; i++ {
		n := ring[(from+i)%len(ring)]
		s.arc[n] = int32(len(t.arcs))
		if s.bends[n] {
			t.push(s.at[n])
		}
	}
	t.push(s.at[ring[(from+points)%len(ring)]])
	t.close()
	return points
}
