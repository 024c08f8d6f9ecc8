package laz

// Constants of the arithmetic coder: lengths of the interval, precision of the
// probabilities and how many symbols a model counts before it halves its counts.
const (
	minLength     = 1 << 24
	maxLength     = 1<<32 - 1
	bitPrecision  = 13
	bitMostCount  = 1 << 13
	precision     = 15
	mostCount     = 1 << 15
	smallAlphabet = 16 // up to this size a model is searched without a table
)

// model is the adaptive probabilities of an alphabet. Its slices are made when it is
// first used, since most models of a chunk never are.
type model struct {
	ready   bool
	symbols uint32
	total   uint32
	cycle   uint32
	until   uint32
	shift   uint32   // of a value of the distribution to its place in table
	dist    []uint16 // cumulative probability before each symbol, of 1 << precision
	count   []uint16
	table   []uint16 // the symbol at which the search starts, decoders only
}

// reset makes all symbols equally likely.
func (m *model) reset(encoding bool) {
	if m.dist == nil {
		all := make([]uint16, 2*m.symbols)
		m.dist, m.count = all[:m.symbols:m.symbols], all[m.symbols:]
		if !encoding && m.symbols > smallAlphabet {
			bits := uint32(3)
			for m.symbols > 1<<(bits+2) {
				bits++
			}
			m.shift = precision - bits
			m.table = make([]uint16, 1<<bits+2)
		}
	}
	for i := range m.count {
		m.count[i] = 1
	}
	m.total = 0
	m.cycle = m.symbols
	m.update()
	m.cycle = (m.symbols + 6) >> 1
	m.until = m.cycle
	m.ready = true
}

// update works out the probabilities from the counts.
func (m *model) update() {
	m.total += m.cycle
	if m.total > mostCount {
		m.total = 0
		for i, c := range m.count {
			c = (c + 1) >> 1
			m.count[i] = c
			m.total += uint32(c)
		}
	}
	scale := uint32(1<<31) / m.total
	sum := uint32(0)
	if m.table == nil {
		for i, c := range m.count {
			m.dist[i] = uint16(scale * sum >> (31 - precision))
			sum += uint32(c)
		}
	} else {
		at, last := 0, len(m.table)-2
		for i, c := range m.count {
			d := scale * sum >> (31 - precision)
			m.dist[i] = uint16(d)
			sum += uint32(c)
			for w := int(d >> m.shift); at < w; {
				at++
				m.table[at] = uint16(i - 1)
			}
		}
		m.table[0] = 0
		for at <= last {
			at++
			m.table[at] = uint16(m.symbols - 1)
		}
	}
	m.cycle = min(5*m.cycle>>2, (m.symbols+6)<<3)
	m.until = m.cycle
}

// bitModel is the adaptive probability of a bit.
type bitModel struct {
	zeros, all, cycle, until uint32
	prob                     uint32 // of a zero, of 1 << bitPrecision
}

func (m *bitModel) reset() {
	*m = bitModel{zeros: 1, all: 2, cycle: 4, until: 4, prob: 1 << (bitPrecision - 1)}
}

func (m *bitModel) update() {
	m.all += m.cycle
	if m.all > bitMostCount {
		m.all = (m.all + 1) >> 1
		m.zeros = (m.zeros + 1) >> 1
		if m.zeros == m.all {
			m.all++
		}
	}
	m.prob = m.zeros * (uint32(1<<31) / m.all) >> (31 - bitPrecision)
	m.cycle = min(5*m.cycle>>2, 64)
	m.until = m.cycle
}

// coder reads or writes a stream of symbols. Both directions share the code of the
// fields: a method takes the value to write and returns it, or ignores its argument
// and returns the value that was read. The method is that of A. Said, Introduction to
// Arithmetic Coding (HP Labs HPL-2004-76, 2004), with 32-bit arithmetic.
type coder struct {
	encoding bool
	length   uint32

	in    []byte
	at    int
	value uint32
	empty bool // no bytes: all values of the layer are as in the first point
	short bool // the bytes ended too early, or make no sense

	out  []byte
	base uint32
	used bool // some value differs from the one before it
}

// read starts to decode from bytes.
func (c *coder) read(in []byte) {
	*c = coder{in: in, length: maxLength, empty: len(in) == 0}
	for range 4 {
		c.value = c.value<<8 | uint32(c.byte())
	}
	c.short = c.short && !c.empty
}

