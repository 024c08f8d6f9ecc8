package laz

import "encoding/binary"

var le = binary.LittleEndian

// pointwise is a part of the records of formats 0 to 5. The parts of all points of a
// chunk follow one another in one stream.
type pointwise interface {
	// first takes the part of a chunk's first point, which the chunk has as it is.
	first(rec []byte)
	// next codes the part of another point: it reads rec, or writes to it.
	next(c *coder, rec []byte)
}

// layered is a part of the records of formats 6 to 10. Its values are in streams of
// their own, one for each group that an application may want alone.
type layered interface {
	layers() []*coder
	// first takes the part of a chunk's first point. The part that comes first in a
	// record sets the context; the others start with it.
	first(rec []byte, context *int)
	next(rec []byte, context *int)
}

// gpsTimes predicts the times of pulses. Files that were merged have up to four
// sequences in turn, whose times are far from each other.
type gpsTimes struct {
	shift    int // by how much the symbols of this version are smaller
	noChange model
	multiple model
	value    integer
	sequence int
	newest   int
	time     [4]uint64 // bits of the float
	step     [4]int32
	extreme  [4]int
}

// Symbols of the multiple of the last step that the next one is.
const (
	multipleMost   = 500
	multipleLeast  = -10
	multipleSame   = multipleMost - multipleLeast + 1
	multipleAfresh = multipleSame + 1
)

// newGPSTimes returns the coder of version 2 of the format, or of 3. The latter does
// not code that a time is unchanged, so its symbols are smaller by one.
func newGPSTimes(version int) gpsTimes {
	shift := version - 2
	return gpsTimes{
		shift: shift, noChange: model{symbols: uint32(6 - shift)},
		multiple: model{symbols: uint32(multipleAfresh + 4 - shift)}, value: newInteger(32, 9),
	}
}

func (g *gpsTimes) reset(first uint64) {
	g.noChange.ready, g.multiple.ready = false, false
	g.value.reset()
	g.sequence, g.newest = 0, 0
	g.time, g.step, g.extreme = [4]uint64{first}, [4]int32{}, [4]int{}
}

// code codes a time, as the bits of the float.
func (g *gpsTimes) code(c *coder, t uint64) uint64 {
	// A sequence that does not fit is left for another at most three times in valid
	// streams; a damaged one must not go round for ever.
	for range 16 {
		again := false
		if g.step[g.sequence] == 0 {
			again = g.afterNone(c, t)
		} else {
			again = g.afterStep(c, t)
		}
		if !again {
			return g.time[g.sequence]
		}
	}
	c.short = true
	return g.time[g.sequence]
}

// fits returns the difference to the last time of a sequence, if 32 bits suffice.
func (g *gpsTimes) fits(t uint64, sequence int) (int32, bool) {
	d := int64(t - g.time[sequence])
	return int32(d), d == int64(int32(d))
}

// other returns how many sequences further on a time fits, 0 if none does.
func (g *gpsTimes) other(t uint64) int {
	for i := 1; i < 4; i++ {
		if _, ok := g.fits(t, (g.sequence+i)&3); ok {
			return i
		}
	}
	return 0
}

func (g *gpsTimes) afterNone(c *coder, t uint64) (again bool) {
	s, symbol := g.sequence, 0
	d, ok := g.fits(t, s)
	if c.encoding {
		switch other := 0; {
		case ok && d == 0 && g.shift == 0:
		case ok:
			symbol = 1
		default:
			symbol = 2
			if other = g.other(t); other > 0 {
				symbol = 2 + other
			}
		}
	}
	symbol = int(c.symbol(&g.noChange, uint32(symbol-g.shift))) + g.shift
	switch symbol {
	case 0:
	case 1:
		g.step[s] = g.value.code(c, 0, d, 0)
		g.time[s] += uint64(int64(g.step[s]))
		g.extreme[s] = 0
	case 2:
		g.afresh(c, t)
	default:
		g.sequence = (s + symbol - 2) & 3
		return true
	}
	return false
}

func (g *gpsTimes) afterStep(c *coder, t uint64) (again bool) {
	s, symbol := g.sequence, 0
	d, ok := g.fits(t, s)
	if c.encoding {
		switch {
		case ok && d == 0 && g.shift == 0:
			symbol = multipleSame
		case ok:
			symbol = multipleSymbol(d, g.step[s])
		default:
			symbol = multipleAfresh + g.other(t)
		}
		if symbol >= multipleSame {
			symbol -= g.shift
		}
	}
	symbol = int(c.symbol(&g.multiple, uint32(symbol)))
	if symbol >= multipleSame {
		symbol += g.shift
	}
	step := g.step[s]
	switch {
	case symbol == multipleSame:
		return false
	case symbol == multipleAfresh:
		g.afresh(c, t)
		return false
	case symbol > multipleAfresh:
		g.sequence = (s + symbol - multipleAfresh) & 3
		return true
	case symbol == 1:
		d = g.value.code(c, step, d, 1)
		g.extreme[s] = 0
	case symbol == 0:
		d = g.value.code(c, 0, d, 7)
		g.rare(d)
	case symbol < 10:
		d = g.value.code(c, int32(symbol)*step, d, 2)
	case symbol < multipleMost:
		d = g.value.code(c, int32(symbol)*step, d, 3)
	case symbol == multipleMost:
		d = g.value.code(c, multipleMost*step, d, 4)
		g.rare(d)
	case symbol < multipleMost-multipleLeast:
		d = g.value.code(c, int32(multipleMost-symbol)*step, d, 5)
	default:
		d = g.value.code(c, multipleLeast*step, d, 6)
		g.rare(d)
	}
	g.time[s] += uint64(int64(d))
	return false
}

