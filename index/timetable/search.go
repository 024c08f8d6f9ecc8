package timetable

// PatternTimes lists when the trips of a pattern call at its stops: all calls of its first
// trip, then those of the next. Those of a pattern with headways count from the first
// departure of their trip. The list may not be changed.
func (x *Index) PatternTimes(pattern uint32) []Call {
	p := &x.patterns[pattern]
	n := p.Count * uint32(p.Length)
	return x.times[p.Times:][:n:n]
}
