package cch

// Bytes of an element of the arrays of a metric.
const (
	wordBytes     = 4
	stepBytes     = 4 + 1 // of an arc and what its path leads over
	farBytes      = 2     // and a word for each farEach arcs
	farthestBytes = 2 * wordBytes
	blockBytes    = wordBytes + inBlock/2
	longBytes     = wordBytes + 2*(inBlock+1)
	wideBytes     = 8
	measureBytes  = 5 // with what its block takes: more than on roads
	cellBytes     = 5 // of Cells, for each rank: more than they take on roads
)

// has counts what a metric has in a direction of its own.
func (w *searchGraph) has() counts {
	if len(w.alone) == 1 {
		return w.alone[0]
	}
	return measured{searchGraph: w}.count()
}

// Bytes is the memory that a metric takes, or would take if it shared no arcs.
func (m *Metric) Bytes() int64 {
	n := int64(0)
	for _, w := range m.directions() {
		has := w.has()
		n += blockBytes*int64(cap(w.blocks)) + longBytes*int64(cap(w.long)) + stepBytes*int64(has.arcs) + wideBytes*int64(has.wide) + farBytes*int64(has.far) + wordBytes*int64(has.arcs/farEach) + farthestBytes*int64(has.farthest)
	}
	return n
}

// Bytes is the memory that measures take.
func (x *Measures) Bytes() int64 {
	n := int64(0)
	for _, m := range x.lists() {
		n += int64(cap(m.packed)) + wideBytes*int64(cap(m.blocks))
	}
	n += wordBytes * int64(cap(x.own.pages)+cap(x.cells.roots))
	for _, b := range x.cells.ways {
		n += wordBytes*int64(cap(b.at)+cap(b.reach)) + wideBytes*int64(cap(b.needs)+cap(b.joined))
	}
	return n
}

// MeasureBytes is about the memory that the Measures of a metric take.
func (m *Metric) MeasureBytes() int64 {
	ranks := inBlock * len(m.forward.blocks)
	return measureBytes*(int64(m.forward.has().arcs)+int64(m.backward.has().arcs)+int64(ranks)) + cellBytes*int64(ranks)
}

// MostBytes is the most memory that a metric of the topology can take: with
// all of its arcs.
func (t *Topology) MostBytes() int64 {
	return 2 * ((blockBytes+longBytes)*int64(len(t.Edge)/inBlock+1) + (stepBytes+wideBytes+farBytes+farthestBytes+1)*int64(len(t.Above)))
}

// MostMeasureBytes is about the most memory that the Measures of such a metric take.
func (t *Topology) MostMeasureBytes() int64 {
	return measureBytes*int64(2*len(t.Above)+len(t.Edge)) + cellBytes*int64(len(t.Edge))
}

// TurnBytes is at least the memory that a profile.Metric of the graph takes.
func (t *Topology) TurnBytes() int64 { return wordBytes * int64(len(t.Edge)+len(t.TurnArc)) }