// multipleSymbol returns the symbol of the multiple of the last step that d is nearest.
func multipleSymbol(d, step int32) int {
	q := float64(d) / float64(step)
	switch {
	case q >= multipleMost:
		return multipleMost
	case q <= multipleLeast:
		return multipleMost - multipleLeast
	case q >= 0:
		return int(q + 0.5)
	case q > -0.5:
		return 0
	}
	return multipleMost + int(0.5-q)
}

// rare counts steps that the last one did not predict, and takes the fourth as the step.
func (g *gpsTimes) rare(d int32) {
	s := g.sequence
	g.extreme[s]++
	if g.extreme[s] > 3 {
		g.step[s] = d
		g.extreme[s] = 0
	}
}

// afresh codes the first time of another sequence.
func (g *gpsTimes) afresh(c *coder, t uint64) {
	high := g.value.code(c, int32(g.time[g.sequence]>>32), int32(t>>32), 8)
	low := c.bits(32, uint32(t))
	g.newest = (g.newest + 1) & 3
	g.sequence = g.newest
	g.time[g.sequence] = uint64(uint32(high))<<32 | uint64(low)
	g.step[g.sequence], g.extreme[g.sequence] = 0, 0
}

// colours predicts red, green and blue by byte from those of the point before, green
// and blue also by how much the former changed.
type colours struct {
	change model
	diff   [6]model
}

func newColours() colours {
	k := colours{change: model{symbols: 128}}
	for i := range k.diff {
		k.diff[i].symbols = 256
	}
	return k
}

func (k *colours) reset() {
	k.change.ready = false
	unready(k.diff[:])
}

func limit(v int) int { return min(max(v, 0), 255) }

// code codes the colour in rec, six bytes, after another.
func (k *colours) code(c *coder, last, rec []byte) {
	_, _ = last[5], rec[5]
	change := uint32(0)
	if c.encoding {
		for i := range 6 {
			if rec[i] != last[i] {
				change |= 1 << i
			}
		}
		if rec[0] != rec[2] || rec[0] != rec[4] || rec[1] != rec[3] || rec[1] != rec[5] {
			change |= 1 << 6
		}
		if change != 0 {
			c.used = true
		}
	}
	change = c.symbol(&k.change, change)
	one := func(i, predicted int) {
		if change&(1<<i) == 0 {
			rec[i] = last[i]
			return
		}
		rec[i] = byte(predicted + int(c.symbol(&k.diff[i], uint32(rec[i]-byte(predicted)))))
	}
	one(0, int(last[0]))
	one(1, int(last[1]))
	if change&(1<<6) == 0 {
		rec[2], rec[4] = rec[0], rec[0]
		rec[3], rec[5] = rec[1], rec[1]
		return
	}
	for i := range 2 { // the low bytes, then the high ones
		d := int(rec[i]) - int(last[i])
		one(i+2, limit(d+int(last[i+2])))
		d = (d + int(rec[i+2]) - int(last[i+2])) / 2
		one(i+4, limit(d+int(last[i+4])))
	}
}

// waves codes descriptors of waveforms: where in the file that of a point is, and the
// line on which it was measured.
type waves struct {
	index      model
	offset     [4]model
	step       integer
	size       integer
	location   integer
	direction  integer
	lastStep   int32
	lastSymbol uint32
}

// waveSize is the length of a descriptor.
const waveSize = 29

func newWaves() *waves {
	w := &waves{index: model{symbols: 256}, step: newInteger(32, 1), size: newInteger(32, 1), location: newInteger(32, 1), direction: newInteger(32, 3)}
	for i := range w.offset {
		w.offset[i].symbols = 4
	}
	return w
}

func (w *waves) reset() {
	w.index.ready = false
	unready(w.offset[:])
	for _, i := range []*integer{&w.step, &w.size, &w.location, &w.direction} {
		i.reset()
	}
	w.lastStep, w.lastSymbol = 0, 0
}

func (w *waves) code(c *coder, last, rec []byte) {
	_, _ = last[waveSize-1], rec[waveSize-1]
	rec[0] = byte(c.symbol(&w.index, uint32(rec[0])))
	before, offset := le.Uint64(last[1:]), le.Uint64(rec[1:])
	length := le.Uint32(last[9:])
	step, symbol := int64(offset-before), uint32(3)
	if c.encoding && step == int64(int32(step)) {
		switch {
		case step == 0:
			symbol = 0
		case step == int64(length):
			symbol = 1
		default:
			symbol = 2
		}
	}
	w.lastSymbol = c.symbol(&w.offset[w.lastSymbol], symbol)
	switch w.lastSymbol {
	case 0:
		offset = before
	case 1:
		offset = before + uint64(length)
	case 2:
		w.lastStep = w.step.code(c, w.lastStep, int32(step), 0)
		offset = before + uint64(int64(w.lastStep))
	default:
		low := c.bits(32, uint32(offset))
		offset = uint64(c.bits(32, uint32(offset>>32)))<<32 | uint64(low)
	}
	le.PutUint64(rec[1:], offset)
	number := func(i *integer, at, context int) {
		le.PutUint32(rec[at:], uint32(i.code(c, int32(le.Uint32(last[at:])), int32(le.Uint32(rec[at:])), context)))
	}
	number(&w.size, 9, 0)
	number(&w.location, 13, 0)
	number(&w.direction, 17, 0)
	number(&w.direction, 21, 1)
	number(&w.direction, 25, 2)
}