// write starts to encode behind the bytes of out.
func (c *coder) write(out []byte) {
	*c = coder{encoding: true, length: maxLength, out: out}
}

func (c *coder) byte() byte {
	if c.at >= len(c.in) {
		c.short = true
		return 0
	}
	c.at++
	return c.in[c.at-1]
}

// refill reads the bytes that a shrunken interval needs.
func (c *coder) refill() {
	for {
		c.value = c.value<<8 | uint32(c.byte())
		c.length <<= 8
		if c.length >= minLength {
			return
		}
	}
}

// flush writes the bytes that a shrunken interval no longer changes.
func (c *coder) flush() {
	for {
		c.out = append(c.out, byte(c.base>>24))
		c.base <<= 8
		c.length <<= 8
		if c.length >= minLength {
			return
		}
	}
}

// raise adds to the base of the interval, with the carry into the bytes written.
func (c *coder) raise(by uint32) {
	before := c.base
	c.base += by
	if c.base < before {
		i := len(c.out) - 1
		for ; c.out[i] == 0xff; i-- {
			c.out[i] = 0
		}
		c.out[i]++
	}
}

// finish writes the last bytes and returns all.
func (c *coder) finish() []byte {
	more := c.length > 2*minLength
	if more {
		c.raise(minLength)
		c.length = minLength >> 1
	} else {
		c.raise(minLength >> 1)
		c.length = minLength >> 9
	}
	c.flush()
	c.out = append(c.out, 0, 0)
	if more {
		c.out = append(c.out, 0)
	}
	return c.out
}

// symbol codes a symbol of a model.
func (c *coder) symbol(m *model, s uint32) uint32 {
	if !m.ready {
		m.reset(c.encoding)
	}
	if c.encoding {
		c.put(m, s)
	} else {
		s = c.get(m)
	}
	m.count[s]++
	m.until--
	if m.until == 0 {
		m.update()
	}
	return s
}

func (c *coder) put(m *model, s uint32) {
	step := c.length >> precision
	low := uint32(m.dist[s]) * step
	if s == m.symbols-1 {
		c.length -= low
	} else {
		c.length = uint32(m.dist[s+1])*step - low
	}
	c.raise(low)
	if c.length < minLength {
		c.flush()
	}
}

func (c *coder) get(m *model) uint32 {
	dist := m.dist
	step := c.length >> precision
	var s, end uint32
	v := c.value / step
	if m.table != nil {
		t := v >> m.shift
		s, end = uint32(m.table[t]), uint32(m.table[t+1])+1
	} else {
		end = m.symbols
	}
	for end > s+1 {
		k := (s + end) >> 1
		if uint32(dist[k]) > v {
			end = k
		} else {
			s = k
		}
	}
	low, high := uint32(dist[s])*step, c.length
	if int(s)+1 < len(dist) {
		high = uint32(dist[s+1]) * step
	}
	c.value -= low
	c.length = high - low
	if c.length < minLength {
		c.refill()
	}
	return s
}

// bit codes a bit of a model.
func (c *coder) bit(m *bitModel, b uint32) uint32 {
	zero := m.prob * (c.length >> bitPrecision)
	if !c.encoding {
		b = 0
		if c.value >= zero {
			b = 1
		}
	}
	switch {
	case b == 0:
		c.length = zero
		m.zeros++
	case c.encoding:
		c.raise(zero)
		c.length -= zero
	default:
		c.value -= zero
		c.length -= zero
	}
	c.renormalise()
	m.until--
	if m.until == 0 {
		m.update()
	}
	return b
}

// bits codes 1 to 32 bits that are equally likely.
func (c *coder) bits(n int, v uint32) uint32 {
	if n > 19 {
		low := c.bits(16, v&0xffff)
		return c.bits(n-16, v>>16)<<16 | low
	}
	c.length >>= n
	if c.encoding {
		c.raise(v * c.length)
	} else {
		v = c.value / c.length
		c.value -= v * c.length
		if v >= 1<<n {
			c.short = true
			v = 0
		}
	}
	c.renormalise()
	return v
}

func (c *coder) renormalise() {
	if c.length >= minLength {
		return
	}
	if c.encoding {
		c.flush()
	} else {
		c.refill()
	}
}
